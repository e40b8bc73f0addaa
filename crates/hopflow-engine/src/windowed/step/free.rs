//! Packets leave the node or are lost, and their buffers are free: credits and frames of lanes fall
//! due.

use crate::windowed::state::node::Node;
use crate::windowed::wire::NONE;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::SIZE_MASK;
use hopflow_network::TraceEvent;

impl Node {
    /// A packet that `receiver` accepted has left this node or was lost; at a source host there is
    /// no receiver. Its lane frees it next.
    #[inline]
    pub(super) fn free(&mut self, receiver: u32, bytes: u32, now: u64) {
        if self.frees(receiver) {
            self.credit_due(receiver, bytes & SIZE_MASK, now);
        }
    }

    /// The same, but for a credit: returns whether one falls due.
    #[inline]
    pub(super) fn frees(&mut self, receiver: u32) -> bool {
        self.buffered -= 1;
        receiver != NONE && self.receivers[receiver as usize].control.on_freed()
    }

    /// An arriving cell is dropped: it is received and freed at once.
    pub(super) fn drop_at_switch(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let receiver = &mut self.receivers[unit.to as usize];
        receiver.cold_mut().dropped_packets += 1;
        receiver.control.on_cell();
        let due = receiver.control.on_freed();
        let (vc, fill) = (receiver.vc, receiver.control.buffered().0);
        if due {
            self.credit_due(unit.to, unit.bytes, arrival.due);
        }
        self.lane_pass(unit.to, unit.bytes, arrival.due);
        self.trace_in(TraceEvent::Dropped, arrival, vc, fill, 0);
    }

    /// Frees the oldest held cells that every branch has finished.
    pub(super) fn free_finished(&mut self, receiver: u32, now: u64) {
        let mut freed = false;
        while let Some(held) = self.multicast(receiver).held.front().filter(|h| h.remaining == 0) {
            let bytes = held.cell.bytes;
            let multicast = self.multicast_mut(receiver);
            multicast.settle(now);
            multicast.held.pop_front();
            self.free(receiver, bytes, now);
            self.lane_free(receiver, bytes, now);
            self.memory_finish(receiver, bytes);
            freed = true;
        }
        if freed {
            for branch in self.multicast(receiver).branches.clone() {
                self.refresh(branch, now);
            }
        }
    }
}
