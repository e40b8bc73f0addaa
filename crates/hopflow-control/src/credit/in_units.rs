//! The sending end of a VC whose packets take several units: a scheme, and what each packet counts
//! there (`units.rs`). Checked by: `units/tests.rs`.

use hopflow_units::{Cells, SimTime};

use super::machine::Machine;
use super::{CreditValue, PacketUnits, Permission, Sender};

/// The sending end of a VC whose packets take more than one unit: a scheme, and what each packet
/// counts there.
#[derive(Debug)]
pub struct InUnits {
    pub(super) scheme: Sender,
    pub(super) units: PacketUnits,
    /// Units started.
    sent: u64,
}

impl InUnits {
    pub(super) const fn new(scheme: Sender, units: PacketUnits) -> InUnits {
        InUnits { scheme, units, sent: 0 }
    }

    /// Units started since the start of the run.
    pub const fn sent(&self) -> u64 {
        self.sent
    }
}

impl Machine for InUnits {
    fn permission(&self, now: SimTime) -> Permission {
        self.scheme.permission(now)
    }

    fn on_send(&mut self, now: SimTime, units: Cells) {
        assert!(units <= self.units.largest(), "a packet is larger than the largest of its VC");
        self.sent += u64::from(units.0);
        self.scheme.spend(now, units);
    }

    fn on_credit(&mut self, now: SimTime, value: CreditValue, in_flight: Cells) {
        self.scheme.on_credit(now, value, in_flight);
    }

    fn credit_count(&self, now: SimTime) -> Cells {
        self.scheme.credit_count(now)
    }
}
