//! The inputs for the buffer of every lane under credit: its packets, how long they are held, and
//! the waits of its credits.

use hopflow_control::lane::{LaneLoop, Promise};
use hopflow_units::{Bytes, Picos, Rate};

use super::{LaneNumbers, Smallest};
use crate::spec::{DirectionId, HopControl, NetworkSpec, Units};

/// The lanes under credit of a network, computed once.
#[derive(Clone, Debug)]
pub struct CreditLanes<'a> {
    network: &'a NetworkSpec,
    numbers: LaneNumbers,
    /// For each link direction and lane; `None` if no VC crosses on it.
    lanes: Vec<Vec<Option<Packets>>>,
    /// For each link direction: the largest packet that may delay a credit.
    in_the_way: Vec<Bytes>,
    /// For each link direction: the number of hops with their own credit.
    credits: Vec<u32>,
}

/// The packets of a lane.
#[derive(Clone, Copy, Debug)]
struct Packets {
    least: Smallest,
    most: Bytes,
    /// The shortest and the longest time for which the receiver holds a packet.
    hold: [Picos; 2],
}

impl Packets {
    fn add(lane: &mut Option<Packets>, least: Smallest, most: Bytes, hold: Picos) {
        let new = Packets { least, most, hold: [hold; 2] };
        let old = lane.get_or_insert(new);
        old.least = old.least.min(least);
        old.most = old.most.max(most);
        old.hold = [old.hold[0].min(hold), old.hold[1].max(hold)];
    }
}

impl<'a> CreditLanes<'a> {
    /// Reads all VCs once; none if no link direction has lanes under credit.
    pub fn new(network: &'a NetworkSpec) -> CreditLanes<'a> {
        let (count, numbers) = (network.direction_count(), LaneNumbers::new(network));
        let lanes = (0..count).map(|id| vec![None; numbers.count(DirectionId(id))]).collect();
        let mut all = CreditLanes {
            network,
            numbers,
            lanes,
            in_the_way: vec![Bytes(0); count],
            credits: vec![0; count],
        };
        if (0..count).map(DirectionId).any(|id| all.promise(id).is_some()) {
            (0..network.vcs.len()).for_each(|vc| all.add(vc));
        }
        all
    }

    fn add(&mut self, vc: usize) {
        let (network, children, index) = (self.network, self.network.vcs[vc].children(), vc);
        let ack = Smallest { size: Bytes::CELL, vc, is_ack: true };
        let own = Smallest { size: network.vcs[vc].traffic.size.least(), vc, is_ack: false };
        let vc = &network.vcs[vc];
        let size = &vc.traffic.size;
        for (hop, after) in vc.hops.iter().zip(&children) {
            let id = hop.direction_id();
            let next = after.iter().map(|next| vc.hops[*next].direction_id());
            let hold = next.map(|next| network.transmit_time(next, size.most())).max();
            let hold = hold.unwrap_or(Picos::ZERO);
            if let Some(lane) = self.numbers.of_vc(id, index, false) {
                Packets::add(&mut self.lanes[id.0][usize::from(lane)], own, size.most(), hold);
            }
            self.in_the_way[id.0] = self.in_the_way[id.0].max(size.most());
            self.credits[id.0] += u32::from(hop.control != HopControl::None);
            if vc.has_way_back() {
                let back = id.reverse();
                let before = hop.parent.map(|hop| vc.hops[hop].direction_id().reverse());
                let hold = before.map_or(Picos::ZERO, |before| network.cell_time(before));
                if let Some(lane) = self.numbers.of_vc(back, index, true) {
                    let packets = &mut self.lanes[back.0][usize::from(lane)];
                    Packets::add(packets, ack, Bytes::CELL, hold);
                }
                self.in_the_way[back.0] = self.in_the_way[back.0].max(Bytes::CELL);
            }
        }
    }

    /// The buffer that each lane of a link direction promises; `None`: not by credit, or by an
    /// external rule, of which no loop is known.
    pub fn promise(&self, id: DirectionId) -> Option<Promise> {
        let rule = self.network.direction(id).lanes?.rule;
        rule.promise().filter(|_| rule.external().is_none())
    }

    /// The lanes by number.
    pub const fn numbers(&self) -> &LaneNumbers {
        &self.numbers
    }

    /// The lanes under credit that some VC crosses.
    pub fn used(&self) -> impl Iterator<Item = (DirectionId, u16, Promise)> {
        let all = (0..self.lanes.len()).map(DirectionId);
        all.filter_map(|id| Some((id, self.promise(id)?))).flat_map(move |(id, promise)| {
            let used = self.numbers.of(id).filter(move |(lane, _)| self.is_used(id, *lane));
            used.map(move |(lane, _)| (id, lane, promise))
        })
    }

    fn packets(&self, id: DirectionId, lane: u16) -> Option<Packets> {
        *self.lanes[id.0].get(usize::from(lane))?
    }

    /// A lane in the worst case: its largest packet and those with the most blocks per byte, held
    /// longest; a packet on the way back has just started before each credit, and one control cell
    /// of every other lane and of every hop with credit waits too; where credits are spaced, a
    /// spacing has just begun. `None` if no VC crosses.
    pub fn link(&self, id: DirectionId, lane: u16, target: Rate) -> Option<LaneLoop> {
        let best = self.least(id, lane, target)?;
        let packets = self.packets(id, lane)?;
        let (network, back) = (self.network, id.reverse());
        let used = self.lanes[id.0].iter().flatten().count() as u32;
        let ahead = used - 1 + self.credits[id.0] + self.credits[back.0];
        let cells = Picos(network.cell_time(back).0.saturating_mul(u64::from(ahead)));
        let in_the_way = match self.in_the_way[back.0] {
            Bytes(0) => Picos::ZERO,
            size => network.transmit_time(back, size),
        };
        let promise = self.promise(id)?;
        let densest = |beside| promise.densest(packets.least.size, packets.most, beside);
        let wait = [cells, promise.spacing]
            .iter()
            .fold(in_the_way.0, |sum, span| sum.saturating_add(span.0));
        Some(LaneLoop {
            packet: packets.most,
            densest: densest(Bytes(0)),
            densest_on_link: densest(best.link_overhead),
            hold: packets.hold[1],
            wait: Picos(wait),
            ..best
        })
    }

    /// A lane in the best case: its smallest packet, held shortest, and credits that never wait.
    /// With less than this need, no schedule reaches the target.
    pub fn least(&self, id: DirectionId, lane: u16, target: Rate) -> Option<LaneLoop> {
        let packets = self.packets(id, lane)?;
        let promise = self.promise(id)?;
        let (network, back) = (self.network, id.reverse());
        let [there, here] = [id, back].map(|id| network.direction(id));
        Some(LaneLoop {
            rate: there.rate,
            link_overhead: there.overhead,
            target,
            delays: there.beyond() + here.beyond(),
            hold: packets.hold[0],
            wait: Picos::ZERO,
            credit: network.cell_time(back),
            packet: packets.least.size,
            largest: packets.most.max(Bytes::CELL),
            densest: packets.least.size,
            densest_on_link: packets.least.size,
            block: promise.block,
            overhead: promise.overhead,
            update: promise.update,
        })
    }

    /// Whether any VC crosses a link direction on a lane.
    pub fn is_used(&self, id: DirectionId, lane: u16) -> bool {
        self.packets(id, lane).is_some()
    }

    /// The smallest packet of a lane; `None` if no VC crosses.
    pub fn smallest(&self, id: DirectionId, lane: u16) -> Option<Smallest> {
        Some(self.packets(id, lane)?.least)
    }

    /// The bytes of memory that the packets of a lane take at most at the node that promises it
    /// room: its blocks, cells rounded up.
    pub fn memory(&self, id: DirectionId, lane: u16, promise: Promise) -> u64 {
        let promised = u64::from(promise.buffer);
        let unit = Units { size: promise.block.0, header: promise.overhead.into() };
        let node = &self.network.nodes[self.network.to_node(id)];
        self.packets(id, lane).map_or(promised * promise.block.0, |packets| {
            node.most_of_units(promised, unit, packets.least.size, packets.most)
        })
    }

    /// Whether all packets of a lane have one size.
    pub fn is_of_one_size(&self, id: DirectionId, lane: u16) -> bool {
        self.packets(id, lane).is_some_and(|packets| packets.least.size == packets.most)
    }
}
