//! Claims about deadlocks.

use hopflow_control::lane::{LaneCreditSpec, PauseSpec};
use hopflow_engine::WindowedEngine;
use hopflow_network::{Engine, LaneRule, LanesSpec, TraceFilter};
use hopflow_testing::{n23, pause, ring, with_lanes};

use super::*;

/// The ring, paused at 20 cells and resumed at 10.
fn paused() -> NetworkSpec {
    with_lanes(ring(HopControl::None), LaneRule::Pause(pause(20, 10)))
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
    let text = found(&paused()).expect("it stands still");
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
    let lane = LaneCreditSpec { block: Bytes::CELL, buffer: 20, update: 4, refresh: None };
    let text = found(&with_lanes(ring(HopControl::None), LaneRule::Credit(lane)));
    let text = text.expect("it stands still");
    assert!(text.contains("S1->S2 (no credit for lane 0) waits for VC1 to leave S2"), "{text}");
}

/// Claim: with credit per VC there is none, however small the buffers; nor without control; nor
/// under PFC while a line of switches is full, because its end goes on; nor before the settling
/// time has passed.
#[test]
fn what_goes_on_is_no_deadlock() {
    assert_eq!(found(&ring(n23(4, 16))), None);
    assert_eq!(found(&ring(n23(1, 1))), None);
    assert_eq!(found(&ring(HopControl::None)), None);
    let mut line = paused();
    line.vcs.truncate(1);
    let slow = hopflow_units::Rate::from_bps(1_000_000).expect("not zero");
    line.links[2].directions[1].rate = slow;
    line.duration = Picos(4 * line.duration.0);
    assert_eq!(found(&line), None);
    let mut early = paused();
    early.duration = Picos(500_000_000);
    assert_eq!(found(&early), None);
}

/// Claim: a watchdog breaks the circle.
#[test]
fn a_watchdog_breaks_the_circle() {
    let mut spec = paused();
    let watched = PauseSpec { watchdog: Some(Picos(300_000_000)), ..pause(20, 10) };
    for link in 3..6 {
        spec.links[link].directions[0].lanes = Some(LanesSpec::new(1, LaneRule::Pause(watched)));
    }
    assert_eq!(found(&spec), None);
}
