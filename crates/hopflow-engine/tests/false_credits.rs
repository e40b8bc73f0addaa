//! Claims about credits whose value is wrong and that nobody notices: what absolute values repair,
//! what overruns a buffer, and what additive credit keeps for good. A cell takes 1 u on every link.

use hopflow_control::lane::{CbfcSpec, LaneCreditSpec};
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{
    Change, CreditScheme, CreditsOf, DirectionId, Engine, HopControl, LaneRule, LanesSpec,
    NetworkSpec, RunCounters, SourceSpec, TraceEvent, TraceFilter, TraceRow,
};
use hopflow_testing::{CELL, NetworkBuilder, burst, cells, credit, n23};
use hopflow_units::{Bytes, SimTime};

/// With N2 = 1 no freed cell is unreported when the receiver stops, so the laws are exact; with
/// f cells freed after the last credit there are f overruns fewer.
const N2: u32 = 1;
/// N2 + N3: twice the loop of 10 u, so that a greedy VC is never without credit.
const BUFFER: u32 = 20;

/// Runs to the end on both engines, which must agree.
fn run(spec: &NetworkSpec) -> (Vec<TraceRow>, RunCounters) {
    let filter = || TraceFilter::all(spec.vcs.len(), spec.direction_count());
    let of = |engine: &mut dyn Engine| {
        let mut rows = Vec::new();
        engine.run_until(SimTime(spec.duration.0));
        engine.drain_trace(&mut rows);
        (rows, engine.counters())
    };
    let windowed = of(&mut WindowedEngine::new(spec, filter(), 1));
    assert_eq!(windowed, of(&mut ReferenceEngine::new(spec, filter())));
    windowed
}

/// A - S - B with loops of 10 u; a greedy VC with `control` up to S, whose output is shut from
/// 200 u on. From 100 u on, `count` credits about it are wrong by `error`.
fn stopped(control: HopControl, of: CreditsOf, count: u32, error: i32) -> NetworkBuilder {
    let mut network = NetworkBuilder::new(1_000);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 4);
    network.link(s, b, 4);
    let vc = network.vc("VC", &[a, s, b], HopControl::None, SourceSpec::Greedy);
    network.spec.vcs[vc].hops[0].control = control;
    if count > 0 {
        let change = Change::FalsifyNextCredits { count, error, of };
        network.event(100, DirectionId(0).reverse(), change);
    }
    network.event(200, DirectionId::new(1, 0), Change::Blocked(true));
    network
}

/// Cells that overran the buffer of S, and cells held there at the end, under a scheme.
fn overrun(scheme: CreditScheme, count: u32, error: i32) -> (u64, u32) {
    let control = credit(scheme, N2, BUFFER - N2);
    let (_, counters) = run(&stopped(control, CreditsOf::AnyVc, count, error).spec);
    let hops = &counters.vcs[0].hops;
    assert!(hops[0].credits_falsified >= u64::from(count.min(1)));
    (hops[0].overrun_packets, hops[1].fill_packets)
}

/// Law: an absolute credit that is wrong by +e lets e cells overrun the buffer, and no more,
/// whatever number of credits is wrong: each sets the count to N2 + N3 + e less the cells that are
/// not freed. So a receiver that stops after it has N2 + N3 + e cells.
#[test]
fn too_much_by_e_overruns_by_e() {
    for scheme in [CreditScheme::N23, CreditScheme::Cup] {
        assert_eq!(overrun(scheme, 0, 0), (0, BUFFER));
        for error in [1_i32, 2, 7, 33] {
            let over = (u64::from(error.unsigned_abs()), BUFFER + error.unsigned_abs());
            assert_eq!(overrun(scheme, u32::MAX, error), over, "{scheme:?}");
        }
    }
}

/// Law: the next good credit takes all of it back. A hundred u after one false credit the absolute
/// schemes stop at N2 + N3, additive credit at N2 + N3 + e, and it would for ever.
#[test]
fn a_good_credit_takes_back_what_a_false_one_gave() {
    for error in [1_i32, 7] {
        let kept = error.unsigned_abs();
        assert_eq!(overrun(CreditScheme::N23, 1, error), (0, BUFFER));
        assert_eq!(overrun(CreditScheme::Cup, 1, error), (0, BUFFER));
        assert_eq!(overrun(CreditScheme::Additive, 1, error), (kept.into(), BUFFER + kept));
        let both = overrun(CreditScheme::Additive, 2, error);
        assert_eq!(both, (u64::from(2 * kept), BUFFER + 2 * kept));
    }
}

/// Law (by hand), with the loop of 2 u: four cells may start; the credits of 2 and 4 u carry 4, the
/// first is wrong by -2 and arrives at 3 u, where E = 1: the count is 1, not 3. So the cell of 4 u
/// waits until the second arrives at 5 u. For additive credit, which returns 2 each time, -2 is
/// lost: from 4 u on two may be under way, and with -2 again none, for ever.
#[test]
fn too_little_waits_for_the_next_good_credit() {
    let starts = |scheme, count, error| {
        let mut network = NetworkBuilder::new(40);
        let (a, b) = (network.host("A"), network.host("B"));
        network.link(a, b, 0);
        network.vc("VC", &[a, b], credit(scheme, 2, 2), burst(9));
        let change = Change::FalsifyNextCredits { count, error, of: CreditsOf::Vc(0) };
        network.event(0, DirectionId(1), change);
        let (rows, _) = run(&network.spec);
        let is_start = |row: &&TraceRow| row.event == TraceEvent::Started && row.direction == 0;
        rows.iter().filter(is_start).map(|row| row.time.0 / CELL.0).collect::<Vec<u64>>()
    };
    for scheme in [CreditScheme::N23, CreditScheme::Cup] {
        assert_eq!(starts(scheme, 1, -2), [0, 1, 2, 3, 5, 6, 7, 8, 9], "{scheme:?}");
    }
    assert_eq!(starts(CreditScheme::Additive, 1, -2), [0, 1, 2, 3, 5, 6, 8, 9, 11]);
    assert_eq!(starts(CreditScheme::Additive, 2, -2), [0, 1, 2, 3]);
}

/// Claim: a credit of nothing is no credit. A value of free room below zero is zero: with errors of
/// -N2 - N3 and less nothing more starts than what N2 + N3 and the good credits allow.
#[test]
fn an_amount_is_never_below_zero() {
    let sent = |error| {
        let control = n23(N2, BUFFER - N2);
        let (_, counters) = run(&stopped(control, CreditsOf::Vc(0), u32::MAX, error).spec);
        counters.vcs[0].hops[0].sent_packets
    };
    let buffer = i32::try_from(BUFFER).expect("small");
    assert_eq!(sent(-buffer), sent(-1_000_000));
    assert!(sent(-buffer) > 80 && sent(-1) > sent(-buffer));
}

const CBFC: CbfcSpec = CbfcSpec {
    block: Bytes::CELL,
    overhead: 0,
    buffer: BUFFER,
    min_spacing: CELL,
    max_spacing: cells_of(10),
    cc_timer: cells_of(50),
};

const fn cells_of(count: u64) -> hopflow_units::Picos {
    hopflow_units::Picos(CELL.0 * count)
}

/// Packets that overran the lane at S, and those that it held, if `count` of its credits are wrong
/// by `error`.
fn lane_overrun(rule: LaneRule, count: u32, error: i32) -> (u64, u64) {
    let mut network = stopped(HopControl::None, CreditsOf::Lane(0), count, error);
    network.spec.links[0].directions[0].lanes = Some(LanesSpec::new(1, rule));
    let (_, counters) = run(&network.spec);
    let lane = &counters.directions[0].lanes[0];
    (lane.overrun_packets, lane.held_max)
}

/// Law: the same holds for lanes, whose totals are absolute, too: +e overruns by e, and the next
/// good credit takes it back.
#[test]
fn a_lane_overruns_by_what_its_credits_are_wrong() {
    let credit = LaneCreditSpec { block: Bytes::CELL, buffer: BUFFER, update: N2, refresh: None };
    for rule in [LaneRule::Credit(credit), LaneRule::Cbfc(CBFC)] {
        assert_eq!(lane_overrun(rule, 0, 0).0, 0);
        for error in [1_i32, 5] {
            let over = (u64::from(error.unsigned_abs()), u64::from(BUFFER + error.unsigned_abs()));
            assert_eq!(lane_overrun(rule, u32::MAX, error), over, "{rule:?}");
            assert_eq!(lane_overrun(rule, 1, error).0, 0, "{rule:?}");
        }
    }
}

/// Law of CBFC: a CF ahead of CC leaves CC - CF just below 2^20, so it shuts the lane until the
/// next good update; a limit that does not wrap (FCCL) lets packets start instead.
#[test]
fn a_total_ahead_of_what_was_sent_shuts_the_lane() {
    let sent = |rule, count, error| {
        let mut network = stopped(HopControl::None, CreditsOf::Lane(0), count, error);
        network.spec.events.pop();
        network.spec.links[0].directions[0].lanes = Some(LanesSpec::new(1, rule));
        let (_, counters) = run(&network.spec);
        assert_eq!(counters.directions[0].lanes[0].overrun_packets, 0);
        counters.vcs[0].hops[0].sent_packets
    };
    let all = cells(1_000).0 / CELL.0;
    assert_eq!(sent(LaneRule::Cbfc(CBFC), 0, 0), all);
    let once = sent(LaneRule::Cbfc(CBFC), 1, 1_000);
    assert!((all - 10..all).contains(&once), "{once} of {all}: shut for a moment");
    assert!(sent(LaneRule::Cbfc(CBFC), u32::MAX, 1_000) < 200);
    let credit = LaneCreditSpec { block: Bytes::CELL, buffer: BUFFER, update: N2, refresh: None };
    assert_eq!(sent(LaneRule::Credit(credit), u32::MAX, 1_000), all);
}
