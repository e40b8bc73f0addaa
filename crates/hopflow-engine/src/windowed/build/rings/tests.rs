//! What crosses links, and the slots of their rings: by hand, and against every start of random
//! networks in the reference engine.

use hopflow_network::transport::tcp::{TcpSpec, TcpVariant};
use hopflow_network::{
    CellKind, ConnectionSpec, CreditScheme, Discard, Engine, HopControl, ProtocolSpec, RoundTrip,
    SizeLaw, SourceSpec, TraceEvent, TraceFilter, TraceRow,
};
use hopflow_testing::{
    NetworkBuilder, credit, random_network, random_slow_network, random_usual_network,
    with_backward_rm, with_calls, with_ends, with_shared_credits,
};
use hopflow_units::{Bytes, Cells, Picos, Rate, SimTime};

use super::*;
use crate::ReferenceEngine;

const PACKET: Bytes = Bytes(1500);
/// The transmit times of 1500, 53 and 40 bytes at 100 Gb/s: 120, 4.24 and 3.2 ns.
const TIMES: [u64; 3] = [120_000, 4_240, 3_200];
/// The delay of each link: 1 us.
const DELAY: u64 = 1_000_000;

/// Hosts A and B with switches S and T between them, all links of 100 Gb/s and 1 us. The switches
/// have a finite buffer and push packets out, so they are general nodes. `control` is that of a VC
/// of 1500-byte packets from A to B. The links are A-S, S-T and T-B.
fn line(control: HopControl) -> NetworkBuilder {
    let mut network = NetworkBuilder::new(100);
    let route = [network.host("A"), network.switch("S"), network.switch("T"), network.host("B")];
    for pair in route.windows(2) {
        network.link(pair[0], pair[1], 1);
    }
    let rate = Rate::from_bps(100_000_000_000).expect("not zero");
    for link in &mut *network.spec.links {
        link.round_trip = RoundTrip::Loop;
        for direction in &mut link.directions {
            (direction.rate, direction.delay) = (rate, Picos(DELAY));
        }
    }
    for switch in &route[1..3] {
        let node = &mut network.spec.nodes[*switch];
        (node.buffer, node.discard) = (Some(Cells(100).into()), Discard::LastOfOwn);
    }
    let vc = network.vc("VC", &route, control, SourceSpec::Constant { rate });
    let traffic = &mut network.spec.vcs[vc].traffic;
    traffic.size = SizeLaw::Fixed(PACKET);
    network
}

/// The most slots of the rings of S-T, there and back, and by how much each sender may be ahead.
fn slots_between_switches(spec: &NetworkSpec) -> ([usize; 2], [u64; 2]) {
    let (fifo_nodes, windows) = (FifoNodes::new(spec), Windows::new(spec, 1));
    let ids = [0, 1].map(|side| DirectionId::new(1, side));
    let ahead = |id| windows.plan.window_between(spec.from_node(id), spec.to_node(id)).0;
    let most = ids.map(|id| Slots::of(spec, &fifo_nodes, &windows, id));
    assert!(most.iter().all(|slots| slots.first <= FIRST), "they grow: {most:?}");
    (most.map(|slots| slots.most), ids.map(ahead))
}

/// Claim, by hand: only packets of 1500 bytes cross S-T, 120 ns each, with two slots for each. T
/// runs after S and never affects it, so S may be ahead by twice the longest latency, 2.24 us. In
/// 1 us of delay, 2.24 us and 120 ns 28 packets start; with 4 to spare these are 64 slots, and not
/// 1,544 as for cells. Nothing comes back: one slot.
#[test]
fn a_ring_has_room_for_the_packets_of_its_link() {
    let network = line(HopControl::None);
    let (most, ahead) = slots_between_switches(&network.spec);
    assert_eq!(ahead[0], 2 * (DELAY + TIMES[0]));
    assert_eq!(most, [2 * (28 + 4), 0]);
    assert_eq!(growing_ring(FIRST, most[0]).1.capacity(), FIRST + 1);
}

/// The units of a transmit time that can be unread, where the sender may be ahead by `ahead`.
fn unread(ahead: u64, time: u64) -> usize {
    ((DELAY + ahead + time) / time) as usize + 4
}

/// Claim: credits come back over S-T, cells of 4.24 ns, and requests go there beside the packets:
/// in the transmit time of a packet more requests than two slots start, and the first and the last
/// unit may be packets.
#[test]
fn a_ring_has_room_for_credits_and_requests() {
    let mut control = credit(CreditScheme::N23, 4, 100);
    let (most, ahead) = slots_between_switches(&line(control).spec);
    assert_eq!(most, [2 * unread(ahead[0], TIMES[0]), unread(ahead[1], TIMES[1])]);
    if let HopControl::Credit(credit) = &mut control {
        credit.request_after = Some(Picos(DELAY));
    }
    let (most, ahead) = slots_between_switches(&line(control).spec);
    assert_eq!(most, [unread(ahead[0], TIMES[1]) + 4, unread(ahead[1], TIMES[1])]);
}

/// Claim: ACKs of 40 bytes and 3.2 ns cross the links of a TCP connection, with two slots each, in
/// both directions: data of 41 bytes to 1500 there, so that 40 are a safe bound, ACKs back.
#[test]
fn a_ring_has_room_for_acks() {
    let mut network = line(HopControl::None);
    let back = network.vc("back", &[3, 2, 1, 0], HopControl::None, SourceSpec::Endpoint);
    let spec = &mut network.spec;
    spec.vcs[0].source = SourceSpec::Endpoint.into();
    spec.vcs[0].traffic.size = SizeLaw::Uniform { least: Bytes(41), most: PACKET };
    spec.vcs[back].traffic.size = SizeLaw::Fixed(Bytes(40));
    spec.connections.push(ConnectionSpec {
        name: "VC".to_owned(),
        forward: 0,
        backward: back,
        protocol: ProtocolSpec::Tcp(TcpSpec::new(TcpVariant::Cubic)),
        send_limits: [None; 2],
    });
    let (most, ahead) = slots_between_switches(&network.spec);
    let of_41 = 41 * 80;
    assert_eq!(most, [2 * unread(ahead[0], of_41), 2 * unread(ahead[1], TIMES[2])]);
}

/// The starts of a run of the reference engine.
fn starts(spec: &NetworkSpec) -> Vec<TraceRow> {
    let filter = TraceFilter::all(spec.vcs.len(), spec.direction_count());
    let (mut engine, mut rows) = (ReferenceEngine::new(spec, filter), Vec::new());
    engine.run_until(SimTime(spec.duration.0));
    engine.drain_trace(&mut rows);
    rows.retain(|row| row.event == TraceEvent::Started && row.kind != CellKind::FurtherCredit);
    rows
}

/// Claim: in random networks, a unit starts only where its kind can cross the link, and the next
/// one no sooner than after the least transmit time; links of FIFO-only nodes carry no control.
/// Every kind of unit that takes time is seen.
#[test]
fn units_cross_where_they_can() {
    let mut seen = [0; CellKind::ALL.len()];
    for seed in 0..250 {
        let network = with_ends(random_network(seed), seed);
        let spec = match seed % 5 {
            0 => network,
            1 => with_backward_rm(network, seed),
            2 => with_calls(random_usual_network(seed), seed),
            3 => with_shared_credits(network, seed),
            _ => random_slow_network(seed),
        };
        let (fifo_nodes, windows) = (FifoNodes::new(&spec), Windows::new(&spec, 1));
        let mut free: Vec<u64> = vec![0; spec.direction_count()];
        for row in starts(&spec) {
            let id = DirectionId(row.direction as usize);
            let crossing = &windows.crossings[id.0];
            let is_control = row.kind.is_control();
            let is_known =
                if is_control { crossing.control_slots > 0 } else { crossing.packets.is_some() };
            assert!(is_known, "network {seed}: {row:?} beside {crossing:?}");
            let is_at_fifo =
                [spec.from_node(id), spec.to_node(id)].map(|node| fifo_nodes.is_fifo_only(node));
            assert!(!is_control || is_at_fifo == [false; 2], "network {seed}: {row:?}");
            assert!(free[id.0] <= row.time.0, "network {seed}: {row:?} comes early");
            let least = crossing.least().expect("a unit has a size");
            free[id.0] = row.time.0 + spec.transmit_time(id, least).0;
            seen[row.kind as usize] += 1;
        }
    }
    let is_unseen = |kind: &&CellKind| seen[**kind as usize] == 0;
    let unseen: Vec<&CellKind> = CellKind::ALL.iter().filter(is_unseen).collect();
    assert_eq!(unseen, [&CellKind::FurtherCredit], "{seen:?}");
}
