//! N23: credit-based flow control of one virtual circuit (VC) on one link.
//!
//! After every N2 cells it forwards, the receiver returns a credit cell carrying C. The sender
//! then sets its credit count CC, spends one per cell, and waits at zero:
//! ```text
//! C  = N2 + N3 - B                                                               (1)
//! CC = max(0, C - E)                                                             (2)
//! ```
//! | symbol             | meaning                                              | unit  |
//! |--------------------|------------------------------------------------------|-------|
//! | N2, `n2`           | cells forwarded per credit cell                      | cells |
//! | N3, `n3`           | buffer that covers one round trip at the VC's rate   | cells |
//! | B                  | cells at the receiver as the credit cell starts      | cells |
//! | E, `in_flight`     | cells started in (t - R, t], t the credit's arrival  | cells |
//! | R                  | round trip: a cell out, a credit back                | ps    |
//! | CC, `credit_count` | cells that may still start                           | cells |
//!
//! The update is absolute: the old count does not enter, so any credit repairs the loss of a credit
//! or a data cell. If R is the true loop, B + E is the number of cells not yet freed, CC is the
//! count of exact counters (`cup.rs`), and the receiver never holds more than N2 + N3.
//!
//! Source: [KMCL94] 4.3; (1) is the text below Figure 5, (2) is its Equation (1). Differs: B is
//! read when the credit cell starts, not when it falls due; CC is kept at zero when E, measured
//! over too long an R, exceeds C. Not modelled: nothing. The receiving half is `receiver.rs`,
//! shared by all schemes. Checked by: `n23/tests.rs`, `docs/models/n23.md`.

use hopflow_units::{Cells, SimTime};

use super::machine::Machine;
use super::{CreditValue, Facts, Holds, Start};

/// The sending end of N23.
#[derive(Clone, Copy, Debug)]
pub struct N23Sender {
    pub(super) credit_count: Cells,
    largest: Cells,
}

impl N23Sender {
    pub(super) const FACTS: Facts =
        Facts { needs_in_flight: true, holds: Holds::TrueLoop, ..Facts::new("n23") };

    pub(super) const fn new(start: Start) -> N23Sender {
        N23Sender { credit_count: start.credit, largest: start.units.largest() }
    }
}

impl Machine for N23Sender {
    fn largest(&self) -> Cells {
        self.largest
    }

    #[inline]
    fn on_send(&mut self, _now: SimTime, units: Cells) {
        assert!(self.credit_count >= units, "N23 sent a cell without credit");
        self.credit_count -= units;
    }

    /// Sets the count from C and E, whatever it was before. Eq. (2).
    fn on_credit(&mut self, _now: SimTime, value: CreditValue, in_flight: Cells) {
        self.credit_count = Cells(value.bits()).saturating_sub(in_flight);
    }

    fn credit_count(&self, _now: SimTime) -> Cells {
        self.credit_count
    }
}

#[cfg(test)]
mod tests;
