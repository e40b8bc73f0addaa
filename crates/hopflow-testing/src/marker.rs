//! A marker for tests that need marks and are about no marker.

use hopflow_control::external::MachineError;
use hopflow_control::marking::{ExternalMarker, Length, PacketAtPort};
use hopflow_network::Machine;

struct Above(Length);

impl ExternalMarker for Above {
    fn marks(&mut self, packet: &PacketAtPort) -> Result<bool, MachineError> {
        Ok(packet.queue.is_above(self.0))
    }
}

/// A machine that marks every packet that finds the queue longer than this.
pub fn above(length: Length) -> Machine {
    Machine::marker("above", 1, move |_| Ok(Above(length)))
}
