//! The sources of cells: each source only decides when its next cell is due.
//!
//! A [`Source`] is a plain state machine: [`Source::due`] reads a field, [`Source::advance`] moves
//! on to the next cell. It does not know whether its cells are accepted: the engine handles a cell
//! that finds the host full, and the source continues as planned.
//!
//! | source      | cell n is due at                                   | file             |
//! |-------------|----------------------------------------------------|------------------|
//! | greedy      | never: the engine makes a cell when it can start   | -                |
//! | every k-th  | start + n k T                                      | `every_kth.rs`   |
//! | constant    | start + ceil(bits before it / rate)                | `constant.rs`    |
//! | on-off      | back to back in bursts, silence between            | `on_off.rs`      |
//! | alternating | when its bits have accrued at the present rate     | `alternating.rs` |
//! | train       | in trains of random length, pauses between         | `train.rs`       |
//! | poisson     | after an exponential gap                           | `poisson.rs`     |
//! | phased      | start + random phase + n x gap                     | `phased.rs`      |
//! | replay      | start + the recorded instant                       | `replay.rs`      |
//! | external    | when a machine outside hopflow decides             | `external.rs`    |
//!
//! T is the time of the largest packet on the first hop's link. Every source may have a `stop`: no
//! packet is born at or after it. Every source may end after a number of packets; both limits
//! apply. Packets fall due in order; several may fall due at one instant.
//!
//! The sizes of packets have a law of their own (`size.rs`). A source may be held back: by the
//! user-behaviour envelope (`envelope.rs`), or for a while after a message that tells it to slow
//! down. Then the edge polices or shapes the packets (`edge.rs`).
//!
//! Not modelled: transport protocols.

mod alternating;
mod constant;
mod edge;
mod envelope;
mod every_kth;
mod external;
mod on_off;
mod phased;
mod poisson;
mod replay;
mod size;
mod train;

use hopflow_control::external::Fault;
use hopflow_kernel::RandomStream;
use hopflow_units::{Bytes, Picos, Rate, SimTime};

use crate::{SourceSpec, VcSpec, Wire};

use alternating::Alternating;
use constant::Constant;
use edge::Edge;
use envelope::Envelope;
use every_kth::EveryKth;
pub(crate) use external::External;
pub use external::ExternalSource;
use on_off::OnOff;
use phased::Phased;
use poisson::Poisson;
use replay::Replay;
use size::Sizes;
use train::Train;

/// The amount of a packet in bits per second x picoseconds: its bits times 10^12.
const fn bit_picos(bytes: u32) -> u64 {
    bytes as u64 * 8 * Picos::PER_SECOND
}

/// A packet that a source makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// When it was born: before it is due if a shaper delayed it.
    pub birth: SimTime,
    /// Its size on the wire.
    pub bytes: u32,
    /// Its fate at the edge.
    pub fate: Fate,
}

/// The fate of a packet at the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It joins its host's queue.
    Sent,
    /// The policer discards it.
    Discarded,
    /// It does not belong to this VC, but to another one made from the same stream: nothing
    /// happens.
    LeftOut,
}

/// The source of one VC.
#[derive(Debug)]
pub struct Source {
    /// The packet that is due next, and when.
    due: Option<(SimTime, Made)>,
    births: Births,
    /// A packet taken from `births`, if an edge must choose between it and a release.
    newborn: Option<Made>,
    edge: Option<Box<Edge>>,
}

/// The packets of a source in the order of their births.
#[derive(Debug)]
struct Births {
    plan: Plan,
    stop: SimTime,
    sizes: Sizes,
    /// The first link, and the last size with its time there.
    wire: Wire,
    time: (u32, Picos),
    /// The restrictions of the source, if any.
    loops: Option<Box<ClosedLoop>>,
}

/// The state of a source that is held back, or ends after a number of packets.
#[derive(Clone, Debug)]
struct ClosedLoop {
    envelope: Option<Envelope>,
    /// AR, AI: the rate to which a source that obeys messages falls back, and for how long.
    obeys: Option<(Rate, Picos)>,
    /// The end of the present slow-down.
    slow_until: SimTime,
    /// The number of packets still to be born; `None`: no end.
    left: Option<u64>,
    /// The last packet: its instant in the plan, its actual instant, and its size.
    last: Option<(SimTime, SimTime, u32)>,
}

/// The instants of a source without its `stop`, one at a time.
#[derive(Debug)]
enum Plan {
    /// No instants of its own: greedy.
    Empty,
    EveryKth(EveryKth),
    Constant(Constant),
    OnOff(OnOff),
    Alternating(Alternating),
    Train(Train),
    Poisson(Poisson),
    Phased(Phased),
    Replay(Replay),
    External(Box<External>),
}

impl Source {
    /// The source of `vc`, before its first packet. `first` is the first hop's link; `seed` is the
    /// scenario's seed. The owner of the streams is the VC's name, unless the VC names another;
    /// their purposes are `source` and `size`.
    pub fn new(vc: &VcSpec, first: Wire, seed: u64) -> Source {
        let owner = vc.traffic.stream.as_deref().unwrap_or(&vc.name);
        let plan = plan(vc, first, RandomStream::new(seed, owner, "source"));
        Source::of_plan(vc, first, seed, plan)
    }

    /// The same with a plan from outside hopflow.
    #[cold]
    pub(crate) fn of_external(vc: &VcSpec, first: Wire, seed: u64, plan: External) -> Source {
        Source::of_plan(vc, first, seed, Plan::External(Box::new(plan)))
    }

    #[inline]
    fn of_plan(vc: &VcSpec, first: Wire, seed: u64, plan: Plan) -> Source {
        let owner = vc.traffic.stream.as_deref().unwrap_or(&vc.name);
        let births = Births {
            plan,
            stop: vc.stop.unwrap_or(SimTime::NEVER),
            sizes: Sizes::new(vc.source_size(), || RandomStream::new(seed, owner, "size")),
            wire: first,
            time: (0, Picos::ZERO),
            loops: ClosedLoop::of(vc),
        };
        let edge = vc.traffic.policing.map(|spec| Box::new(Edge::new(&spec, vc.source_size())));
        let mut source = Source { due: None, births, newborn: None, edge };
        source.look_ahead();
        source
    }

    /// When the next packet is due; `None`: never again, or greedy. Never before the VC's start; at
    /// or after its stop only if a shaper delayed it.
    #[inline]
    pub fn due(&self) -> Option<SimTime> {
        self.due.map(|(due, _)| due)
    }

    /// The packet that is due. Panics when none is: a bug in the caller.
    pub fn made(&self) -> Made {
        self.due.expect("a source made a cell that was not due").1
    }

    /// The size of the next packet of a greedy source, which is made when it starts.
    pub fn next_greedy_bytes(&mut self) -> u32 {
        self.births.sizes.next()
    }

    /// Why an external source is no longer called.
    pub fn fault(&self) -> Option<&Fault> {
        match &self.births.plan {
            Plan::External(plan) => plan.fault(),
            _ => None,
        }
    }

    /// A message tells the source to slow down. One that obeys keeps at least an average gap (the
    /// last packet's time at AR) between packets for the next AI, starting with the packet after
    /// the one that is due.
    pub fn slow_down(&mut self, now: SimTime) {
        if let Plan::External(plan) = &mut self.births.plan {
            plan.slow_down(now);
        }
        if let Some(loops) = &mut self.births.loops
            && let Some((_, interval)) = loops.obeys
        {
            loops.slow_until = now.saturating_add(interval);
        }
    }

    /// Advances after the due packet has been made. Panics when none was due.
    pub fn advance(&mut self) {
        assert!(self.due.is_some(), "a source made a cell that was not due");
        self.look_ahead();
    }

    fn look_ahead(&mut self) {
        let Some(edge) = &mut self.edge else {
            self.due = self.births.next().map(|made| (made.birth, made));
            return;
        };
        loop {
            if self.newborn.is_none() {
                self.newborn = self.births.next();
            }
            let birth = self.newborn.map(|made| made.birth);
            if let Some(at) = edge.next_release()
                && birth.is_none_or(|birth| at <= birth)
            {
                self.due = edge.release().map(|made| (at, made));
                return;
            }
            let Some(made) = self.newborn.take() else {
                self.due = None;
                return;
            };
            if let Some(made) = edge.judge(made) {
                self.due = Some((made.birth, made));
                return;
            }
        }
    }
}

fn plan(vc: &VcSpec, first: Wire, stream: RandomStream) -> Plan {
    let start = vc.begins();
    let longest = first.transmit_time(vc.source_size().most());
    match &*vc.source {
        SourceSpec::Greedy | SourceSpec::Endpoint => Plan::Empty,
        SourceSpec::EveryKth { k } => Plan::EveryKth(EveryKth::new(start, *k, longest)),
        SourceSpec::Constant { rate } => Plan::Constant(Constant::new(start, *rate)),
        SourceSpec::OnOff { burst, off, burst_first } => {
            let mut on_off = OnOff::new(start, longest, *burst, *off, stream);
            if !burst_first {
                on_off.rest_first();
            }
            Plan::OnOff(on_off)
        }
        SourceSpec::Alternating { low, high, half_period } => {
            Plan::Alternating(Alternating::new(start, [*low, *high], *half_period))
        }
        SourceSpec::Train { length, spacing, pause } => {
            Plan::Train(Train::new(start, *length, [*spacing, *pause], stream))
        }
        SourceSpec::Poisson { gap } => Plan::Poisson(Poisson::new(start, *gap, stream)),
        SourceSpec::Phased { gap } => Plan::Phased(Phased::new(start, *gap, stream)),
        SourceSpec::Replay { times } => Plan::Replay(Replay::new(start, times)),
        SourceSpec::External { .. } => panic!("the network makes external machines"),
    }
}

impl Births {
    /// The next packet; `None` if there is none before the stop, or the last has been born.
    #[inline]
    fn next(&mut self) -> Option<Made> {
        if matches!(self.plan, Plan::Empty) {
            return None;
        }
        let bytes = self.sizes.next();
        let planned = self.planned(bytes);
        let birth = match &mut self.loops {
            Some(loops) => loops.born(planned, bytes),
            None => planned,
        };
        (birth < self.stop).then_some(Made { birth, bytes, fate: Fate::Sent })
    }

    /// The instant of the next packet in the plan; its size is known.
    #[inline]
    fn planned(&mut self, bytes: u32) -> SimTime {
        match &mut self.plan {
            Plan::Empty => SimTime::NEVER,
            Plan::EveryKth(plan) => plan.next_packet(),
            Plan::Constant(plan) => plan.next_packet(bit_picos(bytes)),
            Plan::OnOff(plan) => {
                if self.time.0 != bytes {
                    self.time = (bytes, self.wire.transmit_time(Bytes(u64::from(bytes))));
                }
                plan.next_packet(self.time.1)
            }
            Plan::Alternating(plan) => plan.next_packet(bit_picos(bytes)),
            Plan::Train(plan) => plan.next_packet(),
            Plan::Poisson(plan) => plan.next_packet(),
            Plan::Phased(plan) => plan.next_packet(),
            Plan::Replay(plan) => plan.next_packet(),
            Plan::External(plan) => plan.next_packet(bytes),
        }
    }
}

impl ClosedLoop {
    /// The state for the restrictions of `vc`; `None` if it has none.
    fn of(vc: &VcSpec) -> Option<Box<ClosedLoop>> {
        let envelope = vc.traffic.envelope.map(Envelope::new);
        let reserved = vc.reservation.filter(|_| vc.traffic.obeys);
        let obeys = reserved.map(|reservation| (reservation.rate, reservation.interval));
        let (slow_until, left) = (SimTime::ZERO, vc.traffic.packets);
        (envelope.is_some() || obeys.is_some() || left.is_some())
            .then(|| Box::new(ClosedLoop { envelope, obeys, slow_until, left, last: None }))
    }

    /// The birth of the packet whose instant in the plan is `planned`: after the natural or the
    /// required gap, whichever is longer; never, if the packet exceeds the limit.
    fn born(&mut self, planned: SimTime, bytes: u32) -> SimTime {
        match &mut self.left {
            Some(0) => return SimTime::NEVER,
            Some(left) => *left -= 1,
            None => {}
        }
        let mut birth = planned;
        if let Some((last_planned, last_born, last_bytes)) = self.last {
            let natural = planned.since(last_planned);
            let mut required = match &mut self.envelope {
                Some(envelope) => envelope.required_gap(last_born),
                None => Picos::ZERO,
            };
            if let Some((rate, _)) = self.obeys
                && last_born < self.slow_until
            {
                let average = rate.transmit_time(Bytes(u64::from(last_bytes)));
                required = required.max(average.unwrap_or(Picos::MAX));
            }
            birth = last_born.saturating_add(natural.max(required));
        }
        self.last = Some((planned, birth, bytes));
        birth
    }
}

#[cfg(test)]
mod tests;
