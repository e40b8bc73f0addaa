//! (b) to (d) at once: a cell passes a switch where nothing is in its way.
//!
//! When all that comes at an instant is one cell of a VC with credit and no cells waiting, and its
//! output is idle with nothing else to send, then arrival, turn and start follow each other
//! without anybody between them: no queue, no list, no look at other ports.
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
use super::port::{CELL, Sending, plain_data};
use super::receiver::Role;

impl Node {
    /// Takes the cell in and starts it, if nothing is in its way; returns whether it did. To be
    /// called after the completions of the instant, when `arrival` is all that is left of it.
    #[expect(clippy::inline_always, reason = "it is the way of most cells")]
    #[inline(always)]
    pub(super) fn pass(&mut self, arrival: &Arrival) -> bool {
        let Some((to, value)) = plain_data(arrival.words) else { return false };
        let now = arrival.due;
        let Node { ports, senders, receivers, touched, buffered, buffered_max, wrote, .. } = self;
        let receiver = &mut receivers[to as usize];
        let Role::Forward(index) = receiver.role else { return false };
        let sender = &mut senders[index as usize];
        let port = sender.port;
        let is_alone = match touched[..] {
            [] => true,
            [only] => only == port,
            _ => false,
        };
        let out = &mut ports[port as usize];
        if !is_alone
            || !out.is_still()
            || sender.has_cell()
            || !sender.is_free_to_send()
            || receiver.control.buffered().0 >= receiver.promised
        {
            return false;
        }
        receiver.take();
        *buffered += 1;
        *buffered_max = (*buffered_max).max(*buffered);
        sender.fill_up(now);
        sender.on_send(now);
        sender.sent_cells += 1;
        sender.transmitting = true;
        out.queue_up(now);
        out.touched = false;
        touched.clear();
        if out.is_published() {
            wrote.push(port);
        }
        let (vc, kind, to) = (sender.vc, sender.kind(), sender.downstream);
        let (bytes, birth) = (arrival.bytes, arrival.words[1]);
        if bytes == CELL {
            out.send(now, vc, kind, [value, to], birth);
        } else {
            out.send_sized(now, vc, kind, Cell { value, bytes, birth }, to);
        }
        out.sending = Sending::Cell(index);
        if sender.needs_in_flight {
            out.remember_start(senders, now, index);
        }
        let end = out.busy_until;
        ports[arrival.port as usize].data_read += 1;
        self.complete_at(end, port);
        true
    }
}
