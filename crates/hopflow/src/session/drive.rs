//! Drives a session to its end, step by step, while the rows of the slices before are taken.
//!
//! ```text
//! another thread:  simulate slice n+1   simulate n+2  ...
//! the caller's:            take slice n   take n+1 ...
//! ```
//! Rows go over in slices that come back empty: when the taker is behind, the engine waits. Where
//! no row is made there is no other thread. The wall clock decides only how long the next step is;
//! slices end at instants that follow from the rows alone.

use std::sync::atomic::Ordering;
use std::time::Duration;

use hopflow_network::NetworkSpec;
use hopflow_units::{Picos, SimTime};

use super::Forward;
use crate::RunOptions;
use crate::platform::{Stopwatch, overlap};
use crate::row_slice::{RowSlice, RowSlices};
use crate::slice::{Slices, Steps};

/// How often progress is told.
const TELL: Duration = Duration::from_millis(100);

/// Runs `forward` to its end, or until it is cancelled. `take` gets the rows of slices, of which
/// there are `slices` at most, if any are made.
pub(super) fn drive(
    network: &NetworkSpec,
    options: &RunOptions,
    forward: &mut Forward,
    slices: Option<usize>,
    take: &mut dyn FnMut(RowSlice),
) {
    let drive = Drive { options, steps: Steps::new(network), forward, told: None };
    match slices {
        None => drive.run(None),
        Some(most) => {
            let lane = Lane::new(network, most);
            overlap(move |give| drive.run(Some((lane, give))), take);
        }
    }
}

/// Where the engine's rows go, and what takes them.
type Way<'w> = (Lane, &'w mut dyn FnMut(RowSlice) -> bool);

/// Slices to be filled.
struct Lane {
    empties: RowSlices,
    slices: Slices,
    /// Where the slice at hand ends.
    end: SimTime,
}

impl Lane {
    fn new(network: &NetworkSpec, most: usize) -> Lane {
        let slices = Slices::new(network);
        let end = SimTime::ZERO.saturating_add(slices.span());
        Lane { empties: RowSlices::new(most), slices, end }
    }

    /// The rows of the slice at hand; the next one begins.
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
    told: Option<Stopwatch>,
}

impl Drive<'_> {
    fn run(mut self, mut way: Option<Way<'_>>) {
        let end = self.forward.end;
        while self.forward.now < end && !self.is_cancelled() && !self.has_failed() {
            let (begun, from) = (Stopwatch::start(), self.forward.now);
            let slice_end = way.as_ref().map_or(SimTime::NEVER, |(lane, _)| lane.end);
            self.forward.run_until(self.next(from).min(slice_end));
            self.steps.adapt(Picos(self.forward.now.0 - from.0), begun.elapsed());
            self.tell();
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

    /// Where the next step ends: at the end of the warm-up first, as a run may be cancelled there.
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

    /// Tells how far it is: at first, at the end, and ten times a second.
    fn tell(&mut self) {
        let Some(progress) = &self.options.progress else { return };
        let due = self.told.is_none_or(|told| told.elapsed() >= TELL);
        if due || self.forward.now == self.forward.end {
            self.told = Some(Stopwatch::start());
            progress(self.forward.progress());
        }
    }
}
