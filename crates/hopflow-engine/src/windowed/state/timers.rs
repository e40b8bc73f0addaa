//! Timers of one node, in the order of an instant: admissions, work, lanes, shared buffers and rate
//! control, receivers, senders, endpoints, sources; each by index (which is the order of VCs), then
//! by kind.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::lane::LaneAt;
use crate::embed::lane::LaneTimer;

/// The kinds of timers. Indices are of the node that holds the timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timer {
    /// Packets that wait at inputs are admitted.
    Admit,
    /// A job of the processor ends.
    Work,
    /// An event of a lane of a port.
    Lane(LaneTimer, LaneAt),
    /// The measuring interval of the shared buffer at a port ends.
    SharedBuffer(u32),
    /// The rate control of a port may have to act.
    Rate(u32),
    /// A receiver sends a redundant credit.
    Redundant(u32),
    /// The instant named by a sender's permission is reached.
    Eligible(u32),
    /// A sender may have waited too long for credit.
    Request(u32),
    /// A branch may have held the VC too long.
    GiveUp(u32),
    /// A turn of a paced sender may be due.
    Pace(u32),
    /// The timer of a source's endpoint may expire.
    Expire(u32),
    /// A source's endpoint may have something to send.
    Transmit(u32),
    /// A source asks for its reservation, or releases it.
    Call(u32),
    /// A source has a cell due, or is switched on or off.
    Source(u32),
    /// The scheduler of a port is polled again.
    Port(u32),
}

impl Timer {
    /// The order within an instant: owner kind, index, timer kind.
    const fn rank(self) -> u64 {
        let (owner, index, kind) = match self {
            Timer::Admit => (0, 0, 0),
            Timer::Work => (0, 0, 1),
            Timer::Lane(timer, at) => (1, at.number(), timer as u64),
            Timer::SharedBuffer(index) => (2, index as u64, 0),
            Timer::Rate(index) => (2, index as u64, 1),
            Timer::Redundant(index) => (3, index as u64, 0),
            Timer::Eligible(index) => (4, index as u64, 0),
            Timer::Request(index) => (4, index as u64, 1),
            Timer::GiveUp(index) => (4, index as u64, 2),
            Timer::Pace(index) => (4, index as u64, 3),
            Timer::Expire(index) => (5, index as u64, 0),
            Timer::Transmit(index) => (6, index as u64, 0),
            Timer::Call(index) => (7, index as u64, 0),
            Timer::Source(index) => (7, index as u64, 1),
            Timer::Port(index) => (8, index as u64, 0),
        };
        (owner << 56) | (index << 8) | kind
    }

    const fn from_rank(rank: u64) -> Timer {
        let number = (rank & ((1 << 56) - 1)) >> 8;
        let index = number as u32;
        match (rank >> 56, rank & 0xFF) {
            (0, 0) => Timer::Admit,
            (0, _) => Timer::Work,
            (1, 0) => Timer::Lane(LaneTimer::Expiry, LaneAt::of_number(number)),
            (1, 1) => Timer::Lane(LaneTimer::Watchdog, LaneAt::of_number(number)),
            (1, _) => Timer::Lane(LaneTimer::Renewal, LaneAt::of_number(number)),
            (2, 0) => Timer::SharedBuffer(index),
            (2, _) => Timer::Rate(index),
            (3, _) => Timer::Redundant(index),
            (4, 0) => Timer::Eligible(index),
            (4, 1) => Timer::Request(index),
            (4, 2) => Timer::GiveUp(index),
            (4, _) => Timer::Pace(index),
            (5, _) => Timer::Expire(index),
            (6, _) => Timer::Transmit(index),
            (7, 0) => Timer::Call(index),
            (7, _) => Timer::Source(index),
            _ => Timer::Port(index),
        }
    }
}

/// The timers that are set. A timer that is no longer needed still fires; the state of its owner
/// shows that there is nothing to do.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    heap: BinaryHeap<Reverse<(u64, u64)>>,
    /// How many have fired.
    fired: u64,
}

impl Timers {
    /// Allocates memory for exactly this number of additional timers.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.heap.reserve_exact(count);
    }

    /// Sets a timer for `at` (in ps).
    pub(crate) fn set(&mut self, at: u64, timer: Timer) {
        self.heap.push(Reverse((at, timer.rank())));
    }

    /// The instant at which the next timer fires, `u64::MAX` for never.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.heap.peek().map_or(u64::MAX, |Reverse((at, _))| *at)
    }

    /// How many timers have fired.
    pub(crate) const fn fired(&self) -> u64 {
        self.fired
    }

    /// Removes the next timer, if it fires at `now`.
    #[inline]
    pub(crate) fn take(&mut self, now: u64) -> Option<Timer> {
        if self.next() == now { self.pop() } else { None }
    }

    #[inline(never)]
    fn pop(&mut self) -> Option<Timer> {
        self.fired += 1;
        self.heap.pop().map(|Reverse((_, rank))| Timer::from_rank(rank))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: timers of one instant fire by owner kind, index, timer kind, however they were set.
    #[test]
    fn timers_fire_in_the_order_of_an_instant() {
        let order = [
            Timer::Admit,
            Timer::Work,
            Timer::Lane(LaneTimer::Expiry, LaneAt { port: 2, lane: 7 }),
            Timer::Lane(LaneTimer::Watchdog, LaneAt { port: 2, lane: 7 }),
            Timer::Lane(LaneTimer::Renewal, LaneAt { port: 2, lane: 7 }),
            Timer::Lane(LaneTimer::Expiry, LaneAt { port: 2, lane: 8 }),
            Timer::Lane(LaneTimer::Expiry, LaneAt { port: 3, lane: 0 }),
            Timer::Lane(LaneTimer::Renewal, LaneAt { port: u32::MAX, lane: u16::MAX }),
            Timer::SharedBuffer(11),
            Timer::Rate(11),
            Timer::Redundant(9),
            Timer::Eligible(1),
            Timer::Request(1),
            Timer::GiveUp(1),
            Timer::Pace(1),
            Timer::Eligible(u32::MAX),
            Timer::Expire(3),
            Timer::Transmit(2),
            Timer::Call(0),
            Timer::Source(0),
            Timer::Call(1),
            Timer::Port(0),
        ];
        let mut timers = Timers::default();
        for timer in order.iter().rev() {
            timers.set(7, *timer);
        }
        timers.set(6, Timer::Source(5));
        assert_eq!(timers.take(7), None);
        assert_eq!(timers.take(6), Some(Timer::Source(5)));
        for timer in order {
            assert_eq!(timers.take(7), Some(timer));
        }
        assert_eq!(timers.next(), u64::MAX);
    }
}
