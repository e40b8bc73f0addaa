//! Claims about lanes per destination: one credit and one buffer for each host behind a link.

use hopflow_control::lane::LaneCreditSpec;
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::counters::VcCounters;
use hopflow_network::{
    DirectionId, Engine, HopControl, LaneNumbers, LaneRule, NetworkSpec, RunCounters, SourceSpec,
    TraceFilter, WindowSpec,
};
use hopflow_testing::{NetworkBuilder, n23, per_destination, with_lanes};
use hopflow_units::{Bytes, Cells, SimTime};

/// Lane credits in blocks of one cell.
fn credit(buffer: u32, update: u32) -> LaneRule {
    LaneRule::Credit(LaneCreditSpec { block: Bytes::CELL, buffer, update, refresh: None })
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

/// Greedy VCs from hosts of their own through S1 -> S2; VC i ends at the host `to[i]` behind S2.
/// Every loop is 154 cell times.
fn through_one_link(to: &[usize], duration: u64, control: HopControl) -> NetworkSpec {
    let mut network = NetworkBuilder::new(duration);
    let hosts: Vec<usize> = (1..=to.len()).map(|n| network.host(&format!("H{n}"))).collect();
    let (s1, s2) = (network.switch("S1"), network.switch("S2"));
    let ends = to.iter().max().map_or(0, |most| most + 1);
    let ends: Vec<usize> = (1..=ends).map(|n| network.host(&format!("D{n}"))).collect();
    network.link(s1, s2, 76);
    for host in &hosts {
        network.link(*host, s1, 76);
    }
    for end in &ends {
        network.link(s2, *end, 76);
    }
    for (index, to) in to.iter().enumerate() {
        let path = [hosts[index], s1, s2, ends[*to]];
        network.vc(&format!("VC{}", index + 1), &path, control, SourceSpec::Greedy);
    }
    network.spec
}

/// Figure 17 of [KMCL94]: VC1 and VC2 share S1 -> S2; VC1 shares its exit of S2 with VC3 and VC4,
/// VC2 has one of its own. All are greedy; every loop is 154 cell times.
fn figure_17() -> NetworkSpec {
    let mut network = NetworkBuilder::new(20_000);
    let hosts: Vec<usize> = (1..=4).map(|n| network.host(&format!("H{n}"))).collect();
    let (s1, s2) = (network.switch("S1"), network.switch("S2"));
    let (d1, d2) = (network.host("D1"), network.host("D2"));
    let links = [(hosts[0], s1), (hosts[1], s1), (s1, s2), (hosts[2], s2), (hosts[3], s2)];
    for (from, to) in links.into_iter().chain([(s2, d1), (s2, d2)]) {
        network.link(from, to, 76);
    }
    network.vc("VC1", &[hosts[0], s1, s2, d1], HopControl::None, SourceSpec::Greedy);
    network.vc("VC2", &[hosts[1], s1, s2, d2], HopControl::None, SourceSpec::Greedy);
    network.vc("VC3", &[hosts[2], s2, d1], HopControl::None, SourceSpec::Greedy);
    network.vc("VC4", &[hosts[3], s2, d1], HopControl::None, SourceSpec::Greedy);
    network.spec
}

/// Claim: per destination there is no victim, as with credit per VC (`lanes.rs`): VC1 gets a third
/// of the link to D1, and VC2, which goes elsewhere, the 2/3 of S1 -> S2 that VC1 leaves. One
/// credit for the whole lane leaves it 1/3. Nothing is lost.
#[test]
fn a_busy_host_holds_nobody_up_who_goes_elsewhere() {
    let lanes = with_lanes(figure_17(), credit(165, 10));
    for (spec, second) in [(per_destination(lanes.clone()), 2.0 / 3.0), (lanes, 1.0 / 3.0)] {
        let counters = run(&spec);
        let shares: Vec<f64> = counters
            .vcs
            .iter()
            .map(|vc| vc.leaves[0].delivered_packets as f64 / 20_000.0)
            .collect();
        for (share, expected) in shares.iter().zip([1.0 / 3.0, second, 1.0 / 3.0, 1.0 / 3.0]) {
            assert!((share - expected).abs() < 0.03, "{shares:?}");
        }
        let lost = |vc: &VcCounters| {
            vc.hops.iter().map(|hop| hop.dropped_packets + hop.pushed_out_packets).sum::<u64>()
        };
        assert_eq!(counters.vcs.iter().map(lost).sum::<u64>(), 0);
    }
}

/// Claim: where each VC has a destination of its own, lanes per destination with a buffer of
/// N2 + N3 cells and an update of N2 are N23 per VC, cell by cell: each VC has sent, delivered and
/// waited for the same. Below the loop, where credit decides each start, and above it.
#[test]
fn per_destination_is_n23_of_one_vc_each() {
    for (n2, n3) in [(10, 30), (7, 60), (10, 155), (1, 1)] {
        let per_vc = run(&through_one_link(&[0, 1, 2], 4_000, n23(n2, n3)));
        let spec =
            with_lanes(through_one_link(&[0, 1, 2], 4_000, HopControl::None), credit(n2 + n3, n2));
        let per_destination = run(&per_destination(spec));
        for (one, other) in per_vc.vcs.iter().zip(&per_destination.vcs) {
            let seen = |vc: &VcCounters| {
                let hops = vc.hops.iter();
                let hops = hops.map(|hop| (hop.sent_packets, hop.received_packets, hop.fill_area));
                (
                    hops.collect::<Vec<_>>(),
                    vc.leaves[0].delivered_packets,
                    vc.leaves[0].delay.clone(),
                )
            };
            assert_eq!(seen(one), seen(other), "N2 = {n2}, N3 = {n3}");
            assert!(one.leaves[0].delivered_packets > 20);
        }
    }
}

/// Claim: the VCs to one host share one promise. Of nine greedy VCs over S1 -> S2, six end at D1
/// and three at D2: two lanes of 165 cells, of which each end holds at most 165 (of credit per VC
/// it would be 9 x 165), and S1 -> S2 is full but for the way there.
#[test]
fn the_vcs_of_a_host_share_a_buffer() {
    let to = [0, 0, 0, 0, 0, 0, 1, 1, 1];
    let plain = through_one_link(&to, 20_000, HopControl::None);
    let spec = per_destination(with_lanes(plain, credit(165, 10)));
    let counters = run(&spec);
    let lanes = &counters.directions[0].lanes;
    assert_eq!(lanes.len(), 2);
    assert!(lanes.iter().all(|lane| (1..=165).contains(&lane.held_max)), "{lanes:?}");
    let delivered = |range: std::ops::Range<usize>| -> u64 {
        counters.vcs[range].iter().map(|vc| vc.leaves[0].delivered_packets).sum()
    };
    // One link of 20,000 cells for both hosts, less the way there of 3 x 77 cells.
    let (first, second) = (delivered(0..6), delivered(6..9));
    assert!((19_500..=20_000).contains(&(first + second)), "{first} {second}");
    // The round robin of S1 is among VCs, not among hosts: 6 to 3.
    assert!((first as f64 / second as f64 - 2.0).abs() < 0.05, "{first} {second}");
}

/// Claim: the VCs of a lane per destination take turns, also where it opens for one cell at a time.
/// Six VCs through S1 -> S2 to D1 have one credit of 20 cells, an eighth of its loop, and are
/// within a cell of each other after 20,000 cell times.
#[test]
fn the_vcs_of_a_lane_take_turns() {
    let plain = through_one_link(&[0; 6], 20_000, HopControl::None);
    for (buffer, update) in [(20, 1), (20, 4), (3, 3)] {
        let counters = run(&per_destination(with_lanes(plain.clone(), credit(buffer, update))));
        let sent = counters.vcs.iter().map(|vc| vc.hops[1].sent_packets);
        let (least, most) = (sent.clone().min().unwrap(), sent.max().unwrap());
        assert!(least > 50 && most - least <= 1, "{least} to {most}");
    }
}

/// Claim: there are more lanes than priorities: of twenty VCs to hosts of their own over S1 -> S2,
/// each has a lane, gets its credit by frames of its own, and a twentieth of the link.
#[test]
fn there_may_be_more_lanes_than_priorities() {
    let to: Vec<usize> = (0..20).collect();
    let plain = through_one_link(&to, 8_000, HopControl::None);
    let counters = run(&per_destination(with_lanes(plain, credit(20, 4))));
    let lanes = &counters.directions[0].lanes;
    assert_eq!(lanes.iter().map(|lane| lane.lane).collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
    for (lane, vc) in lanes.iter().zip(&counters.vcs) {
        // A credit after every fourth cell that S2 has sent on.
        let freed = vc.hops[2].sent_packets;
        assert!(lane.frames_sent.abs_diff(freed / 4) <= 1, "{} of {freed}", lane.frames_sent);
        assert!((380..=400).contains(&vc.leaves[0].delivered_packets), "{:?}", vc.leaves[0]);
    }
}

/// Claim: lanes are numbered by priority and destination. On S1 -> S2, VCs of priorities 1 and 0 to
/// D1 (node 5) and of priority 0 to D2 (node 6) have the lanes 2, 0 and 1; an ACK of a window goes
/// to the host where its VC begins.
#[test]
fn lanes_are_numbered_by_priority_and_destination() {
    let mut spec = through_one_link(&[0, 0, 1], 100, HopControl::None);
    (spec.vcs[0].priority, spec.vcs[2].window) =
        (1, Some(WindowSpec { cells: Cells(9), ack_every: Cells(1) }));
    let spec = per_destination(with_lanes(spec, credit(20, 2)));
    let numbers = LaneNumbers::new(&spec);
    let middle = DirectionId(0);
    let of = |vc, is_ack| numbers.of_vc(middle, vc, is_ack);
    assert_eq!([of(0, false), of(1, false), of(2, false)], [Some(2), Some(0), Some(1)]);
    let back = numbers.of_vc(middle.reverse(), 2, true).expect("ACKs have a lane");
    let lane = numbers.get(middle.reverse(), back).expect("it is there");
    assert_eq!((lane.priority, lane.destination, lane.largest), (0, Some(2), Bytes::CELL));
    assert_eq!(numbers.words(&spec, middle, 1), "lane 1 (to `D2`)");
}
