//! The source of a VC at its host.

use super::endpoint::{EndpointSource, PacketSource};
use hopflow_network::traffic::Source;

/// How cells are created.
#[derive(Debug)]
pub(crate) enum Making {
    /// The source determines when the next cell is due.
    Timed(Source),
    /// The endpoint of a connection sends when it can.
    Endpoint(Box<EndpointSource>),
    /// There is always another cell, from `start` until `stop` (in ps).
    Greedy {
        /// Determines the size of a packet.
        source: Source,
        /// The instant at which it is switched on.
        start: u64,
        /// The instant at which it is switched off, if any.
        stop: Option<u64>,
        /// The number of packets after which it ends, if any.
        packets: Option<u64>,
    },
    /// The same at a host that works on what it sends.
    Fed(Box<Fed>),
}

/// A greedy source that asks the processor of its host for the work on each packet.
#[derive(Debug)]
pub(crate) struct Fed {
    /// Determines the size of a packet.
    pub(crate) source: Source,
    /// The instant at which it is switched on.
    pub(crate) start: u64,
    /// The instant at which it is switched off, if any.
    pub(crate) stop: Option<u64>,
    /// The number of packets after which it ends, if any.
    pub(crate) packets: Option<u64>,
    pub(crate) is_on: bool,
    /// Packets for which it has asked.
    pub(crate) asked_packets: u64,
    /// Of these, packets at the processor.
    pub(crate) at_processor: u32,
}

/// A greedy source at a host that works has this number of packets there.
pub(crate) const FED_PACKETS: u32 = 2;

/// One VC at its source host.
#[derive(Debug)]
pub(crate) struct VcSource {
    pub(crate) making: Making,
    pub(crate) sender: u32,
    /// Present where packets are cut into cells, or belong to a connection.
    pub(crate) packets: Option<Box<PacketSource>>,
    pub(crate) created_packets: u64,
    /// The created packets that the policer discarded.
    pub(crate) policed_packets: u64,
    /// The created packets that the host accepted: the next sequence number.
    pub(crate) accepted_packets: u64,
}

impl VcSource {
    /// A source whose cells `sender` sends.
    #[inline]
    pub(crate) const fn new(making: Making, sender: u32) -> VcSource {
        let (created_packets, policed_packets, accepted_packets) = (0, 0, 0);
        VcSource {
            making,
            sender,
            packets: None,
            created_packets,
            policed_packets,
            accepted_packets,
        }
    }
}
