//! An endpoint whose packets come from outside the simulation: from a real host, or from the record
//! of one.
//!
//! ```text
//! packet n, L_n bytes, is present from x_n on; it enters the host's queue at the first instant,
//! not before x_n and not before packet n - 1, at which all its units have room there     (1)
//! ```
//! | symbol | meaning                                          | unit  |
//! |--------|--------------------------------------------------|-------|
//! | x_n    | instant of packet n, not before that of n - 1    | ps    |
//! | L_n    | its bytes, from the IP header on; at least 1     | bytes |
//!
//! A waiting packet is not lost: the source of the packets reads [`Line::waiting`] and holds back.
//! The contents of a packet stay outside; here it is a number. The other end reports the number and
//! the instant of each packet that arrives whole, in order.
//!
//! A record contains all x_n. A live line learns them during the run: before each step up to an
//! instant H it is given H ([`Line::open_until`]) and every packet before H. An endpoint without a
//! packet then wakes at H, the first instant of the next step, and checks again. It finds either a
//! packet for this instant or nothing, and a check that finds nothing changes nothing: so a run of
//! the record is the live run, event for event.
//!
//! Not modelled: the effect of packet contents on the speed of the real host, which x_n includes.
//! Checked by: `hopflow-engine/tests/live.rs`.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hopflow_units::SimTime;

use super::{Hold, Packet, Payload};

/// The packets of the two hosts of a connection.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveSpec {
    /// The largest packet, from the IP header on, in bytes.
    pub mtu: u32,
    /// The first host, the second.
    pub ends: [Outside; 2],
}

/// Where the packets of a host come from.
#[derive(Clone, Debug)]
pub enum Outside {
    /// All are known; instants never decrease.
    Recorded(Arc<[Given]>),
    /// They arrive during the run.
    Live(Arc<Line>),
}

impl Outside {
    /// All packets, if recorded.
    pub fn recorded(&self) -> Option<&[Given]> {
        match self {
            Outside::Recorded(all) => Some(all),
            Outside::Live(_) => None,
        }
    }
}

impl PartialEq for Outside {
    fn eq(&self, other: &Outside) -> bool {
        match (self, other) {
            (Outside::Recorded(a), Outside::Recorded(b)) => a == b,
            (Outside::Live(a), Outside::Live(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// A packet from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// When it is present: x_n.
    pub at: SimTime,
    /// Its size L_n in bytes.
    pub bytes: u32,
}

/// A packet that has arrived whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrivedPacket {
    /// When its last bit arrived.
    pub at: SimTime,
    /// Its number among the packets of its sender, from 0 on.
    pub number: u64,
}

/// The exchange between a real host and its endpoint during a run.
#[derive(Debug, Default)]
pub struct Line {
    /// Packets that the endpoint has not sent, oldest first.
    waiting: Mutex<VecDeque<Given>>,
    /// Packets that arrived at this host.
    arrived: Mutex<Vec<ArrivedPacket>>,
    /// The instant H, in ps.
    until: AtomicU64,
}

impl Line {
    /// Adds a packet. Panics when its instant is before the previous one, or before H.
    pub fn push(&self, given: Given) {
        assert!(given.at.0 >= self.until.load(Ordering::Relaxed), "a packet came too late");
        let mut waiting = locked(&self.waiting);
        assert!(
            waiting.back().is_none_or(|last| last.at <= given.at),
            "packets are in order of time"
        );
        waiting.push_back(given);
    }

    /// The number of packets that the endpoint has not sent.
    pub fn waiting(&self) -> usize {
        locked(&self.waiting).len()
    }

    /// No further packet comes before `until`. Panics when it decreases.
    pub fn open_until(&self, until: SimTime) {
        let before = self.until.swap(until.0, Ordering::Relaxed);
        assert!(before <= until.0, "time does not run backwards");
    }

    /// Moves the packets that arrived at this host to the end of `to`, in order.
    pub fn take(&self, to: &mut Vec<ArrivedPacket>) {
        to.append(&mut locked(&self.arrived));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One end of the connection.
#[derive(Clone, Debug)]
pub struct End {
    outside: Outside,
    /// The number of packets sent, which is the number of the next.
    sent: u64,
    /// The instant of the last check: packets present by then wait for room only.
    looked: Option<SimTime>,
}

impl End {
    /// The state before its first packet. Instants of a record do not decrease (asserted).
    pub fn new(outside: &Outside) -> End {
        if let Outside::Recorded(all) = outside {
            assert!(all.is_sorted_by_key(|given| given.at), "a record does not run backwards");
        }
        End { outside: outside.clone(), sent: 0, looked: None }
    }

    fn front(&self) -> Option<Given> {
        match &self.outside {
            Outside::Recorded(all) => all.get(self.sent as usize).copied(),
            Outside::Live(line) => locked(&line.waiting).front().copied(),
        }
    }

    /// A packet has arrived whole.
    pub(super) fn arrive(&mut self, packet: Packet, now: SimTime) {
        let Payload::Live(number) = packet.payload else { panic!("a packet of another protocol") };
        if let Outside::Live(line) = &self.outside {
            locked(&line.arrived).push(ArrivedPacket { at: now, number });
        }
    }

    /// When to check for a packet again.
    pub(super) fn timer(&self) -> Option<SimTime> {
        match (self.front(), &self.outside) {
            (Some(given), _) => (Some(given.at) > self.looked).then_some(given.at),
            (None, Outside::Recorded(_)) => None,
            (None, Outside::Live(line)) => Some(SimTime(line.until.load(Ordering::Relaxed))),
        }
    }

    pub(super) fn expire(&mut self, now: SimTime) {
        self.looked = Some(now);
    }

    /// The size in bytes of the present packet, if any.
    pub(super) fn next(&self, now: SimTime) -> Option<u32> {
        self.front().filter(|given| given.at <= now).map(|given| given.bytes)
    }

    /// Why it sends nothing: no packet has come from outside.
    pub fn reason(&self, _now: SimTime) -> Hold {
        Hold::Application
    }

    pub(super) fn send(&mut self, now: SimTime) -> Packet {
        let bytes = self.next(now).expect("a packet is there");
        if let Outside::Live(line) = &self.outside {
            locked(&line.waiting).pop_front();
        }
        let number = self.sent;
        self.sent += 1;
        Packet::new(bytes, Payload::Live(number))
    }
}
