//! A unit on the wire: how nodes write it, and read it again.
//!
//! ```text
//! words[0]   index at the receiving node (32 bits), corrupted (1), kind (3), value (28)
//! words[1]   birth of a cell, or what a control cell says beside its value
//! ```
//! A unit whose size is not that of a cell, or is marked, has a second pair of words behind it.
//! Not modelled here: what an RM cell carries, see `state/rated.rs`.

use hopflow_kernel::InFlight;
use hopflow_units::Bytes;

use crate::trace::CellKind;

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
    /// its sender has started.
    pub(crate) word: u64,
}

/// Marks the size of the last cell of a frame.
pub(crate) const LAST: u32 = 1 << 31;
/// Marks the size of a cell with EFCI.
pub(crate) const EFCI: u32 = 1 << 30;
/// Marks the size of an RM cell.
pub(crate) const RM: u32 = 1 << 29;
/// Marks the size of an RM cell that was made at this node.
pub(crate) const MADE: u32 = 1 << 28;
/// Marks the size of a unit with congestion experienced, whatever ABR says by EFCI.
pub(crate) const CE: u32 = 1 << 27;
/// A size without marks.
pub(crate) const SIZE_MASK: u32 = CE - 1;

/// Whether a size is marked as that of the last cell of a frame.
pub(crate) const fn is_last(bytes: u32) -> bool {
    bytes & LAST != 0
}

/// Bytes of a cell.
pub(crate) const CELL: u32 = Bytes::CELL.0 as u32;
const VALUE_BITS: u32 = 28;
const CORRUPTED: u32 = 1 << 31;
/// In place of a kind: the size of the unit before, where it is not that of a cell or is marked; or
/// one of the kinds from 7 on, told by the index, which is 0 for a size.
const SIZE: u32 = SIZE_KIND << VALUE_BITS;
pub(crate) const SIZE_KIND: u32 = CellKind::Pause as u32;

/// A word on the wire that tells the size of the unit just sent.
pub(crate) fn pack_size(bytes: u32, due: u64) -> InFlight {
    InFlight { due, words: [u64::from(SIZE), u64::from(bytes)] }
}

/// The size of the unit before, if that is what these words tell.
#[inline]
pub(crate) fn size_of_last(words: [u64; 2]) -> Option<u32> {
    (words[0] == u64::from(SIZE)).then_some(words[1] as u32)
}

/// The index and the value of a data cell that is whole; `None` of any other unit.
#[inline]
pub(crate) const fn plain_data(words: [u64; 2]) -> Option<(u32, u32)> {
    let low = words[0] as u32;
    if low >> VALUE_BITS == 0 { Some(((words[0] >> 32) as u32, low)) } else { None }
}

/// Whether a unit is whole and is data or a credit.
#[inline]
pub(crate) const fn is_data_or_credit(words: [u64; 2]) -> bool {
    const CREDIT: u32 = CellKind::Credit as u32;
    matches!((words[0] as u32) >> VALUE_BITS, 0 | CREDIT)
}

/// To which end of a VC a unit goes, by its index at the receiving node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Addressee {
    Receiver(u32),
    Sender(u32),
    /// What goes to a port or a lane, and sizes.
    Nobody,
}

/// To whom a unit goes.
#[inline]
pub(crate) const fn addressee(words: [u64; 2]) -> Addressee {
    const DATA: u32 = CellKind::Data as u32;
    const ACK: u32 = CellKind::Ack as u32;
    const CREDIT: u32 = CellKind::Credit as u32;
    const REQUEST: u32 = CellKind::Request as u32;
    const SLOW_DOWN: u32 = CellKind::SlowDown as u32;
    let to = (words[0] >> 32) as u32;
    match (words[0] as u32 & !CORRUPTED) >> VALUE_BITS {
        DATA | ACK | REQUEST => Addressee::Receiver(to),
        CREDIT | SLOW_DOWN => Addressee::Sender(to),
        _ => Addressee::Nobody,
    }
}

/// The same unit to another index.
#[inline]
pub(crate) const fn readdressed([first, second]: [u64; 2], to: u32) -> [u64; 2] {
    [first & u32::MAX as u64 | (to as u64) << 32, second]
}

impl Unit {
    /// Which frame of a lane it is.
    #[cold]
    #[inline(never)]
    const fn frame_kind(word: u64) -> CellKind {
        if word >> 32 == 1 { CellKind::Pause } else { CellKind::LaneCredit }
    }

    /// Three bits of kind and one of corruption above the 28 bits of value, above that the index.
    pub(crate) fn pack(self, due: u64) -> InFlight {
        debug_assert!(self.value < 1 << VALUE_BITS);
        let flag = if self.corrupted { CORRUPTED } else { 0 };
        let low = flag | ((self.kind as u32) << VALUE_BITS) | self.value;
        InFlight { due, words: [(u64::from(self.to) << 32) | u64::from(low), self.word] }
    }

    #[inline]
    pub(crate) fn unpack(words: [u64; 2], bytes: u32) -> Unit {
        let low = words[0] as u32;
        let kind = match (low & !CORRUPTED) >> VALUE_BITS {
            0 => CellKind::Data,
            1 => CellKind::Ack,
            2 => CellKind::Credit,
            3 => CellKind::Request,
            4 => CellKind::Loop,
            5 => CellKind::LoopReply,
            6 => CellKind::SlowDown,
            _ => Unit::frame_kind(words[0]),
        };
        Unit {
            to: (words[0] >> 32) as u32,
            kind,
            value: low & ((1 << VALUE_BITS) - 1),
            corrupted: low & CORRUPTED != 0,
            word: words[1],
            bytes: bytes & SIZE_MASK,
        }
    }
}

/// Sequence numbers travel modulo 2^28.
pub(crate) const SEQUENCE_MASK: u64 = (1 << 28) - 1;

/// What a cell with these marks is, in the order hash and in rows, and on the wire.
pub(crate) const fn kinds_of(kind: CellKind, bytes: u32) -> [CellKind; 2] {
    [kind_of(kind, bytes), kind]
}

/// What a cell with these marks is: an RM cell goes as data forward, as an ACK backward.
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

    /// Claim: a unit goes to the end that its kind says, corrupted or not, and to the index that it
    /// is readdressed to; all else of it stays.
    #[test]
    fn a_unit_is_readdressed() {
        let ends = [
            (CellKind::Data, Addressee::Receiver(7)),
            (CellKind::Ack, Addressee::Receiver(7)),
            (CellKind::Request, Addressee::Receiver(7)),
            (CellKind::Credit, Addressee::Sender(7)),
            (CellKind::SlowDown, Addressee::Sender(7)),
            (CellKind::Loop, Addressee::Nobody),
            (CellKind::LoopReply, Addressee::Nobody),
        ];
        for (kind, end) in ends {
            for corrupted in [false, true] {
                let unit = Unit { to: 7, kind, value: 5, bytes: 9, corrupted, word: 3 };
                let words = unit.pack(1).words;
                assert_eq!(addressee(words), end);
                let there = Unit { to: u32::MAX, ..unit };
                assert_eq!(Unit::unpack(readdressed(words, u32::MAX), 9), there);
            }
        }
        assert_eq!(addressee(pack_size(9, 5).words), Addressee::Nobody);
    }

    /// Claim: a unit survives its packing, whatever its kind and flags.
    #[test]
    fn a_unit_survives_packing() {
        let kinds = [
            CellKind::Data,
            CellKind::Ack,
            CellKind::Credit,
            CellKind::Request,
            CellKind::Loop,
            CellKind::LoopReply,
            CellKind::SlowDown,
            CellKind::Pause,
        ];
        for kind in kinds {
            for corrupted in [false, true] {
                let value = (1 << VALUE_BITS) - 1;
                let to = if kind == CellKind::Pause { 1 } else { u32::MAX };
                let unit = Unit { to, kind, value, bytes: 9, corrupted, word: 7 };
                assert_eq!(size_of_last(unit.pack(5).words), None);
                assert_eq!(size_of_last(pack_size(9, 5).words), Some(9));
                assert_eq!(Unit::unpack(unit.pack(5).words, 9), unit);
            }
        }
    }
}
