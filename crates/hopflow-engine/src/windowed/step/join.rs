//! Packets join the queues of their senders, and what follows from it: memory, records, and packets
//! that are pushed out. Backward RM cells join here, too, as a packet that joins may lead to one.

use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::sender::VcSender;
use crate::windowed::wire::unit::{CELL, RM_CELL};
use hopflow_network::{CellKind, TraceEvent};

impl Node {
    /// A cell joins the queue of a sender (its branch's share of the held cells).
    #[expect(clippy::inline_always, reason = "one of its calls is on the way of every cell")]
    #[inline(always)]
    pub(super) fn join(&mut self, index: u32, bytes: u32, now: u64) {
        let Node { senders, ports, .. } = self;
        let VcSender { queue, circuit } = &mut senders[index as usize];
        queue.waiting += 1;
        queue.fill_up(circuit, now);
        let port = &mut ports[queue.port as usize];
        port.queue_up(now);
        if port.scheduled.is_some() {
            self.notify_scheduler(index, bytes, now);
            self.refresh(index, now);
        } else if queue.is_blocked() || !queue.is_free_to_send() {
            self.refresh_other(index, now);
        } else if !queue.listed {
            let index_of_port = queue.port;
            port.list_in_turn(senders, index);
            self.touch(index_of_port);
        }
    }

    /// Takes the further steps after a packet has joined the queue of a sender.
    #[inline]
    pub(super) fn follow_up(&mut self, index: u32, bytes: u32, now: u64) {
        if self.memory.is_some() {
            return self.follow_up_in_memory(index, bytes, now);
        }
        self.follow_up_in_packets(index, bytes, now);
    }

    #[inline(never)]
    fn follow_up_in_packets(&mut self, index: u32, bytes: u32, now: u64) {
        if self.limits.has_records {
            self.join_with_record(index, bytes, now);
        }
        self.push_out(self.senders[index as usize].queue.port, now);
    }

    /// A unit, of this size with its marks, has joined the queue of a sender with its record. Its
    /// port may answer with a backward RM cell, which joins the queue of its own sender.
    #[inline(never)]
    pub(super) fn join_with_record(&mut self, index: u32, bytes: u32, now: u64) {
        self.record_joined(index, bytes, now);
        if let Some((back, value)) = self.answer_congestion(index, now) {
            self.make_backward(back, value, now);
        }
    }

    #[cold]
    #[inline(never)]
    fn follow_up_in_memory(&mut self, index: u32, bytes: u32, now: u64) {
        self.memory_take(index, bytes);
        self.follow_up_in_packets(index, bytes, now);
        self.push_out_bytes(self.senders[index as usize].queue.port, now);
    }

    /// A created unit of `bytes` bytes joins the queue of its sender.
    #[inline]
    pub(super) fn take_made(&mut self, index: u32, cell: Cell, bytes: u32, now: u64) {
        self.buffered += 1;
        self.buffered_max = self.buffered_max.max(self.buffered);
        self.arena.push(&mut self.senders[index as usize].queue.cells, cell);
        self.join(index, bytes, now);
        self.trace_of(TraceEvent::Born, index, CellKind::Data, cell.value, now);
        if self.limits.follows {
            self.follow_up(index, cell.bytes, now);
        }
    }

    /// A cell created for the way back joins the queue of its sender.
    pub(super) fn take_back(&mut self, index: u32, mut cell: Cell, now: u64) {
        if self.limits.has_markers {
            self.mark_joining(index, &mut cell.bytes, now);
        }
        self.buffered += 1;
        self.buffered_max = self.buffered_max.max(self.buffered);
        self.arena.push(&mut self.senders[index as usize].queue.cells, cell);
        self.join(index, CELL, now);
        if self.limits.follows {
            self.follow_up(index, cell.bytes, now);
        }
    }

    /// A backward RM cell joins the queue of a node, or is dropped when the node is full.
    pub(super) fn make_backward(&mut self, index: u32, value: u32, now: u64) {
        if self.has_no_room(index, CELL, now) {
            self.trace_of(TraceEvent::Dropped, index, CellKind::BackwardRm, value, now);
            return;
        }
        let cell = Cell { value, bytes: RM_CELL, birth: now };
        self.count_made(index);
        self.take_back(index, cell, now);
    }
}
