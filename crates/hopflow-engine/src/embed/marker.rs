//! The marker of a port, as both engines use it.
//!
//! A packet can be marked if its VC is ECN-capable ([`hopflow_network::VcSpec::ecn_capable`]); the
//! marker is informed of all packets. A mark is never removed by other ports.

use hopflow_control::external::Fault;
use hopflow_control::marking::{Marker, Moment, PacketAtPort, Queue};
use hopflow_units::SimTime;

use hopflow_network::{DirectionId, NetworkSpec};

/// The marker of a port.
#[derive(Debug)]
pub(crate) struct PortMarker {
    marker: Marker,
    moment: Moment,
    /// Bytes of the packets at the port.
    bytes: u64,
    /// Packets marked.
    pub(crate) marked: u64,
}

impl PortMarker {
    /// The marker of a link direction's sending port, if it has one.
    pub(crate) fn new(spec: &NetworkSpec, id: DirectionId) -> Option<Box<PortMarker>> {
        let moment = spec.direction(id).marking?.moment;
        let marker = spec.new_marker(id)?;
        Some(Box::new(PortMarker { marker, moment, bytes: 0, marked: 0 }))
    }

    /// A packet joins the `packets` that are at the port. Returns whether it is marked; `is_able`:
    /// whether it can be.
    pub(crate) fn joins(&mut self, now: SimTime, packets: u32, bytes: u32, is_able: bool) -> bool {
        self.bytes += u64::from(bytes);
        let queue = Queue { packets: packets + 1, bytes: self.bytes };
        self.ask(Moment::Arrival, &PacketAtPort { now, queue, bytes, is_able })
    }

    /// A packet starts, one of `packets` at the port.
    pub(crate) fn starts(&mut self, now: SimTime, packets: u32, bytes: u32, is_able: bool) -> bool {
        let queue = Queue { packets: packets - 1, bytes: self.bytes - u64::from(bytes) };
        self.ask(Moment::Departure, &PacketAtPort { now, queue, bytes, is_able })
    }

    /// A packet has left, or was pushed out.
    pub(crate) fn leaves(&mut self, bytes: u32) {
        self.bytes -= u64::from(bytes);
    }

    /// Why its external marker is no longer asked.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.marker.fault()
    }

    /// Returns whether the packet is marked.
    fn ask(&mut self, moment: Moment, packet: &PacketAtPort) -> bool {
        let is_marked = self.moment == moment && self.marker.marks(packet) && packet.is_able;
        self.marked += u64::from(is_marked);
        is_marked
    }
}
