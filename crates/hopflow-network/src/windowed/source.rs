//! A VC at its source host: which cells it makes.

use super::endpoint::{EndpointSource, PacketSource};
use crate::traffic::Source;

/// How cells come to be.
#[derive(Debug)]
pub(super) enum Making {
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
    },
}

/// One VC at its source host.
#[derive(Debug)]
pub(super) struct VcSource {
    pub(super) making: Making,
    pub(super) sender: u32,
    /// Where packets are cut into cells, or belong to a connection.
    pub(super) packets: Option<Box<PacketSource>>,
    pub(super) created_cells: u64,
    /// Of these, those the policer discarded.
    pub(super) policed_cells: u64,
    /// Of these, those the host took in: the next sequence number.
    pub(super) accepted_cells: u64,
}
