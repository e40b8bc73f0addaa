//! An endpoint whose packets come from outside of the simulation: from a real host, or from the
//! record of one.
//!
//! ```text
//! packet n, L_n bytes, is there from x_n on; it goes to the host's queue at the first instant,
//! not before x_n and not before packet n - 1, at which all its units have room there     (1)
//! ```
//! | symbol | meaning                                          | unit  |
//! |--------|--------------------------------------------------|-------|
//! | x_n    | instant of packet n, not before that of n - 1    | ps    |
//! | L_n    | its bytes, from the IP header on; at least 1     | bytes |
//!
//! A packet that waits is not lost: who makes the packets sees [`Line::waiting`] and holds back.
//! What is in a packet stays outside; here it is a number. The other end tells the number and the
//! instant of each packet that comes whole, in order.
//!
//! A record knows all x_n. A live line learns them as the run goes: before each step up to an
//! instant H it is told H ([`Line::open_until`]) and every packet before H. An endpoint without a
//! packet then wakes at H, the first instant of the next step, and looks again. It finds either a
//! packet for this instant or nothing, and a look that finds nothing changes nothing: so a run of
//! the record is the live run, event for event.
//!
//! Not modelled: what is in the packets, which makes the real host slower or faster: x_n has it.
//! Checked by: `tests/live.rs`.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hopflow_units::SimTime;

use super::{Packet, Payload};

/// What the two hosts of a connection send.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveSpec {
    /// The most that a packet has, from the IP header on, in bytes.
    pub mtu: u32,
    /// The first host, the second.
    pub ends: [Outside; 2],
}

/// Where the packets of a host come from.
#[derive(Clone, Debug)]
pub enum Outside {
    /// All are known; instants do not decrease.
    Recorded(Arc<[Given]>),
    /// They come during the run.
    Live(Arc<Line>),
}

impl Outside {
    /// All packets, if they are known.
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
    /// From when on it is there, x_n.
    pub at: SimTime,
    /// L_n.
    pub bytes: u32,
}

/// A packet that has come whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Came {
    /// When its last bit came.
    pub at: SimTime,
    /// Its number among those of its sender, from 0 on.
    pub number: u64,
}

/// What passes between a real host and its endpoint during a run.
#[derive(Debug, Default)]
pub struct Line {
    /// Packets that the endpoint has not sent, the oldest first.
    waiting: Mutex<VecDeque<Given>>,
    /// Packets that came to this host.
    came: Mutex<Vec<Came>>,
    /// H, in ps.
    until: AtomicU64,
}

impl Line {
    /// A packet is there. Panics when it is before the one before, or before H.
    pub fn push(&self, given: Given) {
        assert!(given.at.0 >= self.until.load(Ordering::Relaxed), "a packet came too late");
        let mut waiting = locked(&self.waiting);
        assert!(waiting.back().is_none_or(|last| last.at <= given.at), "packets come in order");
        waiting.push_back(given);
    }

    /// How many packets the endpoint has not sent.
    pub fn waiting(&self) -> usize {
        locked(&self.waiting).len()
    }

    /// No further packet comes before `until`. Panics when it goes back.
    pub fn open_until(&self, until: SimTime) {
        let before = self.until.swap(until.0, Ordering::Relaxed);
        assert!(before <= until.0, "time does not run backwards");
    }

    /// Moves what came to this host to the end of `to`, in order.
    pub fn take(&self, to: &mut Vec<Came>) {
        to.append(&mut locked(&self.came));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One end of the connection.
#[derive(Clone, Debug)]
pub struct End {
    outside: Outside,
    /// Packets sent: the number of the next.
    sent: u64,
    /// The last instant at which its time had come: what was there by then is in hand, and waits
    /// for room only.
    looked: Option<SimTime>,
}

impl End {
    /// Before its first packet. A record does not run backwards (asserted).
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

    /// A packet has come whole.
    pub(super) fn arrive(&mut self, packet: Packet, now: SimTime) {
        let Payload::Live(number) = packet.payload else { panic!("a packet of another protocol") };
        if let Outside::Live(line) = &self.outside {
            locked(&line.came).push(Came { at: now, number });
        }
    }

    /// When to look for a packet again.
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

    /// The bytes of the packet that is there, if one is.
    pub(super) fn next(&self, now: SimTime) -> Option<u32> {
        self.front().filter(|given| given.at <= now).map(|given| given.bytes)
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
