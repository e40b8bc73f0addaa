//! Which waiting packet a port sends next: one machine per port, told what comes and goes.
//!
//! A port holds packets of several *flows* (numbered 0, 1, ... at the port); the packets of one
//! flow never overtake each other. A scheduler keeps sizes and ranks, not the packets themselves:
//!
//! ```text
//! arrive(flow, bytes, now)   a packet joined the end of the flow's queue
//! permit(flow) forbid(flow)  link control (credit, window) lets it send, or not; at first: not
//! next(now)                  at an idle port: whose first packet starts now, or when to ask again
//! start(flow, now, end)      that packet started; the port is busy until `end`
//! victim()                   whose last packet goes when the buffer is full
//! drop_last, drop_first      a packet was lost here
//! ```
//!
//! | scheduler            | serves first                             | file                      |
//! | -------------------- | ---------------------------------------- | ------------------------- |
//! | FIFO                 | the oldest packet                        | `fifo.rs`                 |
//! | strict priority      | the oldest of the most urgent class      | `strict_priority.rs`      |
//! | weighted round robin | by turns, w packets a turn               | `weighted_round_robin.rs` |
//! | deficit round robin  | by turns, a quantum of bytes a turn      | `deficit_round_robin.rs`  |
//! | WFQ (PGPS)           | least finish time in the fluid system    | `wfq.rs`                  |
//! | WF2Q                 | the same, of those begun there           | `wf2q.rs`                 |
//! | SCFQ                 | least finish tag, clock = tag in service | `scfq.rs`                 |
//! | SFQ                  | least start tag, clock = tag in service  | `sfq.rs`                  |
//! | VirtualClock         | least auxVC stamp                        | `virtual_clock.rs`        |
//! | Leap Forward VC      | least tag not too far ahead              | `leap_forward.rs`         |
//! | TDM                  | the owner of the slot, or nobody         | `tdm.rs`                  |
//! | schedule-based       | the owner of the slot, else a borrower   | `schedule_based.rs`       |
//! | TSN ATS              | the most urgent eligible packet          | `ats.rs`                  |
//! | TSN CBS              | the most urgent class with credit        | `cbs.rs`                  |
//! | external             | what a machine outside of hopflow says   | `external.rs`             |
//!
//! Plain round robin inside eight strict priorities is a port's own list and has no machine here.

pub mod ats;
mod backlog;
mod cbs;
mod classes;
pub mod deficit_round_robin;
mod external;
#[cfg(test)]
mod fair_tests;
mod fifo;
#[cfg(test)]
mod fluid;
mod frame;
mod gps;
#[cfg(test)]
mod law_tests;
mod leap_forward;
mod machine;
mod meter;
mod queues;
mod rank_heap;
mod ranked;
mod scfq;
mod schedule_based;
mod sfq;
mod shares;
mod staged;
mod strict_priority;
pub mod tdm;
#[cfg(test)]
mod trial;
mod turns;
mod virtual_clock;
pub mod weighted_round_robin;
mod wf2q;
mod wfq;

use hopflow_units::{Bytes, Picos, Rate, SimTime};

use crate::external::Fault;
use machine::{Machine, Port};

pub use ats::Ats;
pub use cbs::Cbs;
pub use deficit_round_robin::DeficitRoundRobin;
pub use external::{Answer, External, ExternalScheduler, Lost};
pub use fifo::Fifo;
pub use leap_forward::LeapForward;
pub use meter::{Meter, Reading};
pub use scfq::Scfq;
pub use schedule_based::ScheduleBased;
pub use sfq::Sfq;
pub use strict_priority::StrictPriority;
pub use tdm::Tdm;
pub use virtual_clock::{MeterCheck, StampClock, VirtualClock, VirtualClockSpec};
pub use weighted_round_robin::WeightedRoundRobin;
pub use wf2q::Wf2q;
pub use wfq::Wfq;

/// What a flow has reserved along its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// AR: the average rate, counted with headers, in bits per second.
    pub rate: Rate,
    /// AI: the span over which AR is an average. At least the time of one packet at AR.
    pub interval: Picos,
    /// P: how far ahead of real time the flow's stamps begin (VirtualClock's priority).
    pub priority: Picos,
    /// sigma: the burst that may come at once on top of AR (ATS; delay bounds).
    pub burst: Bytes,
}

/// A flow as a port sees it when it is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowShare {
    /// Its share against the other flows of the port, at least 1: the reserved rate in b/s, or a
    /// bare weight where no flow of the port has a reservation.
    pub weight: u64,
    /// What it has reserved. `None`: an unknown flow, where that makes a difference.
    pub reservation: Option<Reservation>,
    /// Its class, 0 the most urgent.
    pub class: u8,
    /// Where its packets come in, as one number for each input of the node; `u32::MAX` at the
    /// source.
    pub input: u32,
    /// Its largest packet.
    pub largest: Bytes,
}

/// Which scheduler a port has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchedulerSpec {
    /// Round robin inside each of eight strict priorities: the port's own lists.
    #[default]
    RoundRobin,
    /// First in, first out, over all flows.
    Fifo,
    /// Strict priority, first in first out inside each.
    StrictPriority,
    /// Weighted round robin: in each turn as many packets as the flow's share of the least.
    WeightedRoundRobin,
    /// Deficit round robin.
    DeficitRoundRobin {
        /// What the flow of the least weight may send in a turn; others in proportion.
        quantum: Bytes,
    },
    /// Weighted fair queueing (PGPS).
    Wfq,
    /// Worst-case fair weighted fair queueing.
    Wf2q,
    /// Self-clocked fair queueing.
    Scfq,
    /// Start-time fair queueing.
    Sfq,
    /// VirtualClock.
    VirtualClock(VirtualClockSpec),
    /// Leap Forward VirtualClock.
    LeapForward,
    /// Fixed slots, wasted when their owner is idle.
    Tdm {
        /// Slots of a frame; one lasts as long as the largest packet of the port.
        frame: u32,
    },
    /// Mukherji's schedule: fixed slots, lent when their owner is idle.
    ScheduleBased {
        /// Slots of a frame; one lasts as long as the largest packet of the port.
        frame: u32,
        /// How many packets a flow may have sent in slots of others.
        window: u32,
    },
    /// Asynchronous traffic shaping, IEEE 802.1Qcr.
    Ats {
        /// A packet that would have to wait longer to become eligible is discarded.
        max_residence: Option<Picos>,
    },
    /// Credit-based shaper, IEEE 802.1Qav. The idle slope of a class is the sum of its
    /// reservations at the port.
    Cbs,
    /// A machine that is made outside of hopflow: its place in the list that the network has of
    /// them. Experimental.
    External(u16),
}

/// What a scheduler says when an idle port asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The first packet of this flow starts now.
    Flow(u32),
    /// Nothing may start before this instant, unless something changes; later than now.
    At(SimTime),
    /// Nothing may start until something changes.
    Nothing,
    /// Of an external machine alone: the flows of [`Scheduler::check`] are to be looked at, and
    /// those that may not send are forbidden; then it is asked again.
    Check,
}

/// What a switch does about a flow whose packet has just come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Tell its source to slow down.
    SlowDown,
    /// The flow ignored its messages: from now on it is an unknown flow here.
    Deleted,
}

/// The scheduler of one port.
#[derive(Debug)]
pub enum Scheduler {
    /// First in, first out.
    Fifo(Fifo),
    /// The most urgent class first.
    StrictPriority(StrictPriority),
    /// The least stamp first.
    VirtualClock(VirtualClock),
    /// Turns of packets.
    WeightedRoundRobin(WeightedRoundRobin),
    /// Turns of bytes.
    DeficitRoundRobin(DeficitRoundRobin),
    /// The least finish time in the fluid system first.
    Wfq(Wfq),
    /// The same, of the packets begun there.
    Wf2q(Wf2q),
    /// The least finish tag first.
    Scfq(Scfq),
    /// The least start tag first.
    Sfq(Sfq),
    /// The least tag not too far ahead first.
    LeapForward(LeapForward),
    /// Own slots only.
    Tdm(Tdm),
    /// Own slots, and those of idle owners.
    ScheduleBased(ScheduleBased),
    /// Eligible times of token buckets.
    Ats(Ats),
    /// Credits of classes.
    Cbs(Cbs),
    /// Made outside of hopflow.
    External(Box<External>),
}

macro_rules! each {
    ($self:expr, $machine:ident => $result:expr) => {
        match $self {
            Scheduler::Fifo($machine) => $result,
            Scheduler::StrictPriority($machine) => $result,
            Scheduler::VirtualClock($machine) => $result,
            Scheduler::WeightedRoundRobin($machine) => $result,
            Scheduler::DeficitRoundRobin($machine) => $result,
            Scheduler::Wfq($machine) => $result,
            Scheduler::Wf2q($machine) => $result,
            Scheduler::Scfq($machine) => $result,
            Scheduler::Sfq($machine) => $result,
            Scheduler::LeapForward($machine) => $result,
            Scheduler::Tdm($machine) => $result,
            Scheduler::ScheduleBased($machine) => $result,
            Scheduler::Ats($machine) => $result,
            Scheduler::Cbs($machine) => $result,
            Scheduler::External($machine) => $result,
        }
    };
}

impl Scheduler {
    /// The scheduler of a port of this rate and these flows; `None` for plain round robin. With
    /// `finds_victims`, [`Scheduler::victim`] is answered in logarithmic time. An external one is
    /// made by [`External::new`].
    pub fn new(
        spec: SchedulerSpec,
        rate: Rate,
        flows: &[FlowShare],
        finds_victims: bool,
    ) -> Option<Scheduler> {
        let port = &Port { rate, flows, finds_victims };
        let machine = match spec {
            SchedulerSpec::RoundRobin => return None,
            SchedulerSpec::Fifo => Scheduler::Fifo(Fifo::new(port)),
            SchedulerSpec::StrictPriority => Scheduler::StrictPriority(StrictPriority::new(port)),
            SchedulerSpec::VirtualClock(spec) => {
                Scheduler::VirtualClock(VirtualClock::new(port, spec))
            }
            SchedulerSpec::WeightedRoundRobin => {
                Scheduler::WeightedRoundRobin(WeightedRoundRobin::new(port))
            }
            SchedulerSpec::DeficitRoundRobin { quantum } => {
                Scheduler::DeficitRoundRobin(DeficitRoundRobin::new(port, quantum))
            }
            SchedulerSpec::Wfq => Scheduler::Wfq(Wfq::new(port)),
            SchedulerSpec::Wf2q => Scheduler::Wf2q(Wf2q::new(port)),
            SchedulerSpec::Scfq => Scheduler::Scfq(Scfq::new(port)),
            SchedulerSpec::Sfq => Scheduler::Sfq(Sfq::new(port)),
            SchedulerSpec::LeapForward => Scheduler::LeapForward(LeapForward::new(port)),
            SchedulerSpec::Tdm { frame } => Scheduler::Tdm(Tdm::new(port, frame)),
            SchedulerSpec::ScheduleBased { frame, window } => {
                Scheduler::ScheduleBased(ScheduleBased::new(port, frame, window))
            }
            SchedulerSpec::Ats { max_residence } => Scheduler::Ats(Ats::new(port, max_residence)),
            SchedulerSpec::Cbs => Scheduler::Cbs(Cbs::new(port)),
            SchedulerSpec::External(_) => panic!("the network makes external machines"),
        };
        Some(machine)
    }

    /// The flows that are to be looked at after [`Next::Check`].
    pub fn check(&mut self) -> Vec<u32> {
        each!(self, machine => machine.check())
    }

    /// Why an external scheduler is not called any more.
    pub fn fault(&self) -> Option<&Fault> {
        each!(self, machine => machine.fault())
    }

    /// Whether a packet is refused before it is looked at further (admission control, a shaper's
    /// limit). Nothing changes. Most schedulers refuse nothing.
    pub fn refuses(&self, flow: u32, bytes: u32, now: SimTime) -> bool {
        each!(self, machine => machine.refuses(flow, bytes, now))
    }

    /// A packet joined the end of the flow's queue.
    pub fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice> {
        each!(self, machine => machine.arrive(flow, bytes, now))
    }

    /// Link control lets the flow send. No effect when it did already.
    pub fn permit(&mut self, flow: u32, now: SimTime) {
        each!(self, machine => machine.permit(flow, now));
    }

    /// Link control does not let the flow send. No effect when it did not.
    pub fn forbid(&mut self, flow: u32) {
        each!(self, machine => machine.forbid(flow));
    }

    /// Whose packet an idle port starts now. Asked again at the same instant without a change,
    /// it gives the same answer.
    #[inline]
    pub fn next(&mut self, now: SimTime) -> Next {
        each!(self, machine => machine.next(now))
    }

    /// The first packet of `flow`, which [`Scheduler::next`] named, starts; it ends at `end`.
    pub fn start(&mut self, flow: u32, now: SimTime, end: SimTime) {
        each!(self, machine => machine.start(flow, now, end));
    }

    /// The flow whose last packet would be served last of all that wait here.
    pub fn victim(&mut self) -> Option<u32> {
        each!(self, machine => machine.victim())
    }

    /// The last packet of the flow's queue was pushed out.
    pub fn drop_last(&mut self, flow: u32) {
        each!(self, machine => machine.drop_last(flow));
    }

    /// The first packet of the flow's queue was given up.
    pub fn drop_first(&mut self, flow: u32) {
        each!(self, machine => machine.drop_first(flow));
    }
}
