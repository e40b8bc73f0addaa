//! The queries of the workloads' tests to a run.

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{Engine, NetworkSpec, RunCounters, TraceFilter};
use hopflow_units::SimTime;

fn run(mut engine: impl Engine, spec: &NetworkSpec) -> RunCounters {
    engine.run_until(SimTime(spec.duration.0));
    engine.counters()
}

pub(super) fn windowed(spec: &NetworkSpec) -> RunCounters {
    run(WindowedEngine::new(spec, TraceFilter::none(), 1), spec)
}

pub(super) fn reference(spec: &NetworkSpec) -> RunCounters {
    run(ReferenceEngine::new(spec, TraceFilter::none()), spec)
}

/// Packets that have arrived at their final host.
pub(super) fn delivered(counters: &RunCounters) -> u64 {
    let leaves = counters.vcs.iter().flat_map(|vc| &vc.leaves);
    leaves.map(|leaf| leaf.delivered_packets).sum()
}

/// When the last one arrived, in picoseconds.
pub(super) fn last(counters: &RunCounters) -> u64 {
    let leaves = counters.vcs.iter().flat_map(|vc| &vc.leaves);
    leaves.filter_map(|leaf| leaf.last).max().expect("a packet was delivered").0
}

/// Data packets, and control cells, that started on a link.
pub(super) fn hops(counters: &RunCounters) -> [u64; 2] {
    let directions = || counters.directions.iter();
    [directions().map(|d| d.data_packets).sum(), directions().map(|d| d.control_packets).sum()]
}
