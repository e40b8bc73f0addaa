//! Counters read in parts equal the counters.

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{Engine, NetworkSpec, RunCounters, TraceFilter};
use hopflow_testing::{random_fifo_only_network, random_network, random_usual_network};
use hopflow_units::SimTime;

fn joined(engine: &dyn Engine, most: usize) -> RunCounters {
    let (mut vcs, mut next) = (Vec::new(), 0);
    let rest = engine.counters_by_parts(most, &mut |part, range| {
        assert_eq!((range.start, range.len()), (next, part.vcs.len()));
        assert!(!range.is_empty() && range.len() <= most);
        next = range.end;
        vcs.append(&mut part.vcs);
    });
    assert!(rest.vcs.is_empty());
    RunCounters { vcs, ..rest }
}

fn check(mut engine: impl Engine, spec: &NetworkSpec, seed: u64) {
    for end in [spec.duration.0 / 3, spec.duration.0] {
        engine.run_until(SimTime(end));
        let counters = engine.counters();
        for most in [1, 2, 3, usize::MAX] {
            assert_eq!(joined(&engine, most), counters, "seed {seed}, {most} at a time");
        }
        let cells = counters.directions.iter().map(|d| d.data_packets + d.control_packets);
        assert_eq!(engine.started_packets(), cells.sum::<u64>(), "seed {seed}");
    }
}

/// Claim: however few VCs are read at a time, in the middle of a run and at its end, each is
/// returned once, in order, with the counters that it has when all are read at once; and so are
/// links and nodes.
#[test]
fn parts_make_up_the_whole() {
    for seed in 0..150 {
        let spec = random_fifo_only_network(seed);
        check(WindowedEngine::new(&spec, TraceFilter::none(), 1), &spec, seed);
        let spec = random_network(seed);
        check(WindowedEngine::new(&spec, TraceFilter::none(), 1), &spec, seed);
        let spec = random_usual_network(seed);
        check(WindowedEngine::new(&spec, TraceFilter::none(), 1), &spec, seed);
        if seed < 20 {
            check(ReferenceEngine::new(&spec, TraceFilter::none()), &spec, seed);
        }
    }
}
