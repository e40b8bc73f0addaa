//! (b) to (d) at once: a cell passes a switch where nothing is in its way.
//!
//! When a cell of a VC with credit and an empty queue comes to an output that is idle with nothing
//! else to send, then arrival, turn and start follow each other, whatever else comes at this
//! instant: no queue, no list, no look at other ports. What could still go first is a control cell
//! or a cell of a higher priority, so only data and credits may come at the same instant, no timer
//! may fire, and all VCs of the node have one priority. A credit of the same VC at the same instant
//! raises its count to the same value before and after the start, for exact counters.
//! ```text
//! arrive -> queue -> list -> touch -> start          arrive -> start
//! ```
//! The counters change as they would on the long way: the cell has been at the switch, and was
//! the only one waiting, for no time.
//!
//! Differs: nothing; `arrive.rs` and `start.rs` are the model, this is the same in fewer
//! instructions. Checked by: `tests/engines_agree.rs`.

use super::node::{Arrival, Node};
use super::pool::Cell;
use super::port::Sending;
use super::receiver::Role;
use super::unit::{CELL, plain_data};
use crate::trace::CellKind;

impl Node {
    /// Takes the cell in and starts it, if nothing is in its way; returns whether it did.
    #[expect(clippy::inline_always, reason = "it is the way of most cells")]
    #[inline(always)]
    pub(super) fn pass(&mut self, arrival: &Arrival) -> bool {
        let Some((to, value)) = plain_data(arrival.words) else { return false };
        let now = arrival.due;
        let Node { ports, senders, receivers, buffered, buffered_max, wrote, .. } = self;
        let receiver = &mut receivers[to as usize];
        let Role::Forward(index) = receiver.role else { return false };
        let sender = &mut senders[index as usize];
        let port = sender.port;
        let out = &mut ports[port as usize];
        if !out.is_still()
            || sender.has_cell()
            || !sender.is_free_to_send()
            || sender.needs_in_flight
            || receiver.control.buffered().0 >= receiver.promised
        {
            return false;
        }
        receiver.take();
        *buffered += 1;
        *buffered_max = (*buffered_max).max(*buffered);
        sender.pass(now);
        out.queue_at_still();
        if out.is_published() {
            wrote.push(port);
        }
        let (vc, to, bytes, birth) =
            (sender.vc, sender.downstream, arrival.bytes, arrival.words[1]);
        if bytes == CELL {
            out.send(now, vc, CellKind::Data, [value, to], birth);
        } else {
            out.send_sized(now, vc, CellKind::Data, Cell { value, bytes, birth }, to);
        }
        out.sending = Sending::Cell(index);
        let end = out.busy_until;
        ports[arrival.port as usize].data_read += 1;
        self.complete_at(end, port);
        true
    }
}
