//! Integers as Parquet packs them: differences, and indices into a dictionary.
//!
//! ```text
//! DELTA_BINARY_PACKED   block 128, miniblocks 4, count, first value; then for each block of 128
//!                       the least difference m, four widths w, and (difference - m) in w bits
//! RLE_DICTIONARY        width w; then either (count << 1) and one value, or
//!                       (groups of 8 << 1 | 1) and all values in w bits
//! ```
//! Counts are LEB128, signed numbers ZigZag before that, packed values begin at the lowest bit.
//! Source: the page "Encodings" of the Parquet format.
//! Differs: a whole column chunk is one run: all packed, or one value repeated.
//! Checked by: reading with the `parquet` crate, in `trace/tests.rs`, and bits worked out by hand.

/// Values in a block of differences.
const BLOCK: usize = 128;
/// Values in a miniblock; they share a width.
const MINIBLOCK: usize = 32;

/// Bits that hold `value`.
fn width(value: u64) -> u32 {
    u64::BITS - value.leading_zeros()
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn zigzag(value: i64, out: &mut Vec<u8>) {
    varint(((value << 1) ^ (value >> 63)).cast_unsigned(), out);
}

/// Adds `values`, each in `width` bits (0 to 64), and zeros up to a whole byte.
fn pack(values: impl Iterator<Item = u64>, width: u32, out: &mut Vec<u8>) {
    let mut bits = 0_u128;
    let mut held = 0;
    for value in values {
        bits |= u128::from(value) << held;
        held += width;
        if held >= u64::BITS {
            out.extend_from_slice(&(bits as u64).to_le_bytes());
            bits >>= u64::BITS;
            held -= u64::BITS;
        }
    }
    out.extend_from_slice(&(bits as u64).to_le_bytes()[..held.div_ceil(8) as usize]);
}

/// Adds the differences of `values`, which are numbers of `BITS` bits (32 or 64).
pub(super) fn differences<const BITS: u32>(
    mut values: impl ExactSizeIterator<Item = u64>,
    out: &mut Vec<u8>,
) {
    let signed = |value: u64| (value << (64 - BITS)).cast_signed() >> (64 - BITS);
    varint(BLOCK as u64, out);
    varint((BLOCK / MINIBLOCK) as u64, out);
    varint(values.len() as u64, out);
    let mut last = values.next().unwrap_or_default();
    zigzag(signed(last), out);
    let mut block = [0_i64; BLOCK];
    while values.len() > 0 {
        let count = values.len().min(BLOCK);
        for (difference, value) in block.iter_mut().zip(values.by_ref()) {
            *difference = signed(value.wrapping_sub(last));
            last = value;
        }
        pack_block(&block[..count], out);
    }
}

/// A block of differences; the last one of all may be short.
fn pack_block(block: &[i64], out: &mut Vec<u8>) {
    let least = block.iter().copied().min().unwrap_or_default();
    zigzag(least, out);
    let widths = out.len();
    out.extend_from_slice(&[0; BLOCK / MINIBLOCK]);
    for (index, mini) in block.chunks(MINIBLOCK).enumerate() {
        let above = |difference: i64| difference.wrapping_sub(least).cast_unsigned();
        let width = width(mini.iter().fold(0, |all, &difference| all | above(difference)));
        out[widths + index] = width as u8;
        let filled = mini.iter().map(|&difference| above(difference));
        let missing = std::iter::repeat_n(0, MINIBLOCK - mini.len());
        pack(filled.chain(missing), width, out);
    }
}

/// Adds indices into a dictionary of `entries` texts.
pub(super) fn indices(codes: &[u32], entries: usize, out: &mut Vec<u8>) {
    let width = width(entries.saturating_sub(1) as u64);
    out.push(width as u8);
    run(codes, width, out);
}

/// Adds definition levels: which of the rows have a value.
pub(super) fn levels(present: &[u32], out: &mut Vec<u8>) {
    run(present, 1, out);
}

/// One run of values of `width` bits: one repeated, or all packed.
fn run(values: &[u32], width: u32, out: &mut Vec<u8>) {
    let first = values.first().copied().unwrap_or_default();
    if values.iter().all(|&value| value == first) {
        varint((values.len() as u64) << 1, out);
        out.extend_from_slice(&first.to_le_bytes()[..width.div_ceil(8) as usize]);
        return;
    }
    let groups = values.len().div_ceil(8);
    varint((groups as u64) << 1 | 1, out);
    let missing = std::iter::repeat_n(0, groups * 8 - values.len());
    pack(values.iter().map(|&value| u64::from(value)).chain(missing), width, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the example of the format's page: 1 to 8 in 3 bits ... is 0b10001000 0b11000110
    /// 0b11111010 for 0 to 7.
    #[test]
    fn bits_begin_at_the_lowest() {
        let mut out = Vec::new();
        pack(0..8, 3, &mut out);
        assert_eq!(out, [0b1000_1000, 0b1100_0110, 0b1111_1010]);
    }

    /// Claim: 7, 5, 3, 1, 2, 3, 4, 5 (the page's second example): first 7, least difference -2,
    /// and what is above it 0 0 0 3 3 3 3 in two bits: 0b11000000 0b00111111.
    #[test]
    fn differences_are_those_of_the_formats_example() {
        let mut out = Vec::new();
        differences::<32>([7_u64, 5, 3, 1, 2, 3, 4, 5].into_iter(), &mut out);
        let head = [0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0];
        assert_eq!(out[..head.len()], head);
        assert_eq!(out[head.len()..], [0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0]);
    }

    /// Claim: 64-bit values whose differences do not fit 63 bits come out in 64.
    #[test]
    fn wide_values_fit() {
        let mut out = Vec::new();
        pack([u64::MAX, 1].into_iter(), 64, &mut out);
        assert_eq!(out, [[0xff; 8], [1, 0, 0, 0, 0, 0, 0, 0]].concat());
    }

    /// Claim: one value repeated is a run of one value; else groups of 8, filled up with zeros.
    #[test]
    fn a_run_is_repeated_or_packed() {
        let mut out = Vec::new();
        indices(&[4; 100], 300, &mut out);
        assert_eq!(out, [9, 0xc8, 1, 4, 0]);
        out.clear();
        levels(&[1, 0, 1, 1, 0, 0, 0, 0, 1], &mut out);
        assert_eq!(out, [2 << 1 | 1, 0b0000_1101, 1]);
    }
}
