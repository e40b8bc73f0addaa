//! Limits: what is held at a place, and whether there is room for more.

use hopflow_units::Bytes;

use super::ReferenceEngine;
use super::state::Hop;
use super::station::Station;
use super::unit::{HopId, Place, Target};
use hopflow_network::{DirectionId, Discard, DynamicThreshold, Held, LANES, Limit, Load};

impl ReferenceEngine {
    /// Whether `more` does not fit where there may be a limit.
    pub(super) fn lacks(&self, place: Place, limit: Option<Limit>, more: Load) -> bool {
        limit.is_some_and(|limit| !limit.fits(self.load(place), more))
    }

    /// What is held at a place. Bytes are added up from the packets.
    pub(super) fn load(&self, place: Place) -> Load {
        let (packets, bytes) = match place {
            Place::Node(node) => {
                (self.nodes[node].counters.buffered_packets, self.bytes_of_node(node))
            }
            Place::Port(id) => (self.ports[id.0].counters.queue_packets, self.bytes_of_port(id)),
            Place::Station(id, station) => {
                let bytes = self.bytes_of_station(&self.part(id).stations[station], 0);
                (self.held(id, station), bytes)
            }
        };
        Load { packets: packets.into(), bytes }
    }

    /// Counts the bytes that a node holds.
    pub(super) fn note_memory(&mut self, node: usize) {
        let held = self.bytes_of_node(node);
        let most = &mut self.nodes[node].counters.memory_max_bytes;
        *most = held.max(*most);
    }

    /// 0 where bytes are not counted.
    pub(super) fn bytes_of_node(&self, node: usize) -> u64 {
        if !self.counts_bytes[node] {
            return 0;
        }
        let parts = self.vcs.iter().flat_map(|vc| std::iter::once(&vc.forward).chain(&vc.ack));
        let stations = parts.flat_map(|part| &part.stations);
        let here = stations.filter(|station| station.node == node);
        here.map(|station| self.bytes_of_station(station, 0)).sum()
    }

    /// The packets that no hop of the port has finished.
    fn bytes_of_port(&self, id: DirectionId) -> u64 {
        self.bytes_of_queues(id, |_| true)
    }

    /// The same of some hops.
    fn bytes_of_queues(&self, id: DirectionId, is_of: impl Fn(&Hop) -> bool) -> u64 {
        if !self.counts_bytes[self.spec.from_node(id)] {
            return 0;
        }
        let parts = self.vcs.iter().flat_map(|vc| std::iter::once(&vc.forward).chain(&vc.ack));
        let hops = parts.flat_map(|part| part.hops.iter().map(|hop| (hop, &part.stations)));
        let here = hops.filter(|(hop, _)| hop.direction == id && is_of(hop));
        here.map(|(hop, stations)| {
            let station = &stations[hop.station];
            self.bytes_of_station(station, hop.finished_packets - station.freed_cells)
        })
        .sum()
    }

    /// Of a station without its first packets.
    fn bytes_of_station(&self, station: &Station, without: u64) -> u64 {
        let node = &self.spec.nodes[station.node];
        let held = station.held.iter().skip(without as usize);
        held.map(|held| node.takes(held.cell.size).0).sum()
    }

    /// Whether `more` is above the threshold of the class queue of a hop, unless credit or a lane
    /// holds the VC on its way to the station.
    fn is_above_threshold(&self, id: HopId, station: usize, hop: &Hop, more: Load) -> bool {
        let part = self.part(id);
        let node = part.stations[station].node;
        let Some(threshold) = self.spec.dynamic_threshold(node) else { return false };
        let leads = |before: &&Hop| matches!(before.target, Target::Station(to) if to == station);
        let before = part.hops.iter().find(leads);
        let is_held = before.is_some_and(|hop| hop.control.is_some() || hop.lane.is_some());
        let held = Held {
            queue: self.bytes_of_class(hop.direction, hop.priority),
            node: self.bytes_of_node(node),
            reserved: self.bytes_in_reserves(node, &threshold),
        };
        !is_held && threshold.lacks(hop.priority, held, more.bytes)
    }

    /// What is held for an output and a priority.
    fn bytes_of_class(&self, id: DirectionId, priority: u8) -> u64 {
        self.bytes_of_queues(id, |hop| hop.priority == priority)
    }

    /// What the class queues of a node hold in their reserves.
    fn bytes_in_reserves(&self, node: usize, threshold: &DynamicThreshold) -> u64 {
        let outputs = (0..self.spec.direction_count()).map(DirectionId);
        let outputs = outputs.filter(|id| self.spec.from_node(*id) == node);
        let classes = outputs.flat_map(|id| (0..LANES as u8).map(move |class| (id, class)));
        let in_reserve = |(id, class)| threshold.in_reserve(class, self.bytes_of_class(id, class));
        classes.map(in_reserve).sum()
    }

    /// Whether a packet that arrives at a station, or is created there, is dropped.
    pub(super) fn has_no_room(&self, id: HopId, station: usize, size: Bytes) -> bool {
        self.lacks_room(id, station, size, 1)
    }

    /// The same for `units` units of this size at once.
    pub(super) fn lacks_room(&self, id: HopId, station: usize, size: Bytes, units: u32) -> bool {
        let place = &self.part(id).stations[station];
        let spec = &self.spec.nodes[place.node];
        let more = spec.load_of(size).times(units.into());
        if self.lacks(Place::Station(id, station), spec.vc_buffer, more) {
            return true;
        }
        let drops = spec.discard == Discard::Arriving;
        if drops && self.lacks(Place::Node(place.node), spec.buffer, more) {
            return true;
        }
        place.branches.iter().any(|&hop| {
            let hop = &self.part(id).hops[hop];
            let port = &self.ports[hop.direction.0];
            let limit = self.spec.port_limit(hop.direction);
            let full = drops && self.lacks(Place::Port(hop.direction), limit, more)
                || self.is_above_threshold(id, station, hop, more);
            let gates = port.gates.as_deref().zip(hop.lane);
            let full = full || gates.is_some_and(|(gates, lane)| gates.discards(lane));
            let scheduler = port.scheduler.as_ref();
            full || scheduler.is_some_and(|s| s.refuses(hop.flow, size.0 as u32, self.now))
        })
    }
}
