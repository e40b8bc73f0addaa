//! Additive credit: each credit adds to the count, so the cells of a lost credit are lost for good.
//!
//! ```text
//! A  = cells freed since the last credit cell started                            (1)
//! CC <- CC + A                                                                   (2)
//! ```
//! | symbol             | meaning                                               | unit  |
//! |--------------------|-------------------------------------------------------|-------|
//! | A                  | value of a credit cell, about N2                      | cells |
//! | CC, `credit_count` | cells that may still start; N2 + N3 initially         | cells |
//!
//! Without errors the count equals that of exact counters (`cup.rs`). A corrupted credit loses its
//! A cells for good, a corrupted data cell loses one. When less than N2 is left of N2 + N3, the VC
//! stalls. The scheme is here for contrast with the absolute updates of N23 and CUP.
//!
//! Source: the "relative or additive updating" of [KMCL94] 3, as in [Kat87] and iWarp. Differs: the
//! value is the cells freed, not always N2, so that a requested credit is correct too. Not
//! modelled: nothing. Checked by: `additive/tests.rs`, `docs/models/additive.md`.

use hopflow_units::{Cells, SimTime};

use super::machine::Machine;
use super::{CreditValue, Facts, Grant, Holds, Start};

/// The sending end of additive credit.
#[derive(Clone, Copy, Debug)]
pub struct AdditiveSender {
    credit_count: Cells,
    largest: Cells,
}

impl AdditiveSender {
    pub(super) const FACTS: Facts =
        Facts { grant: Grant::FreedSince, holds: Holds::Always, ..Facts::new("additive") };

    pub(super) const fn new(start: Start) -> AdditiveSender {
        AdditiveSender { credit_count: start.credit, largest: start.units.largest() }
    }
}

impl Machine for AdditiveSender {
    fn largest(&self) -> Cells {
        self.largest
    }

    fn on_send(&mut self, _now: SimTime, units: Cells) {
        assert!(self.credit_count >= units, "additive credit sent a cell without credit");
        self.credit_count -= units;
    }

    /// Adds the cells freed since the last credit. Eq. (2).
    fn on_credit(&mut self, _now: SimTime, value: CreditValue, _in_flight: Cells) {
        self.credit_count += Cells(value.bits());
    }

    fn credit_count(&self, _now: SimTime) -> Cells {
        self.credit_count
    }
}

#[cfg(test)]
mod tests;
