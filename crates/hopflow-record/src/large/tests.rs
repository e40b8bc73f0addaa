//! A large run is told as a small one.

use hopflow_network::testing::{random_network, random_plain_network};
use hopflow_network::{TraceFilter, WindowedEngine};
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
        for spec in [random_network(seed), random_plain_network(seed)] {
            if spec.connections.is_empty() {
                check(&spec, seed);
            }
        }
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
