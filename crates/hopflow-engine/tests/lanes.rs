//! Claims about lanes in a network: which VCs hold back each other, what fits, and deadlocks.

use hopflow_control::lane::{CbfcSpec, LaneCreditSpec, PauseSpec, WatchdogAction, Watching};
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{
    Change, DirectionId, Engine, HopControl, LaneRule, LanesSpec, NetworkSpec, RunCounters,
    SourceSpec, TraceFilter,
};
use hopflow_testing::{NetworkBuilder, n23, pause, ring, with_lanes};
use hopflow_units::{Bytes, Picos, Probability, Rate, SimTime};

/// A lane of all priorities, with blocks of one cell.
fn credit(buffer: u32, update: u32) -> LaneRule {
    LaneRule::Credit(LaneCreditSpec { block: Bytes::CELL, buffer, update, refresh: None })
}

/// PFC with thresholds in cells and room for `headroom` cells more than XOFF.
fn with_headroom(xoff: u64, xon: u64, headroom: u64) -> LaneRule {
    let room = Some(Bytes(53 * (xoff + headroom)));
    LaneRule::Pause(PauseSpec { room, ..pause(xoff, xon) })
}

/// Runs to the end on both engines, which must agree.
fn run(spec: &NetworkSpec) -> RunCounters {
    let mut engine = WindowedEngine::new(spec, TraceFilter::none(), 1);
    engine.run_until(SimTime(spec.duration.0));
    let mut reference = ReferenceEngine::new(spec, TraceFilter::none());
    reference.run_until(SimTime(spec.duration.0));
    let counters = engine.counters();
    assert_eq!(counters, reference.counters());
    counters
}

/// Figure 17 of [KMCL94]: VC1 and VC2 share S1 -> S2; VC1 shares its exit of S2 with VC3 and VC4,
/// VC2 has one of its own. All are greedy; every loop is 154 cell times.
fn figure_17(control: HopControl) -> NetworkSpec {
    let mut network = NetworkBuilder::new(20_000);
    let hosts: Vec<usize> = (1..=4).map(|n| network.host(&format!("H{n}"))).collect();
    let (s1, s2) = (network.switch("S1"), network.switch("S2"));
    let (d1, d2) = (network.host("D1"), network.host("D2"));
    for (from, to) in [
        (hosts[0], s1),
        (hosts[1], s1),
        (s1, s2),
        (hosts[2], s2),
        (hosts[3], s2),
        (s2, d1),
        (s2, d2),
    ] {
        network.link(from, to, 76);
    }
    network.vc("VC1", &[hosts[0], s1, s2, d1], control, SourceSpec::Greedy);
    network.vc("VC2", &[hosts[1], s1, s2, d2], control, SourceSpec::Greedy);
    network.vc("VC3", &[hosts[2], s2, d1], control, SourceSpec::Greedy);
    network.vc("VC4", &[hosts[3], s2, d1], control, SourceSpec::Greedy);
    network.spec
}

/// Shares of a link that the VCs get, and cells lost at all hops.
fn shares(spec: &NetworkSpec) -> (Vec<f64>, u64) {
    let counters = run(spec);
    let cells = |vc: usize| counters.vcs[vc].leaves[0].delivered_packets as f64;
    let hops = counters.vcs.iter().flat_map(|vc| &vc.hops);
    let lost = hops.map(|hop| hop.dropped_packets + hop.pushed_out_packets).sum();
    ((0..counters.vcs.len()).map(|vc| cells(vc) / 20_000.0).collect(), lost)
}

fn assert_shares(spec: &NetworkSpec, expected: [f64; 4], within: f64) {
    let (shares, lost) = shares(spec);
    for (share, expected) in shares.iter().zip(expected) {
        assert!((share - expected).abs() < within, "{shares:?}");
    }
    assert_eq!(lost, 0);
}

const THIRD: f64 = 1.0 / 3.0;

/// Claim [KMCL94] Figures 17 to 19: with credit per VC, VC2 gets the 2/3 of S1 -> S2 that VC1
/// leaves. (The first 1 % of the run is the initial latency.)
#[test]
fn per_vc_credit_leaves_the_victim_alone() {
    assert_shares(&figure_17(n23(10, 155)), [THIRD, 2.0 * THIRD, THIRD, THIRD], 0.03);
}

/// Claim: with one credit for the whole lane, VC2 is held to the 1/3 of VC1: their cells start
/// alternately, and only as fast as VC1's leave S2.
#[test]
fn a_shared_lane_makes_a_victim() {
    let spec = with_lanes(figure_17(HopControl::None), credit(165, 10));
    assert_shares(&spec, [THIRD; 4], 0.03);
}

/// Claim: the same with PFC: S1 -> S2 is paused for both whenever VC1's cells fill S2. The headroom
/// of one loop of 154 cells and a few more is enough, so nothing is lost.
#[test]
fn pfc_makes_a_victim() {
    let spec = with_lanes(figure_17(HopControl::None), with_headroom(165, 155, 160));
    assert_shares(&spec, [THIRD; 4], 0.03);
}

/// Cells delivered in the second half of a run.
fn second_half(spec: &NetworkSpec) -> u64 {
    let mut engine = WindowedEngine::new(spec, TraceFilter::none(), 1);
    let mut delivered = |end: Picos| {
        engine.run_until(SimTime(end.0));
        let counters = engine.counters();
        counters.vcs.iter().map(|vc| vc.leaves[0].delivered_packets).sum::<u64>()
    };
    let half = delivered(Picos(spec.duration.0 / 2));
    delivered(spec.duration) - half
}

/// Claim: the ring of three switches deadlocks under PFC and under lane credits, each of its links
/// waiting for the next; with credit per VC each of the three VCs gets its half of two links: 1.5 x
/// 2,500 cells in 2,500 cell times.
#[test]
fn the_ring_stands_still_without_credit_per_vc() {
    assert_eq!(second_half(&with_lanes(ring(HopControl::None), LaneRule::Pause(pause(20, 10)))), 0);
    assert_eq!(second_half(&with_lanes(ring(HopControl::None), credit(20, 4))), 0);
    assert!(second_half(&ring(n23(4, 16))) > 500);
    let cells = second_half(&ring(n23(4, 104)));
    assert!((3_700..=3_750).contains(&cells), "{cells}");
}

/// Two greedy VCs of host A through S1 on one link: VC1 on to B behind S2, VC2 to C at S1. The link
/// S2 -> B is closed for data from the beginning.
fn stuck(watchdog: Option<Picos>) -> NetworkSpec {
    stuck_watched(watchdog, Watching::IDEAL)
}

fn stuck_watched(watchdog: Option<Picos>, watching: Watching) -> NetworkSpec {
    let mut network = NetworkBuilder::new(10_000);
    let (a, s1, s2) = (network.host("A"), network.switch("S1"), network.switch("S2"));
    let (b, c) = (network.host("B"), network.host("C"));
    for (from, to) in [(a, s1), (s1, s2), (s2, b), (s1, c)] {
        network.link(from, to, 5);
    }
    network.vc("VC1", &[a, s1, s2, b], HopControl::None, SourceSpec::Greedy);
    network.vc("VC2", &[a, s1, c], HopControl::None, SourceSpec::Greedy);
    network.event(0, DirectionId::new(2, 0), Change::Blocked(true));
    let mut spec = with_lanes(network.spec, with_headroom(40, 20, 20));
    let direction = &mut spec.links[1].directions[0];
    if let Some(LanesSpec { rule: LaneRule::Pause(pause), .. }) = &mut direction.lanes {
        (pause.watchdog, pause.watching) = (watchdog, watching);
    }
    spec
}

/// Claim: a blocked port pauses everything behind it permanently: VC2, which does not use it, sends
/// a few cells and no more. A watchdog of 1000 cell times at S1 -> S2 discards the waiting cells
/// there and frees VC2, which then gets half of the link it shares with VC1.
#[test]
fn a_watchdog_ends_a_pause_storm() {
    let counters = run(&stuck(None));
    assert!(counters.vcs[1].leaves[0].delivered_packets < 200);
    let lane = counters.directions[2].lanes[0];
    assert!(lane.shut > Picos(9_000_000_000) && lane.shut_since.is_some(), "{lane:?}");
    assert_eq!(lane.watchdog_packets, 0);
    let counters = run(&stuck(Some(Picos(1_000_000_000))));
    let delivered = counters.vcs[1].leaves[0].delivered_packets;
    assert!((4_000..5_000).contains(&delivered), "{delivered}");
    assert!(counters.directions[2].lanes[0].watchdog_packets > 0);
    assert!(counters.vcs[0].hops[0].dropped_packets > 4_000);
}

/// Claim, Eq. (1) of `pause/watchdog.rs`: S2 pauses S1 -> S2 once, at s, for the rest of the run. A
/// watchdog that looks every P and forwards opens the gate at P (floor(s / P) + ceil(detect / P)),
/// and it stays open: the gate was shut for as long.
#[test]
fn a_watchdog_that_polls_acts_at_a_look() {
    let shut = |spec: &NetworkSpec| {
        let counters = run(spec);
        let lane = counters.directions[2].lanes[0];
        assert_eq!(lane.shut_count, 1, "{lane:?}");
        (lane.shut.0, lane.shut_since)
    };
    let (_, since) = shut(&stuck(None));
    let since = since.expect("it is paused").0;
    for (poll, detect) in
        [(100_000_000, 1_000_000_000), (300_000_000, 1_000_000_000), (since / 3, 1), (since, 1)]
    {
        let watching =
            Watching { poll: Picos(poll), restore: None, action: WatchdogAction::Forward };
        let (found, open) = shut(&stuck_watched(Some(Picos(detect)), watching));
        let acts = poll * (since / poll + detect.div_ceil(poll));
        assert_eq!((found, open), (acts - since, None), "{poll} {detect}");
    }
}

/// Claim, Eq. (2): a watchdog that drops and restores acts again after each restoration: it
/// discards what has come to wait again, more than the one that acts once, until the pause ends.
/// VC2 is held again until then, so it gets less than under that one, and more than without a
/// watchdog.
#[test]
fn a_watchdog_restores_and_acts_again() {
    let counted = |restore| {
        let (poll, action) = (Picos(100_000_000), WatchdogAction::Drop);
        let watching = Watching { poll, restore, action };
        let counters = run(&stuck_watched(Some(Picos(300_000_000)), watching));
        let delivered = counters.vcs[1].leaves[0].delivered_packets;
        (delivered, counters.directions[2].lanes[0].watchdog_packets)
    };
    let (once, again) = (counted(None), counted(Some(Picos(200_000_000))));
    assert!(again.1 > once.1 && once.1 > 0, "{again:?} {once:?}");
    assert!((200..once.0).contains(&again.0), "{again:?} {once:?}");
}

/// One greedy VC from A through S to B, over a link of half the rate; half of the credits (or
/// pauses) are lost, and the fraction `data` of the data.
fn lossy(rule: LaneRule, data: f64) -> RunCounters {
    let mut network = NetworkBuilder::new(20_000);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 5);
    network.link(s, b, 5);
    network.vc("VC1", &[a, s, b], HopControl::None, SourceSpec::Greedy);
    let mut spec = with_lanes(network.spec, rule);
    for direction in &mut spec.links[1].directions {
        direction.rate = Rate::from_bps(212_000_000).expect("not zero");
    }
    let chance = |chance| Probability::new(chance).expect("a probability");
    for direction in spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.corrupt_credits = chance(0.5);
        direction.corrupt_data = chance(data);
    }
    run(&spec)
}

/// Claim: lost credits of a lane cause no permanent loss, and neither do lost data, if credits
/// cross both ways and are refreshed: the lane carries at least half of the slow link. Without a
/// refresh the way back has nothing to send, and the blocks of 5 % lost data are soon all 40.
#[test]
fn a_lane_recovers_from_losses() {
    let delivered = |refresh, data| {
        let spec = LaneCreditSpec { block: Bytes::CELL, buffer: 40, update: 4, refresh };
        lossy(LaneRule::Credit(spec), data).vcs[0].leaves[0].delivered_packets
    };
    let refresh = Some(Picos(50_000_000));
    assert!(delivered(refresh, 0.0) > 5_000);
    assert!(delivered(refresh, 0.05) > 5_000);
    assert!(delivered(None, 0.05) < 1_000);
}

/// Claim: under CBFC lost CF_Updates cause no permanent loss, and lost data no more than the
/// credits of one CC timer: the lane carries at least half of the slow link. With no CC_Update in
/// the run the blocks of 5 % lost data are soon all 40. (Spacing of 4 to 50 cell times, a timer of
/// 50.)
#[test]
fn cbfc_recovers_from_losses() {
    let delivered = |cc_timer, data| {
        let spacing = [4_000_000, 50_000_000].map(Picos);
        let spec = CbfcSpec {
            block: Bytes::CELL,
            overhead: 0,
            buffer: 40,
            min_spacing: spacing[0],
            max_spacing: spacing[1],
            cc_timer: Picos(cc_timer),
        };
        lossy(LaneRule::Cbfc(spec), data).vcs[0].leaves[0].delivered_packets
    };
    assert!(delivered(1_000_000_000_000, 0.0) > 5_000);
    assert!(delivered(50_000_000, 0.05) > 5_000);
    assert!(delivered(1_000_000_000_000, 0.05) < 1_000);
}

/// Claim: lost pauses are repeated, lost resumes expire: the VC continues at more than half of its
/// rate, with half of all frames lost. (20 quanta are 24 cell times.)
#[test]
fn pauses_survive_losses() {
    let counters = lossy(LaneRule::Pause(PauseSpec { quanta: 20, ..pause(20, 10) }), 0.0);
    assert!(counters.vcs[0].leaves[0].delivered_packets > 5_000);
    let lane = counters.directions[0].lanes[0];
    assert!(lane.pauses_sent > 100 && lane.frames_corrupted > 50, "{lane:?}");
}
