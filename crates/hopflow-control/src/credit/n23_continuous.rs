//! N23 with E taken at every instant: a packet may start while E(t) leaves room for it in the last
//! credit. For cells: while E(t) < C.
//!
//! ```text
//! C    = N2 + N3 - B                          as in N23                          (1)
//! E(t) = units started in (t - R, t]                                             (2)
//! a packet may start at t  <=>  E(t) + L <= C,  C the last credit                (3)
//! ```
//! | symbol              | meaning                                         | unit  |
//! |---------------------|-------------------------------------------------|-------|
//! | C, `last_credit`    | the last credit's value, N2 + N3 before the first | units |
//! | E, `starts`         | units started in the last R                     | units |
//! | L, `largest`        | units of the largest packet; 1 for cells        | units |
//! | R                   | round trip: a packet out, a credit back         | ps    |
//!
//! Permission returns without a credit as starts grow older than R. That makes bursts of N2 + N3 in
//! each R, as in [KMCL94] Figure 12, but it is **not safe**: a receiver that frees nothing gets up
//! to C more cells in every R without a new credit. N23 proper (`n23.rs`) takes E once, when the
//! credit arrives.
//!
//! Source: one reading of [KMCL94] 4.3, its Equations (1) and (2), and of 7.1, Figures 12 and 13.
//! Differs: intentionally, from N23. Not modelled: nothing. Checked by: `n23_continuous/tests.rs`,
//! `docs/models/n23.md`.

use hopflow_units::{Cells, SimTime};

use super::machine::Machine;
use super::starts::Starts;
use super::{CreditValue, Facts, Permission, Start};

/// The sending end of N23 with continuous E.
#[derive(Clone, Debug)]
pub struct N23ContinuousSender {
    last_credit: Cells,
    largest: Cells,
    starts: Starts,
}

impl N23ContinuousSender {
    pub(super) const FACTS: Facts =
        Facts { variation_of: Some("n23"), names_instants: true, ..Facts::new("n23-continuous") };

    pub(super) const fn new(start: Start) -> N23ContinuousSender {
        let Start { credit, round_trip, units, .. } = start;
        let largest = units.largest();
        N23ContinuousSender { last_credit: credit, largest, starts: Starts::new(round_trip) }
    }
}

impl Machine for N23ContinuousSender {
    /// Eq. (3).
    fn permission(&self, now: SimTime) -> Permission {
        if self.last_credit < self.largest {
            return Permission::Blocked;
        }
        self.starts.permission(now, self.last_credit - self.largest)
    }

    fn on_send(&mut self, now: SimTime, units: Cells) {
        assert_eq!(self.permission(now), Permission::Now, "N23 sent a cell without permission");
        self.starts.push(now, units);
    }

    fn on_credit(&mut self, _now: SimTime, value: CreditValue, _in_flight: Cells) {
        self.last_credit = Cells(value.bits());
    }

    /// C - E(now); zero if E is greater.
    fn credit_count(&self, now: SimTime) -> Cells {
        self.last_credit.saturating_sub(self.starts.count(now))
    }
}

#[cfg(test)]
mod tests;
