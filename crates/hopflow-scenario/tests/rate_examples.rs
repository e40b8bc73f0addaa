//! The worked examples of rate control show what their comments say.

use std::path::PathBuf;

use hopflow_engine::WindowedEngine;
use hopflow_network::{Engine, NetworkSpec, RunCounters, TraceFilter};
use hopflow_scenario::{Scenario, ScenarioFile};
use hopflow_units::SimTime;

/// Counters of an example under a control: at the end of its warm-up, and at its own end, with
/// greatest values since then.
fn run(name: &str, control: &str) -> (NetworkSpec, [RunCounters; 2]) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let file = ScenarioFile::load(&folder.join(format!("{name}.toml"))).expect("it is there");
    let Scenario { network, warm_up, .. } =
        file.under(control).unwrap_or_else(|wrong| panic!("{wrong}"));
    let mut engine = WindowedEngine::new(&network, TraceFilter::none(), 1);
    engine.run_until(SimTime(warm_up.0));
    let before = engine.counters();
    engine.restart_statistics();
    engine.run_until(SimTime(network.duration.0));
    let after = engine.counters();
    (network, [before, after])
}

/// The most cells ever held by a node.
fn held(network: &NetworkSpec, counters: &RunCounters, node: &str) -> u32 {
    let place = network.nodes.iter().position(|one| one.name == node);
    counters.nodes[place.expect("a node has this name")].buffered_max_packets
}

/// Claim [VFJG98a]: under ERICA+ with delta = 0.1 the queue rests from T0 to 1.77 T0, the link is
/// full, and all have the same. 149.76 Mb/s are 353,208 cells/s: 177 to 313 cells; a fifth of them
/// for 150 ms, 31 of 32 being data, is 10,265 cells, but for one of the grid.
#[test]
fn erica_plus_fills_the_link_in_equal_shares() {
    let (network, [before, counters]) = run("abr-erica-plus", "as-is");
    for (before, vc) in before.vcs.iter().zip(&counters.vcs) {
        let cells = vc.leaves[0].delivered_packets - before.leaves[0].delivered_packets;
        assert!((10_264..=10_266).contains(&cells), "{cells} cells");
    }
    let most = held(&network, &counters, "S1");
    assert!((177..=313).contains(&most), "{most} cells at S1");
}

/// Claim [Cai97]: with virtual sources the switch at the bottleneck holds what its own loop of 10
/// ms asks for, 1,061 cells, twice at most. Where the satellite link ends, the switch holds less
/// than twice 550 ms x (5 x 10 - 45) Mb/s = 6,486 cells, and the rest waits at the sources. With
/// one loop the bottleneck holds ten times as much. If the rate of a VC is taken between two RM
/// cells, cells from before the rates took effect stay at the end of the satellite link: up to that
/// loop times the bottleneck, 58,373 cells, and at least half of it.
#[test]
fn virtual_sources_move_the_buffer_to_the_sources() {
    let (network, [_, divided]) = run("vs-vd-satellite", "as-is");
    let sw1 = held(&network, &divided, "SW1");
    assert!(sw1 < 2 * 6_486, "{sw1} cells at SW1");
    let sw2 = held(&network, &divided, "SW2");
    assert!(sw2 < 2_122, "{sw2} cells at SW2");
    let sources: u32 = (1..=5).map(|n| held(&network, &divided, &format!("S{n}"))).sum();
    assert!(sources > 2 * (sw1 + sw2), "{sources} cells at the sources");
    let (network, [_, kept]) = run("vs-vd-satellite", "between-rm-cells");
    let sw1 = held(&network, &kept, "SW1");
    assert!((29_000..58_373).contains(&sw1), "{sw1} cells at SW1");
    let (network, [_, whole]) = run("vs-vd-satellite", "one-loop");
    let sw2 = held(&network, &whole, "SW2");
    assert!(sw2 > 21_220, "{sw2} cells at SW2");
    let sw1 = held(&network, &whole, "SW1");
    assert!(sw1 < 5_837, "{sw1} cells at SW1");
}
