//! A run read in blocks is the run read at once.

use std::collections::BTreeSet;

use hopflow_engine::WindowedEngine;
use hopflow_network::{
    Engine, HopControl, LaneRule, NetworkSpec, RowRuns, RunCounters, SourceSpec, TraceFilter,
};
use hopflow_testing::{
    n23, pause, random_fifo_only_network, random_network, random_usual_network, ring, with_lanes,
};
use hopflow_units::SimTime;

use super::*;
use crate::fixture::{digest, summary_of, violations};
use crate::summary::{Summary, VcSummary};
use crate::warm_up;

/// The summary of all rows and the digest, read `block` VCs at a time.
fn read_by(
    block: usize,
    spec: &NetworkSpec,
    before: Option<&RunCounters>,
    engine: &dyn Engine,
) -> (Summary, u64) {
    let reading = Reading { block, ..Reading::new(spec, before, engine) };
    let together = Together::read(&reading);
    let all = together.summarize(&reading, Keep::All, &|_, _| (), &mut |_, _| None).0;
    (all, together.digest())
}

/// Claim: a run that is read two VCs at a time has the rows, ports, nodes, connections, violations
/// and digest of a run that is read at once, with and without a warm-up; and its totals are the
/// sums over all VCs.
#[test]
fn blocks_do_not_change_a_run() {
    for seed in 0..120 {
        let random = [random_network, random_fifo_only_network, random_usual_network];
        for spec in random.map(|random| random(seed)) {
            check(&spec, None, seed);
            check(&spec, Some(SimTime(spec.duration.0 / 3)), seed);
        }
    }
}

/// Claim: a deadlock is reported: three VCs wait for each other around a ring, read one at a time
/// together with two idle ones.
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
    let found = read_by(1, &spec, None, &engine).0.violations;
    assert_eq!(found, violations(&spec, &engine.counters()));
    assert!(found.iter().any(|violation| violation.text.contains("deadlock")));
}

/// Claim: a wait that ends because another VC with cells is not blocked is not a deadlock, also if
/// VCs are read in blocks: twins of the three VCs around the ring continue.
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
        let found = read_by(1, &spec, None, &Read(counters.clone())).0.violations;
        assert_eq!(found, violations(&spec, counters));
        found.iter().any(|violation| violation.text.contains("deadlock"))
    };
    assert!(stands(&counters));
    for twin in &mut counters.vcs[3..] {
        assert!(twin.hops.iter().any(|hop| hop.fill_packets > 0));
        twin.hops.iter_mut().for_each(|hop| hop.blocked_since = None);
    }
    assert!(!stands(&counters));
}

/// The counters of an engine, correct or manipulated.
struct Read(RunCounters);

impl Engine for Read {
    fn fault(&self) -> Option<hopflow_control::external::Fault> {
        None
    }

    fn run_until(&mut self, _end: SimTime) {}

    fn collect_trace(&mut self, _runs: &mut RowRuns) {}

    fn restart_statistics(&mut self) {}

    fn counters(&self) -> RunCounters {
        self.0.clone()
    }
}

/// Claim: a cell that appeared or vanished, in any VC of any block, on a link or at a node, is
/// found.
#[test]
fn cells_that_appear_are_found_among_parts() {
    let spec = ring(n23(4, 16));
    let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
    engine.run_until(SimTime(spec.duration.0));
    let changes: [fn(&mut RunCounters); 5] = [
        |counters| counters.vcs[0].created_packets += 1,
        |counters| counters.vcs[2].hops[1].received_packets += 1,
        |counters| counters.vcs[2].hops[2].left_packets -= 1,
        |counters| counters.directions[3].data_in_flight += 1,
        |counters| counters.nodes[4].buffered_packets += 1,
    ];
    for (place, change) in changes.into_iter().enumerate() {
        let mut counters = engine.counters();
        change(&mut counters);
        let whole = violations(&spec, &counters);
        assert!(!whole.is_empty(), "change {place}");
        let found = read_by(1, &spec, None, &Read(counters)).0.violations;
        assert_eq!(found, whole, "change {place}");
    }
}

/// Claim: a summary of the worst rows has the totals and the keys of one of all rows, the hundred
/// worst rows in the order of the file, and the number of rows that it leaves out.
#[test]
fn a_summary_may_keep_the_worst() {
    let mut spec = ring(n23(4, 16));
    let vcs: Vec<_> = (0..360)
        .map(|index| {
            let mut vc = spec.vcs[index % 3].clone();
            vc.name = format!("VC{index}");
            vc
        })
        .collect();
    spec.vcs = vcs.into();
    let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
    engine.run_until(SimTime(spec.duration.0));
    let reading = Reading { block: 7, ..Reading::new(&spec, None, &engine) };
    let together = Together::read(&reading);
    let of = |keep| together.summarize(&reading, keep, &|_, _| (), &mut |_, _| None).0;
    let (all, worst) = (of(Keep::All), of(Keep::Worst));
    assert_eq!((worst.vcs.len(), worst.vcs_left_out), (WORST, 360 - WORST as u64));
    assert_eq!(worst.queues.len() as u64 + worst.queues_left_out, all.queues.len() as u64);
    assert_eq!((all.vcs_left_out, all.queues_left_out), (0, 0));
    assert_eq!((&worst.totals, &worst.classes), (&all.totals, &all.classes));
    assert_eq!((&worst.ports, &worst.nodes), (&all.ports, &all.nodes));
    let bad = |vc: &VcSummary| {
        let longest = vc.delay_ps.map(|delay| delay.max);
        (vc.dropped_packets, longest.unwrap_or(if vc.created_packets > 0 { u64::MAX } else { 0 }))
    };
    let mut sorted = all.vcs.clone();
    sorted.sort_by_key(|vc| std::cmp::Reverse(bad(vc)));
    assert!(bad(&sorted[0]) > bad(&sorted[359]), "there is something to choose");
    sorted.truncate(WORST);
    let names: BTreeSet<&str> = sorted.iter().map(|vc| vc.name.as_str()).collect();
    let kept = all.vcs.iter().filter(|vc| names.contains(vc.name.as_str()));
    assert_eq!(worst.vcs, kept.cloned().collect::<Vec<_>>());
    for (few, every) in worst.links.iter().zip(&all.links) {
        let most = every.vcs.len().min(WORST);
        assert_eq!(few.vcs, every.vcs[..most], "{}", every.name);
        assert_eq!(few.vcs_left_out as usize, every.vcs.len() - most);
        let rest: f64 = every.vcs[most..].iter().map(|vc| vc.share).sum();
        assert!((few.vcs_left_out_share - rest).abs() < 1e-9, "{}", every.name);
    }
    assert!(worst.links.iter().any(|link| link.vcs_left_out > 0));
}

fn check(spec: &NetworkSpec, warm_up: Option<SimTime>, seed: u64) {
    let mut engine = WindowedEngine::new(spec, TraceFilter::none(), 1);
    let before = warm_up.map(|warm_up| {
        engine.run_until(warm_up);
        let before = engine.counters();
        engine.restart_statistics();
        before
    });
    engine.run_until(SimTime(spec.duration.0));
    let after = engine.counters();
    let whole = summary_of(spec, before.as_ref(), &after);
    let (by_two, found) = read_by(2, spec, before.as_ref(), &engine);
    assert_eq!(by_two, whole, "seed {seed}");
    let whole_run = |before| warm_up::of_vcs(&before, 0..spec.vcs.len(), &after)[0].clone();
    let counters = before.map_or_else(|| after.clone(), whole_run);
    assert_eq!(found, digest(spec, &counters), "seed {seed}");
    assert_eq!(whole.violations, violations(spec, &counters), "seed {seed}");
    let totals = whole.totals.as_ref().unwrap();
    let sum = |of: fn(&crate::VcSummary) -> u64| whole.vcs.iter().map(of).sum::<u64>();
    assert_eq!(totals.vcs, spec.vcs.len() as u64);
    assert_eq!(totals.hops, whole.queues.len() as u64);
    assert_eq!(totals.created_packets, sum(|vc| vc.created_packets));
    assert_eq!(totals.sent_packets, sum(|vc| vc.sent_packets));
    assert_eq!(totals.received_packets, sum(|vc| vc.received_packets));
    assert_eq!(totals.dropped_packets, sum(|vc| vc.dropped_packets));
    assert_eq!(totals.corrupted_packets, sum(|vc| vc.corrupted_packets));
    assert_eq!(totals.delivered_bytes, sum(|vc| vc.delivered_bytes));
    assert_eq!(totals.silent_vcs, sum(|vc| u64::from(vc.created_packets == 0)));
    let longest = whole.vcs.iter().filter_map(|vc| Some(vc.delay_ps.as_ref()?.max)).max();
    assert_eq!(totals.delay_ps.as_ref().map(|delay| delay.max), longest);
    let classes = whole.classes.iter().map(|class| class.totals.received_packets);
    assert_eq!(classes.sum::<u64>(), totals.received_packets);
}
