//! A record in the ring that a link direction has for records, beside that of its units.
//!
//! A unit has a record if its size is marked with [`RECORD`](super::unit::RECORD). The record is
//! due with its unit. As no two units of a link are due at the same instant, the slots of that
//! instant are one record:
//! ```text
//! slot       words[0], words[1]; the lowest 5 bits of the last word: the kind
//! RM cell    ER, CCR | MCR, flags and kind
//! ```

use hopflow_control::rate::RmCell;
use hopflow_units::CellRate;
#[cfg(test)]
use hopflow_units::SimTime;

use crate::embed::record::Record;
use hopflow_network::VcSpec;

/// The slots of the longest record.
pub(crate) const MOST_SLOTS: usize = RM_SLOTS;
const RM_SLOTS: usize = 2;

const KIND_BITS: u32 = 5;
const KIND_MASK: u64 = (1 << KIND_BITS) - 1;
const RM: u64 = 0;
#[cfg(test)]
const STAMP: u64 = 1;

/// The slots of the longest record that units of a VC carry, in either direction; 0 if they carry
/// none.
pub(crate) fn record_slots(vc: &VcSpec) -> usize {
    if vc.rate.is_some() { RM_SLOTS } else { 0 }
}

impl Record {
    /// Passes the words of its slots to `put`, in order.
    #[inline]
    pub(crate) fn write(&self, mut put: impl FnMut([u64; 2])) {
        match self {
            Record::Rm(rm) => {
                let flags = [rm.ci, rm.ni, rm.bn, rm.backward, rm.in_rate, rm.sixteen_bit];
                let flags = flags.iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(*flag));
                put([rm.er.get().to_bits(), rm.ccr.get().to_bits()]);
                put([rm.mcr.get().to_bits(), flags << KIND_BITS | RM]);
            }
            #[cfg(test)]
            Record::Stamp(at) => put([at.0, STAMP]),
        }
    }

    /// The record in these slots.
    #[inline]
    pub(crate) fn read(slots: &[[u64; 2]]) -> Record {
        match *slots {
            [[er, ccr], [mcr, last]] if last & KIND_MASK == RM => {
                Record::Rm(rm_cell([er, ccr, mcr], last >> KIND_BITS))
            }
            #[cfg(test)]
            [[at, STAMP]] => Record::Stamp(SimTime(at)),
            _ => panic!("a unit comes with its record, not with {slots:x?}"),
        }
    }
}

fn rm_cell(rates: [u64; 3], flags: u64) -> RmCell {
    let rate = |bits| CellRate::new(f64::from_bits(bits)).expect("it was a rate when it was sent");
    let flags = [0, 1, 2, 3, 4, 5].map(|bit| flags >> bit & 1 == 1);
    let [ci, ni, bn, backward, in_rate, sixteen_bit] = flags;
    let [er, ccr, mcr] = rates.map(rate);
    RmCell { er, ccr, mcr, ci, ni, bn, backward, in_rate, sixteen_bit }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slots of a record.
    fn slots(record: Record) -> Vec<[u64; 2]> {
        let mut slots = Vec::new();
        record.write(|words| slots.push(words));
        assert!(slots.len() <= MOST_SLOTS);
        slots
    }

    /// Claim: a record of any kind survives its slots: an RM cell with every set of flags and
    /// rates that are exact only as 64 bits, an instant of any bits.
    #[test]
    fn a_record_survives_its_slots() {
        let rates = [0.1, 2.0 / 3.0, 353_207.547].map(f64::to_bits);
        for flags in 0..1 << 6 {
            let record = Record::Rm(rm_cell(rates, flags));
            assert_eq!(Record::read(&slots(record)), record);
            assert_eq!(slots(record)[1][1], flags << KIND_BITS | RM);
        }
        for ps in [0, 1, STAMP, u64::MAX] {
            let record = Record::Stamp(SimTime(ps));
            assert_eq!(Record::read(&slots(record)), record);
        }
    }

    /// Claim: slots that are no record panic: half an RM cell, no slot, a kind that does not exist.
    #[test]
    fn half_a_record_is_none() {
        let whole = slots(Record::Rm(rm_cell([0; 3], 0)));
        for slots in [&whole[..1], &[], &[[0, 9]], &[[0; 2], [0, STAMP]]] {
            let read = std::panic::catch_unwind(|| Record::read(slots));
            assert!(read.is_err(), "{slots:?}");
        }
    }
}
