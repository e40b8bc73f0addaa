//! The reference queue: one global binary heap of boxed events.
//!
//! It is slow and simple, and it orders by time only: all events of one instant are returned
//! together, and the caller puts them in order. So no order can depend on the sequence in which
//! events were scheduled.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use hopflow_units::SimTime;

/// Pending events.
#[derive(Debug)]
pub struct EventHeap<E> {
    heap: BinaryHeap<Reverse<Scheduled<E>>>,
}

impl<E> Default for EventHeap<E> {
    fn default() -> EventHeap<E> {
        EventHeap { heap: BinaryHeap::new() }
    }
}

impl<E> EventHeap<E> {
    /// Schedules `event` for `time`.
    pub fn push(&mut self, time: SimTime, event: E) {
        self.heap.push(Reverse(Scheduled { time, event: Box::new(event) }));
    }

    /// The instant of the earliest event, `None` when there is none.
    pub fn next_time(&self) -> Option<SimTime> {
        self.heap.peek().map(|scheduled| scheduled.0.time)
    }

    /// Removes all events of the earliest instant, in arbitrary order.
    pub fn pop_instant(&mut self) -> Option<(SimTime, Vec<E>)> {
        let time = self.next_time()?;
        let mut events = Vec::new();
        while self.next_time() == Some(time) {
            events.extend(self.heap.pop().map(|scheduled| *scheduled.0.event));
        }
        Some((time, events))
    }

    /// All pending events, in arbitrary order.
    pub fn iter(&self) -> impl Iterator<Item = &E> {
        self.heap.iter().map(|scheduled| &*scheduled.0.event)
    }
}

#[derive(Debug)]
struct Scheduled<E> {
    time: SimTime,
    event: Box<E>,
}

impl<E> PartialEq for Scheduled<E> {
    fn eq(&self, other: &Scheduled<E>) -> bool {
        self.time == other.time
    }
}

impl<E> Eq for Scheduled<E> {}

impl<E> PartialOrd for Scheduled<E> {
    fn partial_cmp(&self, other: &Scheduled<E>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Scheduled<E> {
    fn cmp(&self, other: &Scheduled<E>) -> Ordering {
        self.time.cmp(&other.time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: instants are returned in order of time, each with all its events, whatever the order
    /// in which they were scheduled.
    #[test]
    fn instants_come_whole_and_in_order() {
        let mut heap = EventHeap::default();
        for (time, event) in [(5, 'd'), (1, 'a'), (3, 'c'), (1, 'b'), (5, 'e')] {
            heap.push(SimTime(time), event);
        }
        assert_eq!(heap.iter().count(), 5);
        let mut seen = Vec::new();
        while let Some((time, mut events)) = heap.pop_instant() {
            events.sort_unstable();
            seen.push((time.0, events));
        }
        assert_eq!(seen, [(1, vec!['a', 'b']), (3, vec!['c']), (5, vec!['d', 'e'])]);
        assert_eq!(heap.next_time(), None);
    }
}
