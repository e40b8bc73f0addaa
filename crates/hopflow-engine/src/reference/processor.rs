//! What waits for the processors of hosts, see `embed/processor.rs`; `work.rs` has what happens as
//! the work is done.

use hopflow_units::SimTime;

use super::job::Job;
use super::{Event, ReferenceEngine};
use crate::embed::processor::{Processor, Task};

impl ReferenceEngine {
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

    /// Units of a VC that have arrived at a final host and wait for its processor.
    pub(super) fn undelivered(&self, vc: usize, last: usize) -> u64 {
        let node = self.spec.to_node(self.spec.vcs[vc].hops[last].direction_id());
        let jobs = self.nodes[node].processor.iter().flat_map(Processor::jobs);
        let ours = |job: &&Job| matches!(job, Job::Unit(id, ..) if (id.vc, id.hop) == (vc, last));
        jobs.filter(ours).count() as u64
    }
}
