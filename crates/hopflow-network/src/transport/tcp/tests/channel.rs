//! A channel for tests: one link each way with a rate, a delay, a queue and chosen losses.
//!
//! A packet offered at t starts when the link is free, takes bytes x `per_byte`, and arrives
//! `delay` later. At one instant: arrivals, then timers, then sending, as in a host.

use std::collections::VecDeque;

use hopflow_units::{Picos, SimTime};

use super::super::super::{Packet, Payload};
use super::super::{Receiver, Segment, Sender, TcpSpec};

pub(super) const MILLI: u64 = 1_000_000_000;

/// Which packets are lost, by their number on the link.
pub(super) enum Losses {
    None,
    /// These, counted from 0.
    These(Vec<u64>),
    /// Each with this probability in thousandths, from this seed.
    Random(u64, u64),
}

impl Losses {
    fn lost(&mut self, number: u64) -> bool {
        match self {
            Losses::None => false,
            Losses::These(numbers) => numbers.contains(&number),
            Losses::Random(seed, per_mille) => split_mix(seed) % 1_000 < *per_mille,
        }
    }
}

/// SplitMix64 [SLF14].
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// One direction.
pub(super) struct Link {
    /// Picoseconds per byte; 0: no time.
    pub(super) per_byte: u64,
    pub(super) delay: Picos,
    /// The most packets that wait or are on the wire.
    pub(super) limit: usize,
    pub(super) losses: Losses,
    free: SimTime,
    /// When accepted packets leave the queue.
    leaving: VecDeque<SimTime>,
    flying: VecDeque<(SimTime, Packet)>,
    sent: u64,
}

impl Link {
    pub(super) fn new(per_byte: u64, delay: Picos, losses: Losses) -> Link {
        Link {
            per_byte,
            delay,
            limit: usize::MAX,
            losses,
            free: SimTime::ZERO,
            leaving: VecDeque::new(),
            flying: VecDeque::new(),
            sent: 0,
        }
    }

    fn offer(&mut self, packet: Packet, now: SimTime) {
        let number = self.sent;
        self.sent += 1;
        while self.leaving.front().is_some_and(|&at| at <= now) {
            self.leaving.pop_front();
        }
        if self.losses.lost(number) || self.leaving.len() >= self.limit {
            return;
        }
        self.free = self.free.max(now) + Picos(u64::from(packet.bytes) * self.per_byte);
        self.leaving.push_back(self.free);
        self.flying.push_back((self.free + self.delay, packet));
    }

    fn take(&mut self, now: SimTime) -> Option<Packet> {
        if self.flying.front()?.0 > now {
            return None;
        }
        self.flying.pop_front().map(|(_, packet)| packet)
    }

    fn next(&self) -> Option<SimTime> {
        self.flying.front().map(|(at, _)| *at)
    }
}

/// A segment that was sent, and when.
pub(super) type Sent = (SimTime, Segment);

/// A connection over two links.
pub(super) struct Connection {
    pub(super) sender: Sender,
    pub(super) receiver: Receiver,
    pub(super) there: Link,
    pub(super) back: Link,
    pub(super) now: SimTime,
    /// Whether to record the segments sent.
    pub(super) traced: bool,
    pub(super) data: Vec<Sent>,
    pub(super) acks: Vec<Sent>,
    /// The state of a receiver that keeps every byte, if `traced`.
    oracle: Oracle,
}

impl Connection {
    pub(super) fn new(spec: &TcpSpec, there: Link, back: Link) -> Connection {
        spec.validate().expect("the test's connection is valid");
        Connection {
            sender: Sender::new(spec, SimTime::ZERO, None),
            receiver: Receiver::new(spec),
            there,
            back,
            now: SimTime::ZERO,
            traced: true,
            data: Vec::new(),
            acks: Vec::new(),
            oracle: Oracle { first: spec.first, came: Vec::new(), prefix: 0 },
        }
    }

    /// Two equal links without a rate; losses in the direction of the data.
    pub(super) fn simple(spec: &TcpSpec, delay_millis: u64, lost: &[u64]) -> Connection {
        let delay = Picos(delay_millis * MILLI);
        let there = Link::new(0, delay, Losses::These(lost.to_vec()));
        Connection::new(spec, there, Link::new(0, delay, Losses::None))
    }

    /// Runs to the end of `until`, or until no event is left.
    pub(super) fn run(&mut self, until: SimTime) {
        self.push();
        while let Some(now) = self.next().filter(|now| *now <= until) {
            self.now = now.max(self.now);
            self.step();
        }
    }

    fn next(&self) -> Option<SimTime> {
        let timers = [self.sender.timer(), self.receiver.timer()];
        let links = [self.there.next(), self.back.next()];
        timers.into_iter().chain(links).flatten().min()
    }

    fn step(&mut self) {
        let now = self.now;
        while let Some(packet) = self.there.take(now) {
            if self.traced {
                self.oracle.take(&packet);
            }
            self.receiver.arrive(packet, now);
            if self.traced {
                let delivered = self.receiver.counters().delivered_bytes;
                assert_eq!(delivered, self.oracle.prefix, "delivered in order, once each");
            }
        }
        while let Some(packet) = self.back.take(now) {
            self.sender.arrive(packet, now);
            let acked = self.sender.counters().acked_bytes;
            assert!(acked <= self.receiver.counters().delivered_bytes);
        }
        self.sender.expire(now);
        self.receiver.expire(now);
        self.push();
        assert!(self.sender.timer().is_none_or(|at| at > now), "a timer is stuck at {now}");
    }

    fn push(&mut self) {
        let now = self.now;
        while let Some(bytes) = self.sender.next(now) {
            let packet = self.sender.send(now);
            assert_eq!(packet.bytes, bytes, "next() said what send() does");
            self.keep(packet, true);
            self.there.offer(packet, now);
        }
        while let Some(bytes) = self.receiver.next(now) {
            let packet = self.receiver.send(now);
            assert_eq!(packet.bytes, bytes, "next() said what send() does");
            self.keep(packet, false);
            self.back.offer(packet, now);
        }
    }

    fn keep(&mut self, packet: Packet, data: bool) {
        if self.traced {
            let Payload::Tcp(segment) = packet.payload else { panic!("not TCP") };
            let list = if data { &mut self.data } else { &mut self.acks };
            list.push((self.now, segment));
        }
    }

    /// The data sent in [from, to) ms: segment numbers of MSS `mss` from byte `first` on.
    pub(super) fn numbers(&self, mss: u32, first: u32, from: u64, to: u64) -> Vec<u32> {
        let within = |at: &SimTime| (from * MILLI..to * MILLI).contains(&at.0);
        let sent = self.data.iter().filter(|(at, _)| within(at));
        sent.map(|(_, segment)| segment.seq.0.wrapping_sub(first) / mss).collect()
    }
}

/// A receiver that keeps every byte.
struct Oracle {
    first: u32,
    came: Vec<bool>,
    prefix: u64,
}

impl Oracle {
    fn take(&mut self, packet: &Packet) {
        let Payload::Tcp(segment) = packet.payload else { panic!("not TCP") };
        // The offset with this number that is nearest to the bytes delivered so far.
        let number = segment.seq.0.wrapping_sub(self.first);
        let distance = number.wrapping_sub(self.prefix as u32).cast_signed();
        let start =
            self.prefix.checked_add_signed(distance.into()).expect("in the stream") as usize;
        let end = start + segment.len as usize;
        if self.came.len() < end {
            self.came.resize(end, false);
        }
        self.came[start..end].fill(true);
        while self.came.get(self.prefix as usize) == Some(&true) {
            self.prefix += 1;
        }
    }
}
