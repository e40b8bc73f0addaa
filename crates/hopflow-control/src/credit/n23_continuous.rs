//! N23 with E taken at every instant: a cell may start while E(t) is below the last credit.
//!
//! ```text
//! C    = N2 + N3 - B                          as in N23                          (1)
//! E(t) = cells started in (t - R, t]                                             (2)
//! a cell may start at t  <=>  E(t) < C,  C the last credit                       (3)
//! ```
//! | symbol              | meaning                                         | unit  |
//! |---------------------|-------------------------------------------------|-------|
//! | C, `last_credit`    | the last credit's value, N2 + N3 before the first | cells |
//! | E                   | cells started in the last R                     | cells |
//! | R, `round_trip`     | round trip: a cell out, a credit back           | ps    |
//!
//! Permission returns without a credit as starts grow older than R. That makes bursts of N2 + N3 in
//! each R, as in [KMCL94] Figure 12, but it is **not safe**: a receiver that frees nothing gets up
//! to C more cells in every R without a new credit. N23 proper (`n23.rs`) takes E once, when the
//! credit arrives.
//!
//! Source: one reading of [KMCL94] 4.3, its Equations (1) and (2), and of 7.1, Figures 12 and 13.
//! Differs: intentionally, from N23. Not modelled: nothing. Checked by: `n23_continuous/tests.rs`,
//! `docs/models/n23.md`.

use std::collections::VecDeque;

use hopflow_units::{Cells, Picos, SimTime};

use super::machine::Machine;
use super::{CreditValue, Facts, Permission, Start};

/// The sending end of N23 with continuous E.
#[derive(Clone, Debug)]
pub struct N23ContinuousSender {
    last_credit: Cells,
    round_trip: Picos,
    /// Start times that may still lie in (now - R, now], oldest first.
    starts: VecDeque<SimTime>,
}

impl N23ContinuousSender {
    pub(super) const FACTS: Facts =
        Facts { variation_of: Some("n23"), names_instants: true, ..Facts::new("n23-continuous") };

    pub(super) const fn new(start: Start) -> N23ContinuousSender {
        let Start { credit, round_trip, .. } = start;
        N23ContinuousSender { last_credit: credit, round_trip, starts: VecDeque::new() }
    }

    fn expire(&mut self, now: SimTime) {
        while self.starts.front().is_some_and(|s| s.saturating_add(self.round_trip) <= now) {
            self.starts.pop_front();
        }
    }
}

impl Machine for N23ContinuousSender {
    /// Eq. (3).
    fn permission(&self, now: SimTime) -> Permission {
        let allowed = self.last_credit.0 as usize;
        if allowed == 0 {
            return Permission::Blocked;
        }
        // The C-th youngest start must have left (now - R, now] before another may follow.
        let Some(index) = self.starts.len().checked_sub(allowed) else { return Permission::Now };
        let free_at = self.starts[index].saturating_add(self.round_trip);
        if free_at <= now { Permission::Now } else { Permission::At(free_at) }
    }

    fn on_send(&mut self, now: SimTime) {
        assert_eq!(self.permission(now), Permission::Now, "N23 sent a cell without permission");
        self.expire(now);
        self.starts.push_back(now);
    }

    fn on_credit(&mut self, now: SimTime, value: CreditValue, _in_flight: Cells) {
        self.expire(now);
        self.last_credit = Cells(value.bits());
    }

    /// C - E(now); zero if E is greater.
    fn credit_count(&self, now: SimTime) -> Cells {
        let young = self.starts.iter().rev();
        let in_flight = young.take_while(|start| start.saturating_add(self.round_trip) > now);
        self.last_credit.saturating_sub(Cells(in_flight.count() as u32))
    }
}

#[cfg(test)]
mod tests;
