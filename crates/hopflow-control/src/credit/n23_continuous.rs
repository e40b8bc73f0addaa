//! N23 with E taken at every instant: a cell may start while E(t) < C, C the last credit.

use std::collections::VecDeque;

use hopflow_units::{Cells, Picos, SimTime};

use super::{CreditValue, Permission};

/// The sending end of N23 with continuous E.
#[derive(Clone, Debug)]
pub struct N23ContinuousSender {
    last_credit: Cells,
    round_trip: Picos,
    /// Start times that may still lie in (now - R, now], oldest first.
    starts: VecDeque<SimTime>,
}

impl N23ContinuousSender {
    /// A sender whose last credit is the initial N2 + N3.
    pub fn new(initial: Cells, round_trip: Picos) -> N23ContinuousSender {
        N23ContinuousSender { last_credit: initial, round_trip, starts: VecDeque::new() }
    }

    /// Whether a cell may start at `now`.
    pub fn permission(&self, now: SimTime) -> Permission {
        let allowed = self.last_credit.0 as usize;
        if allowed == 0 {
            return Permission::Blocked;
        }
        // The cell that must have left the window before another may start.
        let Some(index) = self.starts.len().checked_sub(allowed) else { return Permission::Now };
        let free_at = self.starts[index].saturating_add(self.round_trip);
        if free_at <= now { Permission::Now } else { Permission::At(free_at) }
    }

    /// Takes note of a start. Panics without permission.
    pub fn on_send(&mut self, now: SimTime) {
        assert_eq!(self.permission(now), Permission::Now, "N23 sent a cell without permission");
        self.expire(now);
        self.starts.push_back(now);
    }

    /// Takes the new C.
    pub fn on_credit(&mut self, now: SimTime, value: CreditValue) {
        self.expire(now);
        self.last_credit = Cells(value.bits());
    }

    /// C - E(now), zero when E is more.
    pub fn credit_count(&self, now: SimTime) -> Cells {
        let in_flight = self
            .starts
            .iter()
            .rev()
            .take_while(|start| start.saturating_add(self.round_trip) > now)
            .count();
        self.last_credit.saturating_sub(Cells(in_flight as u32))
    }

    fn expire(&mut self, now: SimTime) {
        while self.starts.front().is_some_and(|s| s.saturating_add(self.round_trip) <= now) {
            self.starts.pop_front();
        }
    }
}
