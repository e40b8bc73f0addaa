//! Drives an engine to its end, step by step, while the rows of the slices before are taken.
//!
//! ```text
//! another thread:  simulate slice n+1   simulate n+2  ...
//! the caller's:            take slice n   take n+1 ...
//! ```
//! Rows go over in slices that come back empty: when the taker is behind, the engine waits. Where
//! no row is made there is no other thread. The wall clock decides only how long the next step is;
//! slices end at instants that follow from the rows alone.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use hopflow_network::{Engine, NetworkSpec, RunCounters};
use hopflow_units::{Picos, SimTime};

use super::{Progress, RunOptions};
use crate::row_slice::{RowSlice, RowSlices};
use crate::slice::{Slices, Steps};

/// How often progress is told.
const TELL: Duration = Duration::from_millis(100);

/// An engine that has been driven.
pub(super) struct Driven {
    /// What it had counted at the end of the warm-up, if there is one and the run came so far.
    pub(super) before: Option<RunCounters>,
    /// The engine at the end.
    pub(super) engine: Box<dyn Engine>,
    /// How far it came.
    pub(super) now: SimTime,
}

/// Runs `engine` to the end of `network`, or until it is cancelled. `take` gets the rows of slices,
/// of which there are `slices` at most, if any are made.
pub(super) fn drive(
    network: &NetworkSpec,
    options: &RunOptions,
    warm_up: SimTime,
    engine: Box<dyn Engine>,
    slices: Option<usize>,
    take: &mut dyn FnMut(RowSlice),
) -> Driven {
    let mut drive = Drive::new(network, options);
    let Some(most) = slices else { return drive.run(engine, warm_up) };
    thread::scope(|scope| {
        let (full, slices) = channel();
        drive.lane = Some(Lane::new(network, full, most));
        let driver = scope.spawn(move || drive.run(engine, warm_up));
        slices.into_iter().for_each(take);
        driver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Where the engine's rows go.
struct Lane {
    full: Sender<RowSlice>,
    empties: RowSlices,
    slices: Slices,
    /// Where the slice at hand ends.
    end: SimTime,
}

impl Lane {
    fn new(network: &NetworkSpec, full: Sender<RowSlice>, most: usize) -> Lane {
        let slices = Slices::new(network);
        let end = SimTime::ZERO.saturating_add(slices.span());
        Lane { full, empties: RowSlices::new(most), slices, end }
    }

    /// Hands the rows of the slice at hand over. `false`: nobody takes them any more.
    fn hand_over(&mut self, engine: &mut dyn Engine) -> bool {
        let mut slice = self.empties.empty();
        engine.collect_trace(&mut slice);
        self.slices.adapt(slice.len());
        self.end = self.end.saturating_add(self.slices.span());
        self.full.send(slice).is_ok()
    }
}

struct Drive<'a> {
    options: &'a RunOptions,
    steps: Steps,
    /// Everything before is simulated.
    now: SimTime,
    /// The end of the run.
    end: SimTime,
    told: Option<Instant>,
    lane: Option<Lane>,
}

impl<'a> Drive<'a> {
    fn new(network: &NetworkSpec, options: &'a RunOptions) -> Drive<'a> {
        let end = SimTime(network.duration.0);
        let steps = Steps::new(network);
        Drive { options, steps, now: SimTime::ZERO, end, told: None, lane: None }
    }

    fn run(mut self, mut engine: Box<dyn Engine>, warm_up: SimTime) -> Driven {
        let mut before = None;
        if warm_up > SimTime::ZERO && self.run_until(engine.as_mut(), warm_up) {
            before = Some(engine.counters());
            engine.restart_statistics();
        }
        self.run_until(engine.as_mut(), self.end);
        if let Some(mut lane) = self.lane {
            lane.hand_over(engine.as_mut());
        }
        Driven { before, engine, now: self.now }
    }

    /// Goes on to `until`, or until it is cancelled: then `false`.
    fn run_until(&mut self, engine: &mut dyn Engine, until: SimTime) -> bool {
        while self.now < until && !self.is_cancelled() {
            let (begun, from) = (Instant::now(), self.now);
            let slice_end = self.lane.as_ref().map_or(SimTime::NEVER, |lane| lane.end);
            self.now = self.now.saturating_add(self.steps.span()).min(until).min(slice_end);
            engine.run_until(self.now);
            self.steps.adapt(Picos(self.now.0 - from.0), begun.elapsed());
            self.tell(engine);
            if let Some(lane) = &mut self.lane
                && self.now == lane.end
                && !lane.hand_over(engine)
            {
                return false;
            }
        }
        self.now == until
    }

    fn is_cancelled(&self) -> bool {
        self.options.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Tells how far it is: at first, at the end, and ten times a second.
    fn tell(&mut self, engine: &dyn Engine) {
        let Some(progress) = &self.options.progress else { return };
        let due = self.told.is_none_or(|told| told.elapsed() >= TELL);
        if due || self.now == self.end {
            self.told = Some(Instant::now());
            let started_packets = engine.started_packets();
            progress(Progress { now: self.now, end: self.end, started_packets });
        }
    }
}
