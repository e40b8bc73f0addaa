//! The windowed engine against the reference engine: the same digest, counters and trace on
//! random networks that use everything, on one thread and on several, cut anywhere.

use hopflow_network::testing::random_network;
use hopflow_network::{
    Engine, NetworkSpec, ReferenceEngine, RunCounters, TraceFilter, TraceRow, WindowedEngine,
};
use hopflow_units::SimTime;

/// Networks looked at; more by `HOPFLOW_NETWORKS=100000 cargo test ...`.
fn network_count() -> u64 {
    std::env::var("HOPFLOW_NETWORKS").map_or(400, |n| n.parse().expect("a number of networks"))
}

fn full_trace(spec: &NetworkSpec) -> TraceFilter {
    TraceFilter::all(spec.vcs.len(), spec.direction_count())
}

/// Runs to the end with stops at `cuts` parts of the duration.
fn run(engine: &mut dyn Engine, spec: &NetworkSpec, cuts: u64) -> (RunCounters, Vec<TraceRow>) {
    let mut rows = Vec::new();
    for cut in 1..=cuts {
        let part = u128::from(spec.duration.0) * u128::from(cut) / u128::from(cuts);
        engine.run_until(SimTime(part as u64));
        engine.drain_trace(&mut rows);
    }
    (engine.counters(), rows)
}

fn assert_same(
    seed: u64,
    what: &str,
    a: &(RunCounters, Vec<TraceRow>),
    b: &(RunCounters, Vec<TraceRow>),
) {
    if let Some(place) = a.1.iter().zip(&b.1).position(|(a, b)| a != b) {
        let from = place.saturating_sub(5);
        let show = |rows: &[TraceRow]| {
            let rows = &rows[from..rows.len().min(place + 3)];
            rows.iter().map(|row| format!("{row:?}")).collect::<Vec<_>>().join("\n")
        };
        panic!("network {seed}, {what}: rows differ at {place}:\n{}\n{}", show(&a.1), show(&b.1));
    }
    assert_eq!(a.1.len(), b.1.len(), "network {seed}, {what}: number of rows");
    assert_eq!(a.0, b.0, "network {seed}, {what}: counters");
}

/// Claim: both engines follow docs/models/order.md to the letter.
#[test]
fn engines_agree_on_random_networks() {
    for seed in 0..network_count() {
        let spec = random_network(seed);
        let reference = run(&mut ReferenceEngine::new(&spec, full_trace(&spec)), &spec, 1);
        let alone = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 1);
        assert_same(seed, "one thread", &reference, &alone);
        let cut = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 1), &spec, 7);
        assert_same(seed, "cut in seven", &reference, &cut);
        if seed % 8 == 0 {
            let shared = run(&mut WindowedEngine::new(&spec, full_trace(&spec), 3), &spec, 2);
            assert_same(seed, "three threads", &reference, &shared);
        }
        let untraced = run(&mut WindowedEngine::new(&spec, TraceFilter::none(), 1), &spec, 1);
        assert_eq!(untraced.0, reference.0, "network {seed}: without a trace");
    }
}
