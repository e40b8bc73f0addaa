//! Claims about request and response, and the network on which they are tested.

mod calls;
mod files;
mod losses;
mod messages;
mod replays;
mod round_trips;
mod servers;

use std::collections::VecDeque;

use hopflow_units::{Bytes, Picos, SimTime};

use super::*;
use crate::transport::Packet;

const MICRO: u64 = 1_000_000;
const MILLI: u64 = 1_000_000_000;

/// A client and a server on two links: 1 ns per byte, a constant delay, packets in order, any of
/// them may be lost. Hosts have room for all.
struct Rig<L> {
    client: Client,
    server: Server,
    delay: Picos,
    now: SimTime,
    /// Whether a packet of a direction (0: calls) is lost.
    is_lost: L,
    directions: [Direction; 2],
    /// The arrival of each complete reply to an outstanding call.
    replies: Vec<SimTime>,
}

#[derive(Default)]
struct Direction {
    packets: u64,
    /// When each packet was passed to it, and its bytes.
    sent: Vec<(SimTime, u32)>,
    free: SimTime,
    flying: VecDeque<(SimTime, Packet)>,
}

impl<L: FnMut(usize, u64) -> bool> Rig<L> {
    fn new(client: Client, server: Server, delay: Picos, is_lost: L) -> Rig<L> {
        let (now, directions, replies) = (SimTime::ZERO, Default::default(), Vec::new());
        Rig { client, server, delay, now, is_lost, directions, replies }
    }

    /// Runs up to `end`, or until no event is left. Returns whether the latter came first.
    fn run(&mut self, end: SimTime) -> bool {
        loop {
            self.send();
            let arrivals =
                self.directions.iter().filter_map(|d| d.flying.front().map(|(at, _)| *at));
            let timers = [self.client.timer(), self.server.timer()].into_iter().flatten();
            let Some(next) = arrivals.chain(timers).min() else {
                return true;
            };
            if next >= end {
                return false;
            }
            self.now = self.now.max(next);
            self.arrive();
            self.client.expire(self.now);
            self.server.expire(self.now);
        }
    }

    fn arrive(&mut self) {
        let now = self.now;
        let mut came = [const { Vec::new() }; 2];
        for (direction, came) in self.directions.iter_mut().zip(&mut came) {
            while let Some((_, packet)) = direction.flying.pop_front_if(|(at, _)| *at <= now) {
                came.push(packet);
            }
        }
        for packet in came[0].drain(..) {
            self.server.arrive(packet, now);
        }
        for packet in came[1].drain(..) {
            let before = self.client.counters().replies;
            self.client.arrive(packet, now);
            if self.client.counters().replies > before {
                self.replies.push(now);
            }
        }
    }

    fn send(&mut self) {
        while let Some(bytes) = self.client.next(self.now) {
            let packet = self.client.send(self.now);
            assert_eq!(packet.bytes, bytes);
            self.carry(0, packet);
        }
        while let Some(bytes) = self.server.next(self.now) {
            let packet = self.server.send(self.now);
            assert_eq!(packet.bytes, bytes);
            self.carry(1, packet);
        }
    }

    fn carry(&mut self, which: usize, packet: Packet) {
        let direction = &mut self.directions[which];
        direction.sent.push((self.now, packet.bytes));
        direction.free = direction.free.max(self.now) + Picos(1_000 * u64::from(packet.bytes));
        if !(self.is_lost)(which, direction.packets) {
            direction.flying.push_back((direction.free + self.delay, packet));
        }
        direction.packets += 1;
    }
}

/// A client that reads files of exactly `bytes` bytes, without thinking.
fn plain_reads(bytes: u64, files: u64) -> NfsSpec {
    NfsSpec {
        size_median: Bytes(bytes),
        size_sigma: 0.0,
        read_ahead: 6,
        think: Some(Picos::ZERO),
        start_window: Picos::ZERO,
        files: Some(files),
        ..NfsSpec::default()
    }
}

fn of(workload: Workload) -> RpcSpec {
    RpcSpec { workload, ..RpcSpec::default() }
}

fn pair(spec: &RpcSpec, seed: u64) -> (Client, Server) {
    let client = Client::new(spec, "c", SimTime::ZERO, SimTime::NEVER, seed);
    (client, Server::new(spec, "c", seed))
}

/// The rig of `spec` without losses, with a delay of 10 us.
fn lossless(spec: &RpcSpec) -> Rig<fn(usize, u64) -> bool> {
    let (client, server) = pair(spec, 1);
    Rig::new(client, server, Picos(10 * MICRO), |_, _| false)
}
