//! The rule for FIFO-only nodes, and one of them by hand.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_units::Picos;

use hopflow_engine::WindowedEngine;
use hopflow_network::{
    Change, DirectionId, Engine, EventSpec, HopControl, NetworkSpec, RunCounters, SourceSpec,
    TraceFilter,
};
use hopflow_testing::{CELL, NetworkBuilder, at, random_fifo_only_network};

/// Two hosts and a sink around a FIFO switch, links without delay; cells at these cell times.
fn merge(first: &[u64], second: &[u64]) -> NetworkSpec {
    let mut network = NetworkBuilder::new(20);
    let hosts = ["a", "b", "sink"].map(|name| network.host(name));
    let s = network.switch("s");
    for host in hosts {
        network.link(host, s, 0);
    }
    for (host, cells) in hosts.into_iter().zip([first, second]) {
        let times = cells.iter().map(|cell| Picos(cell * CELL.0)).collect();
        let path = [(host, s), (s, hosts[2])];
        let source = SourceSpec::Replay { times };
        network.tree(&format!("vc{host}"), &path, HopControl::None, source);
    }
    for link in &mut network.spec.links {
        link.directions.iter_mut().for_each(|side| side.scheduler = SchedulerSpec::Fifo);
    }
    network.spec
}

/// Claim: Eqs. (1) to (3) by hand, in cell times. At S arrive a1 at 1, b1 at 1, b2 at 2, a2 at 6;
/// they start at 1, 2, 3, 6 and leave at 2, 3, 4, 7. As b2 arrives at 2, a1 has just left: S holds
/// two packets at most. Just after 2 (a reading at 2.5) b1 is being sent and b2 waits: VC a has
/// been there from 1 to 2, VC b 1.5 + 0.5 packet times. At the end VC b has been there from 1 to
/// 3 and from 2 to 4, a second packet of it joined at 2, and nothing was there before 1 and after
/// 4.
#[test]
fn a_merge_by_hand() {
    let spec = merge(&[0, 5], &[0, 1]);
    let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
    engine.run_until(at(2) + Picos(CELL.0 / 2));
    let early = engine.counters();
    let at_s = |counters: &RunCounters, vc: usize| {
        let hop = &counters.vcs[vc].hops[1];
        let area = hop.fill_area as u64 * 2 / CELL.0;
        [hop.sent_packets, hop.left_packets, u64::from(hop.fill_packets), area]
    };
    assert_eq!(at_s(&early, 0), [1, 1, 0, 2]);
    assert_eq!(at_s(&early, 1), [1, 0, 2, 4]);
    let out = |counters: &RunCounters| {
        let out = &counters.directions[5];
        [out.queue_packets, out.queue_max_packets, (out.busy.0 * 2 / CELL.0) as u32]
    };
    assert_eq!((out(&early), early.nodes[3].buffered_packets), ([2, 2, 3], 2));
    engine.run_until(at(20));
    let late = engine.counters();
    assert_eq!(at_s(&late, 0), [2, 2, 0, 4]);
    assert_eq!(at_s(&late, 1), [2, 2, 0, 8]);
    assert_eq!(out(&late), [0, 2, 8]);
    let hop = &late.vcs[1].hops[1];
    assert_eq!((hop.fill_max_packets, hop.no_cell), (2, Picos(17 * CELL.0)));
    assert_eq!(late.nodes[3].buffered_max_packets, 2);
    assert_eq!(late.vcs[0].leaves[0].last, Some(at(7)));
}

/// Claim: the nodes of that network are FIFO-only; with an event on the link to the sink, neither S
/// nor the sink is.
#[test]
fn fifo_only_nodes_follow_the_rule() {
    let mut spec = merge(&[0], &[0]);
    let nodes = WindowedEngine::fifo_only_nodes;
    assert_eq!(nodes(&spec), [true; 4]);
    let event = (DirectionId::new(2, 0), Change::Blocked(false));
    let time = at(1);
    let (link, direction) = (event.0.link(), event.0.side());
    spec.events.push(EventSpec { at: time, link, direction, change: event.1 });
    assert_eq!(nodes(&spec), [true, true, false, false]);
    spec.events.clear();
    spec.links[2].directions[1].scheduler = SchedulerSpec::RoundRobin;
    assert_eq!(nodes(&spec), [true, true, true, false], "two VCs take turns");
}

/// Claim: of a hundred random networks made for it, at least thirty have only FIFO-only nodes, and
/// at least thirty FIFO-only nodes next to general ones.
#[test]
fn random_networks_have_fifo_only_nodes() {
    let (mut whole, mut mixed) = (0, 0);
    for seed in 0..100 {
        let spec = random_fifo_only_network(seed);
        assert_eq!(spec, random_fifo_only_network(seed));
        let nodes = WindowedEngine::fifo_only_nodes(&spec);
        let count = nodes.iter().filter(|is_fifo_only| **is_fifo_only).count();
        whole += u32::from(count == spec.nodes.len());
        let joins = spec.links.iter().any(|link| {
            let [from, to] = link.ends.map(|end| nodes[end]);
            from != to
        });
        mixed += u32::from(joins);
    }
    assert!(whole >= 30 && mixed >= 30, "{whole} FIFO-only, {mixed} mixed");
}
