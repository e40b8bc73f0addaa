//! N123+: as N123, but the sender never starts more than N1 cells in any round trip R.

use std::collections::VecDeque;

use hopflow_units::{Cells, Picos, SimTime};

use super::{CreditValue, Permission};

/// The sending end of N123+.
#[derive(Clone, Debug)]
pub struct N123PlusSender {
    credit_count: Cells,
    n1: usize,
    round_trip: Picos,
    /// The last N1 start times, oldest first.
    starts: VecDeque<SimTime>,
}

impl N123PlusSender {
    /// A sender with the initial credit N2 + N3 that starts at most `n1` cells in `round_trip`.
    pub fn new(initial: Cells, n1: Cells, round_trip: Picos) -> N123PlusSender {
        assert!(n1 >= Cells::ONE, "N1 is at least one cell");
        N123PlusSender {
            credit_count: initial,
            n1: n1.0 as usize,
            round_trip,
            starts: VecDeque::new(),
        }
    }

    /// Whether a cell may start at `now`.
    pub fn permission(&self, now: SimTime) -> Permission {
        if self.credit_count == Cells::ZERO {
            return Permission::Blocked;
        }
        match self.starts.front() {
            Some(&oldest) if self.starts.len() == self.n1 => {
                let free_at = oldest.saturating_add(self.round_trip);
                if free_at <= now { Permission::Now } else { Permission::At(free_at) }
            }
            _ => Permission::Now,
        }
    }

    /// Spends one credit. Panics without permission.
    pub fn on_send(&mut self, now: SimTime) {
        assert_eq!(self.permission(now), Permission::Now, "N123+ sent a cell without permission");
        self.credit_count -= Cells::ONE;
        if self.starts.len() == self.n1 {
            self.starts.pop_front();
        }
        self.starts.push_back(now);
    }

    /// Sets the count to C.
    pub fn on_credit(&mut self, value: CreditValue) {
        self.credit_count = Cells(value.bits());
    }

    /// The credit count.
    pub const fn credit_count(&self) -> Cells {
        self.credit_count
    }
}
