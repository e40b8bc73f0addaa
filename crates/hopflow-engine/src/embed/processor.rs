//! The processor of a host, as both engines use it: one server, first in, first out.
//!
//! ```text
//! end = max(t, end of the job before) + work                                             (1)
//! ```
//! | symbol | meaning                                              | unit |
//! |--------|------------------------------------------------------|------|
//! | t      | when the host asks for the work                      | ps   |
//! | work   | `send`, `receive` or `credit` of the host, above 0   | ps   |
//!
//! So the end of a job is known as it is asked for, and no two jobs end together. What needs no
//! work is never asked for: [`Processor::works_on`]. `docs/models/order.md` says what asks, and
//! what the end of a job does. Source: [`hopflow_network::WorkSpec`].
//! Checked by: `tests/work.rs`, `tests/engines_agree.rs`.

use std::collections::VecDeque;

use hopflow_network::WorkSpec;
use hopflow_network::counters::WorkCounters;
use hopflow_units::{Picos, SimTime};

/// What a job is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// A packet that the host sends.
    Send,
    /// A unit that has arrived, and is held until its work is done.
    Unit,
    /// A whole packet whose cells have arrived and are delivered.
    Whole,
    /// A credit that the host makes or takes in.
    Credit,
}

/// The processor of a host. `J` is what is done as a job ends.
#[derive(Debug)]
pub(crate) struct Processor<J> {
    work: WorkSpec,
    /// When all work asked for so far is done.
    free_at: SimTime,
    /// All work asked for so far.
    asked: Picos,
    /// What waits, and what it works on first.
    jobs: VecDeque<Job<J>>,
    counters: WorkCounters,
}

#[derive(Debug)]
struct Job<J> {
    end: SimTime,
    /// From the request to the begin of the work.
    wait: Picos,
    task: Task,
    what: J,
}

impl<J> Processor<J> {
    /// An idle processor.
    pub(crate) fn new(work: WorkSpec) -> Processor<J> {
        Processor {
            work,
            free_at: SimTime::ZERO,
            asked: Picos::ZERO,
            jobs: VecDeque::new(),
            counters: WorkCounters::default(),
        }
    }

    fn work(&self, task: Task) -> Picos {
        match task {
            Task::Send => self.work.send,
            Task::Unit | Task::Whole => self.work.receive,
            Task::Credit => self.work.credit,
        }
    }

    /// Whether a task needs work.
    pub(crate) fn works_on(&self, task: Task) -> bool {
        self.work(task) > Picos::ZERO
    }

    /// Asks for work; returns its end. Eq. (1).
    pub(crate) fn ask(&mut self, task: Task, what: J, now: SimTime) -> SimTime {
        let work = self.work(task);
        assert!(work > Picos::ZERO, "only what needs work asks for it");
        let begin = self.free_at.max(now);
        let end = begin.saturating_add(work);
        self.asked = Picos(self.asked.0.saturating_add(work.0));
        self.free_at = end;
        self.jobs.push_back(Job { end, wait: begin.since(now), task, what });
        let waiting = self.jobs.len() as u32;
        self.counters.waiting_max = self.counters.waiting_max.max(waiting);
        self.counters.undelivered_packets += u32::from(task == Task::Unit);
        end
    }

    /// When all work asked for so far is done.
    pub(crate) fn free_at(&self) -> SimTime {
        self.free_at
    }

    /// What is asked for and not done.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = &J> {
        self.jobs.iter().map(|job| &job.what)
    }

    /// When the first job ends.
    pub(crate) fn next(&self) -> Option<SimTime> {
        self.jobs.front().map(|job| job.end)
    }

    /// The job that ends now, if one does.
    pub(crate) fn end(&mut self, now: SimTime) -> Option<J> {
        let next = self.next()?;
        assert!(next >= now, "the end of a job was left out");
        if next > now {
            return None;
        }
        let job = self.jobs.pop_front()?;
        let counters = &mut self.counters;
        counters.longest_wait = counters.longest_wait.max(job.wait);
        match job.task {
            Task::Send => counters.sent_packets += 1,
            Task::Unit => {
                counters.received_packets += 1;
                counters.undelivered_packets -= 1;
            }
            Task::Whole => counters.received_packets += 1,
            Task::Credit => counters.credits += 1,
        }
        Some(job.what)
    }

    /// The counters as they are at `now`.
    pub(crate) fn read(&self, now: SimTime) -> WorkCounters {
        let ahead = Picos(self.free_at.0.saturating_sub(now.0));
        let busy = Picos(self.asked.0 - ahead.0);
        WorkCounters { busy, waiting: self.jobs.len() as u32, ..self.counters }
    }

    /// Restarts what cannot be subtracted later.
    pub(crate) fn restart(&mut self) {
        self.counters.waiting_max = self.jobs.len() as u32;
        self.counters.longest_wait = Picos::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: WorkSpec = WorkSpec { send: Picos(3), receive: Picos(5), credit: Picos(2) };

    /// Claim (by hand): a packet to send asks at 0, one received at 1, a credit at 1, one to send
    /// at 20. They end at 3, 8, 10 and 23; the waits are 0, 2, 7 and 0. At 9 the processor has
    /// worked all the time, at 21 for 10 + 1, and at 30 for 13.
    #[test]
    fn jobs_end_one_after_the_other() {
        let mut processor = Processor::new(WORK);
        assert_eq!(processor.ask(Task::Send, 'a', SimTime(0)), SimTime(3));
        assert_eq!(processor.ask(Task::Unit, 'b', SimTime(1)), SimTime(8));
        assert_eq!(processor.ask(Task::Credit, 'c', SimTime(1)), SimTime(10));
        assert_eq!(processor.read(SimTime(2)).busy, Picos(2));
        assert_eq!(processor.end(SimTime(2)), None);
        assert_eq!(processor.end(SimTime(3)), Some('a'));
        assert_eq!(processor.read(SimTime(3)).undelivered_packets, 1);
        assert_eq!(processor.end(SimTime(8)), Some('b'));
        assert_eq!(processor.read(SimTime(9)).busy, Picos(9));
        assert_eq!(processor.end(SimTime(10)), Some('c'));
        assert_eq!(processor.next(), None);
        assert_eq!(processor.ask(Task::Send, 'd', SimTime(20)), SimTime(23));
        assert_eq!(processor.read(SimTime(21)).busy, Picos(11));
        assert_eq!(processor.end(SimTime(23)), Some('d'));
        let expected = WorkCounters {
            busy: Picos(13),
            sent_packets: 2,
            received_packets: 1,
            credits: 1,
            waiting: 0,
            waiting_max: 3,
            longest_wait: Picos(7),
            undelivered_packets: 0,
        };
        assert_eq!(processor.read(SimTime(30)), expected);
    }

    /// Claim: what needs no work is not asked for.
    #[test]
    fn what_needs_no_work_does_not_wait() {
        let processor: Processor<()> = Processor::new(WorkSpec { credit: Picos::ZERO, ..WORK });
        assert!(processor.works_on(Task::Send) && processor.works_on(Task::Whole));
        assert!(!processor.works_on(Task::Credit));
    }
}
