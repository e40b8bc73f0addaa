//! The way of a flow: its hops, with all that the reading of a flow may depend on of each.
//!
//! Flows of one table whose ways have the same terms are the same but for their names and links
//! (`flow/copies.rs`). So what reads a flow gets [`Terms`], not links and nodes; names are for
//! messages.

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_network::{DirectionId, Limit, NodeKind, NodeSpec, Units};
use hopflow_units::{Bytes, Cells, Picos, Rate, Wire};

use crate::application;
use crate::diagnostic::Sink;
use crate::hops::{self, Hops};
use crate::link::Links;
use crate::node::Nodes;

/// What a flow finds at a link direction that it crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Terms {
    pub(crate) rate: Rate,
    overhead: Bytes,
    /// The cell time.
    pub(crate) cell: Picos,
    /// R of the link: what is set, or the true loop.
    pub(crate) round_trip: Picos,
    /// Both latencies of the link.
    pub(crate) true_loop: Picos,
    /// Whether it leads to an application, or from it.
    pub(crate) is_drain: bool,
    /// The room of the node that it leads to; `None`: no limit, or a host that consumes at once.
    pub(crate) room: Option<Room>,
    /// Whether the buffer that flows share there may be too small.
    pub(crate) allow_small_shared: bool,
}

/// The least limit of a node for one flow of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Room {
    /// The cells that fit.
    cells: u64,
    pub(crate) limit: Limit,
    /// A cell of the memory.
    cell: Option<Bytes>,
    /// Whether it is the receive buffer of a slow host.
    pub(crate) is_receive_buffer: bool,
}

impl Room {
    /// The memory that packets from `least` to `most` bytes take at most that have these units.
    pub(crate) fn memory_of(&self, units: Cells, unit: Bytes, least: Bytes, most: Bytes) -> u64 {
        let node = NodeSpec { cell: self.cell, ..NodeSpec::new("", NodeKind::Switch) };
        let unit = Units { size: unit.0, header: 0 };
        node.most_of_units(units.0.into(), unit, least, most)
    }
}

impl Terms {
    fn of(id: DirectionId, nodes: &Nodes, links: &Links) -> Terms {
        let (spec, receiver) = (links.spec(id), links.receiver(id));
        let Wire { rate, overhead } = spec.wire();
        let keys = links.shared[id.link()][id.side()].buffer_keys.as_ref();
        let node = &nodes.specs[receiver];
        let drain = links.drain(receiver).map(|id| links.spec(id).buffer);
        let takes = node.takes(Bytes::CELL);
        let room = |limit: Option<Limit>, is_receive_buffer| {
            let limit = limit?;
            Some(Room { cells: limit.packets_of(takes), limit, cell: node.cell, is_receive_buffer })
        };
        let own = [node.buffer, node.vc_buffer].map(|limit| room(limit, false));
        let rooms = [room(drain.flatten(), true)].into_iter().chain(own).flatten();
        let holds = node.kind == NodeKind::Switch || drain.is_some();
        let room = rooms.min_by_key(|room| room.cells).filter(|_| holds);
        Terms {
            rate,
            overhead,
            cell: links.cell_time(id),
            round_trip: links.round_trip(id.link()),
            true_loop: links.true_loop(id.link()),
            is_drain: links.is_drain(id),
            room,
            allow_small_shared: keys.is_some_and(|keys| keys.allow_small_buffer),
        }
    }

    /// The rate, and the bytes that each unit takes in addition.
    pub(crate) const fn wire(&self) -> Wire {
        Wire { rate: self.rate, overhead: self.overhead }
    }
}

/// A way through the network.
#[derive(Clone, Debug)]
pub(crate) struct Way<'m> {
    pub(crate) hops: Hops,
    /// Of each hop.
    pub(crate) terms: Vec<Terms>,
    nodes: &'m Nodes,
    links: &'m Links,
}

impl<'m> Way<'m> {
    pub(crate) fn new(hops: Hops, nodes: &'m Nodes, links: &'m Links) -> Way<'m> {
        let terms = hops.iter().map(|(id, _)| Terms::of(*id, nodes, links)).collect();
        Way { hops, terms, nodes, links }
    }

    /// The way back, over the same links; of one with one receiver.
    pub(crate) fn turned(&self) -> Way<'m> {
        Way::new(hops::turned(&self.hops), self.nodes, self.links)
    }

    /// The same, begun at the application where it begins at a slow host.
    pub(crate) fn begun_at_application(&self) -> Way<'m> {
        let hops = application::from_application(self.hops.clone(), self.links);
        Way::new(hops, self.nodes, self.links)
    }

    /// The terms of the first hop.
    pub(crate) fn first(&self) -> Option<&Terms> {
        self.terms.first()
    }

    /// Whether it leads to one receiver.
    pub(crate) fn is_one_path(&self) -> bool {
        hops::is_one_path(&self.hops)
    }

    /// A direction by the names of two nodes; an error if there is none.
    pub(crate) fn find(
        &self,
        ends: [&str; 2],
        span: &Range<usize>,
        sink: &mut Sink,
    ) -> Option<DirectionId> {
        self.links.find(ends, span, self.nodes, sink)
    }

    /// The name of the node that a hop leads to.
    pub(crate) fn receiver(&self, hop: usize) -> &'m str {
        self.nodes.name(self.links.receiver(self.hops[hop].0))
    }
}

/// Of a hop: the number of its terms, that of the terms of the other direction, and of the hop that
/// feeds it, from 1.
pub(crate) type Step = [u32; 3];

/// Numbers of equal terms.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    numbers: BTreeMap<Terms, u32>,
    /// By direction.
    of: Vec<Option<u32>>,
}

impl Kinds {
    /// The steps of a way: equal where all its terms are, those of the way back too.
    pub(crate) fn steps(&mut self, hops: &Hops, nodes: &Nodes, links: &Links) -> Vec<Step> {
        let step = |(id, parent): &(DirectionId, Option<usize>)| {
            let [there, back] = [*id, id.reverse()].map(|id| self.number(id, nodes, links));
            [there, back, parent.map_or(0, |parent| parent as u32 + 1)]
        };
        hops.iter().map(step).collect()
    }

    fn number(&mut self, id: DirectionId, nodes: &Nodes, links: &Links) -> u32 {
        if let Some(number) = self.of.get(id.0).copied().flatten() {
            return number;
        }
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(Terms::of(id, nodes, links)).or_insert(next);
        self.of.resize(self.of.len().max(2 * links.specs.len()), None);
        self.of[id.0] = Some(number);
        number
    }
}
