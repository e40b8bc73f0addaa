//! Flows by rank: a heap that records the place of every flow, so that a rank can be changed or a
//! flow removed in O(log n).
//!
//! A node has four children: the heap is half as deep as with two, and the four keys are adjacent
//! in memory. Equal ranks are ordered by flow number; schedulers avoid them by ranking with the
//! order of arrival.

/// No place.
const NONE: u32 = u32::MAX;
/// Children of a node.
const ARITY: usize = 4;

/// Flows with a rank, least first.
#[derive(Clone, Debug)]
pub(super) struct RankHeap<R> {
    heap: Vec<(R, u32)>,
    /// Where each flow is in the heap.
    places: Vec<u32>,
}

impl<R: Copy + Ord> RankHeap<R> {
    pub(super) fn new(flows: usize) -> RankHeap<R> {
        RankHeap { heap: Vec::new(), places: vec![NONE; flows] }
    }

    /// The flow of the least rank.
    #[inline]
    pub(super) fn first(&self) -> Option<(R, u32)> {
        self.heap.first().copied()
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    pub(super) fn contains(&self, flow: u32) -> bool {
        self.places[flow as usize] != NONE
    }

    /// The rank of a flow, `None` when it is not in the heap.
    #[cfg(test)]
    pub(super) fn rank(&self, flow: u32) -> Option<R> {
        self.heap.get(self.places[flow as usize] as usize).map(|(rank, _)| *rank)
    }

    /// Inserts a flow, or changes its rank.
    pub(super) fn set(&mut self, flow: u32, rank: R) {
        let place = self.places[flow as usize];
        if place == NONE {
            self.heap.push((rank, flow));
            self.up(self.heap.len() - 1);
        } else {
            let place = place as usize;
            let sooner = (rank, flow) < self.heap[place];
            self.heap[place].0 = rank;
            if sooner { self.up(place) } else { self.down(place) }
        }
    }

    /// Removes a flow. No effect when it is not in the heap.
    pub(super) fn remove(&mut self, flow: u32) {
        let place = std::mem::replace(&mut self.places[flow as usize], NONE);
        if place == NONE {
            return;
        }
        let place = place as usize;
        let last = self.heap.pop().expect("a flow that has a place is in the heap");
        if place < self.heap.len() {
            self.heap[place] = last;
            self.up(place);
            self.down(self.places[last.1 as usize] as usize);
        }
    }

    /// Moves the entry at `place` towards the root until its parent is before it.
    fn up(&mut self, mut place: usize) {
        let entry = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if self.heap[parent] <= entry {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, entry);
    }

    /// Moves the entry at `place` away from the root until its children are after it.
    fn down(&mut self, mut place: usize) {
        let entry = self.heap[place];
        loop {
            let children = ARITY * place + 1..(ARITY * place + ARITY + 1).min(self.heap.len());
            let least = children.min_by_key(|child| self.heap[*child]);
            let Some(child) = least.filter(|child| self.heap[*child] < entry) else { break };
            self.put(place, self.heap[child]);
            place = child;
        }
        self.put(place, entry);
    }

    fn put(&mut self, place: usize, entry: (R, u32)) {
        self.heap[place] = entry;
        self.places[entry.1 as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Claim: the heap is a sorted list of flows, whatever is inserted, changed and removed.
        #[test]
        fn the_heap_is_a_sorted_list(
            moves in prop::collection::vec((0_u32..40, 0_u64..100, any::<bool>()), 0..600),
        ) {
            let mut heap = RankHeap::new(40);
            let mut model: BTreeMap<u32, u64> = BTreeMap::new();
            for (flow, rank, put) in moves {
                if put {
                    heap.set(flow, rank);
                    model.insert(flow, rank);
                } else {
                    heap.remove(flow);
                    model.remove(&flow);
                }
                let least = model.iter().map(|(flow, rank)| (*rank, *flow)).min();
                prop_assert_eq!(heap.first(), least);
                prop_assert_eq!(heap.is_empty(), model.is_empty());
                prop_assert_eq!(heap.rank(flow), model.get(&flow).copied());
                prop_assert_eq!(heap.contains(flow), model.contains_key(&flow));
            }
        }
    }
}
