//! Claims about the server.

use super::*;
use crate::transport::Payload;

/// A call of READ, whole in one packet.
fn call(xid: u32, data: u32) -> Packet {
    let message = Message {
        xid,
        datagram: xid,
        data,
        fragment: 0,
        is_last: true,
        is_reply: false,
        procedure: Procedure::Read,
    };
    Packet::new(140, Payload::Rpc(message))
}

fn server(service: ServiceLaw) -> Server {
    Server::new(&RpcSpec { service, ..RpcSpec::default() }, "c", 1)
}

/// The xid of the call that a reply answers.
fn xid(packet: Packet) -> u32 {
    let Payload::Rpc(message) = packet.payload else {
        panic!("a server sends replies");
    };
    message.xid
}

/// Claim (by hand, Eq. (1)): calls at 0, 10 and 250 us, 100 us each: d = 100, 200, 350. When called
/// late, the server still knows when each was done.
#[test]
fn calls_are_served_one_after_the_other() {
    let mut server = server(ServiceLaw::Fixed(Picos(100 * MICRO)));
    server.arrive(call(0, 1), SimTime::ZERO);
    server.arrive(call(1, 1), SimTime(10 * MICRO));
    assert_eq!(server.timer(), Some(SimTime(100 * MICRO)));
    assert_eq!(server.next(SimTime(10 * MICRO)), None);
    server.expire(SimTime(100 * MICRO));
    assert_eq!(xid(server.send(SimTime(100 * MICRO))), 0);
    assert_eq!(server.timer(), Some(SimTime(200 * MICRO)));
    server.arrive(call(2, 1), SimTime(250 * MICRO));
    assert_eq!(xid(server.send(SimTime(250 * MICRO))), 1);
    assert_eq!(server.timer(), Some(SimTime(350 * MICRO)));
    server.expire(SimTime(900 * MICRO));
    assert_eq!(server.next(SimTime(900 * MICRO)), Some(28 + 100 + 4));
    assert_eq!((server.timer(), server.counters().calls), (None, 3));
}

/// Claim [NFS93]: a repeated call is dropped while the first one is in progress (waits, is served,
/// or its reply waits); one that is repeated later is served again.
#[test]
fn a_call_in_hand_is_dropped_when_it_comes_again() {
    let mut server = server(ServiceLaw::Fixed(Picos(100 * MICRO)));
    server.arrive(call(0, 1), SimTime::ZERO);
    server.arrive(call(1, 1), SimTime::ZERO);
    server.arrive(call(0, 1), SimTime(1));
    server.arrive(call(1, 1), SimTime(1));
    assert_eq!((server.counters().calls, server.counters().duplicates), (2, 2));
    let done = SimTime(200 * MICRO);
    server.expire(done);
    server.arrive(call(0, 1), done);
    assert_eq!((server.counters().calls, server.counters().duplicates), (2, 3));
    assert_eq!((xid(server.send(done)), xid(server.send(done))), (0, 1));
    server.arrive(call(0, 1), done);
    assert_eq!((server.counters().calls, server.timer()), (3, Some(SimTime(300 * MICRO))));
}

/// Claim: without a service time a reply is ready when its call arrives, and the server has no
/// timer.
#[test]
fn no_service_time_is_no_time() {
    let mut server = server(ServiceLaw::Fixed(Picos::ZERO));
    server.arrive(call(5, 8_192), SimTime(7));
    assert_eq!((server.timer(), server.next(SimTime(7))), (None, Some(8_320)));
}

/// Claim (closed form): an M/M/1 queue. Poisson calls at half the server's rate, service mean 1 ms:
/// the mean time in the system is 1 / (1 - 0.5) = 2 ms. It is exponential, so n independent ones
/// would have a standard error of 2/sqrt(n); neighbours are correlated over about 2/(1 - rho)^2 = 8
/// calls each way, n/16 are independent: 2 sqrt(16/20,000) = 0.057 ms. 5 of it are allowed.
#[test]
fn an_exponential_server_is_an_mm1_queue() {
    let mut gaps = hopflow_kernel::RandomStream::new(2, "mm1", "gaps");
    let mut at = 0.0;
    let calls = (0..20_000).map(|_| {
        at += gaps.exponential(2.0 * MILLI as f64);
        RecordedCall { at: Picos(at as u64), procedure: Procedure::Lookup, data: 0 }
    });
    let replay = ReplaySpec { calls: calls.collect(), outstanding: 1_000 };
    let spec =
        RpcSpec { service: ServiceLaw::Exponential(Picos(MILLI)), ..of(Workload::Replay(replay)) };
    let (client, server) = pair(&spec, 3);
    let mut rig = Rig::new(client, server, Picos::ZERO, |_, _| false);
    assert!(rig.run(SimTime::NEVER));
    assert_eq!(rig.client.counters().replies, 20_000);
    let mean = rig.client.counters().response.mean_ps().unwrap() / MILLI as f64;
    assert!((mean - 2.0).abs() < 5.0 * 0.057, "mean {mean} ms");
}
