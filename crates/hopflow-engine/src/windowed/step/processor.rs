//! What waits for the processor of a host, see `embed/processor.rs`; `work.rs` has what happens as
//! the work is done. Nodes without one never come here.

use hopflow_units::SimTime;

use crate::embed::processor::Task;
use crate::windowed::state::node::Node;
use crate::windowed::state::timers::{Timer, Timers};
use crate::windowed::state::work::{Job, Processor};
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
}
