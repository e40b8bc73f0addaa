//! Ports with a scheduler, full buffers, and messages to slow down.

use hopflow_control::credit::Permission;
use hopflow_control::scheduler::{Next, Notice};
use hopflow_units::Bytes;

use super::station::Station;
use super::unit::{Control, HopId, Place, Unit};
use super::{Event, ReferenceEngine};
use crate::embed::lane::Gates;
use hopflow_network::{DirectionId, Discard, Limit, Load, TraceEvent};

impl ReferenceEngine {
    /// Starts the packet that the scheduler of a port selects. Returns whether one started.
    pub(super) fn start_scheduled(&mut self, direction: DirectionId) -> bool {
        let now = self.now;
        loop {
            let port = self.port(direction);
            let scheduler = port.scheduler.as_mut().expect("the port has a scheduler");
            match scheduler.next(now) {
                Next::Nothing => return false,
                Next::Check => self.check_ready(direction),
                Next::At(time) => {
                    self.events.push(time, Event::Ask(direction));
                    return false;
                }
                Next::Flow(flow) => {
                    let id = port.flows[flow as usize];
                    assert!(self.is_waiting(id), "a scheduler names a flow that has a packet");
                    if self.permission(id) == Permission::Now {
                        self.start_cell(id);
                        return true;
                    }
                    self.forbid(id);
                }
            }
        }
    }

    /// Forbids the flows of an external scheduler that may no longer send.
    fn check_ready(&mut self, direction: DirectionId) {
        let port = self.port(direction);
        let flows = port.scheduler.as_mut().expect("the port has a scheduler").check();
        let ids: Vec<HopId> = flows.into_iter().map(|flow| port.flows[flow as usize]).collect();
        for id in ids {
            if self.permission(id) != Permission::Now {
                self.forbid(id);
            }
        }
    }

    /// A hop that its scheduler considered permitted may no longer send.
    fn forbid(&mut self, id: HopId) {
        self.hop_mut(id).listed = false;
        let (direction, flow) = (self.hop(id).direction, self.hop(id).flow);
        let scheduler = &mut self.port(direction).scheduler;
        scheduler.as_mut().expect("the port has a scheduler").forbid(flow);
    }

    /// The packet that a scheduler selected has started; the next of a greedy source is ready at
    /// once.
    pub(super) fn note_start(&mut self, id: HopId) {
        let (now, direction, flow) = (self.now, self.hop(id).direction, self.hop(id).flow);
        let port = self.port(direction);
        let end = port.busy_until;
        if let Some(scheduler) = &mut port.scheduler {
            scheduler.start(flow, now, end);
        }
        if self.has_greedy_cell(id) {
            self.offer_greedy(id);
        }
    }

    /// The next packet of a greedy source is ready, and its size is known.
    pub(super) fn offer_greedy(&mut self, first: HopId) {
        let vc = &mut self.vcs[first.vc];
        vc.greedy_size = Bytes(u64::from(vc.source.next_greedy_bytes()));
        let size = vc.greedy_size;
        self.notify_scheduler(first, size);
    }

    /// A packet has joined the queue of a hop.
    pub(super) fn notify_scheduler(&mut self, id: HopId, size: Bytes) {
        let (now, direction, flow) = (self.now, self.hop(id).direction, self.hop(id).flow);
        let Some(scheduler) = &mut self.port(direction).scheduler else { return };
        match scheduler.arrive(flow, size.0 as u32, now) {
            Some(Notice::SlowDown) if !id.ack => {
                self.hop_mut(id).counters.slow_down_messages += 1;
                self.slow_down(id);
            }
            Some(Notice::Deleted) if !id.ack => self.hop_mut(id).counters.deleted = Some(now),
            _ => {}
        }
    }

    /// A message about a hop has reached its sending end: it is passed on towards the source, or
    /// delivered to it.
    pub(super) fn slow_down(&mut self, id: HopId) {
        if let Some(hop) = self.station(id).fed_by {
            let before = HopId { hop, ..id };
            let back = self.hop(before).direction.reverse();
            self.port(back).control_line.push_back(Control::SlowDown(before));
            return;
        }
        let now = self.now;
        let source = &mut self.vcs[id.vc].source;
        source.slow_down(now);
        if let Some(due) = source.due() {
            self.events.push(due, Event::Source(id.vc));
        }
    }

    // Limits.

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
        if !self.counts_bytes[self.spec.from_node(id)] {
            return 0;
        }
        let parts = self.vcs.iter().flat_map(|vc| std::iter::once(&vc.forward).chain(&vc.ack));
        let hops = parts.flat_map(|part| part.hops.iter().map(|hop| (hop, &part.stations)));
        let here = hops.filter(|(hop, _)| hop.direction == id);
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
            let full = drops && self.lacks(Place::Port(hop.direction), limit, more);
            let discards = |gates: &Gates| gates.discards(hop.priority);
            let full = full || port.gates.as_deref().is_some_and(discards);
            let scheduler = port.scheduler.as_ref();
            full || scheduler.is_some_and(|s| s.refuses(hop.flow, size.0 as u32, self.now))
        })
    }

    /// After a packet has joined the queue of a hop: one is pushed out if its node is over a limit
    /// in packets, and as many as it takes if it is over one in bytes.
    pub(super) fn push_out(&mut self, joined: HopId) {
        self.push_one_out(joined, |limit| limit.packets().is_some(), |load| load.packets);
        while self.push_one_out(joined, |limit| limit.bytes().is_some(), |load| load.bytes) {}
    }

    /// Pushes one out if the node is over a limit in this unit. Returns whether it did.
    fn push_one_out(
        &mut self,
        joined: HopId,
        is_of_unit: fn(&Limit) -> bool,
        amount: fn(Load) -> u64,
    ) -> bool {
        let node = self.station(joined).node;
        let spec = &self.spec.nodes[node];
        let is_over = |place: Place, limit: Option<Limit>| {
            self.lacks(place, limit.filter(is_of_unit), Load::default())
        };
        let own = self.hop(joined).direction;
        let over_port = is_over(Place::Port(own), self.spec.port_limit(own));
        let over_node = is_over(Place::Node(node), spec.buffer);
        if spec.discard == Discard::Arriving || !(over_port || over_node) {
            return false;
        }
        let has_victim = |id: DirectionId| {
            let port = &self.ports[id.0];
            let sends = matches!(port.sending, Some(Unit::Cell { .. }));
            port.counters.queue_packets > u32::from(sends)
        };
        let held = |id: DirectionId| amount(self.load(Place::Port(id)));
        let mut from = Some(own).filter(|id| has_victim(*id));
        if !over_port && spec.discard == Discard::LastOfLongest {
            // Of several, its own, else the first.
            for &port in self.nodes[node].ports.iter().filter(|id| has_victim(**id)) {
                if from.is_none_or(|from| held(port) > held(from)) {
                    from = Some(port);
                }
            }
        }
        let Some(from) = from else { return false };
        let scheduler = self.ports[from.0].scheduler.as_mut().expect("all ports have schedulers");
        let Some(flow) = scheduler.victim() else { return false };
        self.push_out_of(from, flow);
        true
    }

    pub(super) fn push_out_of(&mut self, direction: DirectionId, flow: u32) {
        let now = self.now;
        let port = self.port(direction);
        let id = port.flows[flow as usize];
        if let Some(scheduler) = &mut port.scheduler {
            scheduler.drop_last(flow);
        }
        port.queue_down(now);
        self.touch(id);
        let index = self.hop(id).station;
        let node = self.station(id).node;
        self.settle_node(node);
        self.nodes[node].counters.buffered_packets -= 1;
        let station = &mut self.part_mut(id).stations[index];
        station.pushed_out_packets += 1;
        let cell = station.held.pop_back().expect("a victim holds a packet").cell;
        let fed_by = station.fed_by;
        self.mark_gone(direction, cell.size);
        self.hop_mut(id).counters.pushed_out_packets += 1;
        let fill = self.fill(id);
        self.cell_row(TraceEvent::Dropped, direction, id, &cell, fill, 0);
        self.rate_left(id);
        if let Some(hop) = fed_by {
            self.receiver_frees(HopId { hop, ..id }, cell.size);
        }
        self.consider(id);
        self.freed_at_source(id);
    }
}
