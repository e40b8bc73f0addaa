//! Claims about one client: the order and the instants of its calls.

use super::*;

const NANO: u64 = 1_000;

/// Claim (by hand): one file of 20,000 bytes, 2 READs outstanding, 1 ns per byte, 10 us away.
/// ```text
/// LOOKUP   at      0, 140 B -> 10,140; reply 156 B -> 20,296
/// GETATTR  at 20,296, 128 B -> 30,424; reply 124 B -> 40,548
/// READ 1   at 40,548, 140 B -> 50,688; reply 8,320 B -> 69,008
/// READ 2   at 40,548, behind -> 50,828; reply 8,320 B, behind the first -> 77,328
/// READ 3   at 69,008, 140 B -> 79,148; reply 100 + 3,616 + 28 B -> 92,892
/// ```
#[test]
fn a_file_is_read_block_by_block() {
    let nfs = NfsSpec { read_ahead: 2, ..plain_reads(20_000, 1) };
    let mut rig = lossless(&of(Workload::Nfs(nfs)));
    assert!(rig.run(SimTime::NEVER));
    let nanos = |times: &[SimTime]| times.iter().map(|time| time.0 / NANO).collect::<Vec<_>>();
    assert_eq!(nanos(&rig.replies), [20_296, 40_548, 69_008, 77_328, 92_892]);
    let calls: Vec<_> = rig.directions[0].sent.iter().map(|(at, _)| at.0 / NANO).collect();
    assert_eq!(calls, [0, 20_296, 40_548, 40_548, 69_008]);
    let counters = rig.client.counters();
    assert_eq!((counters.calls, counters.replies, counters.read_bytes), (5, 5, 20_000));
    assert_eq!(counters.response.min_ps(), Some(20_252 * NANO));
    assert_eq!(counters.response.max_ps(), Some(36_780 * NANO));
    let mean = f64::from(20_296 + 20_252 + 28_460 + 36_780 + 23_884) * 1e3 / 5.0;
    assert_eq!(counters.response.mean_ps(), Some(mean));
    assert_eq!(counters.transfer.max_ps(), Some((92_892 - 40_548) * NANO));
    let served = rig.server.counters();
    assert_eq!((served.calls, served.replies, served.duplicates), (5, 5, 0));
    assert_eq!((rig.client.outstanding(), rig.client.timer()), (0, None));
}

/// Claim: at an MTU of 1,500 a READ reply of 8 kB is six packets of 8,420 bytes in all, and takes
/// 100 ns longer for its five more headers; all else is unchanged.
#[test]
fn a_cut_reply_counts_once() {
    let nfs = plain_reads(8_192, 1);
    let spec = RpcSpec { mtu: 1_500, ..of(Workload::Nfs(nfs)) };
    let mut rig = lossless(&spec);
    assert!(rig.run(SimTime::NEVER));
    assert_eq!(rig.replies.last(), Some(&SimTime((69_008 + 100) * NANO)));
    assert_eq!(rig.server.counters().replies, 3);
    assert_eq!(rig.client.counters().replies, 3);
    assert_eq!(rig.directions[1].packets, 2 + 6);
}

/// Claim: no call at or after the stop. All three READs of the file above are made at 40,548 ns if
/// six may be outstanding; the third reply arrives 3,744 ns after the second, at 81,072 ns, and
/// with it the next LOOKUP would follow.
#[test]
fn no_call_comes_after_the_stop() {
    let spec = of(Workload::Nfs(plain_reads(20_000, 9)));
    for (stop, calls) in
        [(0, 0), (1, 1), (20_296, 1), (20_297, 2), (40_549, 5), (81_072, 5), (81_073, 6)]
    {
        let client = Client::new(&spec, "c", SimTime::ZERO, SimTime(stop * NANO), 1);
        let (_, server) = pair(&spec, 1);
        let mut rig = Rig::new(client, server, Picos(10 * MICRO), |_, _| false);
        assert!(rig.run(SimTime::NEVER));
        assert_eq!(rig.client.counters().calls, calls, "stop at {stop} ns");
    }
}

/// Claim: a call whose host has no room stays queued, and waiting there counts as response time;
/// the clock does not run meanwhile.
#[test]
fn waiting_at_the_own_host_counts() {
    let spec = of(Workload::Nfs(plain_reads(1, 1)));
    let (mut client, mut server) = pair(&spec, 1);
    client.expire(SimTime::ZERO);
    assert_eq!((client.next(SimTime::ZERO), client.timer()), (Some(140), None));
    let late = SimTime(3_000 * MILLI);
    let packet = client.send(late);
    let tick = client.timer().unwrap();
    assert!(tick > late && tick <= late + Picos(40 * MILLI));
    server.arrive(packet, late);
    client.arrive(server.send(late), late);
    assert_eq!(client.counters().response.max_ps(), Some(late.0));
    assert_eq!((client.counters().timeouts, client.timer()), (0, None));
}
