//! Reading: the counters of a run at its end, a block of VCs at a time.

use std::ops::Range;

use hopflow_network::counters::VcCounters;
use hopflow_network::{Engine, NetworkSpec, RunCounters};
use hopflow_units::SimTime;

use crate::warm_up;

/// The number of VCs read at a time.
pub const BLOCK: usize = 1_024;

/// The source of counters.
#[derive(Clone, Copy)]
pub(super) enum Counted<'a> {
    Engine(&'a dyn Engine),
    Read(&'a RunCounters),
}

/// A run at its end, which can be read repeatedly.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    pub(super) spec: &'a NetworkSpec,
    /// The counters at the end of the warm-up, if there was one.
    pub(super) before: Option<&'a RunCounters>,
    pub(super) counted: Counted<'a>,
    /// The number of VCs read at a time.
    pub(super) block: usize,
}

impl<'a> Reading<'a> {
    /// The reading of an engine that has run `spec`. `before`: its counters at the end of the
    /// warm-up, at which its statistics were restarted.
    pub fn new(
        spec: &'a NetworkSpec,
        before: Option<&'a RunCounters>,
        engine: &'a dyn Engine,
    ) -> Reading<'a> {
        Reading { spec, before, counted: Counted::Engine(engine), block: BLOCK }
    }

    /// The reading of counters that were read before. Panics if they are not those of `spec`.
    pub fn of_counters(
        spec: &'a NetworkSpec,
        before: Option<&'a RunCounters>,
        after: &'a RunCounters,
    ) -> Reading<'a> {
        assert_eq!(after.directions.len(), spec.direction_count(), "counters of another network");
        assert_eq!(after.vcs.len(), spec.vcs.len(), "counters of another network");
        Reading { spec, before, counted: Counted::Read(after), block: BLOCK }
    }

    /// The end of the warm-up.
    pub(super) fn from(&self) -> SimTime {
        self.before.map_or(SimTime::ZERO, |before| before.now)
    }

    /// Reads the counters, a block at a time. Returns those of links and nodes.
    pub(super) fn each(&self, take: &mut dyn FnMut(&BlockCounters<'_>)) -> RunCounters {
        let mut give = |after: &mut RunCounters, range: Range<usize>| {
            let spec = part_of(self.spec, range.clone());
            let Some(before) = self.before else {
                let whole = &*after;
                return take(&BlockCounters { spec, range, whole, measured: whole, before: &[] });
            };
            let [whole, measured] = warm_up::of_vcs(before, range.clone(), after);
            let before = &before.vcs[range.clone()];
            take(&BlockCounters { spec, range, whole: &whole, measured: &measured, before });
        };
        let counters = match self.counted {
            Counted::Engine(engine) => return engine.counters_by_parts(self.block, &mut give),
            Counted::Read(counters) => counters,
        };
        if self.before.is_none() && counters.vcs.len() <= self.block {
            let range = 0..counters.vcs.len();
            let (spec, whole) = (self.spec.clone(), counters);
            take(&BlockCounters { spec, range, whole, measured: whole, before: &[] });
            return bare(counters);
        }
        let mut part = RunCounters { vcs: Vec::new(), ..bare(counters) };
        for first in (0..counters.vcs.len()).step_by(self.block) {
            let range = first..counters.vcs.len().min(first + self.block);
            part.vcs = counters.vcs[range.clone()].to_vec();
            give(&mut part, range);
        }
        part.vcs = Vec::new();
        part
    }
}

/// Counters without those of VCs.
fn bare(counters: &RunCounters) -> RunCounters {
    RunCounters {
        now: counters.now,
        vcs: Vec::new(),
        directions: counters.directions.clone(),
        nodes: counters.nodes.clone(),
    }
}

/// Some VCs and their counters.
pub(super) struct BlockCounters<'a> {
    /// The network with these VCs alone.
    pub(super) spec: NetworkSpec,
    /// The indices of these VCs in the network.
    pub(super) range: Range<usize>,
    /// The counters of the whole run.
    pub(super) whole: &'a RunCounters,
    /// The counters of the time after the warm-up.
    pub(super) measured: &'a RunCounters,
    /// The counters at the end of the warm-up; empty without one.
    pub(super) before: &'a [VcCounters],
}

/// A network with some of its VCs.
fn part_of(spec: &NetworkSpec, range: Range<usize>) -> NetworkSpec {
    if range.len() == spec.vcs.len() {
        return spec.clone();
    }
    NetworkSpec { vcs: spec.vcs[range].to_vec().into(), ..spec.clone() }
}
