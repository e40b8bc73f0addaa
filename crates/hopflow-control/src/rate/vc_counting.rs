//! VC counting: the exact fair rate of a link, from all its active VCs.
//!
//! A VC is *marked* if it is bottlenecked elsewhere, that is, cannot use its rate here. Its unused
//! rate is divided among the others. At every interval, and when a VC arrives:
//! ```text
//! S    = (C - sum over marked(cap) - sum over others(MCR)) / sum over others(w)     (1)
//! mark every VC with cap < MCR + w S, and repeat (1) until none is new              (2)
//! if all are marked:   S = max((C - sum(cap) + cap_i - MCR_i) / w_i)                (3)
//! R_i  = MCR_i + w_i S                                                              (4)
//! BRM:  ER = min(ER, f R_i);   f = 0.9 from Q > high to Q <= low, else 1;           (5)
//!                              or f = 0.98 always
//! C    = link - mean rate of other traffic in the last interval                     (6)
//! cap  = min(L, rate)  if rate < H (1 - e), else L                                  (7)
//! H    = the lowest f R_i of the BRMs of the last one to two settling times         (8)
//! rate = CCR,  or if rates are measured  min(CCR, (cells + 1) / span)               (9)
//! ```
//! | symbol         | meaning                                             | unit     | default |
//! |----------------|-----------------------------------------------------|----------|---------|
//! | R_i            | congestion rate: the rate of the VC at this port    | cells/s  |         |
//! | S, `level`     | R of a VC with MCR 0 and weight 1                   | cells/s  |         |
//! | cap            | upper bound of the VC's rate, set by other ports    | cells/s  |         |
//! | L, `limit`     | ER of its last BRM on arrival: the bound downstream | cells/s  |         |
//! | CCR            | of its last FRM                                     | cells/s  |         |
//! | cells, span    | its cells in the last settling time, or interval    | cells, s |         |
//! | H, `held`      | rate to which this port holds the VC                | cells/s  |         |
//! | e, `tolerance` | a VC up to this far below H is still held by it     | 1        | 1/256   |
//! | MCR            | minimum of a VC                                     | cells/s  | 0       |
//! | w, `weight`    | its weight in the rate above the minima             | 1        | 1       |
//! | Q, `queue`     | cells of rate-controlled VCs at the port            | cells    |         |
//! | f, `drain`     | part of R that a VC is given, to drain a queue      | 1        | 0.9     |
//! | high, low      | f applies from a queue above high down to low       | cells    | 5, 1    |
//! | `interval`     | interval at which all rates are computed            | ps       | 1 ms    |
//! | `active`       | a VC without a cell for longer has left             | ps       | 100 ms  |
//! | `settle`       | BRM here to the first FRM that obeys it, at most    | ps       | (none)  |
//!
//! With MCR 0 and weight 1, (1) to (4) are the max-min share of one link among VCs with caps. Since
//! S only grows by (2), the order in which VCs are marked does not matter.
//!
//! *Why (7) and (8).* A VC that sends at the rate that this port reported is bottlenecked here,
//! though its CCR may be below R: R, or f, has grown since the BRM that the VC obeys. If CCR
//! counted as the rate of a VC bottlenecked elsewhere, R would overshoot for a loop after each
//! drain. So CCR counts as a cap only if it is below every rate that was reported to the VC for
//! long enough that it must have obeyed. A new VC counts as bottlenecked here for two settling
//! times. 1/256 is twice the rounding of a 16-bit rate. Measured rates need more, for gaps between
//! cells change on the way.
//!
//! Source: [Roberts96] for (5), for C and for the count of active bottlenecked VCs "every
//! millisecond or so"; [Charny94] for marking, from memory. No source gives the queues of (5); 5
//! and 1 (a cell in transmission and none that waits) are ours. (3), (7), (8), weights and the
//! defaults of times are ours. Differs: [Charny94] marks by a rate that switches lower on the way
//! forward; here ER is lowered on the way back. Not modelled: nothing.
//! Checked by: `vc_counting/{tests,network_tests}.rs`, `docs/models/rate-control.md`.

mod held;

#[cfg(test)]
mod network_tests;
#[cfg(test)]
mod tests;

use hopflow_units::{CellRate, Picos, SimTime};
use serde::{Deserialize, Serialize};

use super::mistake::{RateMistake, mistakes_of};
use super::{Algorithm, Congestion, EfciSpec, Effect, Facts, MaxMin, RmCell, Rule, VcRate};
use held::Held;

/// The part of R that a VC is given, to drain queues. Factors are above zero and at most 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "WrittenDrain", from = "WrittenDrain")]
pub enum Drain {
    /// This part of R while there is a queue, else all of R.
    WhileQueued {
        /// The part applies from a queue above `high` down to `low`.
        queue: EfciSpec,
        /// The part.
        factor: f64,
    },
    /// This part of R at all times.
    Always(f64),
}

impl Drain {
    /// The part, and the queue above which it applies; `None`: always.
    const fn parts(self) -> (f64, Option<EfciSpec>) {
        match self {
            Drain::WhileQueued { queue, factor } => (factor, Some(queue)),
            Drain::Always(factor) => (factor, None),
        }
    }
}

/// A [`Drain`] in results. Both kinds have the key `queue`, which is `null` if the part always
/// applies.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum WrittenDrain {
    WhileQueued { part: f64, queue: EfciSpec },
    Always { part: f64, queue: () },
}

impl From<Drain> for WrittenDrain {
    fn from(drain: Drain) -> WrittenDrain {
        match drain {
            Drain::WhileQueued { queue, factor: part } => WrittenDrain::WhileQueued { part, queue },
            Drain::Always(part) => WrittenDrain::Always { part, queue: () },
        }
    }
}

impl From<WrittenDrain> for Drain {
    fn from(written: WrittenDrain) -> Drain {
        match written {
            WrittenDrain::WhileQueued { part, queue } => Drain::WhileQueued { queue, factor: part },
            WrittenDrain::Always { part, .. } => Drain::Always(part),
        }
    }
}

/// How a port counts: symbols and units as above.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VcCountingSpec {
    /// How queues drain.
    pub drain: Drain,
    /// How often rates are computed. Not zero.
    #[serde(rename = "interval_ps")]
    pub interval: Picos,
    /// A VC without a cell for longer than this has left.
    #[serde(rename = "active_ps")]
    pub active: Picos,
    /// The longest time from a BRM at this port to the first FRM that obeys it. Not zero.
    #[serde(rename = "settle_ps")]
    pub settle: Picos,
    /// Whether a VC counts with the CCR that it reports or with the rate at which it sends.
    pub vc_rate: VcRate,
    /// A VC is bottlenecked here unless its rate is below H by more than this part of H. From 0 to
    /// below 1.
    pub tolerance: f64,
}

impl VcCountingSpec {
    /// The defaults, for VCs that obey within `settle`: at least the longest loop, without queues,
    /// of the VCs of the port.
    pub fn new(settle: Picos) -> VcCountingSpec {
        VcCountingSpec {
            drain: Drain::WhileQueued { queue: EfciSpec { high: 5, low: 1 }, factor: 0.9 },
            interval: Picos(1_000_000_000),
            active: Picos(100_000_000_000),
            settle,
            vc_rate: VcRate::Ccr,
            tolerance: 1.0 / 256.0,
        }
    }

    /// All that is wrong with it; empty if it is valid.
    pub fn mistakes(&self) -> Vec<RateMistake> {
        let (factor, queue) = self.drain.parts();
        let mut mistakes = queue.map_or_else(Vec::new, |queue| queue.mistakes());
        let fits = factor > 0.0 && factor <= 1.0;
        let (interval, settle, tolerance) = (self.interval, self.settle, self.tolerance);
        mistakes.extend(mistakes_of([
            (fits, "part", factor, "above 0 and at most 1"),
            (interval > Picos::ZERO, "interval", interval.0 as f64, "above 0"),
            (settle > Picos::ZERO, "settle", settle.0 as f64, "above 0"),
            ((0.0..1.0).contains(&tolerance), "tolerance", tolerance, "from 0 to below 1"),
        ]));
        mistakes
    }
}

/// VC counting at one port.
#[derive(Clone, Debug)]
pub struct VcCounting {
    spec: VcCountingSpec,
    draining: Option<Congestion>,
    link: CellRate,
    available: CellRate,
    other_cells: u64,
    next: SimTime,
    level: CellRate,
    vcs: Vec<Vc>,
}

/// The state of one VC at the port.
#[derive(Clone, Copy, Debug)]
struct Vc {
    mcr: CellRate,
    weight: f64,
    /// When its last cell arrived; `None`: the VC is not active.
    seen: Option<SimTime>,
    ccr: CellRate,
    limit: CellRate,
    held: Held,
    /// Its cells since an instant, and the rate of those before it.
    cells: u64,
    since: SimTime,
    measured: CellRate,
    /// Its cap, computed anew each time.
    cap: CellRate,
    marked: bool,
}

impl Vc {
    const NEW: Vc = Vc {
        mcr: CellRate::ZERO,
        weight: 1.0,
        seen: None,
        ccr: CellRate::MAX,
        limit: CellRate::MAX,
        held: Held::NEW,
        cells: 0,
        since: SimTime::ZERO,
        measured: CellRate::MAX,
        cap: CellRate::MAX,
        marked: false,
    };

    /// Eq. (4).
    fn share(&self, level: CellRate) -> CellRate {
        self.mcr.plus(level.times(self.weight))
    }

    /// Eq. (7).
    fn cap(&mut self, now: SimTime, spec: &VcCountingSpec) -> CellRate {
        let rate = match spec.vc_rate {
            VcRate::Ccr => self.ccr,
            VcRate::Measured => self.ccr.min(self.measured),
        };
        let held = self.held.lowest(now, spec.settle);
        if rate < held.times(1.0 - spec.tolerance) { self.limit.min(rate) } else { self.limit }
    }

    /// Eq. (9). One cell is added since the span may begin and end just beside a cell.
    fn measure(&mut self, now: SimTime, settle: Picos) {
        let span = now.since(self.since);
        if span >= settle {
            self.measured = CellRate::mean(self.cells + 1, span);
            (self.cells, self.since) = (0, now);
        }
    }
}

impl Rule for VcCounting {
    type Spec = VcCountingSpec;
    const FACTS: Facts =
        Facts { sets_er: true, heeds_weight: true, settles: true, ..Facts::new("vc-counting") };

    fn new(spec: VcCountingSpec, link: CellRate, flows: u32) -> VcCounting {
        assert_eq!(spec.mistakes(), [], "VC counting");
        VcCounting {
            spec,
            draining: spec.drain.parts().1.map(Congestion::new),
            link,
            available: link,
            other_cells: 0,
            next: SimTime::ZERO.saturating_add(spec.interval),
            level: link,
            vcs: vec![Vc::NEW; flows as usize],
        }
    }

    fn effect(spec: &VcCountingSpec) -> Effect {
        let (part, queue) = spec.drain.parts();
        let (interval, whole_up_to) = (Some(spec.interval), queue.map(|queue| queue.high));
        let (active, settle, by_ccr) = (spec.active, spec.settle, spec.vc_rate == VcRate::Ccr);
        let max_min = Some(MaxMin { part, whole_up_to, by_ccr, active, settle });
        Effect { interval, vc_rate: Some(spec.vc_rate), max_min, ..Effect::default() }
    }

    fn set_settle(spec: &mut VcCountingSpec, settle: Picos) {
        spec.settle = settle;
    }
}

impl VcCounting {
    /// f at the current queue. Eq. (5).
    fn factor(&mut self, queue: u64) -> f64 {
        let draining = self.draining.as_mut().is_none_or(|drain| drain.look(queue));
        match self.spec.drain {
            Drain::WhileQueued { factor, .. } | Drain::Always(factor) if draining => factor,
            _ => 1.0,
        }
    }

    /// Computes S. Eqs. (1) to (3).
    fn count(&mut self, now: SimTime) {
        for vc in self.vcs.iter_mut().filter(|vc| vc.seen.is_some()) {
            vc.cap = vc.cap(now, &self.spec);
            vc.marked = false;
        }
        while let Some(level) = self.level_of_unmarked() {
            self.level = level;
            let mut more = false;
            for vc in self.vcs.iter_mut().filter(|vc| vc.seen.is_some() && !vc.marked) {
                vc.marked = vc.cap < vc.share(level);
                more |= vc.marked;
            }
            if !more {
                return;
            }
        }
        self.level = self.level_of_all_marked();
    }

    fn active(&self) -> impl Iterator<Item = &Vc> {
        self.vcs.iter().filter(|vc| vc.seen.is_some())
    }

    /// Eq. (1); `None` if all are marked.
    fn level_of_unmarked(&self) -> Option<CellRate> {
        let (mut left, mut weights) = (self.available.get(), 0.0);
        for vc in self.active() {
            if vc.marked {
                left -= vc.cap.get();
            } else {
                left -= vc.mcr.get();
                weights += vc.weight;
            }
        }
        (weights > 0.0).then(|| not_below_zero(left / weights))
    }

    /// Eq. (3); all of C if there is no VC.
    fn level_of_all_marked(&self) -> CellRate {
        let left = self.available.get() - self.active().map(|vc| vc.cap.get()).sum::<f64>();
        self.active()
            .map(|vc| not_below_zero((left + vc.cap.get() - vc.mcr.get()) / vc.weight))
            .max()
            .unwrap_or(self.available)
    }
}

/// A rate, or zero for a negative one.
fn not_below_zero(rate: f64) -> CellRate {
    CellRate::new(rate.max(0.0)).unwrap_or(CellRate::MAX)
}

impl Algorithm for VcCounting {
    fn set_flow(&mut self, flow: u32, mcr: CellRate, weight: f64) {
        let vc = &mut self.vcs[flow as usize];
        (vc.mcr, vc.weight) = (mcr, weight);
    }

    fn arrive(&mut self, now: SimTime, flow: u32, queue: u64) {
        self.factor(queue);
        let settle = self.spec.settle;
        let vc = &mut self.vcs[flow as usize];
        vc.cells += 1;
        if vc.seen.replace(now).is_none() {
            *vc = Vc { mcr: vc.mcr, weight: vc.weight, seen: vc.seen, since: now, ..Vc::NEW };
            vc.held.restart(now, settle);
            self.count(now);
        }
    }

    fn arrive_other(&mut self, _now: SimTime) {
        self.other_cells += 1;
    }

    fn start(&mut self, _now: SimTime, _flow: u32, queue: u64) -> bool {
        self.factor(queue);
        false
    }

    fn forward(&mut self, _now: SimTime, flow: u32, rm: &mut RmCell, _queue: u64) {
        self.vcs[flow as usize].ccr = rm.ccr;
    }

    /// Eq. (5).
    fn backward(&mut self, now: SimTime, flow: u32, rm: &mut RmCell, queue: u64) {
        let given = self.allocation(now, flow, queue);
        let settle = self.spec.settle;
        let vc = &mut self.vcs[flow as usize];
        vc.limit = rm.er;
        vc.held.tell(now, settle, given);
        rm.lower_er(given);
    }

    fn next_timer(&self) -> Option<SimTime> {
        Some(self.next)
    }

    /// Applies Eq. (6), drops the VCs that have left and computes all rates anew.
    fn on_timer(&mut self, now: SimTime, _queue: u64) {
        assert!(now == self.next, "an interval ends at {}, not at {now}", self.next);
        let other = CellRate::mean(std::mem::take(&mut self.other_cells), self.spec.interval);
        self.available = self.link.minus(other);
        self.next = now.saturating_add(self.spec.interval);
        for vc in &mut self.vcs {
            vc.seen = vc.seen.filter(|seen| now.since(*seen) <= self.spec.active);
            vc.measure(now, self.spec.settle);
        }
        self.count(now);
    }

    fn allocation(&mut self, _now: SimTime, flow: u32, queue: u64) -> CellRate {
        let factor = self.factor(queue);
        self.vcs[flow as usize].share(self.level).times(factor)
    }

    fn reading(&self) -> Option<CellRate> {
        Some(self.level)
    }
}
