//! Packets that wait at their inputs before a buffer that can drop them admits them, see
//! `embed/door.rs`.

use std::collections::BTreeMap;

use hopflow_network::{DirectionId, NetworkSpec};
use hopflow_units::{Picos, SimTime};

use super::unit::{HopId, Place, Target, Unit};
use super::{Event, OnWire, ReferenceEngine};
use crate::embed::door::{AtDoor, Doorway, uses_half};

/// The doors of all nodes.
#[derive(Debug)]
pub(super) struct Doors {
    /// Whether a node has one.
    has_door: Vec<bool>,
    /// By the hop that leads to the node.
    ways: BTreeMap<HopId, Doorway>,
    /// The last admission, by input and output.
    lasts: BTreeMap<[DirectionId; 2], SimTime>,
    /// Packets that have waited.
    count: u64,
}

impl Doors {
    pub(super) fn new(spec: &NetworkSpec) -> Doors {
        let has_door = spec.admits_with_jitter();
        Doors { has_door, ways: BTreeMap::new(), lasts: BTreeMap::new(), count: 0 }
    }
}

impl ReferenceEngine {
    /// Whether a unit that arrives waits at its input; then it is admitted by an event.
    pub(super) fn waits_at_door(&mut self, by: DirectionId, on_wire: &OnWire) -> bool {
        let (node, now) = (self.spec.to_node(by), self.now);
        let (Unit::Cell { id, cell }, false) = (on_wire.unit, on_wire.corrupted) else {
            return false;
        };
        let Some(next) = self.doors.has_door[node].then(|| self.exposed_to(id)).flatten() else {
            return false;
        };
        let (out, own) = (self.hop(next).direction, self.fill(next));
        let queued = self.ports[out.0].counters.queue_packets;
        let packet = self.spec.nodes[node].load_of(cell.size);
        let limits = [
            (Place::Node(node), self.spec.nodes[node].buffer),
            (Place::Port(out), self.spec.port_limit(out)),
        ];
        let half_used = |(at, limit)| uses_half(self.load(at), packet, limit);
        let uses_half = limits.into_iter().any(half_used);
        let fresh = || Doorway::new(&self.spec, id.vc, id.ack, node);
        let way = self.doors.ways.entry(id).or_insert_with(fresh);
        way.arrive(now);
        let mut at = now;
        if uses_half {
            let [came, leaves] = [by, out].map(|id| self.spec.transmit_time(id, cell.size));
            let protects = self.spec.direction(out).scheduler.facts().protects;
            at = now.saturating_add(way.jitter(&AtDoor { came, leaves, queued, own, protects }));
        }
        if let Some(last) = self.doors.lasts.get(&[by, out]) {
            at = at.max(last.saturating_add(Picos(1)));
        }
        if at == now {
            return false;
        }
        self.doors.lasts.insert([by, out], at);
        self.events.push(at, Event::Admission(by, self.doors.count, *on_wire));
        self.doors.count += 1;
        true
    }

    /// The hop by which a packet that arrives over a hop leaves, where a full buffer can drop it:
    /// no credit and no lane promises room, and it does not branch.
    fn exposed_to(&self, id: HopId) -> Option<HopId> {
        let hop = self.hop(id);
        let promised = hop.control.is_some() || hop.lane.is_some();
        let Target::Station(station) = hop.target else { return None };
        match self.part(id).stations[station].branches[..] {
            [only] if !promised => Some(HopId { hop: only, ..id }),
            _ => None,
        }
    }
}
