//! Bytes that a packet takes of a link in addition to its own: the preamble and the gap of
//! Ethernet.

use std::collections::BTreeSet;

use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{
    Engine, HopControl, LinkSpec, NetworkSpec, RoundTrip, RunCounters, SizeLaw, SourceSpec,
    TraceFilter, TraceRow,
};
use hopflow_testing::{
    NetworkBuilder, plain_direction, random_fifo_only_network, random_network,
    random_usual_network, with_overhead,
};
use hopflow_units::{Bytes, Picos, SimTime};

fn run(engine: &mut dyn Engine, spec: &NetworkSpec) -> (RunCounters, Vec<TraceRow>) {
    let mut rows = Vec::new();
    engine.run_until(SimTime(spec.duration.0));
    engine.drain_trace(&mut rows);
    (engine.counters(), rows)
}

fn both(spec: &NetworkSpec) -> (RunCounters, Vec<TraceRow>) {
    let filter = || TraceFilter::all(spec.vcs.len(), spec.direction_count());
    let reference = run(&mut ReferenceEngine::new(spec, filter()), spec);
    let windowed = run(&mut WindowedEngine::new(spec, filter(), 1), spec);
    assert_eq!(reference, windowed);
    let untraced = run(&mut WindowedEngine::new(spec, TraceFilter::none(), 1), spec);
    assert_eq!(reference.0, untraced.0);
    reference
}

/// Claim: both engines agree on random networks in which some links have an overhead, under every
/// scheduler whose times depend on it.
#[test]
fn engines_agree_with_overhead() {
    let mut schedulers = BTreeSet::new();
    for seed in 0..150 {
        for network in [random_network, random_fifo_only_network, random_usual_network] {
            let spec = with_overhead(network(seed), seed);
            for direction in spec.links.iter().flat_map(|link| &link.directions) {
                if direction.overhead > Bytes(0) {
                    schedulers.insert(direction.scheduler.facts().name);
                }
            }
            both(&spec);
        }
    }
    let timed = ["time-aware", "tdm", "schedule-based", "cbs", "ats"];
    assert!(timed.iter().all(|name| schedulers.contains(name)), "{schedulers:?}");
}

/// Two hosts of 64 and 1518 byte packets through a switch, 1 Gb/s and 1 us everywhere.
fn network(grown: u64, overhead: u64, source: &SourceSpec) -> NetworkSpec {
    let mut network = NetworkBuilder::new(1);
    let (a, c) = (network.host("A"), network.host("C"));
    let (s, b) = (network.switch("S"), network.host("B"));
    for ends in [[a, s], [c, s], [s, b]] {
        let mut direction = plain_direction(1_000_000_000, Picos(1_000_000));
        direction.overhead = Bytes(overhead);
        let round_trip = RoundTrip::Loop;
        network.link_of(LinkSpec { ends, directions: [direction.clone(), direction], round_trip });
    }
    for (name, host, size) in [("small", a, 64), ("large", c, 1_518)] {
        let vc = network.vc(name, &[host, s, b], HopControl::None, source.clone());
        let size = SizeLaw::Fixed(Bytes(size + grown));
        network.spec.vcs[vc].traffic =
            hopflow_network::TrafficSpec { size, ..hopflow_network::TrafficSpec::default() }.into();
    }
    network.spec.duration = Picos(2_000_000_000);
    network.spec
}

/// Claim: a packet of 64 B with an overhead of 20 B takes 84 B of the link: at 1 Gb/s 672 ns per
/// link, so its first delivery is at 2 x (672 ns + 1 us), and 2 ms hold 1 + floor((2 ms - 3.344 us)
/// / 672 ns) = 2,972 of them; without it there are 3,901.
#[test]
fn a_packet_takes_its_overhead_too() {
    for (overhead, delivered, first) in [(20, 2_972, 3_344_000), (0, 3_901, 3_024_000)] {
        let mut spec = network(0, overhead, &SourceSpec::Greedy);
        spec.vcs[1].stop = Some(SimTime(0));
        let (counters, _) = both(&spec);
        let leaf = &counters.vcs[0].leaves[0];
        assert_eq!(leaf.delivered_packets, delivered);
        assert_eq!(leaf.delivered_bytes, 64 * delivered, "bytes are those of packets");
        assert_eq!(leaf.first, Some(SimTime(first)));
        assert_eq!(leaf.delay.min_ps(), Some(first));
    }
}

/// Claim: in time, packets with an overhead behave like packets that are larger by it: every start,
/// arrival and delay is the same. Only counters of bytes differ.
#[test]
fn overhead_is_as_larger_packets_in_time() {
    for source in [
        SourceSpec::Greedy,
        SourceSpec::EveryKth { k: 2 },
        SourceSpec::Poisson { gap: Picos(9_000_000) },
        SourceSpec::Replay { times: (0..40).map(|n| Picos(n * n * 100_000)).collect() },
    ] {
        let (with, without) = (both(&network(0, 20, &source)), both(&network(20, 0, &source)));
        assert!(with.1.len() > 100, "{source:?}");
        assert_eq!(with.1, without.1, "{source:?}");
        for (with, without) in with.0.vcs.iter().zip(&without.0.vcs) {
            assert_eq!(with.leaves[0].delay, without.leaves[0].delay);
            assert!(with.leaves[0].delivered_bytes < without.leaves[0].delivered_bytes);
        }
    }
}
