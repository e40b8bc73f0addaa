//! What the processor of a host does as it ends a job.

use hopflow_network::traffic::Made;
use hopflow_network::transport::Packet;
use hopflow_network::transport::aal5::Frame;

use crate::windowed::wire::arrival::Arrival;

/// A job. Indices are of the node.
#[derive(Debug)]
pub(crate) enum Job {
    /// A source's packet is sent.
    Made(u32, Made),
    /// A packet of a greedy source is sent: its size in bytes, and when its source asked for it.
    Fed(u32, u32, u64),
    /// An endpoint's packet is sent, which its source asked for at this instant.
    Packet(u32, Packet, u64),
    /// A unit is delivered.
    Unit(Arrival),
    /// A packet whose cells have arrived for this receiver is whole.
    Whole(u32, Frame),
    /// A credit of this receiver joins the control line.
    Credit(u32),
    /// A credit was taken in.
    Taken,
}

/// The processor of a host.
pub(crate) type Processor = crate::embed::processor::Processor<Job>;
