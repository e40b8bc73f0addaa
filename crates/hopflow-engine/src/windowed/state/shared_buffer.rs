//! Shared buffers: the memory that VCs under adaptive credit share at the receiving end of a link.

use hopflow_control::credit::BufferShares;

use crate::embed;
use hopflow_network::{DirectionId, NetworkSpec};

/// The shared buffer of VCs that arrive by one port.
#[derive(Debug)]
pub(crate) struct SharedBuffer {
    pub(crate) machine: BufferShares,
    /// The receivers at this node, indexed by member.
    pub(crate) receivers: Vec<u32>,
    /// The measuring interval, in ps.
    pub(crate) interval: u64,
}

impl SharedBuffer {
    /// The shared buffer of a link direction, `None` if no VC shares it.
    pub(crate) fn new(
        spec: &NetworkSpec,
        direction: DirectionId,
        members: &[(usize, usize)],
    ) -> Option<Box<SharedBuffer>> {
        let (machine, shared) = embed::credit::shared_buffer(spec, direction, members)?;
        let receivers = Vec::with_capacity(members.len());
        Some(Box::new(SharedBuffer { machine, receivers, interval: shared.interval.0 }))
    }

    /// Adds the receiver of the next member. Returns its number.
    pub(crate) fn join(&mut self, receiver: u32) -> u32 {
        self.receivers.push(receiver);
        self.receivers.len() as u32 - 1
    }
}
