//! The processors of hosts, see `embed/processor.rs`: what waits for them, and what happens as the
//! work is done.

use hopflow_network::TraceEvent;
use hopflow_network::traffic::Made;
use hopflow_network::transport::Packet;
use hopflow_network::transport::aal5::Frame;
use hopflow_units::{Bytes, SimTime};

use super::unit::{Cell, HopId};
use super::{Event, ReferenceEngine};
use crate::embed::processor::{Processor, Task};

/// What is done as a job ends.
#[derive(Debug)]
pub(super) enum Job {
    /// A source's packet is sent.
    Made(HopId, Made),
    /// A packet of a greedy source is sent: its size, and when its source asked for it.
    Fed(HopId, Bytes, SimTime),
    /// An endpoint's packet is sent, which it asked for at this instant.
    Packet(HopId, Packet, SimTime),
    /// A unit is delivered at this leaf.
    Unit(HopId, usize, Cell),
    /// A packet of this VC whose cells have arrived at this leaf is whole.
    Whole(usize, usize, Frame),
    /// A credit joins the control line.
    Credit(HopId),
    /// A credit was taken in.
    Taken,
}

/// A greedy source at a host that works: what it has asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fed {
    asked_packets: u64,
    at_processor: u32,
}

/// A greedy source at a host that works has this number of packets there.
const FED_PACKETS: u32 = 2;

impl ReferenceEngine {
    /// A greedy source asks for the work on its next packets, while it has fewer than
    /// [`FED_PACKETS`] at its host.
    pub(super) fn feed(&mut self, first: HopId) {
        let (now, host) = (self.now, self.part(first).stations[0].node);
        let packets = self.spec.vcs[first.vc].traffic.packets.unwrap_or(u64::MAX);
        loop {
            let fill = self.fill(first);
            let vc = &mut self.vcs[first.vc];
            let fed = vc.fed.as_mut().expect("a greedy source at a host that works");
            let has_ended = fed.asked_packets >= packets;
            if !vc.is_on || has_ended || fed.at_processor + fill >= FED_PACKETS {
                return;
            }
            fed.at_processor += 1;
            fed.asked_packets += 1;
            let size = Bytes(u64::from(vc.source.next_greedy_bytes()));
            self.ask_for_work(host, Task::Send, Job::Fed(first, size, now));
        }
    }

    /// A packet of a greedy source joins the queue of its host, which always has room for it.
    fn take_fed(&mut self, first: HopId, size: Bytes, birth: SimTime) {
        let number = self.number_of_next(first);
        let vc = &mut self.vcs[first.vc];
        vc.created_packets += 1;
        vc.fed.as_mut().expect("a greedy source at a host that works").at_processor -= 1;
        let direction = self.hop(first).direction;
        self.enter(first, 0, Cell::new(number, birth, size), TraceEvent::Born, direction);
    }

    /// Whether a task needs work at a node.
    pub(super) fn works_on(&self, node: usize, task: Task) -> bool {
        self.nodes[node].processor.as_ref().is_some_and(|it| it.works_on(task))
    }

    /// When the processor of a node has done all work that it was asked for.
    pub(super) fn works_until(&self, node: usize) -> SimTime {
        let processor = self.nodes[node].processor.as_ref();
        processor.map_or(SimTime::ZERO, Processor::free_at)
    }

    /// Asks for the work of a task that needs some.
    pub(super) fn ask_for_work(&mut self, node: usize, task: Task, job: Job) {
        let now = self.now;
        let processor = self.nodes[node].processor.as_mut().expect("a node that works");
        let end = processor.ask(task, job, now);
        self.events.push(end, Event::Work(node));
    }

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

    /// Units of a VC that have arrived at a final host and wait for its processor.
    pub(super) fn undelivered(&self, vc: usize, last: usize) -> u64 {
        let node = self.spec.to_node(self.spec.vcs[vc].hops[last].direction_id());
        let jobs = self.nodes[node].processor.iter().flat_map(Processor::jobs);
        let ours = |job: &&Job| matches!(job, Job::Unit(id, ..) if (id.vc, id.hop) == (vc, last));
        jobs.filter(ours).count() as u64
    }
}
