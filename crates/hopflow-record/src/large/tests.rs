//! A large run is told as a small one.

use hopflow_network::testing::{
    n23, pause, random_network, random_plain_network, random_usual_network, ring, with_lanes,
};
use hopflow_network::{HopControl, LaneRule, RowRuns, SourceSpec, TraceFilter, WindowedEngine};
use hopflow_units::SimTime;

use super::*;
use crate::digest::digest;
use crate::summary::LinkSummary;

/// Claim: told two VCs at a time, a run has the VCs, queues, ports, nodes, broken properties and
/// digest that it has when all is told at once, and links but for their VCs; and its totals are
/// the sums over all VCs.
#[test]
fn a_large_run_is_told_as_a_small_one() {
    for seed in 0..120 {
        let random = [random_network, random_plain_network, random_usual_network];
        for spec in random.map(|random| random(seed)) {
            if spec.connections.is_empty() {
                check(&spec, seed);
            }
        }
    }
}

/// Claim: a large run that stands still says so, as a small one does: three VCs wait for each other
/// around a ring, told one at a time beside two that are idle.
#[test]
fn a_deadlock_is_found_among_parts() {
    let mut spec = with_lanes(ring(HopControl::None), LaneRule::Pause(pause(20, 10)));
    for (name, place) in [("idle before", 0), ("idle between", 2)] {
        let mut idle = spec.vcs[0].clone();
        name.clone_into(&mut idle.name);
        idle.source = SourceSpec::Replay { times: Vec::new() }.into();
        spec.vcs.insert(place, idle);
    }
    let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
    engine.run_until(SimTime(spec.duration.0));
    let large = summarize_by(1, &spec, &engine, &mut |_| ());
    let whole = Summary::new(&spec, &engine.counters());
    assert_eq!(large.summary.violations, whole.violations);
    assert!(whole.violations.iter().any(|violation| violation.text.contains("deadlock")));
}

/// Claim: a wait that a VC with cells will end, which is not blocked itself, is no deadlock of a
/// large run either: twins of the three VCs around the ring go on.
#[test]
fn who_goes_on_ends_a_wait_among_parts() {
    let mut spec = with_lanes(ring(HopControl::None), LaneRule::Pause(pause(20, 10)));
    for vc in 0..3 {
        let mut twin = spec.vcs[vc].clone();
        twin.name.push_str(" twin");
        spec.vcs.push(twin);
    }
    let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
    engine.run_until(SimTime(spec.duration.0));
    let mut counters = engine.counters();
    let stands = |counters: &RunCounters| {
        let whole = Summary::new(&spec, counters).violations;
        let large = summarize_by(1, &spec, &Read(counters.clone()), &mut |_| ());
        assert_eq!(large.summary.violations, whole);
        whole.iter().any(|violation| violation.text.contains("deadlock"))
    };
    assert!(stands(&counters));
    for twin in &mut counters.vcs[3..] {
        assert!(twin.hops.iter().any(|hop| hop.fill_cells > 0));
        twin.hops.iter_mut().for_each(|hop| hop.blocked_since = None);
    }
    assert!(!stands(&counters));
}

/// What an engine has counted, or should not have.
struct Read(RunCounters);

impl Engine for Read {
    fn run_until(&mut self, _end: SimTime) {}

    fn collect_trace(&mut self, _runs: &mut RowRuns) {}

    fn restart_statistics(&mut self) {}

    fn counters(&self) -> RunCounters {
        self.0.clone()
    }
}

/// Claim: a cell that appeared or vanished, in any VC of any part, on a link or at a node, is told
/// of a large run as of a small one.
#[test]
fn cells_that_appear_are_found_among_parts() {
    let spec = ring(n23(4, 16));
    let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
    engine.run_until(SimTime(spec.duration.0));
    let changes: [fn(&mut RunCounters); 5] = [
        |counters| counters.vcs[0].created_cells += 1,
        |counters| counters.vcs[2].hops[1].received_cells += 1,
        |counters| counters.vcs[2].hops[2].left_cells -= 1,
        |counters| counters.directions[3].data_in_flight += 1,
        |counters| counters.nodes[4].buffered_cells += 1,
    ];
    for (place, change) in changes.into_iter().enumerate() {
        let mut counters = engine.counters();
        change(&mut counters);
        let whole = Summary::new(&spec, &counters).violations;
        assert!(!whole.is_empty(), "change {place}");
        let large = summarize_by(1, &spec, &Read(counters), &mut |_| ());
        assert_eq!(large.summary.violations, whole, "change {place}");
    }
}

fn check(spec: &NetworkSpec, seed: u64) {
    let mut engine = WindowedEngine::new(spec, TraceFilter::none(), 1);
    engine.run_until(SimTime(spec.duration.0));
    let counters = engine.counters();
    let whole = Summary::new(spec, &counters);
    let (mut vcs, mut queues) = (Vec::new(), Vec::new());
    let large = summarize_by(2, spec, &engine, &mut |part| {
        assert!(part.vcs.len() <= 2 && part.links.is_empty());
        vcs.extend_from_slice(&part.vcs);
        queues.extend_from_slice(&part.queues);
    });
    assert_eq!(vcs, whole.vcs, "seed {seed}");
    assert_eq!(queues, whole.queues, "seed {seed}");
    assert_eq!(large.digest, digest(spec, &counters), "seed {seed}");
    let told = &large.summary;
    assert_eq!(told.violations, whole.violations, "seed {seed}");
    assert_eq!((&told.ports, &told.nodes), (&whole.ports, &whole.nodes), "seed {seed}");
    let without = |link: &LinkSummary| LinkSummary { vcs: Vec::new(), ..link.clone() };
    let links: Vec<LinkSummary> = whole.links.iter().map(without).collect();
    assert_eq!(told.links, links, "seed {seed}");
    let totals = told.totals.as_ref().unwrap();
    let sum = |of: fn(&crate::VcSummary) -> u64| whole.vcs.iter().map(of).sum::<u64>();
    assert_eq!(totals.vcs, spec.vcs.len() as u64);
    assert_eq!(totals.created_cells, sum(|vc| vc.created_cells));
    assert_eq!(totals.received_cells, sum(|vc| vc.received_cells));
    assert_eq!(totals.dropped_cells, sum(|vc| vc.dropped_cells));
    assert_eq!(totals.silent_vcs, sum(|vc| u64::from(vc.created_cells == 0)));
    let longest = whole.vcs.iter().filter_map(|vc| Some(vc.delay_ps.as_ref()?.max)).max();
    assert_eq!(totals.delay_ps.as_ref().map(|delay| delay.max), longest);
}
