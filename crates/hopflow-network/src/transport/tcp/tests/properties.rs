//! Properties of every variant under any loss.

use hopflow_units::{Picos, SimTime};
use proptest::prelude::*;

use super::super::{TcpSpec, TcpTimers, TcpVariant, Transfer};
use super::channel::{Connection, Link, Losses, MILLI};

fn presets() -> [TcpSpec; 5] {
    let nofast = TcpVariant::RenoWithoutFastRetransmit;
    [
        TcpSpec::reno(),
        TcpSpec { variant: nofast, ..TcpSpec::reno() },
        TcpSpec::new(TcpVariant::NewReno),
        TcpSpec::new(TcpVariant::Cubic),
        TcpSpec::cai97(),
    ]
}

prop_compose! {
    fn any_spec()(
        preset in 0..5_usize,
        mss in 1..3_000_u32,
        segments in 1..32_u32,
        bytes in 1..150_000_u64,
        first in prop_oneof![Just(0), Just(1), Just(u32::MAX - 40_000), any::<u32>()],
        nagle in any::<bool>(),
        initial_window in 1..12_u32,
        min_ticks in 1..4_u32,
        rttvar_factor in prop_oneof![Just(2), Just(4)],
    ) -> TcpSpec {
        let spec = presets()[preset].clone();
        let scale = spec.scale;
        let window = (mss * segments + (1 << scale)).min(spec.most_window());
        let timers = match spec.timers {
            TcpTimers::Ticks { tick, .. } => TcpTimers::Ticks { tick, min_ticks, rttvar_factor },
            fine @ TcpTimers::Fine { .. } => fine,
        };
        let transfer = Transfer::Bytes(bytes.min(u64::from(mss) * 60));
        TcpSpec { mss, window, timers, initial_window, nagle, transfer, first, ..spec }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Claim: under any pattern of up to 50 % loss each way every byte is delivered once and in
    /// order (the channel's oracle keeps every byte), and the transfer ends.
    #[test]
    fn every_byte_comes_once_and_in_order(
        spec in any_spec(),
        lost in (0..=500_u64, 0..=500_u64),
        seeds in any::<(u64, u64)>(),
        per_byte in prop_oneof![Just(0), Just(80_000), 1..10_000_000_u64],
        delay in 0..400 * MILLI,
        limit in prop_oneof![Just(usize::MAX), 1..20_usize],
    ) {
        let mut there = Link::new(per_byte, Picos(delay), Losses::Random(seeds.0, lost.0));
        there.limit = limit;
        let back = Link::new(per_byte, Picos(delay + 1), Losses::Random(seeds.1, lost.1));
        let mut connection = Connection::new(&spec, there, back);
        connection.run(SimTime(u64::MAX / 4));
        prop_assert!(connection.sender.finished(), "stuck at {}", connection.now);
        let Transfer::Bytes(bytes) = spec.transfer else { unreachable!() };
        let counters = connection.sender.counters();
        prop_assert_eq!(connection.receiver.counters().delivered_bytes, bytes);
        prop_assert_eq!(counters.acked_bytes, bytes);
        prop_assert_eq!(connection.sender.outstanding_bytes(), 0);
        let repaired = connection.data.iter().filter(|(_, segment)| segment.again).count();
        prop_assert_eq!(counters.retransmitted_segments, repaired as u64);
    }
}

/// Claim: the window of the receiver is never exceeded, and without loss nothing is sent twice, in
/// any variant, through a link with a queue that holds a whole window.
#[test]
fn without_loss_nothing_is_sent_twice() {
    for spec in presets() {
        let spec = TcpSpec { transfer: Transfer::Bytes(2_000_000), ..spec };
        let there = Link::new(80_000, Picos(5 * MILLI), Losses::None);
        let back = Link::new(80_000, Picos(5 * MILLI), Losses::None);
        let mut connection = Connection::new(&spec, there, back);
        connection.run(SimTime::NEVER);
        let counters = connection.sender.counters();
        assert_eq!((counters.retransmitted_segments, counters.timeouts), (0, 0), "{spec:?}");
        assert_eq!(connection.receiver.counters().delivered_bytes, 2_000_000);
    }
}

/// Claim: more than 4 GiB are carried, so that the numbers wrap, with losses, in every variant.
#[test]
fn more_than_four_gigabytes_pass() {
    let bytes = (1 << 32) + 100_000_000;
    for spec in presets() {
        let spec = TcpSpec {
            mss: 65_495,
            window: 4 << 20,
            scale: 7,
            transfer: Transfer::Bytes(bytes),
            ..spec
        };
        let losses = Losses::These((1..60).map(|n| n * 1_000).collect());
        let there = Link::new(1_000, Picos(MILLI), losses);
        let back = Link::new(0, Picos(MILLI), Losses::None);
        let mut connection = Connection::new(&spec, there, back);
        connection.traced = false;
        connection.run(SimTime::NEVER);
        assert!(connection.sender.finished());
        assert_eq!(connection.receiver.counters().delivered_bytes, bytes);
        assert_eq!(connection.sender.counters().acked_bytes, bytes);
    }
}

/// Claim: timers survive a long idle time: 100 days between two transfers, and the first ten
/// segments of the second one are lost.
#[test]
fn timers_survive_long_idle() {
    let day = 86_400 * Picos::PER_SECOND;
    for spec in presets() {
        let entries = vec![(SimTime::ZERO, 100_000), (SimTime(100 * day), 100_000)];
        let spec = TcpSpec { transfer: Transfer::Schedule(entries), ..spec };
        let mut first = Connection::simple(&spec, 10, &[]);
        first.run(SimTime(99 * day));
        let sent = first.sender.counters().segments;
        let lost: Vec<u64> = (sent..sent + 10).collect();
        let mut connection = Connection::simple(&spec, 10, &lost);
        connection.run(SimTime::NEVER);
        assert!(connection.sender.finished());
        assert!(connection.sender.counters().timeouts >= 1);
    }
}
