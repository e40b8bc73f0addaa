//! Claims about the credits of lanes, against runs.

use hopflow_control::lane::{CbfcSpec, LaneCreditSpec};
use hopflow_engine::WindowedEngine;
use hopflow_network::{
    Engine, HopControl, LaneRule, NetworkSpec, SizeLaw, SourceSpec, TraceFilter,
};
use hopflow_testing::{NetworkBuilder, with_lanes};
use hopflow_units::{Picos, SimTime};

use super::*;

/// A greedy VC of packets of one size over a link with lanes, `hops` links long, `span` in all.
fn network(hops: usize, packet: u64, rule: LaneRule, span: Picos) -> NetworkSpec {
    let mut network = NetworkBuilder::new(1);
    let mut route = vec![network.host("A")];
    for hop in 1..hops {
        route.push(network.switch(&format!("S{hop}")));
    }
    route.push(network.host("B"));
    for ends in route.windows(2) {
        network.link(ends[0], ends[1], 0);
    }
    network.vc("VC", &route, HopControl::None, SourceSpec::Greedy);
    let mut network = with_lanes(network.spec, rule);
    network.vcs[0].traffic.size = SizeLaw::Fixed(Bytes(packet));
    for direction in network.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.rate = Rate::from_bps(400_000_000_000).unwrap();
        direction.delay = Picos(1_500_000);
    }
    network.duration = span;
    network
}

fn with_buffer(network: &NetworkSpec, buffer: u64) -> NetworkSpec {
    let mut network = network.clone();
    for direction in network.links.iter_mut().flat_map(|link| &mut link.directions) {
        if let Some(lanes) = &mut direction.lanes {
            lanes.rule.set_buffer(u32::try_from(buffer).unwrap());
        }
    }
    network
}

/// Time in which the first link is idle, from the start on.
fn idle(network: &NetworkSpec) -> Picos {
    let mut engine = WindowedEngine::new(network, TraceFilter::none(), 1);
    engine.run_until(SimTime(network.duration.0));
    Picos(network.duration.0 - engine.counters().directions[0].busy.0)
}

const CASES: [(u64, u64, u32); 8] = [
    (4_096, 64, 64),
    (4_096, 64, 65),
    (4_096, 64, 300),
    (64, 64, 10),
    (280, 16, 18),
    (280, 16, 19),
    (100, 64, 7),
    (1_500, 256, 1),
];

/// Claim: with the buffer of the law the sending port is never idle, neither towards a host, which
/// frees a packet as it arrives, nor towards a switch, which holds it for its transmit time on the
/// next link. With one packet less it waits in every loop.
#[test]
fn the_law_is_the_least_credit_of_a_full_link() {
    for hops in [1, 2] {
        for (packet, block, update) in CASES {
            let spec = LaneRule::Credit(LaneCreditSpec {
                block: Bytes(block),
                buffer: 1 << 20,
                update,
                refresh: None,
            });
            let network = network(hops, packet, spec, Picos(60_000_000));
            let needed = &size_lane_credits(&network, None).unwrap()[0].needed;
            let case = format!("{hops} {packet} {block} {update}: {}", needed.formula);
            assert_eq!(idle(&with_buffer(&network, needed.blocks)), Picos::ZERO, "{case}");
            for less in [1, packet.div_ceil(block)] {
                let idle = idle(&with_buffer(&network, needed.blocks - less));
                assert!(idle > Picos::ZERO, "{less} less: {case}");
            }
        }
    }
}

/// Claim: a lane whose buffer is too small carries what Eq. (5) of `lane/size.rs` says, whole
/// packets in whole rounds of credits: the link is busy for the share that it names, but for the
/// loop in which the run ends.
#[test]
fn a_small_buffer_carries_what_the_law_says() {
    for (packet, block, update) in CASES {
        let b = packet.div_ceil(block);
        let spec = LaneRule::Credit(LaneCreditSpec {
            block: Bytes(block),
            buffer: 1 << 20,
            update,
            refresh: None,
        });
        let network = network(1, packet, spec, Picos(600_000_000));
        let id = hopflow_network::DirectionId(0);
        let lanes = CreditLanes::new(&network);
        let lane = lanes.least(id, 0, network.direction(id).rate).unwrap();
        let least = u64::from(update).div_ceil(b) * b;
        for buffer in [least, least + b, least + 2 * b, lane.need().unwrap().blocks / 2] {
            if buffer < b + u64::from(update) - 1 {
                continue;
            }
            let busy = network.duration.0 - idle(&with_buffer(&network, buffer)).0;
            let found = busy as f64 / network.duration.0 as f64;
            let said = lane.reached_bps(buffer) as f64 / lane.rate.bps() as f64;
            let within = 2.0 * lane.round_trip().unwrap().0 as f64 / network.duration.0 as f64;
            assert!((found - said).abs() <= within, "{packet} {block} {update} {buffer}: {found}");
        }
    }
}

/// Claim: data on the way back holds credits up for the packet that has just started, and the law
/// covers it: two greedy VCs of 1500 B against each other keep both directions busy.
#[test]
fn the_law_covers_a_busy_way_back() {
    let spec = LaneRule::Credit(LaneCreditSpec {
        block: Bytes(64),
        buffer: 1 << 20,
        update: 10,
        refresh: None,
    });
    let mut network = network(1, 1_500, spec, Picos(60_000_000));
    let mut back = network.vcs[0].clone();
    back.name = "back".to_owned();
    back.hops = vec![hopflow_network::HopSpec { direction: 1, ..back.hops[0] }].into();
    network.vcs.push(back);
    let sizes = size_lane_credits(&network, None).unwrap();
    assert_eq!(sizes.len(), 2);
    assert_eq!(sizes[0].needed.blocks, sizes[1].needed.blocks);
    let engine = |buffer| {
        let network = with_buffer(&network, buffer);
        let mut engine = WindowedEngine::new(&network, TraceFilter::none(), 1);
        engine.run_until(SimTime(network.duration.0));
        let counters = engine.counters();
        [0, 1].map(|way| network.duration.0 - counters.directions[way].busy.0)
    };
    let packet = 30_000;
    assert!(engine(sizes[0].needed.blocks).iter().all(|idle| *idle <= packet));
    assert!(engine(sizes[0].needed.blocks - 10 * 24).iter().any(|idle| *idle > 10 * packet));
}

/// Claim: packets of many sizes are covered too: the lane never waits with the law's buffer.
#[test]
fn the_law_covers_many_sizes() {
    let spec = LaneRule::Credit(LaneCreditSpec {
        block: Bytes(64),
        buffer: 1 << 20,
        update: 30,
        refresh: None,
    });
    let mut network = network(2, 64, spec, Picos(100_000_000));
    let sizes = [(Bytes(65), 5), (Bytes(4_096), 1), (Bytes(129), 2)];
    network.vcs[0].traffic.size = SizeLaw::Mix(sizes.to_vec());
    let needed = &size_lane_credits(&network, None).unwrap()[0].needed;
    assert!(idle(&with_buffer(&network, needed.blocks)) <= Picos(81_920), "{}", needed.formula);
    assert!(idle(&with_buffer(&network, needed.blocks / 2)) > Picos(10_000_000));
}

/// CBFC with this least spacing, and a CC timer longer than any run.
fn cbfc(block: u64, overhead: u16, min_spacing: u64) -> LaneRule {
    LaneRule::Cbfc(CbfcSpec {
        block: Bytes(block),
        overhead,
        buffer: 1 << 19,
        min_spacing: Picos(min_spacing),
        max_spacing: Picos(min_spacing.max(5_242_880)),
        cc_timer: Picos(1_000_000_000_000),
    })
}

/// Claim: with the credits of the law, least spacing and all, a lane under CBFC never waits; with
/// one packet less than R without spacing asks for, it waits in every loop. 6,400 B and 16,384 B
/// of the link are 128 ns and 327.68 ns.
#[test]
fn the_law_covers_the_spacing_of_cbfc() {
    for (hops, packet, block, overhead) in
        [(1, 4_160, 256, 0), (2, 4_160, 256, 0), (1, 64, 128, 0), (1, 65, 128, 64)]
    {
        for spacing in [128_000, 327_680] {
            let network = network(hops, packet, cbfc(block, overhead, spacing), Picos(60_000_000));
            let needed = &size_lane_credits(&network, None).unwrap()[0].needed;
            let case = format!("{hops} {packet} {overhead} {spacing}: {}", needed.formula);
            assert_eq!(idle(&with_buffer(&network, needed.blocks)), Picos::ZERO, "{case}");
            let lanes = CreditLanes::new(&network);
            let id = hopflow_network::DirectionId(0);
            let least = lanes.least(id, 0, network.direction(id).rate).unwrap().need().unwrap();
            let less = least.blocks - (packet + u64::from(overhead)).div_ceil(block);
            assert!(idle(&with_buffer(&network, less)) > Picos::ZERO, "{less}: {case}");
        }
    }
}

fn with_overhead(mut network: NetworkSpec, overhead: u64) -> NetworkSpec {
    for direction in network.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.overhead = Bytes(overhead);
    }
    network
}

/// Claim: the law counts the overhead of a link: with its buffer the link is never idle, with one
/// packet less it waits in every loop, and 64 B need fewer credits than without overhead.
#[test]
fn the_law_counts_the_overhead_of_a_link() {
    for hops in [1, 2] {
        for (packet, block, update) in CASES {
            let spec = LaneRule::Credit(LaneCreditSpec {
                block: Bytes(block),
                buffer: 1 << 20,
                update,
                refresh: None,
            });
            let plain = network(hops, packet, spec, Picos(60_000_000));
            let without = size_lane_credits(&plain, None).unwrap()[0].needed.blocks;
            let network = with_overhead(plain, 20);
            let needed = &size_lane_credits(&network, None).unwrap()[0].needed;
            let case = format!("{hops} {packet} {block} {update}: {}", needed.formula);
            assert_eq!(idle(&with_buffer(&network, needed.blocks)), Picos::ZERO, "{case}");
            let less = needed.blocks - packet.div_ceil(block);
            assert!(idle(&with_buffer(&network, less)) > Picos::ZERO, "{case}");
            assert!(packet > 64 || needed.blocks < without * 8 / 10, "{case}");
        }
    }
    let spec = LaneRule::Credit(LaneCreditSpec {
        block: Bytes(64),
        buffer: 1 << 20,
        update: 30,
        refresh: None,
    });
    let mut mixed = with_overhead(network(2, 64, spec, Picos(100_000_000)), 20);
    let sizes = [(Bytes(65), 5), (Bytes(4_096), 1), (Bytes(129), 2)];
    mixed.vcs[0].traffic.size = SizeLaw::Mix(sizes.to_vec());
    let needed = &size_lane_credits(&mixed, None).unwrap()[0].needed;
    assert!(idle(&with_buffer(&mixed, needed.blocks)) <= Picos(82_320), "{}", needed.formula);
}

/// Claim (closed form): with credit for one packet of 4,160 B (T = 83.2 ns) one goes in each loop,
/// R = 83.2 ns + 3 us + 1.06 ns = 3.08426 us, or in each least spacing, where that is longer: a
/// spacing of 10 us lets the packets go at 0, R, R + 10 us, R + 20 us, ...
#[test]
fn one_packet_goes_in_each_loop_or_spacing() {
    let round_trip = 3_084_260;
    for (spacing, period) in [(128_000, round_trip), (10_000_000, 10_000_000)] {
        let network = network(1, 4_160, cbfc(256, 0, spacing), Picos(60_000_000));
        let spec = with_buffer(&network, 17);
        let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
        engine.run_until(SimTime(spec.duration.0));
        let packets = 2 + (spec.duration.0 - 83_200 - round_trip) / period;
        assert_eq!(engine.counters().directions[0].data_packets, packets, "{spacing}");
    }
}
