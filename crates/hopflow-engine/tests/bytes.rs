//! Limits in bytes: counts dropped and held of small networks, worked out by hand, in both engines.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{
    Discard, Engine, HopControl, Limit, NetworkSpec, RunCounters, SizeLaw, SourceSpec, TraceFilter,
};
use hopflow_testing::{NetworkBuilder, burst};
use hopflow_units::{Bytes, Cells, Picos, Rate, SimTime};

const NS: u64 = 1_000;

/// Hosts A and C send to B through S: a byte each ns towards S, each 100 ns from S to B. A begins
/// `large` packets of 1500 B at 0; C three of 64 B, and one more that arrives at 6100 ns.
fn star(large: u64) -> (NetworkSpec, usize) {
    let mut network = NetworkBuilder::new(20);
    let (a, c, s) = (network.host("A"), network.host("C"), network.switch("S"));
    let b = network.host("B");
    for (from, to) in [(a, s), (c, s), (s, b)] {
        network.link(from, to, 0);
    }
    let flows = [(a, 1_500, large, 0), (c, 64, 3, 0), (c, 64, 1, 6_036)];
    for (number, (from, size, packets, start)) in flows.into_iter().enumerate() {
        let name = format!("f{number}");
        network.vc(&name, &[from, s, b], HopControl::None, SourceSpec::Greedy);
        let vc = &mut network.spec.vcs[number];
        vc.traffic.size = SizeLaw::Fixed(Bytes(size));
        vc.traffic.packets = Some(packets);
        vc.start = SimTime(start * NS);
    }
    let mut spec = network.spec;
    for (link, mbps) in [(0, 8_000), (1, 8_000), (2, 80)] {
        for direction in &mut spec.links[link].directions {
            direction.rate = Rate::from_bps(mbps * 1_000_000).expect("it is more than zero");
            direction.delay = Picos::ZERO;
        }
    }
    spec.duration = Picos(1_000_000 * NS);
    (spec, s)
}

/// The counters at an instant, which are the same in both engines.
fn counters(spec: &NetworkSpec, at_ns: u64) -> RunCounters {
    spec.assert_valid();
    let mut reference = ReferenceEngine::new(spec, TraceFilter::none());
    let mut windowed = WindowedEngine::new(spec, TraceFilter::none(), 1);
    for engine in [&mut reference as &mut dyn Engine, &mut windowed] {
        engine.run_until(SimTime(at_ns * NS));
    }
    assert_eq!(reference.counters(), windowed.counters());
    windowed.counters()
}

/// Of each flow, packets dropped at S and pushed out there; the most packets and bytes that S held.
fn found(spec: &NetworkSpec, s: usize) -> ([u64; 3], [u64; 3], (u32, u64)) {
    let counters = counters(spec, 1_000_000);
    let vcs = &counters.vcs;
    let dropped = [0, 1, 2].map(|vc| vcs[vc].hops[0].dropped_packets);
    let pushed = [0, 1, 2].map(|vc| vcs[vc].hops[1].pushed_out_packets);
    let node = &counters.nodes[s];
    (dropped, pushed, (node.buffered_max_packets, node.memory_max_bytes))
}

/// Claim: `docs/models/buffers.md`, *Example*: with 5000 B for the port, three small packets (192
/// B) and three large ones (4692 B) are held when the fourth of 1500 B comes and does not fit (6192
/// B); the small one at 6100 ns does: 4756 B in 7 packets. The first leaves at 6464 ns.
#[test]
fn a_small_packet_fits_where_a_large_one_does_not() {
    let (mut spec, s) = star(4);
    spec.nodes[s].port_buffer = Some(Bytes(5_000).into());
    assert_eq!(found(&spec, s), ([1, 0, 0], [0; 3], (7, 4_756)));
    // The limit of the node is the same here, and one packet more fits exactly: 4692 + 1500 B.
    spec.nodes[s].port_buffer = None;
    for (limit, dropped, most) in [(6_191, 1, (7, 4_756)), (6_192, 0, (7, 6_192))] {
        spec.nodes[s].buffer = Some(Bytes(limit).into());
        // With all four of them, the small one finds 6192 B of 6192 B.
        assert_eq!(found(&spec, s), ([dropped, 0, 1 - dropped], [0; 3], most), "{limit} B");
    }
}

/// Claim: the same with memory in cells of 256 B: small packets take 256 B, large ones 1536 B. Two
/// large ones fit (3840 B), the third and fourth do not (5376 B); the last small one does: 4096 B,
/// 6 packets.
#[test]
fn a_packet_takes_whole_cells() {
    let (mut spec, s) = star(4);
    spec.nodes[s].port_buffer = Some(Bytes(5_000).into());
    spec.nodes[s].cell = Some(Bytes(256));
    assert_eq!(found(&spec, s), ([2, 0, 0], [0; 3], (6, 4_096)));
    // Not of a limit in packets: seven of the eight fit, and take 3 x 256 + 4 x 1536 B.
    spec.nodes[s].port_buffer = Some(Cells(7).into());
    assert_eq!(found(&spec, s), ([0, 0, 1], [0; 3], (7, 6_912)));
}

/// Claim: the limit of a VC counts its bytes alone: of four packets of 1500 B, 4499 B hold two, and
/// small packets are not refused.
#[test]
fn the_limit_of_a_vc_counts_its_bytes() {
    let (mut spec, s) = star(4);
    spec.nodes[s].vc_buffer = Some(Bytes(4_499).into());
    assert_eq!(found(&spec, s), ([2, 0, 0], [0; 3], (6, 3_256)));
}

/// Claim: limits of both units hold at once: at most six packets, and of them at most 5000 B.
#[test]
fn each_limit_has_its_unit() {
    let (mut spec, s) = star(4);
    spec.nodes[s].port_buffer = Some(Bytes(5_000).into());
    spec.nodes[s].buffer = Some(Limit::Packets(Cells(6)));
    // Three small and three large are six: the small one at 6100 ns finds no packet free.
    assert_eq!(found(&spec, s), ([1, 0, 1], [0; 3], (6, 4_692)));
}

/// Claim: a node that pushes out makes room until what has joined fits. Under FIFO the last packet
/// of the port goes: the fourth large packet itself (6192 B of 5000 B). With 4700 B and 1500 B less
/// for what is in transmission, the small one at 6100 ns joins (4756 B) and is pushed out, too.
#[test]
fn the_last_packets_are_pushed_out() {
    let (mut spec, s) = star(4);
    for direction in &mut spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.scheduler = SchedulerSpec::Fifo;
    }
    spec.nodes[s].discard = Discard::LastOfOwn;
    spec.nodes[s].buffer = Some(Bytes(5_000).into());
    // What joins is held until another is pushed out: 4692 + 1500 B.
    assert_eq!(found(&spec, s), ([0; 3], [1, 0, 0], (7, 6_192)));
    spec.nodes[s].buffer = Some(Bytes(4_700).into());
    assert_eq!(found(&spec, s), ([0; 3], [1, 0, 1], (7, 6_192)));
}

/// Claim: one large packet may push out several small ones: under strict priority with the small
/// flows last, the third large packet (3192 + 1500 B of 4600 B) pushes out two of 64 B, which wait
/// while the first is in transmission. The fourth is then the last of those that wait, and goes; so
/// does the small one of the same priority (4564 + 64 B).
#[test]
fn as_many_are_pushed_out_as_it_takes() {
    let (mut spec, s) = star(4);
    for direction in &mut spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.scheduler = SchedulerSpec::StrictPriority;
    }
    spec.vcs[1].priority = 7;
    spec.nodes[s].discard = Discard::LastOfLongest;
    spec.nodes[s].port_buffer = Some(Bytes(4_600).into());
    let (dropped, pushed, most) = found(&spec, s);
    assert_eq!((dropped, most), ([0; 3], (6, 4_692 - 128 + 1_500)));
    assert_eq!(pushed, [1, 2, 1]);
}

/// Claim: a host limits what it makes in bytes: of five packets of 1500 B at once, three find room
/// in 5000 B.
#[test]
fn a_host_counts_bytes() {
    let ((mut spec, _), a) = (star(5), 0);
    spec.vcs[0].source = burst(5).into();
    spec.nodes[a].buffer = Some(Bytes(5_000).into());
    let counters = counters(&spec, 1_000_000);
    let hop = &counters.vcs[0].hops[0];
    assert_eq!((hop.given_up_packets, counters.nodes[a].memory_max_bytes), (2, 4_500));
}
