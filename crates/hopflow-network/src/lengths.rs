//! The length of the queue at a port: the time at each length, and the lengths that arriving
//! packets found.
//!
//! A length counts the packet in transmission. Lengths above [`MOST`] are counted as [`MOST`].
//! An arriving packet counts itself.

use hopflow_units::{Picos, SimTime};

/// The greatest length with a count of its own.
pub(crate) const MOST: u32 = 1 << 20;

/// Lengths of one queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueLengths {
    /// Time spent at length 0, 1, ..., up to the reading.
    pub time: Vec<Picos>,
    /// Packets that made the length 1, 2, ... as they arrived (index 0 stays 0).
    pub arrivals: Vec<u64>,
    since: SimTime,
}

impl QueueLengths {
    /// The queue had this length until `now`.
    pub fn held(&mut self, length: u32, now: SimTime) {
        let span = now.since(self.since);
        self.since = now;
        if span > Picos::ZERO {
            *place(&mut self.time, length) += span;
        }
    }

    /// A packet has increased the queue to this length.
    pub fn arrived(&mut self, length: u32) {
        *place(&mut self.arrivals, length) += 1;
    }

    /// Removes all data from before `now`.
    pub fn restart(&mut self, now: SimTime) {
        *self = QueueLengths { since: now, ..QueueLengths::default() };
    }

    /// Adds the data of `others`.
    pub(crate) fn merge(&mut self, others: &QueueLengths) {
        add(&mut self.time, &others.time, |sum, span| *sum += span);
        add(&mut self.arrivals, &others.arrivals, |sum, count| *sum += count);
    }

    /// The data up to `now`, when the queue has this length.
    #[must_use]
    pub fn read(&self, length: u32, now: SimTime) -> QueueLengths {
        let mut lengths = self.clone();
        lengths.held(length, now);
        lengths
    }
}

fn place<T: Clone + Default>(counts: &mut Vec<T>, length: u32) -> &mut T {
    let index = length.min(MOST) as usize;
    if index >= counts.len() {
        counts.resize(index + 1, T::default());
    }
    &mut counts[index]
}

fn add<T: Copy + Default>(sums: &mut Vec<T>, more: &[T], add: fn(&mut T, T)) {
    if sums.len() < more.len() {
        sums.resize(more.len(), T::default());
    }
    sums.iter_mut().zip(more).for_each(|(sum, one)| add(sum, *one));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: length 0 for 5 ps, 1 for 2, 2 for 3, then 1 for 4 more; spans of zero duration add
    /// nothing.
    #[test]
    fn lengths_are_weighed_by_time() {
        let mut lengths = QueueLengths::default();
        lengths.held(0, SimTime(5));
        lengths.arrived(1);
        lengths.held(1, SimTime(7));
        lengths.arrived(2);
        lengths.held(2, SimTime(7));
        lengths.held(2, SimTime(10));
        let read = lengths.read(1, SimTime(14));
        assert_eq!(read.time, [Picos(5), Picos(6), Picos(3)]);
        assert_eq!(read.arrivals, [0, 1, 1]);
        lengths.restart(SimTime(12));
        assert_eq!(lengths.read(1, SimTime(14)).time, [Picos(0), Picos(2)]);
    }
}
