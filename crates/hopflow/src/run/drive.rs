//! Drives an engine to its end, slice by slice, while the rows of the slice before are taken.
//!
//! ```text
//! another thread:  simulate slice n+1   simulate n+2  ...
//! the caller's:        order, take slice n   take n+1 ...
//! ```
//! Rows go over in [`BUFFERS`] buffers that come back empty: when the taker is behind, the engine
//! waits. Where no row is made there is no other thread. The wall clock decides only how long the
//! next slice is.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use hopflow_network::{Engine, NetworkSpec, RowOrder, RunCounters, TraceRow};
use hopflow_units::SimTime;

use super::{Progress, RunOptions};
use crate::slice::Slices;

/// Buffers of rows between the engine and who takes them.
const BUFFERS: usize = 3;

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

/// Runs `engine` to the end of `network`, or until it is cancelled. `take` gets the rows in order
/// if it `makes_rows`.
pub(super) fn drive(
    network: &NetworkSpec,
    options: &RunOptions,
    warm_up: SimTime,
    engine: Box<dyn Engine>,
    makes_rows: bool,
    take: &mut dyn FnMut(&[TraceRow]),
) -> Driven {
    let mut drive = Drive::new(network, options);
    if !makes_rows {
        return drive.run(engine, warm_up);
    }
    thread::scope(|scope| {
        let (full, slices) = sync_channel(1);
        let (returned, empties) = channel();
        drive.lane = Some(Lane { full, empties, buffers: 0 });
        let driver = scope.spawn(move || drive.run(engine, warm_up));
        let mut order = RowOrder::default();
        for mut rows in slices {
            order.sort(&mut rows);
            take(&rows);
            rows.clear();
            // The engine may be at its end.
            let _ = returned.send(rows);
        }
        driver.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Where the engine's rows go.
struct Lane {
    full: SyncSender<Vec<TraceRow>>,
    empties: Receiver<Vec<TraceRow>>,
    /// Buffers made so far.
    buffers: usize,
}

impl Lane {
    /// Hands the rows of a slice over; gives their number. `None`: nobody takes them any more.
    fn hand_over(&mut self, engine: &mut dyn Engine) -> Option<usize> {
        let empty = self.empties.try_recv().ok();
        let mut rows = match empty {
            Some(rows) => rows,
            None if self.buffers < BUFFERS => {
                self.buffers += 1;
                Vec::new()
            }
            None => self.empties.recv().ok()?,
        };
        engine.collect_trace(&mut rows);
        let count = rows.len();
        self.full.send(rows).ok()?;
        Some(count)
    }
}

struct Drive<'a> {
    options: &'a RunOptions,
    slices: Slices,
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
        let slices = Slices::new(network);
        Drive { options, slices, now: SimTime::ZERO, end, told: None, lane: None }
    }

    fn run(mut self, mut engine: Box<dyn Engine>, warm_up: SimTime) -> Driven {
        let mut before = None;
        if warm_up > SimTime::ZERO && self.run_until(engine.as_mut(), warm_up) {
            before = Some(engine.counters());
            engine.restart_statistics();
        }
        self.run_until(engine.as_mut(), self.end);
        self.lane = None;
        Driven { before, engine, now: self.now }
    }

    /// Goes on to `until`, or until it is cancelled: then `false`.
    fn run_until(&mut self, engine: &mut dyn Engine, until: SimTime) -> bool {
        while self.now < until && !self.is_cancelled() {
            let begun = Instant::now();
            self.now = self.now.saturating_add(self.slices.span()).min(until);
            engine.run_until(self.now);
            let wall = begun.elapsed();
            let rows = match &mut self.lane {
                None => Some(0),
                Some(lane) => lane.hand_over(engine),
            };
            self.tell(engine);
            let Some(rows) = rows else { return false };
            self.slices.adapt(wall, rows);
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
            let started_cells = engine.started_cells();
            progress(Progress { now: self.now, end: self.end, started_cells });
        }
    }
}
