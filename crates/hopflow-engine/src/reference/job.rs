//! Jobs of the processors of hosts.

use hopflow_units::{Bytes, SimTime};

use super::unit::{Cell, HopId};
use hopflow_network::traffic::Made;
use hopflow_network::transport::Packet;
use hopflow_network::transport::aal5::Frame;

/// What is done as a job ends.
#[derive(Debug)]
pub(super) enum Job {
    /// A source's packet is sent.
    Made(HopId, Made),
    /// A packet of a greedy source is sent: its size, and when its source asked for it.
    Fed(HopId, Bytes, SimTime),
    /// An endpoint's packet is sent, which it asked for at this instant.
    Packet(HopId, Packet, SimTime),
    /// A unit is delivered at this leaf.
    Unit(HopId, usize, Cell),
    /// A packet of this VC whose cells have arrived at this leaf is whole.
    Whole(usize, usize, Frame),
    /// A credit joins the control line.
    Credit(HopId),
    /// A credit was taken in.
    Taken,
}

/// A greedy source at a host that works: what it has asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fed {
    pub(super) asked_packets: u64,
    pub(super) at_processor: u32,
}
