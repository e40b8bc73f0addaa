//! The interface of the sending end of a VC.

use hopflow_units::{Cells, Picos, SimTime};

use super::{CreditValue, PacketUnits, Permission};

/// The initial state of a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Units that may start before the first credit: N2 + N3, or a first share of a shared buffer.
    pub credit: Cells,
    /// N1, if the scheme has it.
    pub n1: Cells,
    /// R of the largest packet, over which starts are counted.
    pub round_trip: Picos,
    /// What its packets count.
    pub units: PacketUnits,
}

/// The sending end of one VC; [`super::Sender`] describes each call.
pub(super) trait Machine {
    fn permission(&self, now: SimTime) -> Permission {
        let is_enough = self.credit_count(now) >= self.largest();
        if is_enough { Permission::Now } else { Permission::Blocked }
    }

    /// L: the units that must be there for a packet to start.
    fn largest(&self) -> Cells {
        Cells::ONE
    }

    /// A packet of this many units starts.
    fn on_send(&mut self, now: SimTime, units: Cells);

    fn on_credit(&mut self, now: SimTime, value: CreditValue, in_flight: Cells);

    fn credit_count(&self, now: SimTime) -> Cells;
}
