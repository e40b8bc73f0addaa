//! Records of units on their way through a node, whatever their kind; see `embed/record.rs`.
//!
//! ```text
//! ring --arrives--> passing --joins--> queue of the sender --starts--> starting --> ring
//!                      |                        |
//!                    ends here                lost
//! ```
//! Records wait in the order of their units, which cells without one do not change. Each step calls
//! those of the schemes that use records: rate control (`rate.rs`). Nodes that units with records
//! cannot reach never come here (`Limits::has_records`). Checked by: `record/tests.rs`.

#[cfg(test)]
mod tests;

use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::sender::VcSender;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::{RECORD, RM};

impl Node {
    /// Takes the record of a unit that arrives out of the ring, if it has one.
    pub(super) fn take_record(&mut self, arrival: Arrival) {
        if arrival.bytes & RECORD == 0 {
            return;
        }
        let admitted = self.door.as_mut().and_then(|door| door.admitted.take());
        self.passing =
            Some(admitted.unwrap_or_else(|| {
                self.ports[arrival.port as usize].records_mut().take(arrival.due)
            }));
    }

    /// A unit arrives corrupted: its record is lost.
    #[cold]
    #[inline(never)]
    pub(super) fn discard_record(&mut self, arrival: Arrival) {
        if arrival.bytes & RECORD != 0 {
            self.ports[arrival.port as usize].records_mut().take(arrival.due);
        }
    }

    /// A unit arrives at a switch, before it is known whether there is room for it. Returns whether
    /// it ends here.
    pub(super) fn record_meets(&mut self, arrival: &mut Arrival) -> bool {
        self.take_record(*arrival);
        self.rate_meets(arrival)
    }

    /// A unit arrives at its final host. Returns whether it ends here, and is no data, or waits for
    /// the processor.
    #[cold]
    #[inline(never)]
    pub(super) fn record_delivered(&mut self, arrival: Arrival) -> bool {
        self.take_record(arrival);
        self.rate_delivers(arrival) || self.processor.is_some() && self.works_on_unit(arrival)
    }

    /// A unit with a record comes back to the source, whose sender is `index`. Returns whether it
    /// is no ACK.
    #[cold]
    #[inline(never)]
    pub(super) fn record_returned(&mut self, index: u32, arrival: Arrival) -> bool {
        self.take_record(arrival);
        let is_rm = arrival.bytes & RM != 0;
        if is_rm {
            self.take_backward(index, arrival);
        }
        is_rm
    }

    /// A unit, of this size with its marks, has joined the queue of a sender; its record is the one
    /// that passes.
    pub(super) fn record_joined(&mut self, index: u32, bytes: u32, now: u64) {
        self.rate_joined(index, bytes, now);
        if bytes & RECORD != 0 {
            let record = self.passing.expect("a unit with a record comes with it");
            self.senders[index as usize].circuit.records().push_back(record);
        }
        self.answer_congestion(index, now);
    }

    /// The last unit of a sender's queue, with these marks, was lost.
    pub(super) fn record_lost(&mut self, index: u32, bytes: u32) {
        if bytes & RECORD != 0 {
            self.senders[index as usize].circuit.records().pop_back();
        }
        self.rate_left(index);
    }

    /// A unit starts: its record starts with it.
    pub(super) fn record_starts(&mut self, index: u32, cell: &mut Cell, now: u64) {
        if cell.bytes & RECORD != 0 {
            let VcSender { queue, circuit } = &mut self.senders[index as usize];
            let port = queue.port;
            self.ports[port as usize].records_mut().starting = circuit.records().pop_front();
        }
        self.rate_starts(index, cell, now);
    }
}
