//! The machine of a port under ERICA and under ERICA+, except the target capacity.
//!
//! ```text
//!  arrive, arrive_other --> counts of the interval --> end of interval: A, z, N, F, Mold
//!  forward -------------> rate of the VC ------------.      |
//!  backward, allocation <------ Eq. (6) to (9) <-----+------'
//! ```
//! Equations and symbols are those of `erica.rs`; only (1) differs in ERICA+.
//!
//! Until the first interval ends, the port assumes an idle link: A is the target without other
//! traffic and without a queue, less all MCRs; all VCs count; z = 1; M = Mold = F.
//!
//! Source: [Kalyanaraman97] appendix C.2, whose pseudo-code is for intervals of time. Differs: the
//! state before the end of the first interval is ours. So is V if no cell arrived (z = 0): all of A
//! for a VC with a rate, zero for one without. Not modelled: as in `erica.rs`.
//! Checked by: `erica/tests.rs`.

use hopflow_units::{CellRate, SimTime};

use super::averaging::{Load, LoadMeter};
use super::{ActiveCount, ErCap, EricaOptions, VcRate};
use crate::rate::{Algorithm, RmCell};

/// The target rate of the rate-controlled VCs of a link.
pub trait TargetCapacity {
    /// A in cells/s, 0 or more and finite. The link has `link` cells/s and carries `other` cells/s
    /// of other traffic, with `queue` rate-controlled cells at the port.
    fn capacity(&self, link: f64, other: f64, queue: u64) -> f64;
}

/// The state of one VC at a port.
#[derive(Clone, Copy, Debug)]
struct Flow {
    mcr: CellRate,
    weight: f64,
    /// rate_i in cells/s: the last CCR, or as measured in the last interval.
    rate: f64,
    /// Its cells in this interval.
    cells: u64,
    /// Whether the VC was active in this interval.
    seen: bool,
    /// Its contribution to the current N.
    counted: f64,
    /// E' of the BRMs of this interval in cells/s, once there was one.
    answer: Option<f64>,
}

/// The machine of one port: ERICA or ERICA+, by its target.
#[derive(Clone, Debug)]
pub struct EricaPort<T> {
    target: T,
    options: EricaOptions,
    link: f64,
    flows: Vec<Flow>,
    /// When the interval began.
    start: SimTime,
    cells: u64,
    other_cells: u64,
    meter: LoadMeter,
    load: Load,
    fair_share: f64,
    max_alloc: f64,
    max_alloc_before: f64,
    /// Whether an interval has ended.
    measured: bool,
}

impl<T: TargetCapacity> EricaPort<T> {
    /// A port whose target is `target`, on a link of `link` cells/s, for `flows` VCs without MCR
    /// and of weight 1.
    pub(in crate::rate) fn with_target(
        target: T,
        options: EricaOptions,
        link: CellRate,
        flows: u32,
    ) -> EricaPort<T> {
        let flow = Flow {
            mcr: CellRate::ZERO,
            weight: 1.0,
            rate: 0.0,
            cells: 0,
            seen: false,
            counted: 1.0,
            answer: None,
        };
        let mut port = EricaPort {
            target,
            options,
            link: link.get(),
            flows: vec![flow; flows as usize],
            start: SimTime::ZERO,
            cells: 0,
            other_cells: 0,
            meter: LoadMeter::new(options.averaging),
            load: Load { capacity: 0.0, factor: 1.0 },
            fair_share: 0.0,
            max_alloc: 0.0,
            max_alloc_before: 0.0,
            measured: false,
        };
        port.begin();
        port
    }

    /// Assumes an idle link, as the port does until the first interval ends.
    fn begin(&mut self) {
        let reserved: f64 = self.flows.iter().map(|flow| flow.mcr.get()).sum();
        let capacity = self.target.capacity(self.link, 0.0, 0);
        self.load = Load { capacity: (capacity - reserved).max(0.0), factor: 1.0 };
        self.share_out();
        (self.max_alloc, self.max_alloc_before) = (self.fair_share, self.fair_share);
    }

    /// E': what a VC gets above its MCR. Eq. (6) to (9), in the quantities of (11).
    fn answer(&mut self, flow: &Flow) -> f64 {
        let Load { capacity, factor } = self.load;
        let most = match self.options.cap {
            ErCap::Target => capacity,
            ErCap::Link => (self.link - flow.mcr.get()).max(0.0),
        };
        let fair_share = flow.weight * self.fair_share;
        let rate = (flow.rate - flow.mcr.get()).max(0.0);
        let mut excess = vc_share(rate, factor, most).max(fair_share);
        if self.options.max_alloc.is_some_and(|delta| factor <= 1.0 + delta) {
            excess = excess.max(flow.weight * self.max_alloc_before);
        }
        if self.options.hold_at_share && rate < fair_share {
            excess = fair_share;
        }
        excess = excess.min(most);
        self.max_alloc = self.max_alloc.max(excess / flow.weight);
        excess
    }

    /// Records that a VC is active. The first record in an interval may change F at once.
    fn note_active(&mut self, flow: u32) {
        let entry = &mut self.flows[flow as usize];
        if entry.seen {
            return;
        }
        entry.seen = true;
        if self.options.immediate_share && entry.counted < 1.0 {
            entry.counted = 1.0;
            self.share_out();
        }
    }

    /// Ends the interval at `now`. Eq. (1) to (5), (10), (11).
    fn end_interval(&mut self, now: SimTime, queue: u64) {
        let secs = now.since(self.start).as_secs_f64();
        let other = self.other_cells as f64 / secs;
        let capacity = self.target.capacity(self.link, other, queue);
        for flow in &mut self.flows {
            if self.options.vc_rate == VcRate::Measured {
                flow.rate = flow.cells as f64 / secs;
            }
            flow.counted = match self.options.active {
                _ if flow.seen => 1.0,
                ActiveCount::Seen => 0.0,
                ActiveCount::Contributions { decay } => flow.counted * decay,
            };
        }
        let seen = self.flows.iter().filter(|flow| flow.seen);
        let used: f64 = seen.map(|flow| flow.rate.min(flow.mcr.get())).sum();
        let cells = (self.cells as f64 - used * secs).max(0.0);
        self.load = self.meter.measure(secs, cells, (capacity - used).max(0.0));
        self.share_out();
        (self.max_alloc_before, self.max_alloc) = (self.max_alloc, self.fair_share);
        self.restart(now);
    }

    /// N and F. Eq. (3), (4).
    fn share_out(&mut self) {
        let active: f64 = self.flows.iter().map(|flow| flow.weight * flow.counted).sum();
        let least = self.flows.iter().map(|flow| flow.weight).fold(f64::INFINITY, f64::min);
        self.fair_share = self.load.capacity / active.max(least);
    }

    /// Begins the next interval.
    fn restart(&mut self, now: SimTime) {
        self.measured = true;
        (self.start, self.cells, self.other_cells) = (now, 0, 0);
        for flow in &mut self.flows {
            (flow.cells, flow.seen, flow.answer) = (0, false, None);
        }
    }
}

impl<T: TargetCapacity> Algorithm for EricaPort<T> {
    /// Asserts that the first interval has not ended.
    fn set_flow(&mut self, flow: u32, mcr: CellRate, weight: f64) {
        assert!(!self.measured, "MCR and weight of VC {flow} were set after the start");
        let entry = &mut self.flows[flow as usize];
        (entry.mcr, entry.weight) = (mcr, weight);
        self.begin();
    }

    fn arrive(&mut self, now: SimTime, flow: u32, queue: u64) {
        self.note_active(flow);
        self.flows[flow as usize].cells += 1;
        self.cells += 1;
        let full = self.options.interval_cells.is_some_and(|most| self.cells >= most);
        if full && now > self.start {
            self.end_interval(now, queue);
        }
    }

    fn arrive_other(&mut self, _now: SimTime) {
        self.other_cells += 1;
    }

    /// Takes CCR, unless rates are measured.
    fn forward(&mut self, _now: SimTime, flow: u32, rm: &mut RmCell, _queue: u64) {
        if self.options.vc_rate == VcRate::Ccr {
            self.flows[flow as usize].rate = rm.ccr.get();
        }
    }

    /// Eq. (9).
    fn backward(&mut self, now: SimTime, flow: u32, rm: &mut RmCell, queue: u64) {
        if self.options.backward_counts {
            self.note_active(flow);
        }
        rm.lower_er(self.allocation(now, flow, queue));
    }

    /// The interval may end earlier, by its number of cells.
    fn next_timer(&self) -> Option<SimTime> {
        Some(self.start.saturating_add(self.options.interval))
    }

    /// Does nothing if the interval has already ended by its number of cells and the next one runs.
    fn on_timer(&mut self, now: SimTime, queue: u64) {
        if now >= self.start.saturating_add(self.options.interval) {
            self.end_interval(now, queue);
        }
    }

    /// One rate per interval, computed at its first use. Eq. (6) to (9), (12).
    fn allocation(&mut self, _now: SimTime, flow: u32, _queue: u64) -> CellRate {
        let known = self.flows[flow as usize];
        let excess = known.answer.unwrap_or_else(|| self.answer(&known));
        self.flows[flow as usize].answer = Some(excess);
        CellRate::new(excess).expect("from zero to the link").plus(known.mcr)
    }

    /// F, of one unit of weight.
    fn reading(&self) -> Option<CellRate> {
        CellRate::new(self.fair_share)
    }
}

/// V: the rate that brings the load to the target if every VC changes by the same factor; at most
/// `most`. Eq. (6).
fn vc_share(rate: f64, factor: f64, most: f64) -> f64 {
    if rate <= 0.0 || factor == f64::INFINITY {
        0.0
    } else if rate >= factor * most {
        most
    } else {
        rate / factor
    }
}

#[cfg(test)]
impl<T> EricaPort<T> {
    /// A and z.
    pub(super) fn load(&self) -> (f64, f64) {
        (self.load.capacity, self.load.factor)
    }
}
