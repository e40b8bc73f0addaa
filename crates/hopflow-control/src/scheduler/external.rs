//! A scheduler from outside hopflow. Experimental, see [`crate::external`].
//!
//! The port keeps the queues; the machine receives the calls of an [`ExternalScheduler`]:
//!
//! ```text
//! arrive(flow, bytes, now)       a packet joined the end of the flow's queue
//! next(ready, now)               at an idle port: which flow's first packet starts now
//! start(flow, bytes, now, end)   that packet started; the port is busy until `end`
//! lost(flow, bytes, which)       the first or the last packet of the flow's queue was removed
//! ```
//! `ready` lists the flows that have a packet and that link control lets send, in ascending order.
//! The port asks when it is idle and `ready` is not empty, and since the last answer a packet has
//! arrived or started, a flow has become ready, or the instant of [`Answer::At`] has come. It asks
//! at no other time: a flow that ceases to be ready is no reason. Engines may permit and forbid
//! flows early or late if it makes no difference; so before it asks, the port has every flow of
//! `ready` checked ([`Next::Check`]), and both engines ask the same questions. An answer outside
//! `ready`, or an instant that is not later than `now`, is a fault.
//!
//! Not modelled: refusal of packets, messages to sources, the choice of packets that are pushed
//! out: a node with an external scheduler drops the arriving packet.

use hopflow_units::SimTime;

use super::Guarantee;
use super::backlog::Backlog;
use super::facts::Facts;
use super::machine::{Machine, Packets, Port};
use super::{Next, Notice};
use crate::external::{Fault, Held, MachineError, refuse};

/// A scheduler of one port, from outside hopflow. Flows are numbered 0, 1, ... at the port.
pub trait ExternalScheduler: Send {
    /// A packet of this size in bytes joined the end of the flow's queue.
    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Result<(), MachineError>;

    /// Which of the flows in `ready` starts its first packet now.
    fn next(&mut self, ready: &[u32], now: SimTime) -> Result<Answer, MachineError>;

    /// The first packet of `flow`, which [`ExternalScheduler::next`] named, starts; it ends at
    /// `end`.
    fn start(
        &mut self,
        flow: u32,
        bytes: u32,
        now: SimTime,
        end: SimTime,
    ) -> Result<(), MachineError>;

    /// A packet of the flow's queue was removed: the first, if a branch of a multicast VC waited
    /// too long; or the last, if a greedy source was switched off, or a paused lane discards its
    /// packets.
    fn lost(&mut self, flow: u32, bytes: u32, which: Lost) -> Result<(), MachineError>;
}

/// The answer of an external scheduler to an idle port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The first packet of this flow starts now.
    Flow(u32),
    /// The port stays idle until this instant, unless something changes; later than now.
    At(SimTime),
    /// The port stays idle until something changes.
    Nothing,
}

/// Which packet of a queue was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The one that has waited longest.
    First,
    /// The one that arrived last.
    Last,
}

/// The queues of a port, and the machine that chooses among them.
#[derive(Debug)]
pub struct External {
    machine: Held<dyn ExternalScheduler>,
    backlog: Backlog,
    /// Flows that have a packet and may send, ascending.
    ready: Vec<u32>,
    /// Whether all of `ready` have been checked since the last question.
    is_checked: bool,
    /// Its answer, unless a packet has arrived or started since.
    answer: Option<Answer>,
    /// The flows that were ready when it was asked.
    asked: Vec<u32>,
    /// The last instant that it was given.
    now: SimTime,
}

impl From<Answer> for Next {
    fn from(answer: Answer) -> Next {
        match answer {
            Answer::Flow(flow) => Next::Flow(flow),
            Answer::At(at) => Next::At(at),
            Answer::Nothing => Next::Nothing,
        }
    }
}

impl External {
    pub(super) const FACTS: Facts = Facts {
        finds_victims: false,
        protects: false,
        ..Facts::new("external", "an external scheduler")
    };

    pub(super) const fn guarantee(_place: u16) -> Guarantee {
        Guarantee::Unknown
    }

    /// Panics: the network makes external machines, see [`External::made`].
    pub(super) fn new(_port: &Port<'_>, _place: u16) -> External {
        panic!("the network makes external machines")
    }

    /// An empty port with this number of flows.
    pub fn made(machine: Held<dyn ExternalScheduler>, flows: usize) -> External {
        External {
            machine,
            backlog: Backlog::new(flows, false),
            ready: Vec::new(),
            is_checked: false,
            answer: None,
            asked: Vec::new(),
            now: SimTime::ZERO,
        }
    }

    fn ask(&mut self, now: SimTime) -> Next {
        self.now = now;
        self.asked.clone_from(&self.ready);
        let ready = &self.ready;
        self.answer = self.machine.ask(now, |machine| {
            let answer = machine.next(ready, now)?;
            allowed(answer, ready, now).map(|()| answer)
        });
        self.answer.map_or(Next::Nothing, Next::from)
    }

    fn tell(&mut self, call: impl FnOnce(&mut dyn ExternalScheduler) -> Result<(), MachineError>) {
        if self.machine.ask(self.now, |machine| call(machine)).is_none() {
            self.answer = None;
        }
    }
}

/// Whether an answer is allowed.
fn allowed(answer: Answer, ready: &[u32], now: SimTime) -> Result<(), MachineError> {
    match answer {
        Answer::Flow(flow) => refuse(ready.binary_search(&flow).is_err(), || {
            format!(
                "it answered flow {flow}, which may not send: answer a flow of {}",
                listed(ready)
            )
        }),
        Answer::At(at) => refuse(at <= now, || {
            format!(
                "it asked to be asked again at {} ps, but it is {} ps: answer a later instant",
                at.0, now.0
            )
        }),
        Answer::Nothing => Ok(()),
    }
}

impl Machine for External {
    type Packets = Backlog;

    fn packets(&mut self) -> &mut Backlog {
        &mut self.backlog
    }

    fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice> {
        self.backlog.arrive(flow, bytes);
        self.answer = None;
        self.changed(flow);
        self.now = now;
        self.tell(|machine| machine.arrive(flow, bytes, now));
        None
    }

    fn next(&mut self, now: SimTime) -> Next {
        // A check counts for this question only, even if it left no flow to ask about.
        let is_checked = std::mem::take(&mut self.is_checked);
        if self.ready.is_empty() || !self.machine.is_there() {
            return Next::Nothing;
        } else if !is_checked {
            return Next::Check;
        }
        let known = |flow: &u32| self.asked.binary_search(flow).is_ok();
        let held = self.answer.filter(|_| self.ready.iter().all(known));
        match held.filter(|answer| !matches!(answer, Answer::At(at) if *at <= now)) {
            Some(answer) => answer.into(),
            None => self.ask(now),
        }
    }

    /// The flows that seem ready, for a check: those that are not are forbidden before the machine
    /// is asked again.
    fn check(&mut self) -> Vec<u32> {
        self.is_checked = true;
        self.ready.clone()
    }

    fn start(&mut self, flow: u32, now: SimTime, end: SimTime) {
        let (bytes, ()) = self.backlog.take_first(flow);
        self.changed(flow);
        self.answer = None;
        self.now = now;
        self.tell(|machine| machine.start(flow, bytes, now, end));
    }

    fn drop_last(&mut self, flow: u32) {
        let (bytes, ()) = self.backlog.take_last(flow);
        self.changed(flow);
        self.tell(|machine| machine.lost(flow, bytes, Lost::Last));
    }

    fn drop_first(&mut self, flow: u32) {
        let (bytes, ()) = self.backlog.take_first(flow);
        self.changed(flow);
        self.tell(|machine| machine.lost(flow, bytes, Lost::First));
    }

    /// The flow may have become ready or ceased to be.
    fn changed(&mut self, flow: u32) {
        let is_ready = self.backlog.ready(flow).is_some();
        match self.ready.binary_search(&flow) {
            Ok(place) if !is_ready => drop(self.ready.remove(place)),
            Err(place) if is_ready => self.ready.insert(place, flow),
            _ => {}
        }
    }

    fn fault(&self) -> Option<&Fault> {
        self.machine.fault()
    }
}

/// The first few flows.
fn listed(flows: &[u32]) -> String {
    const SHOWN: usize = 8;
    let first: Vec<String> = flows.iter().take(SHOWN).map(u32::to_string).collect();
    let more = if flows.len() > SHOWN { ", ..." } else { "" };
    format!("[{}{more}]", first.join(", "))
}

#[cfg(test)]
mod tests;
