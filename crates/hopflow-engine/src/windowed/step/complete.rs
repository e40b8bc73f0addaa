//! (a) Completions: a unit has left, its buffer is free, a credit may fall due.

use crate::windowed::state::limits::Limits;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::Sending;
use crate::windowed::state::sender::VcSender;
use crate::windowed::wire::NONE;
use crate::windowed::wire::unit::{CELL, SIZE_MASK, kind_of};
use hopflow_network::{CellKind, TraceEvent};

impl Node {
    /// The unit that a port was sending has left.
    #[inline]
    pub(super) fn complete<const TRACED: bool>(&mut self, port: u32, now: u64) {
        let Node { ports, senders, touched, buffered, .. } = self;
        let out = &mut ports[port as usize];
        let sending = std::mem::replace(&mut out.sending, Sending::Nothing);
        let Sending::Cell(index) = sending else {
            return self.complete_other(sending, port, now);
        };
        out.queue_down(now);
        if out.may_have_next() {
            out.touched = true;
            touched.push(port);
        }
        let VcSender { queue, circuit } = &mut senders[index as usize];
        queue.transmitting = false;
        queue.fill_down(circuit, now);
        let (has_cell, receiver) = (queue.has_cell(), queue.receiver);
        if circuit.wakes || !self.lets_pass || queue.is_branch() {
            return self.complete_watched(index, port, now);
        }
        *buffered -= 1;
        if TRACED {
            self.trace_left(index, port, now);
        }
        if receiver != NONE && self.receivers[receiver as usize].control.on_freed() {
            let bytes = self.ports[port as usize].bytes & SIZE_MASK;
            self.credit_due(receiver, bytes, now);
        }
        if has_cell {
            self.refresh(index, now);
        }
    }

    /// The rest of a completion that concerns more than the VC and the port.
    #[inline(never)]
    fn complete_watched(&mut self, index: u32, port: u32, now: u64) {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let (receiver, is_branch) = (queue.receiver, queue.is_branch());
        if circuit.wakes {
            let source = circuit.source;
            self.wake(source, now);
        }
        if self.tracer.is_some() {
            self.trace_left(index, port, now);
        }
        if is_branch {
            if self.limits.has_markers {
                self.mark_gone(port, self.ports[port as usize].bytes);
            }
            self.memory_leave(index, self.ports[port as usize].bytes);
            self.finish_held(index, now);
        } else {
            if self.frees(receiver) {
                let bytes = self.ports[port as usize].bytes & SIZE_MASK;
                self.credit_due(receiver, bytes, now);
            }
            if self.limits.is_special {
                self.special_left(index, receiver, port, now);
            }
        }
        if self.senders[index as usize].queue.has_cell() {
            self.refresh(index, now);
        }
    }

    /// A cell has left a node with lanes, VCs under rate control, a marker or limits in bytes.
    #[cold]
    #[inline(never)]
    fn special_left(&mut self, index: u32, receiver: u32, port: u32, now: u64) {
        if self.memory.is_some() {
            return self.left_memory(index, receiver, port, now);
        }
        self.left_special(index, receiver, port, now);
    }

    #[inline(never)]
    fn left_memory(&mut self, index: u32, receiver: u32, port: u32, now: u64) {
        self.memory_free(index, self.ports[port as usize].bytes);
        self.left_special(index, receiver, port, now);
    }

    /// The same without limits in bytes.
    #[inline]
    fn left_special(&mut self, index: u32, receiver: u32, port: u32, now: u64) {
        let Limits { has_lanes, has_markers, has_records, .. } = self.limits;
        if has_lanes {
            self.lane_free(receiver, self.ports[port as usize].bytes, now);
        }
        if has_markers {
            self.mark_gone(port, self.ports[port as usize].bytes);
        }
        if has_records {
            self.rate_left(index);
        }
    }

    /// A unit that is not a queued cell has left.
    #[inline(never)]
    fn complete_other(&mut self, sending: Sending, port: u32, now: u64) {
        if let Sending::Made(index) = sending {
            return self.complete_made(index, port, now);
        }
        self.touch(port);
    }

    /// A forward RM cell that was created at this node has left.
    #[cold]
    #[inline(never)]
    fn complete_made(&mut self, index: u32, port: u32, now: u64) {
        self.ports[port as usize].queue_down(now);
        self.mark_gone(port, CELL);
        self.touch(port);
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        queue.transmitting = false;
        queue.fill_down(circuit, now);
        let receiver = queue.receiver;
        self.memory_free(index, CELL);
        let circuit = &self.senders[index as usize].circuit;
        if circuit.wakes {
            let source = circuit.source;
            self.wake(source, now);
        }
        let value = self.ports[port as usize].value;
        self.trace_of(TraceEvent::Left, index, CellKind::ForwardRm, value, now);
        self.free(receiver, CELL, now);
        self.rate_left(index);
        if self.senders[index as usize].queue.has_cell() {
            self.refresh(index, now);
        }
    }

    /// A branch has finished its oldest held cell.
    fn finish_held(&mut self, index: u32, now: u64) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let (receiver, waiting) = (queue.receiver, queue.waiting);
        if let Some(cold) = &mut circuit.cold {
            cold.held_since = now;
        }
        let multicast = self.multicast_mut(receiver);
        let position = multicast.next_position(waiting) - 1;
        multicast.held[position].remaining -= 1;
        self.free_finished(receiver, now);
        self.give_up_held(receiver, now);
        self.arm_give_up(index, now);
    }

    fn trace_left(&mut self, index: u32, port: u32, now: u64) {
        let out = &self.ports[port as usize];
        let kind = kind_of(self.senders[index as usize].circuit.kind(), out.bytes);
        self.trace_of(TraceEvent::Left, index, kind, out.value, now);
    }
}
