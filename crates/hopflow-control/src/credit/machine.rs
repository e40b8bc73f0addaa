//! What the sending end of a VC is: what happens to it, and what a hop asks of it.

use hopflow_units::{Cells, Picos, SimTime};

use super::{CreditValue, Permission};

/// What a sender begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Cells that may start before the first credit: N2 + N3, or a first share of a pool.
    pub credit: Cells,
    /// N1, where the scheme has it.
    pub n1: Cells,
    /// R, over which E is taken.
    pub round_trip: Picos,
}

/// The sending end of one VC, see [`super::Sender`] for what each call means.
pub(super) trait Machine {
    fn permission(&self, now: SimTime) -> Permission {
        if self.credit_count(now) > Cells::ZERO { Permission::Now } else { Permission::Blocked }
    }

    fn on_send(&mut self, now: SimTime);

    fn on_credit(&mut self, now: SimTime, value: CreditValue, in_flight: Cells);

    fn credit_count(&self, now: SimTime) -> Cells;
}
