//! Claims about lost calls and replies.

use hopflow_kernel::RandomStream;
use proptest::prelude::*;

use super::*;

/// Claim (by hand, Eq. (5) of `round_trip.rs`): a first call that is lost repeatedly is sent at the
/// first tick that is more than 25, then 50, 100, ... 25 x 256 ticks later, that is after 26, 51,
/// 101, ... ticks, and from then on after 6,401 each. The clock's first tick counts.
#[test]
fn a_lost_call_is_sent_again_ever_later() {
    let (client, server) = pair(&of(Workload::Nfs(plain_reads(1, 1))), 1);
    let mut rig = Rig::new(client, server, Picos(10 * MICRO), |_, _| true);
    rig.run(SimTime(1));
    let first = rig.client.timer().unwrap();
    assert!(first.0 < 40 * MILLI);
    let end = SimTime(Picos::PER_SECOND * 1_400);
    assert!(!rig.run(end));
    let sent: Vec<u64> = rig.directions[0].sent.iter().map(|(at, _)| at.0).collect();
    let mut ticks = 25;
    let mut expected = vec![0, first.0 + ticks * 40 * MILLI];
    for power in [1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 8] {
        ticks += (25 << power) + 1;
        expected.push(first.0 + ticks * 40 * MILLI);
    }
    expected.retain(|at| *at < end.0);
    assert_eq!(sent, expected);
    let counters = rig.client.counters();
    assert_eq!((counters.calls, counters.replies), (1, 0));
    assert_eq!(counters.retransmissions, sent.len() as u64 - 1);
    assert_eq!(counters.timeouts, counters.retransmissions);
}

/// Claim: a lost reply makes the server work again; a reply that arrives after its call was sent
/// again is accepted, and the second one is a duplicate.
#[test]
fn a_late_reply_is_taken_once() {
    // Delay 1.1 s: longer than the first time-out (26 or 27 ticks: 1.08 s), shorter than two of it.
    let (client, server) = pair(&of(Workload::Nfs(plain_reads(1, 2))), 1);
    let mut rig = Rig::new(client, server, Picos(550 * MILLI), |_, _| false);
    assert!(rig.run(SimTime::NEVER));
    let counters = rig.client.counters();
    assert_eq!((counters.calls, counters.replies), (6, 6));
    // Repeated calls measure nothing, so the second file is read with the first time-outs.
    assert_eq!((counters.retransmissions, counters.duplicates), (6, 6));
    let served = rig.server.counters();
    assert_eq!((served.calls, served.duplicates, served.replies), (12, 0, 12));
    assert!(counters.response.max_ps() < Some(1_101 * MILLI));
}

/// Claim: a reply removes its call from the queue: one that timed out at a blocked host is not
/// sent.
#[test]
fn an_answered_call_is_not_sent_again() {
    let (mut client, mut server) = pair(&of(Workload::Nfs(plain_reads(1, 1))), 1);
    client.expire(SimTime::ZERO);
    let packet = client.send(SimTime::ZERO);
    let late = SimTime(1_500 * MILLI);
    client.expire(late);
    assert_eq!((client.counters().timeouts, client.next(late)), (1, Some(140)));
    server.arrive(packet, late);
    client.arrive(server.send(late), late);
    // The next packet to send is the next call: GETATTR.
    assert_eq!(client.next(late), Some(128));
    assert_eq!((client.counters().retransmissions, client.counters().replies), (0, 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Claim: under any loss of up to half of the packets, in both directions, every file is read
    /// to its end, each byte once; each call is answered once; every call that the server accepted
    /// was made by the client.
    #[test]
    fn all_files_come_under_loss(
        seed in 0_u64..1_000,
        loss in 0.0_f64..0.5,
        read_ahead in 1_u32..6,
        is_cut: bool,
        service in prop_oneof![Just(0), Just(3 * MILLI), Just(300 * MILLI)],
    ) {
        let nfs = NfsSpec { read_ahead, block: 2_048, files: Some(3), ..NfsSpec::default() };
        let spec = RpcSpec {
            mtu: if is_cut { 1_500 } else { 9_180 },
            service: ServiceLaw::Exponential(Picos(service)),
            ..of(Workload::Nfs(nfs))
        };
        let (client, server) = pair(&spec, seed);
        let mut coins = RandomStream::new(seed, "rig", "losses");
        let mut rig = Rig::new(client, server, Picos(MILLI), |_, _| coins.unit() < loss);
        prop_assert!(rig.run(SimTime(Picos::PER_SECOND * 1_000_000)), "it goes on for ever");
        let mut sizes = RandomStream::new(seed, "c", "nfs size");
        let sizes: Vec<u64> =
            (0..3).map(|_| sizes.lognormal(6_144.0, 1.0).ceil() as u64).collect();
        let counters = rig.client.counters();
        prop_assert_eq!(counters.read_bytes, sizes.iter().sum::<u64>());
        let reads: u64 = sizes.iter().map(|size| size.div_ceil(2_048)).sum();
        prop_assert_eq!(counters.calls, 3 * 2 + reads);
        prop_assert_eq!(counters.replies, counters.calls);
        prop_assert_eq!(counters.response.count(), counters.replies);
        prop_assert_eq!(counters.transfer.count(), 3);
        prop_assert!(counters.retransmissions <= counters.timeouts);
        let served = rig.server.counters();
        let sent = counters.calls + counters.retransmissions;
        prop_assert!(served.calls + served.duplicates <= sent);
        prop_assert_eq!(served.replies, served.calls);
        prop_assert!(counters.replies + counters.duplicates <= served.replies);
        prop_assert_eq!((rig.client.outstanding(), rig.client.timer()), (0, None));
    }
}
