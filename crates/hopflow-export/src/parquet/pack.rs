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
//! Differs: widths are whole bytes, which are quicker to make, and zstd sees what repeats; only
//! levels take a bit. A whole column chunk is one run: all packed, or one value repeated.
//! Checked by: reading with the `parquet` crate, in `trace/tests.rs`, and bits worked out by hand.

/// Values in a block of differences.
const BLOCK: usize = 128;
/// Values in a miniblock; they share a width.
const MINIBLOCK: usize = 32;

/// Bytes that hold `value`.
fn bytes(value: u64) -> usize {
    (u64::BITS - value.leading_zeros()).div_ceil(8) as usize
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

/// Adds the lowest `width` bytes of each value.
fn pack<T: Copy + Into<u64>>(values: &[T], width: usize, out: &mut Vec<u8>) {
    match width {
        0 => {}
        1 => out.extend(values.iter().map(|&value| value.into() as u8)),
        2 => pack_as::<T, 2>(values, out),
        3 => pack_as::<T, 3>(values, out),
        4 => pack_as::<T, 4>(values, out),
        _ => values.iter().for_each(|&v| out.extend_from_slice(&v.into().to_le_bytes()[..width])),
    }
}

fn pack_as<T: Copy + Into<u64>, const WIDTH: usize>(values: &[T], out: &mut Vec<u8>) {
    for few in values.chunks(MINIBLOCK) {
        let mut bytes = [[0; WIDTH]; MINIBLOCK];
        for (bytes, &value) in bytes.iter_mut().zip(few) {
            bytes.copy_from_slice(&value.into().to_le_bytes()[..WIDTH]);
        }
        out.extend_from_slice(bytes[..few.len()].as_flattened());
    }
}

/// Numbers whose differences are packed: `$name` for `$unsigned`, as `$signed`.
macro_rules! differences {
    ($name:ident, $unsigned:ty, $signed:ty) => {
        /// Adds the differences of `values`.
        pub(super) fn $name(values: &[$unsigned], out: &mut Vec<u8>) {
            varint(BLOCK as u64, out);
            varint((BLOCK / MINIBLOCK) as u64, out);
            varint(values.len() as u64, out);
            let first = values.first().copied().unwrap_or_default();
            zigzag(i64::from(first.cast_signed()), out);
            let later = values.get(1..).unwrap_or_default();
            for (later, before) in later.chunks(BLOCK).zip(values.chunks(BLOCK)) {
                // The last block of all may be short: what is missing is as the least and is not
                // counted.
                let mut block: [$signed; BLOCK] = [<$signed>::MAX; BLOCK];
                for (slot, (later, before)) in block.iter_mut().zip(later.iter().zip(before)) {
                    *slot = later.wrapping_sub(*before).cast_signed();
                }
                let least = block.iter().fold(<$signed>::MAX, |least, &one| least.min(one));
                block[later.len()..].fill(least);
                let above = block.map(|one| one.wrapping_sub(least).cast_unsigned());
                zigzag(i64::from(least), out);
                let widths = out.len();
                out.extend_from_slice(&[0; BLOCK / MINIBLOCK]);
                let (minis, _) = above.as_chunks::<MINIBLOCK>();
                for (index, mini) in minis.iter().take(later.len().div_ceil(MINIBLOCK)).enumerate()
                {
                    let width = bytes(u64::from(mini.iter().fold(0, |all, &one| all | one)));
                    out[widths + index] = 8 * width as u8;
                    pack(mini, width, out);
                }
            }
        }
    };
}

differences!(differences_u32, u32, i32);
differences!(differences_u64, u64, i64);

/// Adds indices into a dictionary of `entries` texts.
pub(super) fn indices<T: Copy + PartialEq + Into<u64>>(
    codes: &[T],
    entries: usize,
    out: &mut Vec<u8>,
) {
    let width = bytes(entries.saturating_sub(1) as u64);
    out.push(8 * width as u8);
    let first = codes.first().map_or(0, |&code| code.into());
    if codes.iter().all(|&code| code.into() == first) {
        return repeated(first, codes.len(), width, out);
    }
    groups(codes.len(), out);
    pack(codes, width, out);
    let missing = codes.len().next_multiple_of(8) - codes.len();
    out.resize(out.len() + missing * width, 0);
}

/// Adds definition levels: which of the rows have a value; gives the number of those that do not.
pub(super) fn levels(
    present: impl ExactSizeIterator<Item = bool> + Clone,
    out: &mut Vec<u8>,
) -> usize {
    let rows = present.len();
    let nulls = present.clone().filter(|is_there| !is_there).count();
    if nulls == 0 || nulls == rows {
        repeated(u64::from(nulls == 0), rows, 1, out);
        return nulls;
    }
    groups(rows, out);
    let bits = out.len();
    out.resize(bits + rows.div_ceil(8), 0);
    for (row, is_there) in present.enumerate() {
        out[bits + row / 8] |= u8::from(is_there) << (row % 8);
    }
    nulls
}

/// A run of one value, of `width` bytes.
fn repeated(value: u64, count: usize, width: usize, out: &mut Vec<u8>) {
    varint((count as u64) << 1, out);
    out.extend_from_slice(&value.to_le_bytes()[..width]);
}

/// The head of a run of packed values, which comes in groups of eight.
fn groups(count: usize, out: &mut Vec<u8>) {
    varint((count.div_ceil(8) as u64) << 1 | 1, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: 7, 5, 3, 1, 2, 3, 4, 5 (the second example of the format's page): first 7, least
    /// difference -2, and what is above it: 0 0 0 3 3 3 3, here in a byte each.
    #[test]
    fn differences_are_those_of_the_formats_example() {
        let mut out = Vec::new();
        differences_u32(&[7, 5, 3, 1, 2, 3, 4, 5], &mut out);
        let head = [0x80, 1, 4, 8, 14, 3, 8, 0, 0, 0];
        assert_eq!(out[..head.len()], head);
        assert_eq!(out[head.len()..][..7], [0, 0, 0, 3, 3, 3, 3]);
        assert_eq!(out.len(), head.len() + MINIBLOCK);
    }

    /// Claim: in every width, byte b of value n is byte n x width + b.
    #[test]
    fn every_width_has_every_byte_in_its_place() {
        for width in 1..=8 {
            let mask = u64::MAX >> (64 - 8 * width);
            let values: Vec<u64> =
                (1..=70_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask).collect();
            let mut out = vec![7];
            pack(&values, width, &mut out);
            assert_eq!(out.len(), 1 + 70 * width);
            for (value, bytes) in values.iter().zip(out[1..].chunks(width)) {
                assert_eq!(value.to_le_bytes()[..width], *bytes, "width {width}");
            }
        }
    }

    /// Claim: one value repeated is a run of one value; else groups of 8, filled up with zeros.
    #[test]
    fn a_run_is_repeated_or_packed() {
        let packed = |pack: &dyn Fn(&mut Vec<u8>)| {
            let mut out = Vec::new();
            pack(&mut out);
            out
        };
        assert_eq!(packed(&|out| indices(&[4_u32; 100], 300, out)), [16, 0xc8, 1, 4, 0]);
        assert_eq!(packed(&|out| indices(&[0_u32; 3], 1, out)), [0, 6]);
        let few = packed(&|out| indices(&[1_u32, 0, 2], 3, out));
        assert_eq!(few, [8, 1 << 1 | 1, 1, 0, 2, 0, 0, 0, 0, 0]);
        let present = [true, false, true, true, false, false, false, false, true];
        let mut out = Vec::new();
        assert_eq!(levels(present.into_iter(), &mut out), 5);
        assert_eq!(out, [2 << 1 | 1, 0b0000_1101, 1]);
        out.clear();
        assert_eq!(levels([true; 4].into_iter(), &mut out), 0);
        assert_eq!(out, [8, 1]);
    }
}
