//! The processors of hosts have done their work: packets join queues, units are delivered, credits
//! join the control line. `processor.rs` has what waits for them.

use super::ReferenceEngine;
use super::job::Job;
use super::unit::{Cell, HopId};
use crate::embed::processor::Task;

impl ReferenceEngine {
    /// A unit of data has arrived at its final host. Returns whether it is held there until its
    /// work is done, or was dropped.
    pub(super) fn holds_for_work(&mut self, id: HopId, leaf: usize, cell: Cell) -> bool {
        let node = self.spec.to_node(self.hop(id).direction);
        if self.spec.vcs[id.vc].framing.is_some() || !self.works_on(node, Task::Unit) {
            return false;
        }
        if self.lane_fits(id, cell.size) {
            self.hop_mut(id).counters.received_packets += 1;
            self.receiver_takes(id, cell.size);
            self.lane_take(id, cell.size);
            self.ask_for_work(node, Task::Unit, Job::Unit(id, leaf, cell));
        } else {
            self.drop_arrival(id, cell);
        }
        true
    }

    /// The job of a node that ends now has its effect.
    pub(super) fn end_work(&mut self, node: usize) {
        let now = self.now;
        let processor = self.nodes[node].processor.as_mut().expect("a node that works");
        match processor.end(now).expect("an event of work is the end of a job") {
            Job::Made(first, made) => self.make_now(first, made),
            Job::Fed(first, size, birth) => self.take_fed(first, size, birth),
            Job::Packet(first, packet, birth) => self.make_packet(first, packet, birth),
            Job::Unit(id, leaf, cell) => self.deliver(id, leaf, cell, true),
            Job::Whole(vc, leaf, frame) => self.take_packet(vc, leaf, &frame),
            Job::Credit(id) => self.put_made_credit_in_line(id),
            Job::Taken => {}
        }
    }
}
