//! A unit on the wire: its packed form, which nodes write and read.
//!
//! ```text
//! words[0]   index at the receiving node (30 bits), corrupted (1), kind (5), value (28)
//! words[1]   birth of a cell, or the second value of a control cell
//! ```
//! A unit whose size is not that of a cell, or that is marked, is followed by a second pair of
//! words, [`SIZE`] and its size with marks. Further credits in a credit cell follow as units that
//! are due at the same instant. Not modelled here: what the unit carries where that
//! does not fit, see `record.rs`.

use hopflow_kernel::InFlight;
use hopflow_units::Bytes;

use hopflow_network::{CellKind, SizeLaw};

/// A unit on the wire, as the nodes read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// Index at the receiving node: a receiver for data, ACK and request, a sender for a credit.
    pub(crate) to: u32,
    pub(crate) kind: CellKind,
    pub(crate) value: u32,
    /// Its size on the wire.
    pub(crate) bytes: u32,
    pub(crate) corrupted: bool,
    /// Data: birth in ps. Credit: cells freed at the receiver as the credit started. Request: cells
    /// that its sender has started.
    pub(crate) word: u64,
}

/// Marks the size of the last cell of a frame.
pub(crate) const LAST: u32 = 1 << 31;
/// Marks the size of a cell with EFCI.
pub(crate) const EFCI: u32 = 1 << 30;
/// Marks the size of an RM cell.
pub(crate) const RM: u32 = 1 << 29;
/// Marks the size of an RM cell that was created at this node.
pub(crate) const MADE: u32 = 1 << 28;
/// Marks the size of a unit with congestion experienced, independently of EFCI.
pub(crate) const CE: u32 = 1 << 27;
/// Marks the size of a unit that carries a record, of any kind.
pub(crate) const RECORD: u32 = 1 << 26;
/// A size without marks.
pub(crate) const SIZE_MASK: u32 = RECORD - 1;

const _: () = assert!(SizeLaw::LARGEST.0 <= SIZE_MASK as u64);

/// Whether a size is marked as that of the last cell of a frame.
pub(crate) const fn is_last(bytes: u32) -> bool {
    bytes & LAST != 0
}

/// Bytes of a cell.
pub(crate) const CELL: u32 = Bytes::CELL.0 as u32;
/// The size of an RM cell, with its marks.
pub(crate) const RM_CELL: u32 = CELL | RM | RECORD;
const VALUE_BITS: u32 = 28;
const VALUE_MASK: u64 = (1 << VALUE_BITS) - 1;
const KIND_BITS: u32 = 5;
const KIND_MASK: u64 = (1 << KIND_BITS) - 1;
const CORRUPTED: u64 = 1 << (VALUE_BITS + KIND_BITS);
const INDEX_SHIFT: u32 = VALUE_BITS + KIND_BITS + 1;
/// The numbers of receivers and of senders of a node are less than this.
pub(crate) const ENDS_LIMIT: usize = 1 << (u64::BITS - INDEX_SHIFT);
/// The index of a unit for a port or a lane, not for an end of a VC.
pub(crate) const TO_PORT: u32 = 0;

/// These words have the size of the unit before. No unit has all bits above the value set; a
/// comparison with this number takes one instruction, as it fits into its 32 bits.
const SIZE: u64 = !VALUE_MASK;

// Every kind has its number on the wire, less than that of sizes.
const _: () = assert!(CellKind::ALL.len() <= KIND_MASK as usize);

/// Packs an uncorrupted data cell.
#[inline]
pub(crate) const fn pack_data(to: u32, value: u32, birth: u64) -> [u64; 2] {
    [(to as u64) << INDEX_SHIFT | value as u64, birth]
}

/// The size of the unit just sent.
pub(crate) fn pack_size(bytes: u32, due: u64) -> InFlight {
    InFlight { due, words: [SIZE, u64::from(bytes)] }
}

/// The size of the unit before, if these words have it.
#[inline]
pub(crate) fn size_of_last(words: [u64; 2]) -> Option<u32> {
    (words[0] == SIZE).then_some(words[1] as u32)
}

/// The number of the kind of a unit; larger than that of any kind if the unit is corrupted.
const fn kind_if_whole(first: u64) -> u64 {
    (first >> VALUE_BITS) & (KIND_MASK << 1 | 1)
}

/// The index and the value of an uncorrupted data cell; `None` of any other unit.
#[inline]
pub(crate) const fn whole_data([first, _]: [u64; 2]) -> Option<(u32, u32)> {
    const DATA: u64 = CellKind::Data as u64;
    if kind_if_whole(first) != DATA {
        return None;
    }
    Some(((first >> INDEX_SHIFT) as u32, (first & VALUE_MASK) as u32))
}

/// Whether a unit is uncorrupted and is data or a credit.
#[inline]
pub(crate) const fn is_data_or_credit([first, _]: [u64; 2]) -> bool {
    const DATA: u64 = CellKind::Data as u64;
    const CREDIT: u64 = CellKind::Credit as u64;
    matches!(kind_if_whole(first), DATA | CREDIT)
}

/// The end of a VC to which a unit is addressed, by its index at the receiving node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Addressee {
    Receiver(u32),
    Sender(u32),
    /// Units for a port or a lane, and sizes.
    NoEnd,
}

/// The addressee of a unit.
#[inline]
pub(crate) const fn addressee([first, _]: [u64; 2]) -> Addressee {
    const DATA: u64 = CellKind::Data as u64;
    const ACK: u64 = CellKind::Ack as u64;
    const CREDIT: u64 = CellKind::Credit as u64;
    const REQUEST: u64 = CellKind::Request as u64;
    const SLOW_DOWN: u64 = CellKind::SlowDown as u64;
    const SET_UP: u64 = CellKind::SetUp as u64;
    const CONNECT: u64 = CellKind::Connect as u64;
    const REFUSAL: u64 = CellKind::Refusal as u64;
    const RELEASE: u64 = CellKind::Release as u64;
    const FURTHER: u64 = CellKind::FurtherCredit as u64;
    let to = (first >> INDEX_SHIFT) as u32;
    match first >> VALUE_BITS & KIND_MASK {
        DATA | ACK | REQUEST | SET_UP | RELEASE => Addressee::Receiver(to),
        CREDIT | SLOW_DOWN | CONNECT | REFUSAL | FURTHER => Addressee::Sender(to),
        _ => Addressee::NoEnd,
    }
}

/// The index at the receiving node, of any unit.
#[inline]
pub(crate) const fn index_of([first, _]: [u64; 2]) -> u32 {
    (first >> INDEX_SHIFT) as u32
}

/// The same unit with another index.
#[inline]
pub(crate) const fn readdressed([first, second]: [u64; 2], to: u32) -> [u64; 2] {
    [first & ((1 << INDEX_SHIFT) - 1) | (to as u64) << INDEX_SHIFT, second]
}

impl Unit {
    pub(crate) fn pack(self, due: u64) -> InFlight {
        debug_assert!(u64::from(self.value) <= VALUE_MASK && (self.to as usize) < ENDS_LIMIT);
        let kind = u64::from(self.corrupted) << KIND_BITS | self.kind as u64;
        let first = u64::from(self.to) << INDEX_SHIFT | kind << VALUE_BITS | u64::from(self.value);
        InFlight { due, words: [first, self.word] }
    }

    #[inline]
    pub(crate) fn unpack([first, word]: [u64; 2], bytes: u32) -> Unit {
        Unit {
            to: (first >> INDEX_SHIFT) as u32,
            kind: CellKind::ALL[(first >> VALUE_BITS & KIND_MASK) as usize],
            value: (first & VALUE_MASK) as u32,
            corrupted: first & CORRUPTED != 0,
            word,
            bytes: bytes & SIZE_MASK,
        }
    }
}

/// A sequence number as it is sent: modulo 2^28.
#[inline]
pub(crate) const fn sequence(number: u64) -> u32 {
    (number & VALUE_MASK) as u32
}

/// The kind of a cell with these marks: an RM cell is sent as data forward, as an ACK backward.
pub(crate) const fn kind_of(kind: CellKind, bytes: u32) -> CellKind {
    match kind {
        CellKind::Data if bytes & RM != 0 => CellKind::ForwardRm,
        CellKind::Ack if bytes & RM != 0 => CellKind::BackwardRm,
        kind => kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST_INDEX: u32 = ENDS_LIMIT as u32 - 1;

    /// Claim: a unit is addressed to the end that its kind specifies, corrupted or not, and to the
    /// index that it is readdressed to; its other fields do not change.
    #[test]
    fn a_unit_is_readdressed() {
        for kind in CellKind::ALL {
            let end = match kind {
                CellKind::Data
                | CellKind::Ack
                | CellKind::Request
                | CellKind::SetUp
                | CellKind::Release => Addressee::Receiver(7),
                CellKind::Credit
                | CellKind::SlowDown
                | CellKind::Connect
                | CellKind::Refusal
                | CellKind::FurtherCredit => Addressee::Sender(7),
                _ => Addressee::NoEnd,
            };
            for corrupted in [false, true] {
                let unit = Unit { to: 7, kind, value: 5, bytes: 9, corrupted, word: 3 };
                let words = unit.pack(1).words;
                assert_eq!(addressee(words), end, "{kind:?}");
                let there = Unit { to: LAST_INDEX, ..unit };
                assert_eq!(Unit::unpack(readdressed(words, LAST_INDEX), 9), there);
            }
        }
        assert_eq!(addressee(pack_size(9, 5).words), Addressee::NoEnd);
    }

    /// Claim: a unit of any kind survives its packing, and is not mistaken for the size of a unit,
    /// nor for uncorrupted data unless it is that.
    #[test]
    fn a_unit_survives_packing() {
        for kind in CellKind::ALL {
            for corrupted in [false, true] {
                let (to, value) = (LAST_INDEX, VALUE_MASK as u32);
                let unit = Unit { to, kind, value, bytes: 9, corrupted, word: 7 };
                let words = unit.pack(5).words;
                assert_eq!(size_of_last(words), None);
                assert_eq!(Unit::unpack(words, 9), unit);
                let is_data = kind == CellKind::Data && !corrupted;
                assert_eq!(whole_data(words), is_data.then_some((to, value)));
                assert_eq!(words == pack_data(to, value, 7), is_data);
                let is_credit = kind == CellKind::Credit && !corrupted;
                assert_eq!(is_data_or_credit(words), is_data || is_credit);
            }
        }
        assert_eq!(size_of_last(pack_size(9, 5).words), Some(9));
        assert_eq!(whole_data(pack_size(9, 5).words), None);
    }
}
