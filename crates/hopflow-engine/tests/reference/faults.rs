//! Lost and left-out credits, requests, blocked links, full buffers.

use super::*;
use hopflow_units::Probability;

fn one_hop(duration: u64, control: HopControl, source: SourceSpec) -> NetworkBuilder {
    let mut network = NetworkBuilder::new(duration);
    let (a, b) = (network.host("A"), network.host("B"));
    network.link(a, b, 0);
    network.vc("VC", &[a, b], control, source);
    network
}

/// A copy of `control` with requests after `request` u and redundant credits every `redundant` u
/// (0: none).
fn with_repairs(control: HopControl, request: u64, redundant: u64) -> HopControl {
    let HopControl::Credit(mut credit) = control else { return control };
    credit.request_after = (request > 0).then(|| cells(request));
    credit.redundant_every = (redundant > 0).then(|| cells(redundant));
    HopControl::Credit(credit)
}

/// Claim [KMCL94] 4.5: a corrupted credit is discarded and the next one repairs everything. Four
/// cells may start; the credits set off at 2 u (lost) and 4 u carry 4, the second is back at 5 u
/// with E = 0, so the fifth cell starts at 5 u instead of 4 u.
#[test]
fn the_next_credit_repairs_a_lost_one() {
    let mut network = one_hop(8, n23(2, 2), burst(6));
    let change = Change::CorruptNextCredits { count: 1, vc: None };
    network.event(0, DirectionId(1), change);
    let (rows, counters) = run(&network.spec);
    let starts: Vec<u64> = cell_starts(&rows, 0).iter().map(|start| start.0).collect();
    assert_eq!(starts, [0, 1, 2, 3, 5, 6]);
    let hop = &counters.vcs[0].hops[0];
    assert_eq!((hop.credits_sent, hop.credits_corrupted, hop.credits_taken), (3, 1, 1));
}

/// Claim: corrupt-next for a VC spares the credits of others, and precedes what is left for
/// any VC.
#[test]
fn credits_to_corrupt_are_selected_by_vc() {
    let mut network = one_hop(8, n23(1, 5), burst(3));
    network.vc("other", &[0, 1], n23(1, 5), burst(3));
    let of_one = Change::CorruptNextCredits { count: 2, vc: Some(1) };
    network.event(0, DirectionId(1), of_one);
    network.event(0, DirectionId(1), Change::CorruptNextCredits { count: 1, vc: None });
    let (_, counters) = run(&network.spec);
    let lost: Vec<u64> = counters.vcs.iter().map(|vc| vc.hops[0].credits_corrupted).collect();
    // VC 0's first credit uses up the one for any; VC 1's first two use up their own.
    assert_eq!(lost, [1, 2]);
}

/// Claim: additive credit leaks what is lost for ever, and a request does not help: with N2 = 2,
/// N3 = 0 the credit for cells 0 and 1 is lost, and nothing was freed since it started.
#[test]
fn additive_credit_leaks_and_absolute_credit_does_not() {
    let sent = |scheme| {
        let control = with_repairs(credit(scheme, 2, 0), 4, 0);
        let mut network = one_hop(40, control, SourceSpec::Greedy);
        let change = Change::CorruptNextCredits { count: 1, vc: None };
        network.event(0, DirectionId(1), change);
        let (_, counters) = run(&network.spec);
        (counters.vcs[0].hops[0].sent_packets, counters.vcs[0].hops[0].request_cells)
    };
    // Blocked from 2 u on; a request each 4 u: 6, 10, ..., 38.
    assert_eq!(sent(CreditScheme::Additive), (2, 9));
    // The request of 6 u arrives at 7 u, its credit at 8 u; from then on two cells each 3 u.
    assert_eq!(sent(CreditScheme::N23), (2 + 2 * 10 + 2, 1));
    assert_eq!(sent(CreditScheme::Cup), (2 + 2 * 10 + 2, 1));
}

/// Claim: when C = 0 the credit is left out and the next freed cell asks again. Redundant credits
/// are asked for at 2 and 4 u, when the switch holds both cells of N2 + N3 = 2. Its output takes
/// 4 u per cell, so cell 0 is freed at 5 u, and asks although N2 = 2 cells are not yet freed.
#[test]
fn a_credit_of_nothing_is_left_out() {
    let mut network = NetworkBuilder::new(6);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 0);
    slow_link(&mut network, s, b, 4);
    let vc = network.vc("VC", &[a, s, b], HopControl::None, burst(3));
    network.spec.vcs[vc].hops[0].control = with_repairs(n23(2, 0), 0, 2);
    let (rows, counters) = run(&network.spec);
    let credits: Vec<String> =
        rows.iter().filter(|row| row.kind == CellKind::Credit).map(describe).collect();
    assert_eq!(credits, ["5 Started Credit 0.1 fill 0 credit 0"]);
    let hop = &counters.vcs[0].hops[0];
    assert_eq!((hop.credits_left_out, hop.credits_sent, hop.overrun_packets), (2, 1, 0));
}

/// Claim: a blocked link starts no data from the instant of the event on, until it is opened;
/// that is no want of credit.
#[test]
fn a_blocked_link_starts_no_data() {
    let mut network = one_hop(8, HopControl::None, burst(3));
    network.event(1, DirectionId(0), Change::Blocked(true));
    network.event(4, DirectionId(0), Change::Blocked(false));
    let (rows, counters) = run(&network.spec);
    assert_eq!(cell_starts(&rows, 0), vec![(0, 0, 0), (4, 0, 1), (5, 0, 2)]);
    assert_eq!(counters.vcs[0].hops[0].no_credit, cells(0));
}

/// Claim: a switch that may hold two cells drops what finds it full; a cell in transmission is
/// held. Output cells take 4 u: cells 0 and 1 arrive at 1 and 2 u, cells 2 and 3 find both, cell 0
/// is freed at 5 u just before cell 4 arrives.
#[test]
fn a_full_switch_drops_what_arrives() {
    let mut network = NetworkBuilder::new(6);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, 0);
    slow_link(&mut network, s, b, 4);
    network.vc("VC", &[a, s, b], HopControl::None, burst(6));
    network.spec.nodes[s].buffer = Some(Cells(2).into());
    let (rows, counters) = run(&network.spec);
    let dropped = |row: &&TraceRow| row.event == TraceEvent::Dropped;
    let text: Vec<String> = rows.iter().filter(dropped).map(describe).collect();
    assert_eq!(text, ["3 Dropped Data 0.2 fill 2 credit 0", "4 Dropped Data 0.3 fill 2 credit 0"]);
    assert_eq!(counters.vcs[0].hops[0].dropped_packets, 2);
    assert_eq!(counters.nodes[s].buffered_max_packets, 2);
}

/// Claim: a full source host drops cells that its source creates; the cells it accepts are numbered
/// without a gap, so a window counts right and does not stop.
#[test]
fn a_full_host_drops_what_its_source_makes() {
    let mut network = one_hop(20, HopControl::None, burst(6));
    network.spec.nodes[0].vc_buffer = Some(Cells(2).into());
    let window = WindowSpec { cells: Cells(1), ack_every: Cells(1) };
    network.spec.vcs[0].window = Some(window);
    let SourceSpec::Replay { times } = &mut *network.spec.vcs[0].source else {
        unreachable!("a burst is replayed")
    };
    times.push(cells(10));
    let (rows, counters) = run(&network.spec);
    assert_eq!(cell_starts(&rows, 0), vec![(0, 0, 0), (2, 0, 1), (10, 0, 2)]);
    assert_eq!((counters.vcs[0].created_packets, counters.vcs[0].hops[0].given_up_packets), (7, 4));
}

/// Claim: certain corruption loses every cell and every credit, and the counters say which.
#[test]
fn corrupted_cells_are_counted() {
    let mut network = one_hop(10, n23(1, 3), burst(2));
    network.spec.links[0].directions[0].corrupt_data = Probability::ONE;
    let (_, counters) = run(&network.spec);
    let hop = &counters.vcs[0].hops[0];
    assert_eq!((hop.corrupted_packets, hop.received_packets, hop.credits_sent), (2, 0, 0));
}

/// Claim: with R shorter than the loop, E misses cells in flight and the promise is broken; the
/// overruns are counted, and nothing is lost.
#[test]
fn too_short_an_r_overruns() {
    let overruns = |round_trip| {
        let mut network = NetworkBuilder::new(400);
        let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
        let link = network.link(a, s, 9);
        slow_link(&mut network, s, b, 4);
        let vc = network.vc("VC", &[a, s, b], HopControl::None, SourceSpec::Greedy);
        network.spec.vcs[vc].hops[0].control = n23(4, 20);
        network.spec.links[link].round_trip = round_trip;
        let (_, counters) = run(&network.spec);
        counters.vcs[0].hops[0].overrun_packets
    };
    assert_eq!(overruns(RoundTrip::Loop), 0);
    assert_eq!(overruns(RoundTrip::Fixed(cells(25))), 0);
    assert!(overruns(RoundTrip::Fixed(cells(10))) > 0);
}
