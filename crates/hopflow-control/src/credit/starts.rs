//! The units that a VC has started in the last R, of senders that limit them.
//!
//! ```text
//! E(t) = units of the packets started in (t - R, t]
//! ```
//! Checked by: `n23_continuous/tests.rs`, `n123_plus/tests.rs`, against slow lists.

use std::collections::VecDeque;

use hopflow_units::{Cells, Picos, SimTime};

use super::Permission;

/// The starts of one VC.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    round_trip: Picos,
    /// Starts that may still lie in (now - R, now], oldest first: the instant, and the units of all
    /// starts before it.
    all: VecDeque<(SimTime, u64)>,
    /// Units started.
    total: u64,
}

impl Starts {
    /// None yet; R is `round_trip`.
    pub(super) const fn new(round_trip: Picos) -> Starts {
        Starts { round_trip, all: VecDeque::new(), total: 0 }
    }

    fn free_at(&self, start: SimTime) -> SimTime {
        start.saturating_add(self.round_trip)
    }

    /// When E is at most `most`: now, or at the instant when enough starts have grown old.
    pub(super) fn permission(&self, now: SimTime, most: Cells) -> Permission {
        let Some(beyond) = self.total.checked_sub(most.0.into()) else { return Permission::Now };
        // E from a start on is `total - before`; that is too much while `before < beyond`.
        let index = self.all.partition_point(|(_, before)| *before < beyond);
        let Some(index) = index.checked_sub(1) else { return Permission::Now };
        let free_at = self.free_at(self.all[index].0);
        if free_at <= now { Permission::Now } else { Permission::At(free_at) }
    }

    /// Counts a start, and forgets those that have grown old.
    pub(super) fn push(&mut self, now: SimTime, units: Cells) {
        while self.all.front().is_some_and(|(start, _)| self.free_at(*start) <= now) {
            self.all.pop_front();
        }
        self.all.push_back((now, self.total));
        self.total += u64::from(units.0);
    }

    /// E at `now`.
    pub(super) fn count(&self, now: SimTime) -> Cells {
        let index = self.all.partition_point(|(start, _)| self.free_at(*start) <= now);
        let young = self.all.get(index).map_or(0, |(_, before)| self.total - before);
        Cells(young as u32)
    }
}
