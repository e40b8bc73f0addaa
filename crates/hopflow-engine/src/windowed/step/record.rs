//! Records of units on their way through a node, whatever their kind; see `embed/record.rs`.
//!
//! ```text
//! ring --arrives--> passing --joins--> queue of the sender --starts--> starting --> ring
//!                      |                        |
//!                    ends here                lost
//! ```
//! Records wait in the order of their units, which cells without one do not change. Each step calls
//! those of the schemes that use records: rate control (`rate.rs`, `rm.rs`). The first step, a unit
//! that arrives, is in `record_in.rs`. Nodes that units with records cannot reach never come here
//! (`Limits::has_records`). Checked by: `record/tests.rs`.

#[cfg(test)]
mod tests;

use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::sender::VcSender;
use crate::windowed::wire::unit::RECORD;

impl Node {
    /// A unit, of this size with its marks, has joined the queue of a sender; its record is the one
    /// that passes.
    pub(super) fn record_joined(&mut self, index: u32, bytes: u32, now: u64) {
        self.rate_joined(index, bytes, now);
        if bytes & RECORD != 0 {
            let record = self.passing.expect("a unit with a record comes with it");
            self.senders[index as usize].circuit.records().push_back(record);
        }
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
