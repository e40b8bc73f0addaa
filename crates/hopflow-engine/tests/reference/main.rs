//! The reference engine by hand: tiny runs with every event derived, closed forms, and the
//! conservation of cells in random networks. A cell takes one microsecond, `u` below, on every
//! ordinary link.

use hopflow_units::{Cells, Picos, Rate, SimTime};

use hopflow_engine::ReferenceEngine;
use hopflow_network::{
    CellKind, Change, CreditScheme, DirectionId, Engine, HopControl, LinkSpec, NetworkSpec,
    RoundTrip, RunCounters, SourceSpec, TraceEvent, TraceFilter, TraceRow, WindowSpec,
};
use hopflow_testing::{
    CELL, NetworkBuilder, at, burst, cells, credit, n23, plain_direction, random_network,
};

mod closed_forms;
mod faults;
mod multicast;

/// The whole run: rows and counters.
fn run(spec: &NetworkSpec) -> (Vec<TraceRow>, RunCounters) {
    let filter = TraceFilter::all(spec.vcs.len(), spec.direction_count());
    let mut engine = ReferenceEngine::new(spec, filter);
    engine.run_until(SimTime::ZERO + spec.duration);
    let mut rows = Vec::new();
    engine.drain_trace(&mut rows);
    (rows, engine.counters())
}

/// One row as text: instant in u, what, VC and value, fill, credit count (if any).
fn describe(row: &TraceRow) -> String {
    let TraceRow { vc, value, fill, credit, event, kind, .. } = row;
    let time = row.time.0 as f64 / CELL.0 as f64;
    let credit = if *credit == u32::MAX { "-".to_owned() } else { credit.to_string() };
    format!("{time} {event:?} {kind:?} {vc}.{value} fill {fill} credit {credit}")
}

/// The starts of a direction: (instant in u, VC, value), data and ACK cells only.
fn cell_starts(rows: &[TraceRow], direction: usize) -> Vec<(u64, u32, u32)> {
    rows.iter()
        .filter(|row| row.event == TraceEvent::Started && row.direction as usize == direction)
        .filter(|row| !row.kind.is_control())
        .map(|row| (row.time.0 / CELL.0, row.vc, row.value))
        .collect()
}

/// A link whose cells take `time` u, without delay.
fn slow_link(network: &mut NetworkBuilder, from: usize, to: usize, time: u64) -> usize {
    let direction = plain_direction(424_000_000 / time, Picos::ZERO);
    network.link_of(LinkSpec {
        ends: [from, to],
        directions: [direction.clone(), direction],
        round_trip: RoundTrip::Loop,
    })
}

/// Claim: two cells at once on a link of delay 2 u leave back to back and arrive a cell time
/// and the delay after their starts; fill, areas and delays follow from that.
#[test]
fn two_cells_cross_one_link() {
    let mut network = NetworkBuilder::new(6);
    let (a, b) = (network.host("A"), network.host("B"));
    network.link(a, b, 2);
    network.vc("VC", &[a, b], HopControl::None, burst(2));
    let (rows, counters) = run(&network.spec);
    let text: Vec<String> = rows.iter().map(describe).collect();
    assert_eq!(
        text,
        [
            "0 Born Data 0.0 fill 1 credit 0",
            "0 Born Data 0.1 fill 2 credit 0",
            "0 Started Data 0.0 fill 2 credit -",
            "1 Left Data 0.0 fill 1 credit 0",
            "1 Started Data 0.1 fill 1 credit -",
            "2 Left Data 0.1 fill 0 credit 0",
            "3 Arrived Data 0.0 fill 0 credit 0",
            "4 Arrived Data 0.1 fill 0 credit 0",
        ]
    );
    let hop = &counters.vcs[0].hops[0];
    assert_eq!((hop.sent_packets, hop.received_packets, hop.fill_max_packets), (2, 2, 2));
    // Two cells for 1 u, one for 1 u; then nothing for the 4 u that are left.
    assert_eq!((hop.fill_area, hop.no_cell, hop.no_credit), (3_000_000, cells(4), cells(0)));
    assert_eq!(counters.nodes[a].buffered_area, 3_000_000);
    assert_eq!((counters.directions[0].busy, counters.directions[1].busy), (cells(2), cells(0)));
    let leaf = &counters.vcs[0].leaves[0];
    assert_eq!((leaf.first, leaf.last), (Some(at(3)), Some(at(4))));
    assert_eq!((leaf.delay.min_ps(), leaf.delay.max_ps()), (Some(3_000_000), Some(4_000_000)));
}

/// Claim [KMCL94] 4.3: with N2 = 2, N3 = 0 and a loop of 2 u the third cell waits for the credit
/// that the second cell's arrival at 2 u sets off. At 3 u it brings C = 2; the starts at 0 and
/// 1 u lie outside (1, 3], so E = 0.
#[test]
fn a_sender_without_credit_waits_for_one() {
    let mut network = NetworkBuilder::new(5);
    let (a, b) = (network.host("A"), network.host("B"));
    network.link(a, b, 0);
    network.vc("VC", &[a, b], n23(2, 0), burst(3));
    let (rows, counters) = run(&network.spec);
    let text: Vec<String> = rows.iter().skip(3).map(describe).collect();
    assert_eq!(
        text,
        [
            "0 Started Data 0.0 fill 3 credit 1",
            "1 Left Data 0.0 fill 2 credit 0",
            "1 Started Data 0.1 fill 2 credit 0",
            "1 Arrived Data 0.0 fill 0 credit 0",
            "2 Left Data 0.1 fill 1 credit 0",
            "2 Arrived Data 0.1 fill 0 credit 0",
            "2 Started Credit 0.2 fill 0 credit 0",
            "3 Arrived Credit 0.2 fill 1 credit 2",
            "3 Started Data 0.2 fill 1 credit 1",
            "4 Left Data 0.2 fill 0 credit 0",
            "4 Arrived Data 0.2 fill 0 credit 0",
        ]
    );
    let hop = &counters.vcs[0].hops[0];
    assert_eq!((hop.no_credit, hop.no_credit_count, hop.no_cell), (cells(1), 1, cells(1)));
    assert_eq!((hop.credits_sent, hop.credits_taken), (1, 1));
}

/// Claim: on a switch a cell is freed when its last bit has left, and that is when its credit
/// falls due: cell 0 arrives at 1 u, leaves at 2 u (C = 2 - 1, cell 1 has arrived), and its credit
/// is back at 3 u, where E counts the starts in (1, 3]: none. CC = 1. By then
/// cell 1 has left an empty switch (C = 2). The final host frees at once and grants 2.
#[test]
fn a_switch_frees_a_cell_as_it_leaves() {
    let mut network = NetworkBuilder::new(4);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 0);
    network.link(s, b, 0);
    network.vc("VC", &[a, s, b], n23(1, 1), burst(4));
    let (rows, _) = run(&network.spec);
    let at_switch =
        |row: &&TraceRow| (1..=2).contains(&row.direction) || row.kind == CellKind::Credit;
    let early = |row: &&TraceRow| row.time < at(3) && row.time > at(0);
    let text: Vec<String> = rows.iter().filter(at_switch).filter(early).map(describe).collect();
    assert_eq!(
        text,
        [
            "1 Started Data 0.0 fill 1 credit 1",
            "2 Left Data 0.0 fill 0 credit 0",
            "2 Started Credit 0.1 fill 0 credit 0",
            "2 Started Data 0.1 fill 1 credit 0",
            "2 Arrived Data 0.0 fill 0 credit 0",
            "2 Started Credit 0.2 fill 0 credit 0",
        ]
    );
    let back: Vec<String> = rows
        .iter()
        .filter(|row| row.direction == 1 && row.time == at(3))
        .map(describe_short)
        .collect();
    assert_eq!(back, ["Arrived 1 credit 1", "Started 2 credit 0"]);
}

fn describe_short(row: &TraceRow) -> String {
    format!("{:?} {} credit {}", row.event, row.value, row.credit)
}

/// Claim: two greedy VCs share an output in turns. Their first cells reach the switch at the
/// same instant; the one from the lower port starts first.
#[test]
fn greedy_vcs_take_turns() {
    let mut network = NetworkBuilder::new(8);
    let (a, b, s) = (network.host("A"), network.host("B"), network.switch("S"));
    let c = network.host("C");
    network.link(b, s, 0);
    network.link(a, s, 0);
    network.link(s, c, 0);
    network.vc("from A", &[a, s, c], HopControl::None, SourceSpec::Greedy);
    network.vc("from B", &[b, s, c], HopControl::None, SourceSpec::Greedy);
    let (rows, _) = run(&network.spec);
    let expected: Vec<(u64, u32, u32)> =
        vec![(1, 1, 0), (2, 0, 0), (3, 1, 1), (4, 0, 1), (5, 1, 2), (6, 0, 2), (7, 1, 3)];
    assert_eq!(cell_starts(&rows, 4), expected);
}

/// Claim: a cell of priority 0 that arrives second starts before one of priority 1 that waits.
#[test]
fn priority_zero_is_served_first() {
    let mut network = NetworkBuilder::new(6);
    let (a, b) = (network.host("A"), network.host("B"));
    network.link(a, b, 0);
    let low = network.vc("low", &[a, b], HopControl::None, burst(3));
    let high = network.vc("high", &[a, b], HopControl::None, burst(2));
    network.spec.vcs[low].priority = 1;
    network.spec.vcs[high].start = at(1);
    let (rows, _) = run(&network.spec);
    let expected = vec![(0, 0, 0), (1, 1, 0), (2, 1, 1), (3, 0, 1), (4, 0, 2)];
    assert_eq!(cell_starts(&rows, 0), expected);
}

/// Claim: a VC found without permission is taken off the list, passed over, and joins the end
/// again when its credit arrives. The capped VC has credit for one cell; its credit, set off at
/// 1 u, is back at 2 u, where it joins behind the free VC, which has kept its place.
#[test]
fn a_vc_without_credit_is_passed_over() {
    let mut network = NetworkBuilder::new(6);
    let (a, b) = (network.host("A"), network.host("B"));
    network.link(a, b, 0);
    network.vc("capped", &[a, b], n23(1, 0), burst(3));
    network.vc("free", &[a, b], HopControl::None, burst(9));
    let (rows, _) = run(&network.spec);
    let expected = vec![(0, 0, 0), (1, 1, 0), (2, 1, 1), (3, 0, 1), (4, 1, 2), (5, 1, 3)];
    assert_eq!(cell_starts(&rows, 0), expected);
}

/// Claim: a credit starts before the data that waits. B's own cells start at 0 and 1 u; at 2 u the
/// credit for A falls due and takes the slot, and B's third cell follows at 3 u.
#[test]
fn a_credit_goes_before_data() {
    let mut network = NetworkBuilder::new(5);
    let (a, b) = (network.host("A"), network.host("B"));
    network.link(a, b, 0);
    network.vc("VC", &[a, b], n23(2, 0), burst(3));
    network.vc("back", &[b, a], HopControl::None, burst(3));
    let (rows, counters) = run(&network.spec);
    assert_eq!(cell_starts(&rows, 1), vec![(0, 1, 0), (1, 1, 1), (3, 1, 2)]);
    assert_eq!(
        (counters.directions[1].data_packets, counters.directions[1].control_packets),
        (3, 1)
    );
}

/// Claim: a window of one cell gives one cell per loop of 2 u; the ACK of cell n carries n + 1
/// and sets the count back to 1.
#[test]
fn a_window_of_one_gives_one_cell_per_loop() {
    let mut network = NetworkBuilder::new(6);
    let (a, b) = (network.host("A"), network.host("B"));
    network.link(a, b, 0);
    let vc = network.vc("VC", &[a, b], HopControl::None, burst(4));
    network.spec.vcs[vc].window = Some(WindowSpec { cells: Cells(1), ack_every: Cells(1) });
    let (rows, counters) = run(&network.spec);
    assert_eq!(cell_starts(&rows, 0), vec![(0, 0, 0), (2, 0, 1), (4, 0, 2)]);
    assert_eq!(cell_starts(&rows, 1), vec![(1, 0, 1), (3, 0, 2), (5, 0, 3)]);
    let acks: Vec<String> = rows
        .iter()
        .filter(|row| row.kind == CellKind::Ack && row.event == TraceEvent::Arrived)
        .map(describe)
        .collect();
    assert_eq!(acks, ["2 Arrived Ack 0.1 fill 0 credit 1", "4 Arrived Ack 0.2 fill 0 credit 1"]);
    assert_eq!((counters.vcs[0].ack_cells, counters.vcs[0].acked_cells), (3, 2));
    // Blocked whenever the cell has left and its ACK is not back: [1, 2), [3, 4), [5, 6).
    assert_eq!(counters.vcs[0].hops[0].no_credit, cells(3));
}

/// Claim: no data starts before R is measured; a loop cell out and back takes the true loop,
/// 2 x (3 + 1) u here.
#[test]
fn data_waits_until_r_is_measured() {
    let mut network = NetworkBuilder::new(10);
    let (a, b) = (network.host("A"), network.host("B"));
    let link = network.link(a, b, 3);
    network.spec.links[link].round_trip = RoundTrip::Measured;
    network.vc("VC", &[a, b], n23(2, 9), SourceSpec::Greedy);
    let (rows, counters) = run(&network.spec);
    assert_eq!(cell_starts(&rows, 0), vec![(8, 0, 0), (9, 0, 1)]);
    // Waiting for a shut link is neither want of cells nor want of credit.
    let hop = &counters.vcs[0].hops[0];
    assert_eq!((hop.no_cell, hop.no_credit), (cells(0), cells(0)));
    assert_eq!(counters.directions[0].control_packets, 2);
}

/// Claim: a greedy source works from its start up to its stop, and has no cell outside.
#[test]
fn a_greedy_source_keeps_its_times() {
    let mut network = NetworkBuilder::new(9);
    let (a, b) = (network.host("A"), network.host("B"));
    network.link(a, b, 0);
    let vc = network.vc("VC", &[a, b], HopControl::None, SourceSpec::Greedy);
    (network.spec.vcs[vc].start, network.spec.vcs[vc].stop) = (at(2), Some(at(4)));
    let (rows, counters) = run(&network.spec);
    assert_eq!(cell_starts(&rows, 0), vec![(2, 0, 0), (3, 0, 1)]);
    assert_eq!(counters.vcs[0].hops[0].no_cell, cells(2 + 5));
}

/// Claim: over random networks no cell is lost from the books, wherever the run is read, and
/// reading changes nothing.
#[test]
fn random_networks_conserve_cells() {
    for seed in 0..300 {
        let spec = random_network(seed);
        let mut whole = ReferenceEngine::new(&spec, TraceFilter::none());
        let mut parts = ReferenceEngine::new(&spec, TraceFilter::none());
        let end = SimTime::ZERO + spec.duration;
        for part in 1..=7 {
            parts.run_until(SimTime(end.0 / 7 * part));
            assert_eq!(parts.counters(), parts.counters());
        }
        parts.run_until(end);
        whole.run_until(end);
        assert_eq!(whole.counters(), parts.counters(), "seed {seed}");
    }
}
