//! Shared by all rank-based schedulers: packets with a rank given on arrival, the flows that may
//! send ordered by the rank of their first packet, and, where packets can be pushed out, the flows
//! ordered by the rank of their last.
//!
//! A rank never falls within a flow, so the packet served last of all is some flow's last. Every
//! step is O(log n) in the number of flows that hold a packet.

use std::cmp::Reverse;

use super::machine::Packets;
use super::queues::{Queues, Waiting};
use super::rank_heap::RankHeap;

/// The packets of a port in order of (rank, arrival).
#[derive(Clone, Debug)]
pub(super) struct Ranked<R> {
    queues: Queues<(R, u64)>,
    /// Flows that may send and hold a packet, by their first packet.
    ready: RankHeap<(R, u64)>,
    /// All flows that hold a packet, by their last packet, greatest first; only if victims are
    /// needed.
    last: Option<RankHeap<Reverse<(R, u64)>>>,
    permitted: Vec<bool>,
    arrived: u64,
    waiting: u64,
}

impl<R: Copy + Ord> Ranked<R> {
    pub(super) fn new(flows: usize, finds_victims: bool) -> Ranked<R> {
        Ranked {
            queues: Queues::new(flows),
            ready: RankHeap::new(flows),
            last: finds_victims.then(|| RankHeap::new(flows)),
            permitted: vec![false; flows],
            arrived: 0,
            waiting: 0,
        }
    }

    /// Packets that wait at the port, of all flows.
    pub(super) fn waiting(&self) -> u64 {
        self.waiting
    }

    /// A packet with this rank joins the end of its flow. Panics when the rank falls.
    pub(super) fn arrive(&mut self, flow: u32, bytes: u32, rank: R) {
        let key = (rank, self.arrived);
        self.arrived += 1;
        self.waiting += 1;
        if let Some(last) = self.queues.last(flow) {
            assert!(last.rank < key, "a later packet of a flow is never served before");
        } else if self.permitted[flow as usize] {
            self.ready.set(flow, key);
        }
        self.queues.push(flow, Waiting { bytes, rank: key });
        if let Some(heap) = &mut self.last {
            heap.set(flow, Reverse(key));
        }
    }

    /// The flow to serve: rank and number.
    #[inline]
    pub(super) fn first(&self) -> Option<(R, u32)> {
        self.ready.first().map(|((rank, _), flow)| (rank, flow))
    }
}

impl<R: Copy + Ord> Packets for Ranked<R> {
    type Rank = R;

    fn permit(&mut self, flow: u32) {
        if !std::mem::replace(&mut self.permitted[flow as usize], true)
            && let Some(first) = self.queues.first(flow)
        {
            self.ready.set(flow, first.rank);
        }
    }

    fn forbid(&mut self, flow: u32) {
        self.permitted[flow as usize] = false;
        self.ready.remove(flow);
    }

    fn is_empty(&self, flow: u32) -> bool {
        self.queues.is_empty(flow)
    }

    fn take_first(&mut self, flow: u32) -> (u32, R) {
        let packet = self.queues.pop_first(flow);
        self.waiting -= 1;
        match self.queues.first(flow) {
            Some(next) if self.permitted[flow as usize] => self.ready.set(flow, next.rank),
            _ => self.ready.remove(flow),
        }
        if self.queues.is_empty(flow)
            && let Some(heap) = &mut self.last
        {
            heap.remove(flow);
        }
        (packet.bytes, packet.rank.0)
    }

    fn take_last(&mut self, flow: u32) -> (u32, R) {
        let packet = self.queues.pop_last(flow);
        self.waiting -= 1;
        let last = self.queues.last(flow);
        if last.is_none() {
            self.ready.remove(flow);
        }
        match (&mut self.last, last) {
            (Some(heap), Some(last)) => heap.set(flow, Reverse(last.rank)),
            (Some(heap), None) => heap.remove(flow),
            (None, _) => {}
        }
        (packet.bytes, packet.rank.0)
    }

    /// The flow whose last packet has the greatest rank.
    fn victim(&self) -> Option<u32> {
        let last = self.last.as_ref().expect("made to find victims");
        last.first().map(|(_, flow)| flow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A packet of the slow and simple model: (rank, arrival, flow).
    type Plain = (u64, u64, u32);

    proptest! {
        /// Claim: serving and pushing out agree with one sorted list of all packets.
        #[test]
        fn ranks_agree_with_a_sorted_list(
            moves in prop::collection::vec((0_u32..6, 0_u64..9, 0..7), 0..500),
        ) {
            let mut ranked = Ranked::new(6, true);
            let mut model: Vec<Plain> = Vec::new();
            let mut permitted = [false; 6];
            let mut ranks = [0; 6];
            for (number, (flow, step, what)) in (0_u64..).zip(moves) {
                match what {
                    0..=2 => {
                        ranks[flow as usize] += step;
                        ranked.arrive(flow, 1, ranks[flow as usize]);
                        model.push((ranks[flow as usize], number, flow));
                    }
                    3 => { ranked.permit(flow); permitted[flow as usize] = true; }
                    4 => { ranked.forbid(flow); permitted[flow as usize] = false; }
                    5 => if let Some((_, flow)) = ranked.first() {
                        ranked.take_first(flow);
                        let place = model.iter().position(|p| p.2 == flow).unwrap();
                        model.remove(place);
                    },
                    _ => if let Some(flow) = ranked.victim() {
                        ranked.take_last(flow);
                        let worst = *model.iter().max().unwrap();
                        prop_assert_eq!(worst.2, flow);
                        model.retain(|p| *p != worst);
                    },
                }
                // Only the oldest packet of each flow can start.
                let heads = (0..6).filter(|f| permitted[*f as usize])
                    .filter_map(|f| model.iter().find(|p| p.2 == f));
                prop_assert_eq!(ranked.first(), heads.min().map(|p| (p.0, p.2)));
                prop_assert_eq!(ranked.waiting(), model.len() as u64);
            }
        }
    }
}
