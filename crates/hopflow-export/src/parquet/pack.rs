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

/// What can be packed.
pub(super) trait Number: Copy + Default + PartialEq + Into<u64> {}

impl<T: Copy + Default + PartialEq + Into<u64>> Number for T {}

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

/// Adds `values`, each in `width` bits (0 to 64): eight of them take `width` bytes. Those that miss
/// to a multiple of eight are zeros.
fn pack<T: Number>(values: &[T], width: u32, out: &mut Vec<u8>) {
    let (groups, rest) = values.as_chunks::<8>();
    match width {
        0 => return,
        1..=8 => groups.iter().for_each(|group| pack_narrow(group, width, out)),
        9..=16 => groups.iter().for_each(|group| pack_medium(group, width, out)),
        _ => groups.iter().for_each(|group| pack_wide(group, width, out)),
    }
    if !rest.is_empty() {
        let mut group = [T::default(); 8];
        group[..rest.len()].copy_from_slice(rest);
        pack_wide(&group, width, out);
    }
}

/// The values one after the other; all together they have at most 64 bits.
fn joined<T: Number>(values: &[T], width: u32) -> u64 {
    values.iter().zip(0..).fold(0, |all, (&value, n)| all | value.into() << (n * width))
}

/// Up to 8 bits each.
fn pack_narrow<T: Number>(group: &[T; 8], width: u32, out: &mut Vec<u8>) {
    let end = out.len() + width as usize;
    out.extend_from_slice(&joined(group, width).to_le_bytes());
    out.truncate(end);
}

/// Up to 16 bits each.
fn pack_medium<T: Number>(group: &[T; 8], width: u32, out: &mut Vec<u8>) {
    let end = out.len() + width as usize;
    let (low, high) = (joined(&group[..4], width), joined(&group[4..], width));
    let bits = u128::from(low) | u128::from(high) << (4 * width);
    out.extend_from_slice(&bits.to_le_bytes());
    out.truncate(end);
}

/// Any number of bits.
fn pack_wide<T: Number>(group: &[T; 8], width: u32, out: &mut Vec<u8>) {
    let end = out.len() + width as usize;
    let mut bits = 0_u128;
    let mut held = 0;
    for &value in group {
        bits |= u128::from(value.into()) << held;
        held += width;
        if held >= u64::BITS {
            out.extend_from_slice(&(bits as u64).to_le_bytes());
            bits >>= u64::BITS;
            held -= u64::BITS;
        }
    }
    out.extend_from_slice(&(bits as u64).to_le_bytes());
    out.truncate(end);
}

/// Adds the differences of `values`, which are numbers of `BITS` bits (32 or 64).
pub(super) fn differences<const BITS: u32>(
    mut values: impl ExactSizeIterator<Item = u64>,
    out: &mut Vec<u8>,
) {
    varint(BLOCK as u64, out);
    varint((BLOCK / MINIBLOCK) as u64, out);
    varint(values.len() as u64, out);
    let mut last = values.next().unwrap_or_default();
    zigzag(signed::<BITS>(last), out);
    let mut block = [0; BLOCK];
    while values.len() > 0 {
        let count = values.len().min(BLOCK);
        for (slot, value) in block.iter_mut().zip(values.by_ref()) {
            *slot = signed::<BITS>(value.wrapping_sub(last));
            last = value;
        }
        // The last block of all may be short: what is missing is as the least and is not counted.
        let least = block[..count].iter().fold(i64::MAX, |least, &one| least.min(one));
        block[count..].fill(least);
        pack_block(&block, least, count, out);
    }
}

/// A number of `BITS` bits, as a signed one.
fn signed<const BITS: u32>(value: u64) -> i64 {
    (value << (64 - BITS)).cast_signed() >> (64 - BITS)
}

/// A block of differences, of which `count` are meant.
fn pack_block(block: &[i64; BLOCK], least: i64, count: usize, out: &mut Vec<u8>) {
    zigzag(least, out);
    let widths = out.len();
    out.extend_from_slice(&[0; BLOCK / MINIBLOCK]);
    let (minis, _) = block.as_chunks::<MINIBLOCK>();
    for (index, mini) in minis.iter().take(count.div_ceil(MINIBLOCK)).enumerate() {
        let above = mini.map(|difference| difference.wrapping_sub(least).cast_unsigned());
        let width = width(above.iter().fold(0, |all, &one| all | one));
        out[widths + index] = width as u8;
        pack(&above, width, out);
    }
}

/// Adds indices into a dictionary of `entries` texts.
pub(super) fn indices<T: Number>(codes: &[T], entries: usize, out: &mut Vec<u8>) {
    let width = width(entries.saturating_sub(1) as u64);
    out.push(width as u8);
    run(codes, width, out);
}

/// Adds definition levels: which of the rows have a value.
pub(super) fn levels(present: &[u32], out: &mut Vec<u8>) {
    run(present, 1, out);
}

/// Adds the definition levels of rows that all have a value.
pub(super) fn all_present(rows: usize, out: &mut Vec<u8>) {
    varint((rows as u64) << 1, out);
    out.push(1);
}

/// One run of values of `width` bits: one repeated, or all packed.
fn run<T: Number>(values: &[T], width: u32, out: &mut Vec<u8>) {
    let first = values.first().copied().unwrap_or_default();
    if values.iter().all(|&value| value == first) {
        varint((values.len() as u64) << 1, out);
        out.extend_from_slice(&first.into().to_le_bytes()[..width.div_ceil(8) as usize]);
        return;
    }
    let groups = values.len().div_ceil(8);
    varint((groups as u64) << 1 | 1, out);
    pack(values, width, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the example of the format's page: 1 to 8 in 3 bits ... is 0b10001000 0b11000110
    /// 0b11111010 for 0 to 7.
    #[test]
    fn bits_begin_at_the_lowest() {
        let mut out = Vec::new();
        pack(&[0_u32, 1, 2, 3, 4, 5, 6, 7], 3, &mut out);
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

    /// Claim: in every width, bit b of value n is bit n x width + b; also where a group is short.
    #[test]
    fn every_width_has_every_bit_in_its_place() {
        for width in 1..=64 {
            let mask = u64::MAX >> (64 - width);
            let values: Vec<u64> =
                (1..=19_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask).collect();
            let mut out = vec![7];
            pack(&values, width, &mut out);
            assert_eq!(out.len(), 1 + 3 * width as usize);
            for (n, bit) in (0..24).flat_map(|n| (0..width).map(move |bit| (n, bit))) {
                let place = n as u32 * width + bit;
                let got = out[1 + (place / 8) as usize] >> (place % 8) & 1;
                let value = values.get(n).copied().unwrap_or_default();
                assert_eq!(u64::from(got), value >> bit & 1, "width {width}, {n}, bit {bit}");
            }
        }
    }

    /// Claim: one value repeated is a run of one value; else groups of 8, filled up with zeros.
    #[test]
    fn a_run_is_repeated_or_packed() {
        let mut out = Vec::new();
        indices(&[4_u32; 100], 300, &mut out);
        assert_eq!(out, [9, 0xc8, 1, 4, 0]);
        out.clear();
        levels(&[1, 0, 1, 1, 0, 0, 0, 0, 1], &mut out);
        assert_eq!(out, [2 << 1 | 1, 0b0000_1101, 1]);
    }
}
