//! Drives a session to its end, step by step, while the sink processes the rows of earlier slices.
//!
//! ```text
//! another thread:  simulate slice n+1   simulate n+2  ...
//! the caller's:            take slice n   take n+1 ...
//! ```
//! Rows are sent in slices that are reused: if the sink is slow, the engine waits. Without rows
//! there is no other thread. Steps and slices end at instants that depend on the run alone; the
//! wall clock decides only when progress is reported.

use std::sync::atomic::Ordering;
use std::time::Duration;

use hopflow_network::NetworkSpec;
use hopflow_units::{Picos, SimTime};

use super::Forward;
use crate::RunOptions;
use crate::platform::{Stopwatch, overlap};
use crate::row_slice::{RowSlice, RowSlices};
use crate::slice::{Slices, Steps};

/// The interval of progress reports.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Runs `forward` to its end, or until it is cancelled. `take` gets the rows of slices, of which
/// there are at most `slices`, if rows are produced.
pub(super) fn drive(
    network: &NetworkSpec,
    options: &RunOptions,
    forward: &mut Forward,
    slices: Option<usize>,
    take: &mut dyn FnMut(RowSlice),
) {
    let steps = Steps::new(network, &*forward.engine);
    let drive = Drive { options, steps, forward, reported: None };
    match slices {
        None => drive.run(None),
        Some(most) => {
            let lane = Lane::new(network, most);
            overlap(move |give| drive.run(Some((lane, give))), take);
        }
    }
}

/// The destination of the engine's rows.
type Way<'w> = (Lane, &'w mut dyn FnMut(RowSlice) -> bool);

/// Slices to fill.
struct Lane {
    empties: RowSlices,
    slices: Slices,
    /// The end of the current slice.
    end: SimTime,
}

impl Lane {
    fn new(network: &NetworkSpec, most: usize) -> Lane {
        let slices = Slices::new(network);
        let end = SimTime::ZERO.saturating_add(slices.span());
        Lane { empties: RowSlices::new(most), slices, end }
    }

    /// The rows of the current slice; the next one begins.
    fn filled(&mut self, forward: &mut Forward) -> RowSlice {
        let mut slice = self.empties.empty();
        forward.engine.collect_trace(&mut slice);
        self.slices.adapt(slice.len());
        self.end = self.end.saturating_add(self.slices.span());
        slice
    }
}

struct Drive<'a> {
    options: &'a RunOptions,
    steps: Steps,
    forward: &'a mut Forward,
    /// Since the last report of progress.
    reported: Option<Stopwatch>,
}

impl Drive<'_> {
    fn run(mut self, mut way: Option<Way<'_>>) {
        let end = self.forward.end;
        while self.forward.now < end && !self.is_cancelled() && !self.has_failed() {
            let from = self.forward.now;
            let slice_end = way.as_ref().map_or(SimTime::NEVER, |(lane, _)| lane.end);
            self.forward.run_until(self.next(from).min(slice_end));
            self.steps.adapt(Picos(self.forward.now.0 - from.0), &*self.forward.engine);
            self.report();
            if let Some((lane, give)) = &mut way
                && self.forward.now == lane.end
                && !give(lane.filled(self.forward))
            {
                return;
            }
        }
        if let Some((lane, give)) = &mut way {
            give(lane.filled(self.forward));
        }
    }

    /// The end of the next step: first that of the warm-up, at which a run may be cancelled.
    fn next(&self, from: SimTime) -> SimTime {
        let Forward { warm_up, end, .. } = *self.forward;
        let stop = if from < warm_up { warm_up } else { end };
        from.saturating_add(self.steps.span()).min(stop)
    }

    fn is_cancelled(&self) -> bool {
        self.options.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    fn has_failed(&self) -> bool {
        self.forward.engine.fault().is_some()
    }

    /// Reports progress: at the begin, at the end, and after a step at most ten times a second.
    fn report(&mut self) {
        let Some(progress) = &self.options.progress else { return };
        let due = self.reported.is_none_or(|since| since.elapsed() >= REPORT_EVERY);
        if due || self.forward.now == self.forward.end {
            self.reported = Some(Stopwatch::start());
            progress(self.forward.progress());
        }
    }
}
