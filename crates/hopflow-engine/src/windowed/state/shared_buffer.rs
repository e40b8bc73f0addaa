//! Shared buffers: the memory that VCs under adaptive credit share at the receiving end of a link.

use hopflow_control::credit::BufferShares;
use hopflow_units::Cells;

use hopflow_network::counters::SharedBufferCounters;
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
        let shared = spec.direction(direction).shared_buffer?;
        let n2: Vec<Cells> = members
            .iter()
            .filter_map(|&(vc, hop)| spec.vcs[vc].hops[hop].shared_credit())
            .map(|c| c.n2)
            .collect();
        if n2.is_empty() {
            return None;
        }
        let machine = BufferShares::new(shared.memory, &n2);
        let receivers = Vec::with_capacity(n2.len());
        Some(Box::new(SharedBuffer { machine, receivers, interval: shared.interval.0 }))
    }

    /// Adds the receiver of the next member. Returns its number.
    pub(crate) fn join(&mut self, receiver: u32) -> u32 {
        self.receivers.push(receiver);
        self.receivers.len() as u32 - 1
    }

    pub(crate) fn restart(&mut self) {
        self.machine.restart();
    }

    pub(crate) fn allocation(&self, member: u32) -> u32 {
        self.machine.allocation(member).0
    }

    pub(crate) fn read(&self) -> SharedBufferCounters {
        SharedBufferCounters {
            held_cells: self.machine.held().0,
            held_max_cells: self.machine.held_max().0,
        }
    }
}
