//! A VC at its source host: which cells it makes.

use super::endpoint::{EndpointSource, PacketSource};
use hopflow_network::traffic::Source;

/// How cells come to be.
#[derive(Debug)]
pub(crate) enum Making {
    /// The source says when the next cell is due.
    Timed(Source),
    /// The endpoint of a connection sends when it can.
    Endpoint(Box<EndpointSource>),
    /// There is always one more, from `start` until `stop` (in ps).
    Greedy {
        /// How large it is.
        source: Source,
        /// When it is switched on.
        start: u64,
        /// When it is switched off, if ever.
        stop: Option<u64>,
        /// After how many packets it ends, if ever.
        packets: Option<u64>,
    },
}

/// One VC at its source host.
#[derive(Debug)]
pub(crate) struct VcSource {
    pub(crate) making: Making,
    pub(crate) sender: u32,
    /// Where packets are cut into cells, or belong to a connection.
    pub(crate) packets: Option<Box<PacketSource>>,
    pub(crate) created_packets: u64,
    /// Of these, those the policer discarded.
    pub(crate) policed_packets: u64,
    /// Of these, those the host took in: the next sequence number.
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
