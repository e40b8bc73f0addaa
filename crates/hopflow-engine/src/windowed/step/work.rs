//! (c) The processor of a host, see `embed/processor.rs`: what waits for it, and what happens as
//! its work is done. Nodes without one never come here.

use hopflow_units::SimTime;

use crate::embed::processor::Task;
use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::Control;
use crate::windowed::state::source::{FED_PACKETS, Making};
use crate::windowed::state::timers::{Timer, Timers};
use crate::windowed::state::work::{Job, Processor};
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::sequence;
use hopflow_network::traffic::{Fate, Made};
use hopflow_network::transport::aal5::Frame;

/// Asks for work; returns when it is done.
pub(super) fn ask(
    processor: &mut Processor,
    timers: &mut Timers,
    task: Task,
    job: Job,
    now: u64,
) -> u64 {
    let was_idle = processor.next().is_none();
    let end = processor.ask(task, job, SimTime(now)).0;
    if was_idle {
        timers.set(end, Timer::Work);
    }
    end
}

impl Node {
    /// Whether a task needs work here.
    pub(super) fn works_on(&self, task: Task) -> bool {
        self.processor.as_ref().is_some_and(|processor| processor.works_on(task))
    }

    /// Asks for the work of a task that needs some; returns when it is done.
    pub(super) fn ask_for_work(&mut self, task: Task, job: Job, now: u64) -> u64 {
        let Node { processor, timers, .. } = self;
        let processor = processor.as_deref_mut().expect("what needs work has a processor");
        ask(processor, timers, task, job, now)
    }

    /// A source has created a packet. Returns whether it waits for the processor.
    #[cold]
    #[inline(never)]
    pub(super) fn asks_to_send(&mut self, source: u32, made: Made, now: u64) -> bool {
        let asks = made.fate == Fate::Sent && self.works_on(Task::Send);
        if asks {
            self.ask_for_work(Task::Send, Job::Made(source, made), now);
        }
        asks
    }

    /// A greedy source asks for the work on its next packets, while it has fewer than
    /// [`FED_PACKETS`] at its host.
    pub(super) fn feed(&mut self, source: u32, now: u64) {
        loop {
            let made = &mut self.sources[source as usize];
            let fill = self.senders[made.sender as usize].queue.fill();
            let Making::Fed(fed) = &mut made.making else { return };
            let has_ended = fed.packets.is_some_and(|packets| fed.asked_packets >= packets);
            if !fed.is_on || has_ended || fed.at_processor + fill >= FED_PACKETS {
                return;
            }
            fed.at_processor += 1;
            fed.asked_packets += 1;
            let bytes = fed.source.next_greedy_bytes();
            self.ask_for_work(Task::Send, Job::Fed(source, bytes, now), now);
        }
    }

    /// A packet of a greedy source joins the queue of its host, which always has room for it.
    fn take_fed(&mut self, source: u32, bytes: u32, birth: u64, now: u64) {
        let made = &mut self.sources[source as usize];
        if let Making::Fed(fed) = &mut made.making {
            fed.at_processor -= 1;
        }
        let value = sequence(made.accepted_packets);
        made.created_packets += 1;
        made.accepted_packets += 1;
        let sender = made.sender;
        self.take_made(sender, Cell { value, bytes, birth }, bytes, now);
    }

    /// A unit of data has arrived at its final host. Returns whether it is held there until its
    /// work is done, or was dropped. Cells of a packet are delivered as they arrive.
    pub(super) fn works_on_unit(&mut self, arrival: Arrival) -> bool {
        let unit = arrival.unit();
        let receiver = &mut self.receivers[unit.to as usize];
        if receiver.leaf_mut().packets.as_ref().is_some_and(|sink| sink.is_cut) {
            return false;
        }
        let is_full = receiver.control.buffered().0 >= receiver.promised;
        if !self.works_on(Task::Unit) {
            return false;
        }
        let fits = !self.lane_is_full(unit.to, unit.bytes);
        if is_full {
            self.note_overrun(unit.to, unit.bytes, arrival.due);
        }
        if fits {
            self.receivers[unit.to as usize].take();
            self.lane_take(unit.to, unit.bytes, arrival.due);
            self.ask_for_work(Task::Unit, Job::Unit(arrival), arrival.due);
        } else {
            self.drop_at_switch(arrival);
        }
        true
    }

    /// The cells of a packet have arrived. Returns whether it waits for the processor.
    pub(super) fn works_on_whole(&mut self, receiver: u32, frame: Frame, now: u64) -> bool {
        let is_cut = |sink: &crate::windowed::state::endpoint::PacketSink| sink.is_cut;
        let leaf = self.receivers[receiver as usize].leaf_mut();
        if !leaf.packets.as_deref().is_some_and(is_cut) || !self.works_on(Task::Whole) {
            return false;
        }
        self.ask_for_work(Task::Whole, Job::Whole(receiver, frame), now);
        true
    }

    /// A credit is made or was taken in. Returns whether it needs work.
    #[cold]
    #[inline(never)]
    pub(super) fn works_on_credit(&mut self, job: Job, now: u64) -> bool {
        let works = self.works_on(Task::Credit);
        if works {
            self.ask_for_work(Task::Credit, job, now);
        }
        works
    }

    /// The job that ends now has its effect.
    #[cold]
    #[inline(never)]
    pub(super) fn fire_work(&mut self, now: u64) {
        let Some(processor) = &mut self.processor else { return };
        let job = processor.end(SimTime(now)).expect("its timer is set for the first job");
        if let Some(next) = processor.next() {
            self.timers.set(next.0, Timer::Work);
        }
        match job {
            Job::Made(source, made) => self.make_timed(source, made, now),
            Job::Fed(source, bytes, birth) => self.take_fed(source, bytes, birth, now),
            Job::Packet(source, packet, birth) => {
                self.make_packet(source, packet, SimTime(birth), now);
            }
            Job::Unit(arrival) => {
                let arrival = Arrival { due: now, ..arrival };
                if self.tracer.is_some() {
                    self.hand_over::<true, true>(arrival.unit(), arrival);
                } else {
                    self.hand_over::<false, true>(arrival.unit(), arrival);
                }
            }
            Job::Whole(receiver, frame) => self.take_packet(receiver, frame, now),
            Job::Credit(receiver) => {
                let port = self.receivers[receiver as usize].port;
                self.put_in_line(port, Control::Credit(receiver));
            }
            Job::Taken => {}
        }
    }
}
