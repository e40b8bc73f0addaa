//! Shared by all schedulers that use turns or slots: the packets of each flow, the flows that link
//! control lets send, and, where packets can be pushed out, the flow with the most packets.

use std::cmp::Reverse;

use super::machine::Packets;
use super::queues::{Queues, Waiting};
use super::rank_heap::RankHeap;

/// The packets of a port by flow, without an order between flows.
#[derive(Clone, Debug)]
pub(super) struct Backlog {
    queues: Queues<()>,
    permitted: Vec<bool>,
    /// Flows that hold a packet, by their number of packets, most first; only if victims are
    /// needed.
    longest: Option<RankHeap<Reverse<u32>>>,
}

impl Backlog {
    pub(super) fn new(flows: usize, finds_victims: bool) -> Backlog {
        Backlog {
            queues: Queues::new(flows),
            permitted: vec![false; flows],
            longest: finds_victims.then(|| RankHeap::new(flows)),
        }
    }

    pub(super) fn arrive(&mut self, flow: u32, bytes: u32) {
        self.queues.push(flow, Waiting { bytes, rank: () });
        self.count_changed(flow);
    }

    /// The size of the flow's first packet in bytes, if it has one and may send.
    #[inline]
    pub(super) fn ready(&self, flow: u32) -> Option<u32> {
        let first = self.queues.first(flow).filter(|_| self.permitted[flow as usize]);
        first.map(|packet| packet.bytes)
    }

    fn count_changed(&mut self, flow: u32) {
        let Some(heap) = &mut self.longest else { return };
        match self.queues.count(flow) {
            0 => heap.remove(flow),
            count => heap.set(flow, Reverse(count)),
        }
    }
}

impl Packets for Backlog {
    type Rank = ();

    fn permit(&mut self, flow: u32) {
        self.permitted[flow as usize] = true;
    }

    fn forbid(&mut self, flow: u32) {
        self.permitted[flow as usize] = false;
    }

    fn is_empty(&self, flow: u32) -> bool {
        self.queues.is_empty(flow)
    }

    fn take_first(&mut self, flow: u32) -> (u32, ()) {
        let packet = self.queues.pop_first(flow);
        self.count_changed(flow);
        (packet.bytes, ())
    }

    fn take_last(&mut self, flow: u32) -> (u32, ()) {
        let packet = self.queues.pop_last(flow);
        self.count_changed(flow);
        (packet.bytes, ())
    }

    /// The flow with the most packets; of equal ones the lowest.
    fn victim(&self) -> Option<u32> {
        let longest = self.longest.as_ref().expect("made to find victims");
        longest.first().map(|(_, flow)| flow)
    }
}
