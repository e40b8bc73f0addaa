//! Integers as Parquet packs them: differences, and indices into a dictionary.
//!
//! ```text
//! DELTA_BINARY_PACKED   block 128, miniblocks 4, count, first value; then for each block of 128
//!                       a difference m that is at most each of them, four widths w, and
//!                       (difference - m) in w bits
//! RLE_DICTIONARY        width w; then either (count << 1) and one value, or
//!                       (groups of 8 << 1 | 1) and all values in w bits
//! ```
//! Counts are LEB128, signed numbers ZigZag before that, packed values begin at the lowest bit.
//! Source: the page "Encodings" of the Parquet format.
//! Differs: widths are whole bytes, which are faster to write, and zstd compresses repeated bytes;
//! only levels take a bit. A whole column chunk is one run: all packed, or one value repeated. m is
//! 0 for numbers in order, and the lowest difference of the block for others.
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

/// Adds the lowest `width` bytes of each value of a miniblock.
fn pack<T: Copy + Into<u64>>(values: &[T; MINIBLOCK], width: usize, out: &mut Vec<u8>) {
    match width {
        0 => {}
        1 => pack_as::<T, 1>(values, out),
        2 => pack_as::<T, 2>(values, out),
        3 => pack_as::<T, 3>(values, out),
        4 => pack_as::<T, 4>(values, out),
        _ => values.iter().for_each(|&v| out.extend_from_slice(&v.into().to_le_bytes()[..width])),
    }
}

fn pack_as<T: Copy + Into<u64>, const WIDTH: usize>(values: &[T; MINIBLOCK], out: &mut Vec<u8>) {
    let mut bytes = [[0; WIDTH]; MINIBLOCK];
    for (bytes, &value) in bytes.iter_mut().zip(values) {
        bytes.copy_from_slice(&value.into().to_le_bytes()[..WIDTH]);
    }
    out.extend_from_slice(bytes.as_flattened());
}

/// Numbers whose differences are packed: `$name` for `$unsigned`, as `$signed`. `$floor` returns m:
/// a number that is at most each of a block of differences.
macro_rules! differences {
    ($name:ident, $unsigned:ty, $signed:ty, $floor:expr) => {
        /// Adds the differences of `values`.
        pub(super) fn $name(values: &[$unsigned], out: &mut Vec<u8>) {
            varint(BLOCK as u64, out);
            varint((BLOCK / MINIBLOCK) as u64, out);
            varint(values.len() as u64, out);
            let first = values.first().copied().unwrap_or_default();
            zigzag(i64::from(first.cast_signed()), out);
            let later = values.get(1..).unwrap_or_default();
            for (later, before) in later.chunks(BLOCK).zip(values.chunks(BLOCK)) {
                let mut block: [$signed; BLOCK] = [0; BLOCK];
                for (slot, (later, before)) in block.iter_mut().zip(later.iter().zip(before)) {
                    *slot = later.wrapping_sub(*before).cast_signed();
                }
                let floor: $signed = $floor(&block[..later.len()]);
                // The last block may be short. The missing differences equal the floor and are not
                // counted.
                block[later.len()..].fill(floor);
                let above = block.map(|one| one.wrapping_sub(floor).cast_unsigned());
                zigzag(i64::from(floor), out);
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

differences!(differences, u32, i32, |block: &[i32]| {
    block.iter().fold(i32::MAX, |least, &one| least.min(one))
});
differences!(differences_of_long, u64, i64, |block: &[i64]| {
    block.iter().fold(i64::MAX, |least, &one| least.min(one))
});
// A negative difference would need a wide field, but would be correct.
differences!(differences_in_order, u64, i64, |_| 0);

/// Adds indices into a dictionary of `entries` texts.
pub(super) fn indices(
    codes: impl ExactSizeIterator<Item = u32>,
    entries: usize,
    out: &mut Vec<u8>,
) {
    let width = bytes(entries.saturating_sub(1) as u64);
    out.push(8 * width as u8);
    match width {
        0 => repeated(0, codes.len(), width, out),
        1 => packed_codes::<1>(codes, out),
        2 => packed_codes::<2>(codes, out),
        3 => packed_codes::<3>(codes, out),
        _ => packed_codes::<4>(codes, out),
    }
}

fn packed_codes<const WIDTH: usize>(codes: impl ExactSizeIterator<Item = u32>, out: &mut Vec<u8>) {
    let bytes = |code: u32| *code.to_le_bytes().first_chunk::<WIDTH>().expect("at most four");
    packed(codes.len(), codes.map(bytes), out);
}

/// The same for numbers that are indices themselves; `is_one`: there is one number only.
pub(super) fn indices_of_bytes(indices: &[u8], is_one: bool, out: &mut Vec<u8>) {
    out.push(u8::BITS as u8);
    match indices.first() {
        Some(&only) if is_one => repeated(u64::from(only), indices.len(), 1, out),
        _ => packed(indices.len(), indices.iter().map(|&index| [index]), out),
    }
}

/// A run of packed values.
fn packed<const WIDTH: usize>(
    count: usize,
    values: impl Iterator<Item = [u8; WIDTH]>,
    out: &mut Vec<u8>,
) {
    groups(count, out);
    let begin = out.len();
    out.resize(begin + WIDTH * count.next_multiple_of(8), 0);
    let (slots, _) = out[begin..].as_chunks_mut();
    slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = value);
}

/// Adds definition levels: which of the rows have a value. Returns the number of those without.
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

    /// Claim: 7, 5, 3, 1, 2, 3, 4, 5 (the second example of the format's page): first 7, lowest
    /// difference -2, and the rest above it: 0 0 0 3 3 3 3, here in a byte each.
    #[test]
    fn differences_are_those_of_the_formats_example() {
        let mut out = Vec::new();
        differences(&[7, 5, 3, 1, 2, 3, 4, 5], &mut out);
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
            let value = |n: usize| (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
            let values: [u64; MINIBLOCK] = std::array::from_fn(value);
            let mut out = vec![7];
            pack(&values, width, &mut out);
            assert_eq!(out.len(), 1 + MINIBLOCK * width);
            for (value, bytes) in values.iter().zip(out[1..].chunks(width)) {
                assert_eq!(value.to_le_bytes()[..width], *bytes, "width {width}");
            }
        }
    }

    /// Claim: indices into 2, 300, 70,000 and 20,000,000 texts take 1 to 4 bytes, lowest first.
    #[test]
    fn indices_take_as_many_bytes_as_texts_need() {
        let code = [0x01_23_45_67, 0x12, 0x34_56];
        for (entries, width) in [(2, 1), (300, 2), (70_000, 3), (20_000_000, 4)] {
            let mut out = Vec::new();
            let numbers = [2, 0, 1, 0, 0, 0, 0, 0, 1];
            indices(numbers.into_iter().map(|number: usize| code[number]), entries, &mut out);
            assert_eq!(out[..2], [8 * width as u8, 2 << 1 | 1]);
            let values: Vec<u8> = out[2..].to_vec();
            assert_eq!(values.len(), 16 * width);
            assert_eq!(values[..width], code[2].to_le_bytes()[..width]);
            assert_eq!(values[width..2 * width], code[0].to_le_bytes()[..width]);
            assert_eq!(values[8 * width..9 * width], code[1].to_le_bytes()[..width]);
            assert!(values[9 * width..].iter().all(|&byte| byte == 0));
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
        assert_eq!(packed(&|out| indices([0; 3].into_iter(), 1, out)), [0, 6]);
        assert_eq!(packed(&|out| indices_of_bytes(&[4; 100], true, out)), [8, 0xc8, 1, 4]);
        let bytes = packed(&|out| indices_of_bytes(&[1, 0, 2], false, out));
        assert_eq!(bytes, [8, 1 << 1 | 1, 1, 0, 2, 0, 0, 0, 0, 0]);
        let few = packed(&|out| indices([1, 0, 2].into_iter(), 3, out));
        assert_eq!(few, bytes);
        let present = [true, false, true, true, false, false, false, false, true];
        let mut out = Vec::new();
        assert_eq!(levels(present.into_iter(), &mut out), 5);
        assert_eq!(out, [2 << 1 | 1, 0b0000_1101, 1]);
        out.clear();
        assert_eq!(levels([true; 4].into_iter(), &mut out), 0);
        assert_eq!(out, [8, 1]);
    }
}
