//! (b) to (d) at once: a cell passes a switch where nothing holds it.
//!
//! When a cell of a VC with credit and an empty queue arrives for an output that is idle with
//! nothing else to send, then arrival, turn and start follow each other, whatever else arrives at
//! this instant: no queue, no list, no check of other ports is needed. Only a control cell or a
//! cell of a higher priority could precede it, so only data and credits may arrive at the same
//! instant, no timer may fire, and all VCs of the node have one priority. A credit of the same VC
//! at the same instant raises its count to the same value before and after the start, for exact
//! counters; rows of a trace contain the counts between, so with a trace only data may arrive.
//! ```text
//! arrive -> queue -> list -> touch -> start          arrive -> start
//! ```
//! The counters change as they would on the general path: the cell has been at the switch, and was
//! the only one waiting, for no time.
//!
//! Differs: nothing; `arrive.rs` and `start.rs` are the model, this is the same in fewer
//! instructions. Checked by: `tests/engines_agree.rs`.

use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::Sending;
use crate::windowed::state::port::send::Content;
use crate::windowed::state::receiver::Role;
use crate::windowed::state::sender::VcSender;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::{CELL, whole_data};
use hopflow_network::CellKind;

impl Node {
    /// Accepts the cell and starts it, if nothing holds it; returns whether it did. `is_alone`:
    /// nothing else arrives or starts at this instant.
    #[expect(clippy::inline_always, reason = "it is the way of most cells")]
    #[inline(always)]
    pub(super) fn pass<const TRACED: bool>(&mut self, arrival: &Arrival, is_alone: bool) -> bool {
        let Some((to, value)) = whole_data(arrival.words) else { return false };
        let now = arrival.due;
        let Node { ports, senders, receivers, idle, buffered, buffered_max, wrote, .. } = self;
        let to = idle.as_ref().map_or(to, |idle| idle.received[to as usize]);
        let Some(receiver) = receivers.get_mut(to as usize) else { return false };
        let Role::Forward(index) = receiver.role else { return false };
        let VcSender { queue, circuit } = &mut senders[index as usize];
        let port = queue.port;
        let out = &mut ports[port as usize];
        if !out.is_still()
            || queue.has_cell()
            || !queue.is_free_to_send()
            || queue.is_noted
            || receiver.control.buffered().0 >= receiver.promised
        {
            return false;
        }
        receiver.take();
        *buffered += 1;
        *buffered_max = (*buffered_max).max(*buffered);
        queue.fill_one(circuit, now);
        queue.on_start(circuit, arrival.bytes, now);
        out.queue_at_still();
        if out.is_announced() {
            wrote.push(port);
        }
        let (vc, to, bytes, birth) =
            (circuit.vc, queue.downstream, arrival.bytes, arrival.words[1]);
        if bytes == CELL {
            out.send(now, vc, CellKind::Data, Content { value, to, word: birth });
        } else {
            out.send_sized(now, vc, CellKind::Data, Cell { value, bytes, birth }, to);
        }
        out.sending = Sending::Cell(index);
        if TRACED {
            out.value = value;
        }
        let end = out.busy_until;
        ports[arrival.port as usize].data_read += 1;
        self.completions.add(end, port);
        if TRACED {
            self.trace_passing(arrival, index, value, is_alone);
        }
        true
    }

    /// Starts the first listed cell, if its VC is free to send it by the simple check; returns
    /// whether the port has nothing else to do. May be called only where cells may pass.
    #[expect(clippy::inline_always, reason = "it is the way of most cells that have waited")]
    #[inline(always)]
    pub(super) fn start_in_turn<const TRACED: bool>(&mut self, port: u32, now: u64) -> bool {
        let Node { ports, senders, arena, wrote, .. } = self;
        let out = &mut ports[port as usize];
        let Some(index) = out.first_listed() else { return true };
        let VcSender { queue, circuit } = &mut senders[index as usize];
        let is_ready = queue.waiting > 0 && !queue.is_greedy() && !queue.is_noted;
        if !is_ready || !queue.is_free_to_send() {
            return false;
        }
        queue.waiting -= 1;
        let cell = arena.pop(&mut queue.cells);
        queue.on_start(circuit, cell.bytes, now);
        let (vc, kind, to) = (circuit.vc, circuit.kind(), queue.downstream);
        let (has_cell, is_free) = (queue.waiting > 0, queue.is_free_to_send());
        out.take_next(senders);
        if has_cell && is_free {
            out.list_in_turn(senders, index);
        }
        if out.is_announced() {
            wrote.push(port);
        }
        if cell.bytes == CELL {
            out.send(now, vc, kind, Content { value: cell.value, to, word: cell.birth });
        } else {
            out.send_sized(now, vc, kind, cell, to);
        }
        out.sending = Sending::Cell(index);
        if TRACED {
            out.value = cell.value;
        }
        let end = out.busy_until;
        self.completions.add(end, port);
        if TRACED {
            self.trace_started(index, cell, now);
        }
        if has_cell && !is_free {
            self.refresh(index, now);
        }
        true
    }
}
