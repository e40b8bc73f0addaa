//! Schedulers: one machine per port selects the waiting packet that is sent next, and is informed
//! of arrivals and departures.
//!
//! A port holds packets of several *flows* (numbered 0, 1, ... at the port); the packets of one
//! flow never overtake each other. A scheduler keeps sizes and ranks, not the packets themselves:
//!
//! ```text
//! arrive(flow, bytes, now)   a packet joined the end of the flow's queue
//! permit(flow) forbid(flow)  link control (credit, window) lets it send, or not; initially not
//! next(now)                  at an idle port: whose first packet starts now, or when to ask again
//! start(flow, now, end)      that packet started; the port is busy until `end`
//! victim()                   which flow loses its last packet when the buffer is full
//! drop_last, drop_first      a packet was lost here
//! ```
//!
//! `schedulers!` below is the only list of schedulers: the parser, schema, results, bounds, checks
//! and engines are derived from it. The file named after a scheduler holds its machine and the
//! facts that others need ([`Facts`], [`Guarantee`]); `machine.rs` holds what all machines share.
//! Behind it is the list of the guarantees that a delay bound may be based on.

pub mod ats;
mod backlog;
pub mod cbs;
mod classes;
pub mod deficit_round_robin;
mod deficits;
pub mod ets;
mod external;
mod facts;
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
mod round_robin;
mod scfq;
mod schedule_based;
mod sfq;
mod shares;
mod staged;
mod strict_priority;
mod table;
pub mod tdm;
mod time_aware;
#[cfg(test)]
mod trial;
mod turns;
mod virtual_clock;
pub mod weighted_round_robin;
mod wf2q;
mod wfq;

use hopflow_units::{Bytes, Picos, Rate, SimTime, Wire};
use serde::Serialize;

use crate::external::Fault;
use machine::{Machine, Port};
use round_robin::RoundRobin;
use table::schedulers;

pub use ats::Ats;
pub use cbs::Cbs;
pub use deficit_round_robin::DeficitRoundRobin;
pub use ets::{ClassWeights, Ets};
pub use external::{Answer, External, ExternalScheduler, Lost};
pub use facts::{Facts, InOrder, Void, Wait};
pub use fifo::Fifo;
pub use leap_forward::LeapForward;
pub use meter::{Meter, Reading};
pub use scfq::Scfq;
pub use schedule_based::ScheduleBased;
pub use sfq::Sfq;
pub use strict_priority::StrictPriority;
pub use tdm::Tdm;
pub use time_aware::{Gate, GateList, TimeAware};
pub use virtual_clock::{MeterCheck, StampClock, VirtualClock, VirtualClockSpec};
pub use weighted_round_robin::WeightedRoundRobin;
pub use wf2q::Wf2q;
pub use wfq::Wfq;

/// The reservation of a flow along its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Reservation {
    /// AR: the average rate, counted with headers, in bits per second.
    #[serde(rename = "rate_bps")]
    pub rate: Rate,
    /// AI: the span over which AR is an average. At least the time of one packet at AR.
    #[serde(rename = "interval_ps")]
    pub interval: Picos,
    /// P: how far before real time the flow's stamps begin (VirtualClock's priority).
    #[serde(rename = "priority_ps")]
    pub priority: Picos,
    /// sigma: the burst allowed in addition to AR (ATS; delay bounds).
    #[serde(rename = "burst_bytes")]
    pub burst: Bytes,
}

/// A flow as known to a port when it is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowShare {
    /// Its share relative to the other flows of the port, at least 1: the reserved rate in b/s, or
    /// a plain weight if no flow of the port has a reservation.
    pub weight: u64,
    /// Its reservation. `None`: an unknown flow, where that matters.
    pub reservation: Option<Reservation>,
    /// Its class, 0 the most urgent.
    pub class: u8,
    /// The input by which its packets arrive, numbered within the node; `u32::MAX` at the source.
    pub input: u32,
    /// Its largest packet.
    pub largest: Bytes,
}

schedulers! {
    /// Round robin inside each of eight strict priorities: the port's own lists.
    RoundRobin,
    /// FIFO: the oldest packet first, over all flows.
    Fifo,
    /// Strict priority: the oldest packet of the most urgent class first.
    StrictPriority,
    /// Weighted round robin: in each turn a number of packets, its share relative to the least
    /// weight.
    WeightedRoundRobin,
    /// Deficit round robin: in each turn a quantum of bytes.
    DeficitRoundRobin {
        /// What the flow of the least weight may send in a turn; the others in proportion.
        quantum: Bytes,
    },
    /// Weighted fair queueing (PGPS): the least finish time in the fluid system first.
    Wfq,
    /// Worst-case fair weighted fair queueing: the same, among the packets begun in the fluid
    /// system.
    Wf2q,
    /// Self-clocked fair queueing: the least finish tag first; the clock is the tag in service.
    Scfq,
    /// Start-time fair queueing: the least start tag first; the clock is the tag in service.
    Sfq,
    /// VirtualClock: the least auxVC stamp first.
    VirtualClock(spec: VirtualClockSpec),
    /// Leap Forward VirtualClock: the least tag first, unless it is too far ahead.
    LeapForward,
    /// TDM: fixed slots, wasted when their owner is idle.
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
    /// Asynchronous traffic shaping, IEEE 802.1Qcr: the most urgent eligible packet first.
    Ats {
        /// A packet that would wait longer than this to become eligible is discarded.
        max_residence: Option<Picos>,
    },
    /// Credit-based shaper, IEEE 802.1Qav: the most urgent class with credit first. The idle slope
    /// of a class is the sum of its reservations at the port, with the overhead of its packets.
    Cbs,
    /// Time-aware shaper, IEEE 802.1Qbv: the most urgent class whose gate stays open long enough.
    TimeAware(gates: GateList),
    /// Enhanced transmission selection, IEEE 802.1Qaz: strict classes first, then the others by
    /// deficit round robin between classes.
    Ets {
        /// What the class of the least weight may send in a turn; the others in proportion.
        quantum: Bytes,
        /// The weight of each class; one without is strict.
        weights: ClassWeights,
    },
    /// A machine from outside hopflow: its index in the network's list of them. Experimental.
    External(place: u16),
}

/// What a port guarantees to its flows, as the basis of a delay bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Nothing is known.
    Unknown,
    /// Turns of one packet inside each class, the more urgent classes first.
    RoundRobin,
    /// First in, first out.
    Fifo,
    /// First in, first out inside each class, the more urgent classes first.
    Classes,
    /// To each class the rate that its flows have reserved, by credits.
    Credits,
    /// A packet is served by class after its flow's token bucket admits it.
    Shaped {
        /// A packet that would wait longer than this to be admitted is discarded.
        max_residence: Option<Picos>,
    },
    /// To each flow its reserved rate, by stamps.
    Stamps(VirtualClockSpec),
    /// To each flow its part of the link by weight, after at most this wait.
    Weights(Wait),
    /// To each flow its part of the packets, in turns of a number of packets.
    Turns,
    /// To each flow its part of the bytes, in turns.
    Quanta {
        /// What the flow of the least weight may send in a turn.
        quantum: Bytes,
    },
    /// To each class the times at which its gates are open, the more urgent classes first.
    Gates(GateList),
    /// To each class with a weight its part of the bytes that the other classes leave.
    ClassQuanta {
        /// What the class of the least weight may send in a turn.
        quantum: Bytes,
        /// The weight of each class; one without is strict.
        weights: ClassWeights,
    },
    /// To each flow its slots.
    Slots {
        /// Slots of a frame.
        frame: u32,
    },
}

impl Guarantee {
    /// Whether it holds for a class of flows, and what one of them gets depends on what the others
    /// send. Otherwise it holds for each flow, or nothing is known.
    pub const fn is_to_classes(&self) -> bool {
        use Guarantee::{
            ClassQuanta, Classes, Credits, Fifo, Gates, Quanta, RoundRobin, Shaped, Slots, Stamps,
            Turns, Unknown, Weights,
        };
        match self {
            RoundRobin
            | Fifo
            | Classes
            | Credits
            | Gates(_)
            | Shaped { .. }
            | ClassQuanta { .. } => true,
            Unknown | Stamps(_) | Weights(_) | Turns | Quanta { .. } | Slots { .. } => false,
        }
    }
}

impl SchedulerSpec {
    /// The index of the machine, if it comes from outside hopflow.
    pub const fn external(&self) -> Option<u16> {
        if let SchedulerSpec::External(place) = self { Some(*place) } else { None }
    }
}

/// The scheduler's answer to an idle port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The first packet of this flow starts now.
    Flow(u32),
    /// Nothing may start before this instant, unless something changes; later than now.
    At(SimTime),
    /// Nothing may start until something changes.
    Nothing,
    /// From external machines only: the port must check the flows of [`Scheduler::check`], forbid
    /// those that may not send, and ask again.
    Check,
}

/// The action of a switch on a flow whose packet has just arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// Tell its source to slow down.
    SlowDown,
    /// The flow ignored its messages: from now on it is an unknown flow here.
    Deleted,
}

impl Scheduler {
    /// The scheduler of a port with this rate, perhaps with an overhead, and these flows; `None`
    /// for plain round robin. With `finds_victims`, [`Scheduler::victim`] answers in logarithmic
    /// time. [`External::made`] makes external ones.
    pub fn new(
        spec: SchedulerSpec,
        wire: impl Into<Wire>,
        flows: &[FlowShare],
        finds_victims: bool,
    ) -> Option<Scheduler> {
        let Wire { rate, overhead } = wire.into();
        Scheduler::make(spec, &Port { rate, overhead, flows, finds_victims })
    }

    /// The flows to be checked after [`Next::Check`].
    pub fn check(&mut self) -> Vec<u32> {
        of_each!(self, machine => machine.check())
    }

    /// Why an external scheduler is no longer called.
    pub fn fault(&self) -> Option<&Fault> {
        of_each!(self, machine => machine.fault())
    }

    /// Whether a packet is refused on arrival (admission control, a shaper's limit). Changes
    /// nothing. Most schedulers refuse nothing.
    pub fn refuses(&self, flow: u32, bytes: u32, now: SimTime) -> bool {
        of_each!(self, machine => machine.refuses(flow, bytes, now))
    }

    /// A packet joined the end of the flow's queue.
    pub fn arrive(&mut self, flow: u32, bytes: u32, now: SimTime) -> Option<Notice> {
        of_each!(self, machine => machine.arrive(flow, bytes, now))
    }

    /// Link control lets the flow send. No effect when it did already.
    pub fn permit(&mut self, flow: u32, now: SimTime) {
        of_each!(self, machine => machine.permit(flow, now));
    }

    /// Link control does not let the flow send. No effect when it did not.
    pub fn forbid(&mut self, flow: u32) {
        of_each!(self, machine => machine.forbid(flow));
    }

    /// The flow whose packet an idle port starts now. Repeated at the same instant without a
    /// change, the call gives the same answer.
    #[inline]
    pub fn next(&mut self, now: SimTime) -> Next {
        of_each!(self, machine => machine.next(now))
    }

    /// The first packet of `flow`, which [`Scheduler::next`] named, starts; it ends at `end`.
    pub fn start(&mut self, flow: u32, now: SimTime, end: SimTime) {
        of_each!(self, machine => machine.start(flow, now, end));
    }

    /// The flow whose last packet would be served last of all waiting packets.
    pub fn victim(&mut self) -> Option<u32> {
        of_each!(self, machine => machine.victim())
    }

    /// The last packet of the flow's queue was pushed out.
    pub fn drop_last(&mut self, flow: u32) {
        of_each!(self, machine => machine.drop_last(flow));
    }

    /// The first packet of the flow's queue was given up.
    pub fn drop_first(&mut self, flow: u32) {
        of_each!(self, machine => machine.drop_first(flow));
    }
}
