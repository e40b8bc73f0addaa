//! The source of one VC: the packets of its plan, as it holds itself back and as its edge lets
//! them through.
//!
//! A [`Source`] is a plain state machine: [`Source::due`] reads a field, [`Source::advance`]
//! moves on to the next packet. It does not know whether its packets are taken: one that finds
//! the host full is the engine's affair, and the source goes on as planned.

use std::cell::Cell;

use hopflow_control::external::Fault;
use hopflow_kernel::RandomStream;
use hopflow_units::{Bytes, CellRate, Picos, Rate, SimTime};

use super::coded::CodedCounters;
use super::edge::Edge;
use super::envelope::Envelope;
use super::machine::{FirstLink, Start};
use super::size::Sizes;
use super::{External, Fate, Made, Plan};
use crate::{VcSpec, Wire};

/// The source of one VC.
#[derive(Debug)]
pub struct Source {
    /// The packet that is due next, and when.
    due: Option<(SimTime, Made)>,
    births: Births,
    /// What it has taken from `births`, if an edge has to choose between that and a release.
    newborn: Option<Made>,
    edge: Option<Box<Edge>>,
}

/// The packets of a source as they are born, one after the other.
#[derive(Debug)]
struct Births {
    /// `None`: it has no instants of its own.
    plan: Option<Plan>,
    stop: SimTime,
    sizes: Sizes,
    first: FirstLink,
    /// The closed loop that delays packets, if there is one.
    loops: Option<Box<ClosedLoop>>,
    /// Whether the plan follows the allowed rate.
    follows_rate: bool,
}

/// What a source that holds itself back, or ends after some packets, remembers.
#[derive(Clone, Debug)]
struct ClosedLoop {
    envelope: Option<Envelope>,
    /// AR, AI: what a source that heeds messages falls back to, and for how long.
    obeys: Option<(Rate, Picos)>,
    /// Until when it sends slowly after a message.
    slow_until: SimTime,
    /// How many packets are still to be born; `None`: no end.
    left: Option<u64>,
    /// The last packet by the plan, as it was sent, and its size.
    last: Option<(SimTime, SimTime, u32)>,
}

impl Source {
    /// The source of `vc`, before its first packet. `first` is the first hop's link;
    /// `seed` is the scenario's. The streams' owner is the VC's name, unless it names another;
    /// their purposes are `source` and `size`.
    pub fn new(vc: &VcSpec, first: Wire, seed: u64) -> Source {
        let longest = first.transmit_time(vc.source_size().most());
        let (owner, data_part) = (owner(vc), data_part(vc));
        let start = Start { at: vc.begins(), longest, seed, owner, data_part, taken: None };
        Source::of_plan(vc, first, seed, Plan::new(&vc.source, &start))
    }

    /// Whether the source of a VC draws random numbers: its plan takes a stream, or its packets
    /// have sizes that are drawn.
    pub(crate) fn draws(vc: &VcSpec, first: Wire) -> bool {
        let longest = first.transmit_time(vc.source_size().most());
        let (taken, owner, data_part) = (Cell::new(false), owner(vc), data_part(vc));
        let taker = Some(&taken);
        let start = Start { at: vc.begins(), longest, seed: 0, owner, data_part, taken: taker };
        drop(Plan::new(&vc.source, &start));
        taken.get() || vc.source_size().fixed().is_none()
    }

    /// The same with a plan that is made outside of hopflow.
    #[cold]
    pub(crate) fn of_external(vc: &VcSpec, first: Wire, seed: u64, plan: External) -> Source {
        Source::of_plan(vc, first, seed, Some(Plan::External(Box::new(plan))))
    }

    /// The same without a plan: no packet is ever due.
    pub(crate) fn silent(vc: &VcSpec, first: Wire, seed: u64) -> Source {
        Source::of_plan(vc, first, seed, None)
    }

    #[inline]
    fn of_plan(vc: &VcSpec, first: Wire, seed: u64, plan: Option<Plan>) -> Source {
        let mut source = Source {
            due: None,
            births: Births {
                plan,
                stop: vc.stop.unwrap_or(SimTime::NEVER),
                sizes: Sizes::new(vc.source_size(), || RandomStream::new(seed, owner(vc), "size")),
                first: FirstLink::new(first),
                loops: ClosedLoop::of(vc),
                follows_rate: vc.source.facts().follows_rate,
            },
            newborn: None,
            edge: vc.traffic.policing.map(|spec| Box::new(Edge::new(&spec, vc.source_size()))),
        };
        source.look_ahead();
        source
    }

    /// When the next packet is due; `None`: never again, or greedy. Never before the VC's start;
    /// at or after its stop only if a shaper delayed it.
    #[inline]
    pub fn due(&self) -> Option<SimTime> {
        self.due.map(|(due, _)| due)
    }

    /// The packet that is due. Panics when none is, which is a bug in the caller.
    pub fn made(&self) -> Made {
        self.due.expect("a source made a cell that was not due").1
    }

    /// The size of the next packet of a greedy source, which is made as it starts.
    pub fn next_greedy_bytes(&mut self) -> u32 {
        self.births.sizes.next()
    }

    /// Whether it is to receive, by [`Source::on_rate`], the allowed rate of its VC at the instant
    /// of each packet, before [`Source::made`].
    #[inline]
    pub const fn follows_rate(&self) -> bool {
        self.births.follows_rate
    }

    /// The packet that is due is made at this allowed rate of the VC.
    pub fn on_rate(&mut self, acr: CellRate) {
        if let Some(plan) = &mut self.births.plan {
            plan.on_rate(acr);
        }
    }

    /// The frames that it has coded, if it is a coder.
    pub fn coded(&self) -> Option<CodedCounters> {
        let coded = self.births.plan.as_ref().and_then(Plan::coded);
        self.births.follows_rate.then(|| coded.unwrap_or_default())
    }

    /// Resets statistics that cannot be subtracted, see [`crate::Engine::restart_statistics`].
    pub fn restart_statistics(&mut self) {
        if let Some(plan) = &mut self.births.plan {
            plan.restart_statistics();
        }
    }

    /// Why an external source is not called any more.
    pub fn fault(&self) -> Option<&Fault> {
        self.births.plan.as_ref()?.fault()
    }

    /// A message tells the source to slow down. One that heeds it keeps at least an average gap
    /// (the last packet's time at AR) between packets for the next AI, from the packet after the
    /// one that is due on.
    pub fn slow_down(&mut self, now: SimTime) {
        if let Some(plan) = &mut self.births.plan {
            plan.slow_down(now);
        }
        if let Some(loops) = &mut self.births.loops
            && let Some((_, interval)) = loops.obeys
        {
            loops.slow_until = now.saturating_add(interval);
        }
    }

    /// Records that the due packet has been made. Panics when none was due.
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

/// Under rate control, the part of the VC's cells that are data; else 1.
fn data_part(vc: &VcSpec) -> f64 {
    vc.rate.as_ref().map_or(1.0, |abr| 1.0 - 1.0 / f64::from(abr.nrm))
}

/// Whose random streams the source draws from.
fn owner(vc: &VcSpec) -> &str {
    vc.traffic.stream.as_deref().unwrap_or(&vc.name)
}

impl Births {
    /// The next packet, `None` when there is none before the stop, or the last has been born.
    #[inline]
    fn next(&mut self) -> Option<Made> {
        let plan = self.plan.as_mut()?;
        let bytes = self.sizes.next();
        let planned = plan.next_packet(bytes, &mut self.first);
        let birth = match &mut self.loops {
            Some(loops) => loops.born(planned, bytes),
            None => planned,
        };
        (birth < self.stop).then_some(Made { birth, bytes, fate: Fate::Sent })
    }
}

impl ClosedLoop {
    /// What the source of `vc` remembers; `None` when nothing holds it back.
    fn of(vc: &VcSpec) -> Option<Box<ClosedLoop>> {
        let envelope = vc.traffic.envelope.map(Envelope::new);
        let reserved = vc.reservation.filter(|_| vc.traffic.obeys);
        let obeys = reserved.map(|reservation| (reservation.rate, reservation.interval));
        let (slow_until, left) = (SimTime::ZERO, vc.traffic.packets);
        (envelope.is_some() || obeys.is_some() || left.is_some())
            .then(|| Box::new(ClosedLoop { envelope, obeys, slow_until, left, last: None }))
    }

    /// When the packet that the plan has at `planned` is born: after the natural gap or the one
    /// that is required, whichever is longer; never, if it is one too many.
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
