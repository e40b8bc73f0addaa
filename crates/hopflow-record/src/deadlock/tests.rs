//! Claims about deadlocks.

use hopflow_control::credit::LaneSpec;
use hopflow_control::pause::PauseSpec;
use hopflow_network::testing::{NetworkBuilder, n23};
use hopflow_network::{Engine, LanesSpec, SourceSpec, TraceFilter, WindowedEngine};

use super::*;

/// Three switches in a ring with slow links; each host's VC goes over two links of the ring.
fn ring(control: HopControl, rule: Option<LaneRule>) -> NetworkSpec {
    let mut network = NetworkBuilder::new(5_000);
    let hosts: Vec<usize> = (1..=3).map(|n| network.host(&format!("H{n}"))).collect();
    let switches: Vec<usize> = (1..=3).map(|n| network.switch(&format!("S{n}"))).collect();
    for n in 0..3 {
        network.link(hosts[n], switches[n], 2);
    }
    for n in 0..3 {
        network.link(switches[n], switches[(n + 1) % 3], 50);
    }
    for n in 0..3 {
        let (next, last) = ((n + 1) % 3, (n + 2) % 3);
        let route = [hosts[n], switches[n], switches[next], switches[last], hosts[last]];
        network.vc(&format!("VC{}", n + 1), &route, control, SourceSpec::Greedy);
    }
    for direction in network.spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.lanes = rule.map(|rule| LanesSpec { priorities: 1, rule });
    }
    network.spec
}

fn pause() -> LaneRule {
    let (xoff, xon) = (Bytes(20 * 53), Bytes(10 * 53));
    LaneRule::Pause(PauseSpec { xoff, xon, quanta: 1_000, room: None, watchdog: None })
}

fn found(spec: &NetworkSpec) -> Option<String> {
    let mut engine = WindowedEngine::new(spec, TraceFilter::none(), 1);
    engine.run_until(SimTime(spec.duration.0));
    find_deadlock(spec, &engine.counters()).map(|deadlock| deadlock.text(spec))
}

/// The circle without its beginning.
fn circle(text: &str) -> &str {
    text.split_once(": ").expect("a sentence with its time").1
}

/// Claim: the ring of three switches under PFC is found and named, link by link.
#[test]
fn a_ring_of_pauses_is_named() {
    let text = found(&ring(HopControl::None, Some(pause()))).expect("it stands still");
    assert_eq!(
        circle(&text),
        "S1->S2 (priority 0 paused) waits for VC1 to leave S2 by S2->S3 (priority 0 paused) waits \
         for VC2 to leave S3 by S3->S1 (priority 0 paused) waits for VC3 to leave S1 by S1->S2 \
         (priority 0 paused)"
    );
}

/// Claim: the same under credits of lanes.
#[test]
fn a_ring_of_lanes_is_named() {
    let lane = LaneSpec { block: Bytes::CELL, buffer: 20, update: 4, refresh: None };
    let text = found(&ring(HopControl::None, Some(LaneRule::Credit(lane))));
    let text = text.expect("it stands still");
    assert!(text.contains("S1->S2 (no credit for lane 0) waits for VC1 to leave S2"), "{text}");
}

/// Claim: with credit per VC there is none, however small the buffers; nor without control; nor
/// under PFC while a line of switches is full, because its end goes on; nor before the settling
/// time has passed.
#[test]
fn what_goes_on_is_no_deadlock() {
    assert_eq!(found(&ring(n23(4, 16), None)), None);
    assert_eq!(found(&ring(n23(1, 1), None)), None);
    assert_eq!(found(&ring(HopControl::None, None)), None);
    let mut line = ring(HopControl::None, Some(pause()));
    line.vcs.truncate(1);
    let slow = hopflow_units::Rate::from_bps(1_000_000).expect("not zero");
    line.links[2].directions[1].rate = slow;
    line.duration = Picos(4 * line.duration.0);
    assert_eq!(found(&line), None);
    let mut early = ring(HopControl::None, Some(pause()));
    early.duration = Picos(500_000_000);
    assert_eq!(found(&early), None);
}

/// Claim: a watchdog breaks the circle.
#[test]
fn a_watchdog_breaks_the_circle() {
    let mut spec = ring(HopControl::None, Some(pause()));
    let watched = PauseSpec {
        watchdog: Some(Picos(300_000_000)),
        ..match pause() {
            LaneRule::Pause(pause) => pause,
            LaneRule::Credit(_) => unreachable!("pause() pauses"),
        }
    };
    for link in 3..6 {
        spec.links[link].directions[0].lanes =
            Some(LanesSpec { priorities: 1, rule: LaneRule::Pause(watched) });
    }
    assert_eq!(found(&spec), None);
}
