//! Claims about headroom.

use hopflow_control::lane::{PauseSpec, Watching};
use hopflow_engine::WindowedEngine;
use hopflow_network::{
    DirectionId, Engine, HopControl, LaneRule, LanesSpec, NetworkSpec, PausedLanes, SizeLaw,
    SourceSpec, TraceFilter,
};
use hopflow_testing::NetworkBuilder;
use hopflow_units::{Bytes, Picos, Rate, SimTime};

use super::super::delay_of_length;
use super::*;

fn gbps(count: u64) -> Rate {
    Rate::from_bps(count * 1_000_000_000).unwrap()
}

/// Bit times at a rate, as a span.
fn bits(count: u64, rate: Rate) -> Picos {
    Picos(count * Picos::PER_SECOND / rate.bps())
}

/// Claim [PFC-BT]: at 10 Gb/s over 100 m: 73888 (a frame of 9216 bytes with 20 of preamble and
/// gap) + 672 (a pause frame of 64 with 20) + 8192 (interface) + 2 x 5000 (cable) + 30720
/// (response) + 18560 (a frame of 2300 with 20) = 142032 bit times = 17754 bytes.
#[test]
fn the_published_bit_times_add_up() {
    let rate = gbps(10);
    let link = PausedLink {
        rate,
        overhead: Bytes(0),
        overhead_back: Bytes(0),
        rate_back: rate,
        delay: delay_of_length(200).unwrap(),
        interface: bits(8_192, rate),
        response: bits(30_720, rate),
        frame: Bytes(2_320),
        frame_back: Bytes(9_236),
        pause_frame: Bytes(84),
        frames_ahead: 0,
    };
    let found = headroom(&link).unwrap();
    assert_eq!(found.headroom, Bytes(142_032 / 8));
    assert_eq!(found.beyond_xoff, Bytes(142_032 / 8 + 2_320));
    assert_eq!(found.span, bits(142_032 - 18_560, rate));
    assert!(found.formula.contains("+ 2320 = 17754 bytes"), "{}", found.formula);
    let far = PausedLink { delay: Picos(u64::MAX), ..link };
    assert!(matches!(headroom(&far), Err(SizeError::PauseTooLate { .. })));
    let fast = PausedLink { response: Picos(u64::MAX / 2), rate: gbps(10_000_000_000), ..link };
    assert!(matches!(headroom(&fast), Err(SizeError::HeadroomTooLarge { .. })));
    let empty = PausedLink { frame: Bytes(0), ..link };
    assert_eq!(headroom(&empty), Err(SizeError::NoFrame));
}

/// Claim, by hand: the terms of the way back take its own rate and overhead, and of the bytes of
/// the link there only frames enter the buffer. 10 Gb/s there, 1 Gb/s back, 20 B beside each frame,
/// 2 us of delays: 12.16 us (1,500 B and 20 back) + .672 us (64 B and 20) + 2 us = 14.832 us, in
/// which 18,540 B pass, 1500/1520 of them frames: 18,296.05 B, and 1,500 more.
#[test]
fn the_way_back_has_its_own_rate_and_overhead() {
    let link = PausedLink {
        rate: gbps(10),
        overhead: Bytes(20),
        overhead_back: Bytes(20),
        rate_back: gbps(1),
        delay: Picos(2_000_000),
        interface: Picos::ZERO,
        response: Picos::ZERO,
        frame: Bytes(1_500),
        frame_back: Bytes(1_500),
        pause_frame: Bytes(64),
        frames_ahead: 0,
    };
    let found = headroom(&link).unwrap();
    assert_eq!(found.span, Picos(14_832_000));
    assert_eq!(found.headroom, Bytes(18_297 + 1_500));
    assert_eq!(found.beyond_xoff, Bytes(18_297 + 3_000));
    let formula = "headroom = ceil(span x rate / 8 bits x frame / (frame + overhead)) + frame = \
                   ceil(14.832 us x 10 Gb/s / 8 bits x 1500 / (1500 + 20)) + 1500 = 19797 bytes";
    assert!(found.formula.contains(formula), "{}", found.formula);
}

/// A host that sends packets of `size` through a switch onto a link of a tenth of the rate, and
/// packets of `back` the other way.
fn funnel(size: u64, back: u64, delay: u64, xoff: u64) -> NetworkSpec {
    let mut network = NetworkBuilder::new(3_000);
    let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
    network.link(a, s, delay);
    network.link(s, b, 1);
    for direction in &mut network.spec.links[1].directions {
        direction.rate = Rate::from_bps(42_400_000).unwrap();
    }
    network.vc("VC1", &[a, s, b], HopControl::None, SourceSpec::Greedy);
    network.vc("VC2", &[b, s, a], HopControl::None, SourceSpec::Greedy);
    network.spec.vcs[0].traffic.size = SizeLaw::Fixed(Bytes(size));
    network.spec.vcs[1].traffic.size = SizeLaw::Fixed(Bytes(back));
    let mut spec = network.spec;
    let pause = PauseSpec {
        xoff: Bytes(xoff),
        xon: Bytes(xoff / 2),
        quanta: 2_000,
        room: None,
        watchdog: None,
        watching: Watching::IDEAL,
    };
    spec.links[0].directions[0].lanes = Some(LanesSpec::new(1, LaneRule::Pause(pause)));
    spec
}

/// The most bytes the switch has held of the lane, and the packets it has dropped.
fn worst(spec: &NetworkSpec) -> (u64, u64) {
    let mut engine = WindowedEngine::new(spec, TraceFilter::none(), 1);
    engine.run_until(SimTime(spec.duration.0));
    let counters = engine.counters();
    (counters.directions[0].lanes[0].held_max, counters.vcs[0].hops[0].dropped_packets)
}

/// Claim: with the headroom of Eq. (3) nothing is lost, whatever the sizes, the delay, the
/// threshold and the overhead of the link; and the worst of these cases come within two frames of
/// it, so it is not far too much either.
#[test]
fn nothing_is_lost_with_the_headroom() {
    let mut least_unused = u64::MAX;
    for (size, back) in [(53, 53), (1_500, 53), (53, 1_500), (700, 900), (1_500, 1_500)] {
        for delay in [0, 1, 7, 40] {
            for (xoff, overhead) in
                [(1, 0), (500, 20), (500, 0), (2_000, 0), (7_777, 38), (7_777, 0)]
            {
                let mut spec = funnel(size, back, delay, xoff);
                for direction in &mut spec.links[0].directions {
                    direction.overhead = Bytes(overhead);
                }
                let needed = headroom(&PausedLanes::new(&spec).link(DirectionId(0), 0)).unwrap();
                let room = xoff + needed.beyond_xoff.0;
                if let Some(LanesSpec { rule: LaneRule::Pause(pause), .. }) =
                    &mut spec.links[0].directions[0].lanes
                {
                    pause.room = Some(Bytes(room));
                }
                let (most, dropped) = worst(&spec);
                assert_eq!(dropped, 0, "{size} {back} {delay} {xoff}: {most} of {room}");
                assert!(most > xoff.max(size) - 1, "PFC was at work");
                least_unused = least_unused.min((room - most) / size.max(back));
            }
        }
    }
    assert!(least_unused <= 2, "{least_unused} frames were never used");
}

/// Claim: with a quarter of it something is lost.
#[test]
fn too_little_headroom_loses_packets() {
    let mut spec = funnel(53, 1_500, 40, 500);
    let needed = headroom(&PausedLanes::new(&spec).link(DirectionId(0), 0)).unwrap();
    if let Some(LanesSpec { rule: LaneRule::Pause(pause), .. }) =
        &mut spec.links[0].directions[0].lanes
    {
        pause.room = Some(Bytes(500 + needed.beyond_xoff.0 / 4));
    }
    assert!(worst(&spec).1 > 0);
}
