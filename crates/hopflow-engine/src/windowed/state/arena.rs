//! Queued packets of one node: intrusive lists in one arena, so that a queued packet costs 24
//! bytes, an empty queue nothing, and no memory is allocated once the arena has grown.

/// A data packet or ACK cell in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Sequence number or acknowledgement, 28 bits.
    pub(crate) value: u32,
    /// Its size on the wire.
    pub(crate) bytes: u32,
    /// The instant of its birth, in ps.
    pub(crate) birth: u64,
}

/// No slot.
const NONE: u32 = u32::MAX;

/// A FIFO queue; its cells are in a [`CellArena`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellQueue {
    head: u32,
    tail: u32,
}

impl CellQueue {
    pub(super) const EMPTY: CellQueue = CellQueue { head: NONE, tail: NONE };
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    next: u32,
    before: u32,
    cell: Cell,
}

/// The slots of queued cells and a list of the free ones.
#[derive(Debug)]
pub(crate) struct CellArena {
    slots: Vec<Slot>,
    free: u32,
}

impl CellArena {
    pub(crate) const fn new() -> CellArena {
        CellArena { slots: Vec::new(), free: NONE }
    }

    /// Puts `cell` at the end of `queue`.
    #[inline]
    pub(crate) fn push(&mut self, queue: &mut CellQueue, cell: Cell) {
        let slot = Slot { next: NONE, before: queue.tail, cell };
        let index = if self.free == NONE {
            let index = self.slots.len() as u32;
            assert!(index != NONE, "a node holds fewer than 2^32 - 1 cells");
            self.slots.push(slot);
            index
        } else {
            let index = self.free;
            self.free = self.slots[index as usize].next;
            self.slots[index as usize] = slot;
            index
        };
        if queue.tail == NONE {
            queue.head = index;
        } else {
            self.slots[queue.tail as usize].next = index;
        }
        queue.tail = index;
    }

    /// Removes and returns the first cell of `queue`. Panics if the queue is empty.
    #[inline]
    pub(crate) fn pop(&mut self, queue: &mut CellQueue) -> Cell {
        let index = queue.head;
        assert!(index != NONE, "a cell is taken from an empty queue");
        let slot = &mut self.slots[index as usize];
        queue.head = slot.next;
        if queue.head == NONE {
            queue.tail = NONE;
        }
        slot.next = self.free;
        self.free = index;
        slot.cell
    }

    /// Removes and returns the last cell of `queue`. Panics if the queue is empty. The link of a
    /// slot to the slot before the first cell is not maintained; `count`, the length of the queue,
    /// replaces it.
    pub(crate) fn pop_last(&mut self, queue: &mut CellQueue, count: u32) -> Cell {
        let index = queue.tail;
        assert!(index != NONE && count > 0, "a cell is taken from an empty queue");
        let slot = &mut self.slots[index as usize];
        if count == 1 {
            *queue = CellQueue::EMPTY;
        } else {
            queue.tail = slot.before;
        }
        slot.next = self.free;
        self.free = index;
        let cell = slot.cell;
        if queue.tail != NONE {
            self.slots[queue.tail as usize].next = NONE;
        }
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: queues keep their order while they share slots, and slots are used again.
    #[test]
    fn queues_share_slots_and_keep_order() {
        let mut arena = CellArena::new();
        let (mut a, mut b) = (CellQueue::EMPTY, CellQueue::EMPTY);
        let cell = |value| Cell { value, bytes: 53, birth: u64::from(value) };
        for round in 0..100 {
            arena.push(&mut a, cell(round));
            arena.push(&mut b, cell(1_000 + round));
            arena.push(&mut a, cell(2_000 + round));
            assert_eq!(arena.pop(&mut a), cell(round));
            assert_eq!(arena.pop(&mut b), cell(1_000 + round));
            assert_eq!(arena.pop(&mut a), cell(2_000 + round));
        }
        assert_eq!(arena.slots.len(), 3);
    }

    /// Claim: a queue can be taken from both ends, and its slots are used again.
    #[test]
    fn a_queue_has_two_ends() {
        let mut arena = CellArena::new();
        let mut queue = CellQueue::EMPTY;
        let cell = |value| Cell { value, bytes: 250, birth: 0 };
        for _ in 0..3 {
            for value in 0..4 {
                arena.push(&mut queue, cell(value));
            }
            assert_eq!(arena.pop(&mut queue), cell(0));
            assert_eq!(arena.pop_last(&mut queue, 3), cell(3));
            assert_eq!(arena.pop_last(&mut queue, 2), cell(2));
            arena.push(&mut queue, cell(9));
            assert_eq!(arena.pop(&mut queue), cell(1));
            assert_eq!(arena.pop_last(&mut queue, 1), cell(9));
        }
        assert_eq!(arena.slots.len(), 4);
    }
}
