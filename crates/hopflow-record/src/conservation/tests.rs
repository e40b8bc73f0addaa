//! Correct counters pass; each manipulated one is found.

use hopflow_control::scheduler::Reservation;
use hopflow_network::counters::{HopCounters, SetUpCounters, VcCounters};
use hopflow_network::{
    DelayHistogram, HopControl, NetworkSpec, RoundTrip, RunCounters, WindowSpec,
};
use hopflow_units::{Bytes, Cells, Picos, Rate};

use super::reservations::Reservations;
use crate::fixture::{
    T, breaches, check_conservation, line, line_counters, n23_hop, vc, violations,
};
use crate::{Property, Violation};

fn broken_law(change: impl FnOnce(&mut RunCounters)) -> &'static str {
    let mut counters = line_counters();
    change(&mut counters);
    check_conservation(&line(), &counters).expect_err("the doctored counter is found").law
}

/// Claim: the counters of a run in which every cell is accounted for pass, and no violation is
/// reported.
#[test]
fn right_counters_pass() {
    assert_eq!(check_conservation(&line(), &line_counters()), Ok(()));
    assert_eq!(violations(&line(), &line_counters()), []);
}

/// Claim: one cell more or less in any counter violates a law, and the law is named.
#[test]
fn a_doctored_counter_is_found() {
    let came = "came in = policed + lost + left + held";
    assert_eq!(broken_law(|c| c.vcs[0].created_packets += 1), came);
    assert_eq!(broken_law(|c| c.vcs[0].hops[1].fill_packets += 1), came);
    assert_eq!(broken_law(|c| c.vcs[0].hops[0].given_up_packets += 1), came);
    assert_eq!(broken_law(|c| c.vcs[0].hops[1].pushed_out_packets += 1), came);
    assert_eq!(broken_law(|c| c.vcs[0].policed_packets += 1), came);
    let started = "started = left + in transmission";
    assert_eq!(broken_law(|c| c.vcs[0].hops[0].sent_packets += 1), started);
    let flight = "data cells in flight = started - arrived";
    assert_eq!(broken_law(|c| c.vcs[0].hops[0].dropped_packets += 1), flight);
    assert_eq!(broken_law(|c| c.directions[2].data_in_flight -= 1), flight);
    assert_eq!(
        broken_law(|c| c.vcs[0].hops[0].corrupted_packets += 2),
        "started >= taken in + corrupted + dropped"
    );
    assert_eq!(broken_law(|c| c.vcs[0].leaves[0].delivered_packets -= 1), "taken in = delivered");
    assert_eq!(
        broken_law(|c| c.directions[0].data_packets += 1),
        "data cells started = those of its VCs"
    );
    assert_eq!(
        broken_law(|c| c.directions[1].control_packets -= 1),
        "control cells started = credits + requests"
    );
    assert_eq!(
        broken_law(|c| c.directions[1].control_in_flight = 0),
        "control cells in flight = started - arrived"
    );
    assert_eq!(
        broken_law(|c| c.vcs[0].hops[0].credits_taken += 2),
        "credits started >= taken in + corrupted"
    );
    assert_eq!(
        broken_law(|c| c.directions[0].queue_packets = 0),
        "cells at the port = those of its VCs"
    );
    assert_eq!(broken_law(|c| c.nodes[1].buffered_packets = 2), "cells held = those of its VCs");
}

/// Claim: cells that a policer discards, or that others push out, are accounted for: of 10 created
/// cells one was policed and one pushed out at the host. Bytes must be those of packets of the VC's
/// size, and the number of waiting times is that of delivered cells.
#[test]
fn policed_and_pushed_out_cells_are_accounted_for() {
    let mut counters = line_counters();
    let vc = &mut counters.vcs[0];
    (vc.created_packets, vc.policed_packets) = (10, 1);
    vc.hops[0].pushed_out_packets = 1;
    assert_eq!(check_conservation(&line(), &counters), Ok(()));
    let most = "cells x greatest size >= delivered bytes";
    assert_eq!(broken_law(|c| c.vcs[0].leaves[0].delivered_bytes += 1), most);
    let least = "delivered bytes >= cells x least size";
    assert_eq!(broken_law(|c| c.vcs[0].leaves[0].delivered_bytes -= 1), least);
    let waiting = Some(DelayHistogram::default());
    let measured = "delays measured = waiting measured";
    assert_eq!(broken_law(|c| c.vcs[0].leaves[0].waiting = waiting), measured);
}

/// Claim: a slow-down of the switch crosses the link back to the host, or still waits there; more
/// of them than were sent are an imbalance. Pushing out a cell of a VC that arrived under credit
/// control is a congestion loss.
#[test]
fn slow_downs_and_pushed_out_cells_are_accounted_for() {
    let mut counters = line_counters();
    counters.vcs[0].hops[1].slow_down_messages = 2;
    for started in 0..=2 {
        counters.directions[1].control_packets = 2 + started;
        assert_eq!(check_conservation(&line(), &counters), Ok(()));
    }
    counters.directions[1].control_packets = 5;
    let law = check_conservation(&line(), &counters).unwrap_err().law;
    assert_eq!(law, "credits + requests + messages >= control cells started");
    let mut counters = line_counters();
    let hop = &mut counters.vcs[0].hops[1];
    (hop.pushed_out_packets, hop.fill_packets) = (1, 0);
    (counters.directions[2].queue_packets, counters.nodes[1].buffered_packets) = (0, 0);
    let found = violations(&line(), &counters);
    assert_eq!((found[0].property, found[0].count), (Property::NoCongestionLoss, 1));
    assert_eq!(
        found[0].text,
        "VC `VC1` on `S->B`: 1 cells pushed out of a full buffer although the VC came under \
         credit control"
    );
}

/// Claim: ACK cells are accounted for: each created ACK came back, waits or is in flight. One cell
/// is the slack of each link direction that ACKs cross (here 2).
#[test]
fn acks_are_accounted_for() {
    let mut network: NetworkSpec = line();
    network.vcs[0].window = Some(WindowSpec { cells: Cells(5), ack_every: Cells(1) });
    let mut counters = line_counters();
    (counters.vcs[0].ack_cells, counters.vcs[0].acked_cells) = (4, 2);
    counters.directions[1].data_packets = 3;
    (counters.directions[1].data_in_flight, counters.directions[1].queue_packets) = (1, 1);
    (counters.directions[3].data_packets, counters.directions[3].data_in_flight) = (4, 0);
    counters.nodes[1].buffered_packets = 2;
    assert_eq!(check_conservation(&network, &counters), Ok(()));
    counters.vcs[0].acked_cells = 1;
    let fewer = check_conservation(&network, &counters).unwrap_err();
    assert_eq!((fewer.left, fewer.right), (3, 4));
    counters.vcs[0].acked_cells = 5;
    let more = check_conservation(&network, &counters).unwrap_err();
    assert_eq!((more.left, more.right), (6, 7));
}

/// Claim: if R is measured, loop cells are control cells that belong to no VC.
#[test]
fn loop_cells_belong_to_no_vc() {
    let mut network = line();
    let mut counters = line_counters();
    counters.directions[0].control_packets = 2;
    assert!(check_conservation(&network, &counters).is_err());
    network.links[0].round_trip = RoundTrip::Measured;
    counters.directions[1].control_packets += 2;
    assert_eq!(check_conservation(&network, &counters), Ok(()));
}

/// Claim: an overrun, a congestion loss under credit control and a time that does not add up
/// are reported with VC, link and values; the run goes on.
#[test]
fn breaches_are_reported_with_their_values() {
    let mut counters = line_counters();
    let hop = &mut counters.vcs[0].hops[1];
    (hop.overrun_packets, hop.dropped_packets, hop.received_packets) = (3, 1, 3);
    hop.no_credit = Picos(2 * T);
    let leaf = &mut counters.vcs[0].leaves[0];
    (leaf.delivered_packets, leaf.delivered_bytes) = (3, 3 * 53);
    leaf.delay = hopflow_network::DelayHistogram::default();
    for cells in [2, 2, 2] {
        leaf.delay.record(cells * T);
    }
    let found = violations(&line(), &counters);
    let counts: Vec<(Property, u64)> = found.iter().map(|v| (v.property, v.count)).collect();
    let expected = [
        (Property::NoOverrun, 3),
        (Property::NoCongestionLoss, 1),
        // 3.75 T without cell, 2 T without credit, 5.25 T sending: 11 T in a run of 10 T.
        (Property::TimeAddsUp, T),
    ];
    assert_eq!(counts, expected);
    assert_eq!(
        found[0].text,
        "VC `VC1` on `S->B`: 3 cells arrived when the promised buffer of 5 cells was full"
    );
}

/// Claim: cells that are dropped or pushed out after a hop whose small buffer the user accepts are
/// accepted losses; other violations of the same hop stay violations.
#[test]
fn a_loss_that_is_accepted_is_no_violation() {
    let mut network = line();
    for hop in &mut network.vcs[0].hops {
        let HopControl::Credit(credit) = &mut hop.control else { panic!("N23 on every hop") };
        credit.allow_small_buffer = true;
    }
    let mut counters = line_counters();
    let hop = &mut counters.vcs[0].hops[1];
    (hop.overrun_packets, hop.dropped_packets, hop.pushed_out_packets) = (3, 1, 2);
    let found = breaches(&network, &counters);
    let counts = |list: &[Violation]| -> Vec<(Property, u64)> {
        list.iter().map(|one| (one.property, one.count)).collect()
    };
    let lost = |cells| (Property::NoCongestionLoss, cells);
    assert_eq!(counts(&found.accepted), [lost(1), lost(2)]);
    assert!(found.accepted[0].text.ends_with(", which `allow-small-buffer` accepts"));
    assert!(counts(&found.broken).contains(&(Property::NoOverrun, 3)));
    assert!(!found.broken.iter().any(|one| one.property == Property::NoCongestionLoss));
}

/// Claim: what a port has reserved is what its VCs hold, at most the rate of the link; and a VC
/// that asked holds all of its hops while it is admitted, none when it is refused, and neighbours
/// at any time.
#[test]
fn reservations_are_accounted_for() {
    let mut network = line();
    let rate = Rate::from_bps(100).unwrap();
    let reservation =
        Reservation { rate, interval: Picos(T), priority: Picos::ZERO, burst: Bytes(53) };
    network.vcs[0].reservation = Some(reservation);
    network.vcs[0].signalled = true;
    let admitted = SetUpCounters { asked: 1, admitted: 1, ..SetUpCounters::default() };
    let counters = |set_up: SetUpCounters, held: [bool; 2]| {
        let mut counters = line_counters();
        counters.vcs[0].set_up = set_up;
        for (hop, is_reserved) in held.into_iter().enumerate() {
            counters.vcs[0].hops[hop].is_reserved = is_reserved;
            counters.directions[2 * hop].reserved_bps = if is_reserved { 100 } else { 0 };
            counters.directions[2 * hop].reserved_max_bps = 100;
        }
        counters
    };
    let law = |counters: &RunCounters| {
        check_conservation(&network, counters).err().map(|imbalance| imbalance.law)
    };
    assert_eq!(law(&counters(admitted, [true, true])), None);
    let half = Some("hops reserved of an admitted flow");
    assert_eq!(law(&counters(admitted, [true, false])), half);
    let refused = SetUpCounters { asked: 1, refused: 1, ..SetUpCounters::default() };
    assert_eq!(law(&counters(refused, [false, false])), None);
    let kept = Some("hops reserved of a refused flow");
    assert_eq!(law(&counters(refused, [true, false])), kept);
    let asking = SetUpCounters { asked: 1, ..SetUpCounters::default() };
    assert_eq!(law(&counters(asking, [true, false])), None);
    let before = SetUpCounters::default();
    assert_eq!(law(&counters(before, [true, false])), kept);
    let answers = SetUpCounters { refused: 1, ..admitted };
    assert_eq!(law(&counters(answers, [true, true])), Some("set-ups >= answers"));
    let mut other = counters(admitted, [true, true]);
    other.directions[0].reserved_bps = 101;
    let sum = Some("b/s reserved = for the whole run + held by flows that asked");
    assert_eq!(law(&other), sum);
    let mut other = counters(admitted, [true, true]);
    other.directions[2].reserved_max_bps = 424_000_001;
    assert_eq!(law(&other), Some("the rate of the link >= b/s reserved"));
    other.directions[2].reserved_max_bps = 424_000_000;
    assert_eq!(law(&other), None);
    // A set-up and a release out, and an answer back, may have started.
    other.directions[0].control_packets = 2;
    other.directions[1].control_packets = 3;
    assert_eq!(law(&other), None);
    other.directions[0].control_packets = 3;
    assert_eq!(law(&other), Some("credits + requests + messages >= control cells started"));
    network.vcs[0].signalled = false;
    let mut other = line_counters();
    other.directions[0].reserved_bps = 1;
    assert_eq!(
        check_conservation(&network, &other).err().map(|imbalance| imbalance.law),
        Some("b/s reserved where no flow asks")
    );
}

/// Claim: of three hops a VC may hold the first two or the last two, but not the outer two.
#[test]
fn reserved_hops_are_neighbours() {
    let mut network = line();
    let rate = Rate::from_bps(100).unwrap();
    let reservation =
        Reservation { rate, interval: Picos(T), priority: Picos::ZERO, burst: Bytes(53) };
    let mut vc = vc("VC1", vec![n23_hop(0, None), n23_hop(1, Some(0)), n23_hop(1, Some(1))]);
    (vc.reservation, vc.signalled) = (Some(reservation), true);
    network.vcs = vec![vc].into();
    let law = |held: [bool; 3]| {
        let hop = |is_reserved| HopCounters { is_reserved, ..HopCounters::default() };
        let hops = held.map(hop).to_vec();
        let set_up = SetUpCounters { asked: 1, ..SetUpCounters::default() };
        let count = VcCounters { hops, set_up, ..VcCounters::default() };
        Reservations::new(&network).take(&network.vcs[0], &count).err().map(|wrong| wrong.law)
    };
    assert_eq!(law([true, true, false]), None);
    assert_eq!(law([false, true, true]), None);
    assert_eq!(law([true, false, true]), Some("reserved hops are neighbours"));
}
