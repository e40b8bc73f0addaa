//! The interface of the sending end of a VC.

use hopflow_units::{Cells, Picos, SimTime};

use super::{CreditValue, Permission};

/// The initial state of a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Cells that may start before the first credit: N2 + N3, or a first share of a shared buffer.
    pub credit: Cells,
    /// N1, if the scheme has it.
    pub n1: Cells,
    /// R, over which E is taken.
    pub round_trip: Picos,
}

/// The sending end of one VC; [`super::Sender`] describes each call.
pub(super) trait Machine {
    fn permission(&self, now: SimTime) -> Permission {
        if self.credit_count(now) > Cells::ZERO { Permission::Now } else { Permission::Blocked }
    }

    fn on_send(&mut self, now: SimTime);

    fn on_credit(&mut self, now: SimTime, value: CreditValue, in_flight: Cells);

    fn credit_count(&self, now: SimTime) -> Cells;
}
