//! N123: N23 without E; a third zone of the buffer, N1, absorbs the cells in flight.
//!
//! The sender keeps no record of its starts: a credit sets the count to C. The cells that were in
//! flight are thus granted twice, and N1 has room for them:
//! ```text
//! C  = max(0, N2 + N3 - B)                                                       (1)
//! CC = C                                                                         (2)
//! N1 = ceil(R B_link / 424)          buffer N1 + N2 + N3                         (3)
//! ```
//! | symbol             | meaning                                            | unit     |
//! |--------------------|----------------------------------------------------|----------|
//! | N1, `n1`           | zone for cells in flight; not granted              | cells    |
//! | N2, N3, B          | as in N23 (`n23.rs`); B may exceed N2 + N3         | cells    |
//! | R                  | round trip: a cell out, a credit back              | ps       |
//! | B_link             | the link's rate                                    | bits/s   |
//! | CC, `credit_count` | cells that may still start                         | cells    |
//!
//! When a credit arrives at t, its B misses only the cells started in (t - R, t), at most N1. So
//! the receiver holds at most B + N1 + C = N1 + N2 + N3, and reaches this bound if it stalls just
//! after a credit has started. Eq. (3) is tight off the grid of cell times; if credits arrive just
//! when a cell may start, one cell less is in flight.
//!
//! Source: named in [KMCL94] 3 and note 2, which cites [KC93] for the rules. (1) to (3) are our
//! reading of what is said there: three zones, absolute updates, simpler logic than N23, extra
//! buffer proportional to the propagation delay. Not modelled: nothing. Checked by:
//! `n123/tests.rs`, `docs/models/n123.md`.

use hopflow_units::{Cells, SimTime};

use super::machine::Machine;
use super::{CreditValue, Facts, N1, Start};

/// The sending end of N123.
#[derive(Clone, Copy, Debug)]
pub struct N123Sender {
    credit_count: Cells,
    largest: Cells,
}

impl N123Sender {
    pub(super) const FACTS: Facts = Facts { n1: Some(N1::Link), ..Facts::new("n123") };

    pub(super) const fn new(start: Start) -> N123Sender {
        N123Sender { credit_count: start.credit, largest: start.units.largest() }
    }
}

impl Machine for N123Sender {
    fn largest(&self) -> Cells {
        self.largest
    }

    fn on_send(&mut self, _now: SimTime, units: Cells) {
        assert!(self.credit_count >= units, "N123 sent a cell without credit");
        self.credit_count -= units;
    }

    /// Sets the count to C. Eq. (2).
    fn on_credit(&mut self, _now: SimTime, value: CreditValue, _in_flight: Cells) {
        self.credit_count = Cells(value.bits());
    }

    fn credit_count(&self, _now: SimTime) -> Cells {
        self.credit_count
    }
}

#[cfg(test)]
mod tests;
