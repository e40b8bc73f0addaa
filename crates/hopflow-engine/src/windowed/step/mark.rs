//! Markers of ports: every packet that joins, starts, leaves or is lost is reported to them.
//!
//! The size of a unit carries its mark. Pure ACKs and RM cells are never marked.

use hopflow_units::SimTime;

use crate::windowed::state::node::Node;
use crate::windowed::state::sender::VcSender;
use crate::windowed::wire::unit::{CE, RM, SIZE_MASK};

impl Node {
    /// A packet, of this size with its marks, is about to join the queue of a sender.
    #[cold]
    #[inline(never)]
    pub(super) fn mark_joining(&mut self, index: u32, bytes: &mut u32, now: u64) {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let port = &mut self.ports[queue.port as usize];
        let Some(marker) = &mut port.marker else { return };
        let is_able = circuit.bears_marks && *bytes & RM == 0;
        if marker.joins(SimTime(now), port.queued, *bytes & SIZE_MASK, is_able) {
            *bytes |= CE;
        }
    }

    /// A packet of a sender starts.
    #[cold]
    #[inline(never)]
    pub(super) fn mark_starting(&mut self, index: u32, bytes: &mut u32, now: u64) {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let port = &mut self.ports[queue.port as usize];
        let Some(marker) = &mut port.marker else { return };
        let is_able = circuit.bears_marks && *bytes & RM == 0;
        if marker.starts(SimTime(now), port.queued, *bytes & SIZE_MASK, is_able) {
            *bytes |= CE;
        }
    }

    /// A packet of this size, with or without marks, has left a port or was lost there.
    #[cold]
    #[inline(never)]
    pub(super) fn mark_gone(&mut self, port: u32, bytes: u32) {
        if let Some(marker) = &mut self.ports[port as usize].marker {
            marker.leaves(bytes & SIZE_MASK);
        }
    }
}
