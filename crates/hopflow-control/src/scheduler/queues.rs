//! The packets of a port by flow: doubly linked lists in one pool, so that a waiting packet
//! costs one slot, an idle flow twelve bytes, and nothing is allocated in the steady state.

/// No slot.
const NONE: u32 = u32::MAX;

/// A waiting packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting<R> {
    pub(super) bytes: u32,
    /// The rank that the scheduler gave it.
    pub(super) rank: R,
}

#[derive(Clone, Copy, Debug)]
struct Slot<R> {
    next: u32,
    before: u32,
    packet: Waiting<R>,
}

#[derive(Clone, Copy, Debug)]
struct Flow {
    first: u32,
    last: u32,
    count: u32,
}

/// The queues of all flows of a port.
#[derive(Clone, Debug)]
pub(super) struct Queues<R> {
    slots: Vec<Slot<R>>,
    free: u32,
    flows: Vec<Flow>,
}

impl<R: Copy> Queues<R> {
    pub(super) fn new(flows: usize) -> Queues<R> {
        let empty = Flow { first: NONE, last: NONE, count: 0 };
        Queues { slots: Vec::new(), free: NONE, flows: vec![empty; flows] }
    }

    /// Packets of a flow.
    pub(super) fn count(&self, flow: u32) -> u32 {
        self.flows[flow as usize].count
    }

    pub(super) fn is_empty(&self, flow: u32) -> bool {
        self.count(flow) == 0
    }

    pub(super) fn first(&self, flow: u32) -> Option<Waiting<R>> {
        self.slots.get(self.flows[flow as usize].first as usize).map(|slot| slot.packet)
    }

    pub(super) fn last(&self, flow: u32) -> Option<Waiting<R>> {
        self.slots.get(self.flows[flow as usize].last as usize).map(|slot| slot.packet)
    }

    pub(super) fn push(&mut self, flow: u32, packet: Waiting<R>) {
        let queue = &mut self.flows[flow as usize];
        let slot = Slot { next: NONE, before: queue.last, packet };
        let index = self.free;
        let index = if index == NONE {
            let index = u32::try_from(self.slots.len()).ok().filter(|index| *index != NONE);
            self.slots.push(slot);
            index.expect("a port holds fewer than 2^32 - 1 packets")
        } else {
            self.free = self.slots[index as usize].next;
            self.slots[index as usize] = slot;
            index
        };
        if queue.last == NONE {
            queue.first = index;
        } else {
            self.slots[queue.last as usize].next = index;
        }
        queue.last = index;
        queue.count += 1;
    }

    /// Removes the oldest packet of a flow. Panics when there is none.
    pub(super) fn pop_first(&mut self, flow: u32) -> Waiting<R> {
        let queue = &mut self.flows[flow as usize];
        let index = queue.first;
        assert!(index != NONE, "a packet is taken from an empty flow");
        queue.first = self.slots[index as usize].next;
        queue.count -= 1;
        match queue.first {
            NONE => queue.last = NONE,
            first => self.slots[first as usize].before = NONE,
        }
        self.release(index)
    }

    /// Removes the youngest packet of a flow. Panics when there is none.
    pub(super) fn pop_last(&mut self, flow: u32) -> Waiting<R> {
        let queue = &mut self.flows[flow as usize];
        let index = queue.last;
        assert!(index != NONE, "a packet is taken from an empty flow");
        queue.last = self.slots[index as usize].before;
        queue.count -= 1;
        match queue.last {
            NONE => queue.first = NONE,
            last => self.slots[last as usize].next = NONE,
        }
        self.release(index)
    }

    fn release(&mut self, index: u32) -> Waiting<R> {
        let slot = &mut self.slots[index as usize];
        slot.next = self.free;
        self.free = index;
        slot.packet
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        /// Claim: many lists in one pool behave as separate double-ended queues.
        #[test]
        fn queues_are_double_ended(moves in prop::collection::vec((0_u32..4, 0..4), 0..400)) {
            let mut queues = Queues::new(4);
            let mut model = vec![VecDeque::new(); 4];
            for (number, (flow, what)) in (0_u32..).zip(moves) {
                let plain = &mut model[flow as usize];
                match what {
                    0 | 1 => {
                        queues.push(flow, Waiting { bytes: number, rank: number });
                        plain.push_back(number);
                    }
                    2 if !plain.is_empty() => {
                        prop_assert_eq!(Some(queues.pop_first(flow).rank), plain.pop_front());
                    }
                    3 if !plain.is_empty() => {
                        prop_assert_eq!(Some(queues.pop_last(flow).rank), plain.pop_back());
                    }
                    _ => {}
                }
                prop_assert_eq!(queues.count(flow) as usize, plain.len());
                prop_assert_eq!(queues.first(flow).map(|p| p.rank), plain.front().copied());
                prop_assert_eq!(queues.last(flow).map(|p| p.rank), plain.back().copied());
            }
        }
    }
}
