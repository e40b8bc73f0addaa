//! One copy, several branches.

use super::*;

/// A -> S -> B (1 u per cell) and S -> C (4 u per cell), two cells at once, N2 = 1, N3 = 3 to S.
fn fork() -> NetworkBuilder {
    let mut network = NetworkBuilder::new(20);
    let (a, s) = (network.host("A"), network.switch("S"));
    let (b, c) = (network.host("B"), network.host("C"));
    network.link(a, s, 0);
    network.link(s, b, 0);
    slow_link(&mut network, s, c, 4);
    let vc = network.tree("VC", &[(a, s), (s, b), (s, c)], HopControl::None, burst(2));
    network.spec.vcs[vc].hops[0].control = n23(1, 3);
    network
}

/// Claim: a multicast cell is held once and freed when the slower branch has sent it. Cells come
/// at 1 and 2 u; B sends them at 1 and 2 u, C at 1 and 5 u; they are freed at 5 and 9 u, and each
/// sets off a credit then.
#[test]
fn the_slowest_branch_frees_a_cell() {
    let (rows, counters) = run(&fork().spec);
    assert_eq!(cell_starts(&rows, 2), vec![(1, 0, 0), (2, 0, 1)]);
    assert_eq!(cell_starts(&rows, 4), vec![(1, 0, 0), (5, 0, 1)]);
    let started =
        |row: &&TraceRow| row.kind == CellKind::Credit && row.event == TraceEvent::Started;
    let credits: Vec<String> = rows.iter().filter(started).map(describe).collect();
    assert_eq!(
        credits,
        ["5 Started Credit 0.3 fill 0 credit 0", "9 Started Credit 0.4 fill 0 credit 0"]
    );
    // Held: one in [1, 2), two in [2, 5), one in [5, 9).
    let node = &counters.nodes[1];
    assert_eq!((node.buffered_max_packets, node.buffered_area), (2, 11_000_000));
    let delivered: Vec<u64> = counters.vcs[0].leaves.iter().map(|l| l.delivered_packets).collect();
    assert_eq!(delivered, [2, 2]);
}

/// Claim: with a run-ahead limit of 0 the fast branch waits for the slow one: no cell starts
/// while an older one is held.
#[test]
fn a_run_ahead_limit_holds_the_fast_branch() {
    let mut network = fork();
    network.spec.vcs[0].multicast.run_ahead = Some(Cells(0));
    let (rows, counters) = run(&network.spec);
    assert_eq!(cell_starts(&rows, 2), vec![(1, 0, 0), (5, 0, 1)]);
    // From the end of its first cell at 2 u, when the second has arrived, to 5 u.
    assert_eq!(counters.vcs[0].hops[1].no_credit, cells(3));
}

/// Claim: a branch behind a blocked link is given up 5 u after its next cell arrived (at 1 u), and
/// then both cells, which the other branch has sent, are dropped for it and freed.
#[test]
fn a_blocked_branch_is_given_up() {
    let mut network = fork();
    network.event(0, DirectionId(4), Change::Blocked(true));
    network.spec.vcs[0].multicast.give_up_after = Some(cells(5));
    let (rows, counters) = run(&network.spec);
    let dropped = |row: &&TraceRow| row.event == TraceEvent::Dropped;
    let text: Vec<String> = rows.iter().filter(dropped).map(describe).collect();
    assert_eq!(text, ["6 Dropped Data 0.0 fill 1 credit 0", "6 Dropped Data 0.1 fill 0 credit 0"]);
    assert_eq!(counters.vcs[0].hops[2].given_up_packets, 2);
    assert_eq!(counters.nodes[1].buffered_packets, 0);
}

/// Claim: when every branch has been given up nothing is dropped; the first that starts again
/// makes the others lose what it has sent. Both outputs are shut until 10 u; then B opens.
#[test]
fn when_all_branches_are_given_up_nothing_is_dropped() {
    let mut network = fork();
    network.event(0, DirectionId(2), Change::Blocked(true));
    network.event(0, DirectionId(4), Change::Blocked(true));
    network.event(10, DirectionId(2), Change::Blocked(false));
    network.spec.vcs[0].multicast.give_up_after = Some(cells(5));
    let (rows, counters) = run(&network.spec);
    let dropped: Vec<String> =
        rows.iter().filter(|row| row.event == TraceEvent::Dropped).map(describe).collect();
    // B sends at 10 and 11 u; each cell is dropped for C as B has sent it.
    assert_eq!(
        dropped,
        ["11 Dropped Data 0.0 fill 1 credit 0", "12 Dropped Data 0.1 fill 0 credit 0"]
    );
    assert_eq!(counters.vcs[0].hops[1].given_up_packets, 0);
}
