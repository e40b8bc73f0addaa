//! Shared by the schedulers with two areas: a packet waits in the *holding* area until a clock has
//! reached its `begin`, and then in the *main* area, ordered by its rank. Only the first packet of
//! a flow that may send is in an area.
//!
//! Neither `begin` nor the rank decreases within a flow. A flow moves to the main area once for
//! each packet and each permission, so every step is O(log n) in the number of flows that hold a
//! packet, except [`Staged::release`], which is O(log n) for each flow that moves.

use std::cmp::Reverse;

use super::machine::Packets;
use super::queues::{Queues, Waiting};
use super::rank_heap::RankHeap;

/// What a packet gets on arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stage {
    begin: u128,
    rank: u128,
    arrived: u64,
}

/// The packets of a port in two areas.
#[derive(Clone, Debug)]
pub(super) struct Staged {
    queues: Queues<Stage>,
    /// Flows in the holding area, by (begin, rank, arrival) of their first packet.
    held: RankHeap<(u128, u128, u64)>,
    /// Flows in the main area, by (rank, arrival) of their first packet.
    main: RankHeap<(u128, u64)>,
    /// All flows that hold a packet, by their last packet, greatest first; only if victims are
    /// needed.
    last: Option<RankHeap<Reverse<(u128, u64)>>>,
    permitted: Vec<bool>,
    arrived: u64,
}

impl Staged {
    pub(super) fn new(flows: usize, finds_victims: bool) -> Staged {
        Staged {
            queues: Queues::new(flows),
            held: RankHeap::new(flows),
            main: RankHeap::new(flows),
            last: finds_victims.then(|| RankHeap::new(flows)),
            permitted: vec![false; flows],
            arrived: 0,
        }
    }

    /// The number of waiting packets of one flow.
    pub(super) fn count(&self, flow: u32) -> u32 {
        self.queues.count(flow)
    }

    /// A packet joins the end of its flow. Panics when `begin` or the rank falls.
    pub(super) fn arrive(&mut self, flow: u32, bytes: u32, begin: u128, rank: u128) {
        let stage = Stage { begin, rank, arrived: self.arrived };
        self.arrived += 1;
        if let Some(last) = self.queues.last(flow) {
            assert!(last.rank.begin <= begin, "a later packet of a flow never begins before");
            assert!(last.rank.rank <= rank, "a later packet of a flow is never served before");
        }
        self.queues.push(flow, Waiting { bytes, rank: stage });
        if self.count(flow) == 1 {
            self.hold(flow);
        }
        if let Some(heap) = &mut self.last {
            heap.set(flow, Reverse((rank, stage.arrived)));
        }
    }

    /// Puts the flow's first packet into the holding area, if it has one and may send.
    fn hold(&mut self, flow: u32) {
        let first = self.queues.first(flow).filter(|_| self.permitted[flow as usize]);
        if let Some(Waiting { rank: stage, .. }) = first {
            self.held.set(flow, (stage.begin, stage.rank, stage.arrived));
        }
    }

    /// Removes the flow from both areas.
    fn withdraw(&mut self, flow: u32) {
        self.held.remove(flow);
        self.main.remove(flow);
    }

    /// Moves packets with `begin` at most `clock` to the main area.
    pub(super) fn release(&mut self, clock: u128) {
        while let Some(((_, rank, arrived), flow)) =
            self.held.first().filter(|((begin, _, _), _)| *begin <= clock)
        {
            self.held.remove(flow);
            self.main.set(flow, (rank, arrived));
        }
    }

    /// The flow of the least rank in the main area.
    #[inline]
    pub(super) fn first(&self) -> Option<u32> {
        self.main.first().map(|(_, flow)| flow)
    }

    /// The least `begin` in the holding area, and of the flows that have it the one of least rank.
    pub(super) fn first_held(&self) -> Option<(u128, u32)> {
        self.held.first().map(|((begin, _, _), flow)| (begin, flow))
    }
}

impl Packets for Staged {
    type Rank = u128;

    fn permit(&mut self, flow: u32) {
        if !std::mem::replace(&mut self.permitted[flow as usize], true) {
            self.hold(flow);
        }
    }

    fn forbid(&mut self, flow: u32) {
        self.permitted[flow as usize] = false;
        self.withdraw(flow);
    }

    fn is_empty(&self, flow: u32) -> bool {
        self.queues.is_empty(flow)
    }

    fn take_first(&mut self, flow: u32) -> (u32, u128) {
        let packet = self.queues.pop_first(flow);
        self.withdraw(flow);
        self.hold(flow);
        if self.queues.is_empty(flow)
            && let Some(heap) = &mut self.last
        {
            heap.remove(flow);
        }
        (packet.bytes, packet.rank.rank)
    }

    fn take_last(&mut self, flow: u32) -> (u32, u128) {
        let packet = self.queues.pop_last(flow);
        let last = self.queues.last(flow);
        if last.is_none() {
            self.withdraw(flow);
        }
        match (&mut self.last, last) {
            (Some(heap), Some(Waiting { rank: stage, .. })) => {
                heap.set(flow, Reverse((stage.rank, stage.arrived)));
            }
            (Some(heap), None) => heap.remove(flow),
            (None, _) => {}
        }
        (packet.bytes, packet.rank.rank)
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

    /// A packet of the slow and simple model.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Plain {
        flow: u32,
        begin: u128,
        rank: u128,
        number: u64,
        /// It has moved to the main area.
        over: bool,
    }

    /// The first packets of the flows that may send.
    fn heads(model: &mut [Plain], permitted: [bool; 6]) -> Vec<&mut Plain> {
        let mut seen = [false; 6];
        let first = |p: &&mut Plain| {
            !std::mem::replace(&mut seen[p.flow as usize], true) && permitted[p.flow as usize]
        };
        model.iter_mut().filter(first).collect()
    }

    proptest! {
        /// Claim: both areas, serving and pushing out agree with one list of all packets.
        #[test]
        fn areas_agree_with_a_list(
            moves in prop::collection::vec((0_u32..6, 0_u128..9, 0..9), 0..500),
        ) {
            let mut staged = Staged::new(6, true);
            let mut model: Vec<Plain> = Vec::new();
            let mut permitted = [false; 6];
            let mut ranks = [0; 6];
            let mut clock = 0;
            for (number, (flow, step, what)) in (0_u64..).zip(moves) {
                match what {
                    0..=2 => {
                        let begin = ranks[flow as usize];
                        ranks[flow as usize] += step;
                        let rank = ranks[flow as usize];
                        staged.arrive(flow, 1, begin, rank);
                        model.push(Plain { flow, begin, rank, number, over: false });
                    }
                    3 => { staged.permit(flow); permitted[flow as usize] = true; }
                    4 => {
                        staged.forbid(flow);
                        permitted[flow as usize] = false;
                        model.iter_mut().filter(|p| p.flow == flow).for_each(|p| p.over = false);
                    }
                    5 => if let Some(flow) = staged.first() {
                        staged.take_first(flow);
                        model.remove(model.iter().position(|p| p.flow == flow).unwrap());
                    },
                    6 => if let Some((_, flow)) = staged.first_held() {
                        staged.take_first(flow);
                        model.remove(model.iter().position(|p| p.flow == flow).unwrap());
                    },
                    7 => if let Some(flow) = staged.victim() {
                        staged.take_last(flow);
                        let worst = *model.iter().max_by_key(|p| (p.rank, p.number)).unwrap();
                        prop_assert_eq!(worst.flow, flow);
                        model.retain(|p| *p != worst);
                    },
                    _ => {
                        clock += step;
                        staged.release(clock);
                        let heads = heads(&mut model, permitted).into_iter();
                        heads.filter(|p| p.begin <= clock).for_each(|p| p.over = true);
                    }
                }
                let heads = heads(&mut model, permitted);
                let main = heads.iter().filter(|p| p.over).min_by_key(|p| (p.rank, p.number));
                prop_assert_eq!(staged.first(), main.map(|p| p.flow));
                let held = heads.iter().filter(|p| !p.over);
                let held = held.min_by_key(|p| (p.begin, p.rank, p.number));
                prop_assert_eq!(staged.first_held(), held.map(|p| (p.begin, p.flow)));
            }
        }
    }
}
