//! The round-robin lists of a port.

use super::sender::VcSender;
use crate::windowed::wire::NONE;

/// A round-robin list of eligible queues, linked through `Queue::next_listed`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundRobin {
    head: u32,
    tail: u32,
}

impl RoundRobin {
    pub(super) const EMPTY: RoundRobin = RoundRobin { head: NONE, tail: NONE };

    pub(crate) const fn is_empty(self) -> bool {
        self.head == NONE
    }

    /// The first queue; `NONE` of an empty list.
    pub(crate) const fn first(self) -> u32 {
        self.head
    }

    /// Appends a queue that is on no list.
    #[inline]
    pub(crate) fn append(&mut self, senders: &mut [VcSender], index: u32) {
        debug_assert!(!senders[index as usize].queue.listed);
        senders[index as usize].queue.listed = true;
        senders[index as usize].queue.next_listed = NONE;
        if self.tail == NONE {
            self.head = index;
        } else {
            senders[self.tail as usize].queue.next_listed = index;
        }
        self.tail = index;
    }

    /// Removes the first queue from the list.
    #[inline]
    pub(super) fn take_first(&mut self, senders: &mut [VcSender]) -> Option<u32> {
        let first = self.head;
        if first == NONE {
            return None;
        }
        let queue = &mut senders[first as usize].queue;
        queue.listed = false;
        self.head = queue.next_listed;
        if self.head == NONE {
            self.tail = NONE;
        }
        Some(first)
    }
}
