//! Claims about credit cells that VCs share: what is in a cell, what they cost, and what one lost
//! cell takes with it. A cell takes 1 u on every link.

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{
    CellKind, Change, CreditsOf, DirectionId, Engine, HopControl, NetworkSpec, RunCounters,
    SourceSpec, TraceEvent, TraceFilter, TraceRow,
};
use hopflow_testing::{CELL, NetworkBuilder, burst, cells, n23};
use hopflow_units::SimTime;

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

/// N23 with up to `n` credits in a cell.
fn shared(n2: u32, n3: u32, n: u32) -> HopControl {
    let HopControl::Credit(mut credit) = n23(n2, n3) else { panic!("N23 is credit") };
    credit.per_cell = n;
    HopControl::Credit(credit)
}

/// Three VCs from A to B with bursts of two cells, N2 = 2, N3 = 4.
fn three(n: u32) -> NetworkBuilder {
    let mut network = NetworkBuilder::new(20);
    let (a, b) = (network.host("A"), network.host("B"));
    network.link(a, b, 0);
    for vc in 0..3 {
        network.vc(&format!("VC{vc}"), &[a, b], shared(2, 4, n), burst(2));
    }
    network
}

/// The rows of credits: instant in u, event, kind, VC, value and credit count.
fn credits(rows: &[TraceRow]) -> Vec<String> {
    let is_one = |row: &&TraceRow| matches!(row.kind, CellKind::Credit | CellKind::FurtherCredit);
    let text = |row: &TraceRow| {
        let TraceRow { time, event, kind, vc, value, credit, .. } = row;
        format!("{} {event:?} {kind:?} {vc}.{value} {credit}", time.0 / CELL.0)
    };
    rows.iter().filter(is_one).map(text).collect()
}

/// Claim (event snapshot, by hand): cells of the VCs take turns and arrive at 1 to 6 u. VC 0 is due
/// at 4 u; its cell takes VC 1 and VC 2 along, of which one cell each was freed. At 5 u no cell of
/// VC 0 and VC 2 has started in the last R of 2 u, and one of VC 1. Cells that VC 1 and VC 2 free
/// at 5 and 6 u are their first ones again, so nothing else is due.
#[test]
fn a_cell_takes_fresh_vcs_along() {
    let (rows, counters) = run(&three(3).spec);
    let expected = [
        "4 Started Credit 0.6 0",
        "4 Started FurtherCredit 1.6 0",
        "4 Started FurtherCredit 2.6 0",
        "5 Arrived Credit 0.6 6",
        "5 Arrived FurtherCredit 1.6 5",
        "5 Arrived FurtherCredit 2.6 6",
    ];
    assert_eq!(credits(&rows), expected);
    let count = |vc: usize| {
        let hop = &counters.vcs[vc].hops[0];
        [hop.credits_sent, hop.credits_shared, hop.credits_taken]
    };
    assert_eq!([count(0), count(1), count(2)], [[1, 0, 1], [1, 1, 1], [1, 1, 1]]);
    let back = &counters.directions[1];
    assert_eq!((back.control_packets, back.control_in_flight, back.busy), (1, 0, cells(1)));
}

/// Claim: two credits in a cell leave VC 2 out; it is due two cells later, with VC 1, whose cell
/// of 5 u is fresh. One credit in a cell is what it always was.
#[test]
fn a_cell_has_at_most_n_credits() {
    let started = |n| {
        let (rows, _) = run(&three(n).spec);
        let started = credits(&rows).into_iter().filter(|row| row.contains("Started"));
        started.map(|row| row.replace("Started ", "")).collect::<Vec<_>>()
    };
    let first = ["4 Credit 0.6 0", "4 FurtherCredit 1.6 0"];
    let second = ["6 Credit 2.6 0", "6 FurtherCredit 1.6 0"];
    assert_eq!(started(2), [first, second].concat());
    assert_eq!(started(1), ["4 Credit 0.6 0", "5 Credit 1.6 0", "6 Credit 2.6 0"]);
}

/// Claim: a corrupted cell loses all its credits, whichever VC it is named for, and uses up one
/// event; a false credit is that of one VC.
#[test]
fn a_lost_cell_loses_all_its_credits() {
    for vc in [None, Some(0), Some(1), Some(2)] {
        let mut network = three(3);
        network.event(0, DirectionId(1), Change::CorruptNextCredits { count: 1, vc });
        let (rows, counters) = run(&network.spec);
        let lost = counters.vcs.iter().map(|vc| vc.hops[0].credits_corrupted);
        assert_eq!(lost.collect::<Vec<_>>(), [1, 1, 1]);
        let corrupted = rows.iter().filter(|row| row.event == TraceEvent::Corrupted);
        assert_eq!(corrupted.count(), 3);
    }
    let mut network = three(3);
    let of = CreditsOf::Vc(1);
    network.event(0, DirectionId(1), Change::FalsifyNextCredits { count: 2, error: -1, of });
    let (rows, counters) = run(&network.spec);
    assert!(credits(&rows).contains(&"5 Arrived FurtherCredit 1.5 4".to_owned()));
    assert_eq!(counters.vcs[1].hops[0].credits_falsified, 1);
}

/// The share of credit cells in all cells of the link between two switches that is full both ways,
/// with `vcs` greedy VCs each way, after a start-up.
fn overhead(n: u32, n2: u32, vcs: usize) -> f64 {
    let mut network = NetworkBuilder::new(30_000);
    let (s, t) = (network.switch("S"), network.switch("T"));
    network.link(s, t, 5);
    for vc in 0..vcs {
        let (a, b) = (network.host(&format!("A{vc}")), network.host(&format!("B{vc}")));
        network.link(a, s, 1);
        network.link(b, t, 1);
        for route in [[a, s, t, b], [b, t, s, a]] {
            let name = format!("VC{vc} from {}", route[0]);
            let vc = network.vc(&name, &route, n23(10, 40), SourceSpec::Greedy);
            network.spec.vcs[vc].hops[1].control = shared(n2, 40, n);
        }
    }
    let mut engine = WindowedEngine::new(&network.spec, TraceFilter::none(), 1);
    let mut counted = |end: u64| {
        engine.run_until(SimTime(network.spec.duration.0 / 30 * end));
        let count = engine.counters().directions.swap_remove(0);
        assert_eq!(count.busy.0, CELL.0 * (count.data_packets + count.control_packets));
        [count.data_packets, count.control_packets].map(|cells| cells as f64)
    };
    let (before, after) = (counted(10), counted(30));
    let [data, control] = [after[0] - before[0], after[1] - before[1]];
    // The link is full, but for the turn that its VCs take.
    assert!(data + control > 0.99 * 20_000.0, "{data} + {control}");
    control / (data + control)
}

/// Law, Eq. (5) of `carrier.rs`: no cell covers more than n N2 cells of data, so the overhead of a
/// link that is full both ways is at least 1 / (n N2 + 1). With n = 1 it is that (the 1/11 of
/// [KMCL94] 4.4). Of V VCs of equal rate a cell covers V N2 / ceil(V / n), n N2 if n divides V,
/// less at most one cell for each credit but the first.
#[test]
fn the_overhead_falls_as_the_law_says() {
    assert!((overhead(1, 10, 6) * 11.0 - 1.0).abs() < 0.005);
    let in_step = [(2, 10, 2), (3, 5, 3), (6, 10, 6), (6, 3, 6)];
    let in_turn = [(2, 10, 12), (6, 10, 12), (6, 10, 7)];
    for (n, n2, vcs) in in_step.into_iter().chain(in_turn) {
        let share = overhead(n, n2, vcs as usize);
        let rounds = f64::from(vcs).div_euclid(f64::from(n)) + f64::from(u32::from(vcs % n > 0));
        let covered = f64::from(vcs * n2) / rounds;
        let (least, most) = (1.0 / (covered + 1.0), 1.0 / (covered - f64::from(n - 1) + 1.0));
        let law = 1.0 / f64::from(n * n2 + 1);
        assert!(share > 0.995 * law, "{n} {n2} {vcs}: {share}, never below {law}");
        // Ends of the measured span are a cell off.
        let is_inside = (0.995 * least..1.005 * most).contains(&share);
        assert!(is_inside, "{n} {n2} {vcs}: {share}, {least} to {most}");
    }
}
