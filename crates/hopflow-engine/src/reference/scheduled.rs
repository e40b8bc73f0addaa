//! Ports with a scheduler, full buffers, and messages to slow down.

use hopflow_control::credit::Permission;
use hopflow_control::scheduler::{Next, Notice};
use hopflow_units::Bytes;

use super::unit::{Control, HopId};
use super::{Event, ReferenceEngine};
use crate::embed::lane::Gates;
use hopflow_network::{DirectionId, Discard, TraceEvent};

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

    /// Whether a packet that arrives at a station, or is created there, is dropped.
    pub(super) fn has_no_room(&self, id: HopId, station: usize, size: Bytes) -> bool {
        self.lacks_room(id, station, size, 1)
    }

    /// The same for `units` units of this size at once.
    pub(super) fn lacks_room(&self, id: HopId, station: usize, size: Bytes, units: u32) -> bool {
        let over = |have: u32, limit: Option<hopflow_units::Cells>| {
            limit.is_some_and(|limit| u64::from(have) + u64::from(units) > u64::from(limit.0))
        };
        let place = &self.part(id).stations[station];
        let (spec, counters) = (&self.spec.nodes[place.node], &self.nodes[place.node].counters);
        if over(self.held(id, station), spec.vc_buffer) {
            return true;
        }
        let drops = spec.discard == Discard::Arriving;
        if drops && over(counters.buffered_packets, spec.buffer) {
            return true;
        }
        place.branches.iter().any(|&hop| {
            let hop = &self.part(id).hops[hop];
            let port = &self.ports[hop.direction.0];
            let queued = port.counters.queue_packets;
            let full = drops && over(queued, self.spec.port_limit(hop.direction));
            let discards = |gates: &Gates| gates.discards(hop.priority);
            let full = full || port.gates.as_deref().is_some_and(discards);
            let scheduler = port.scheduler.as_ref();
            full || scheduler.is_some_and(|s| s.refuses(hop.flow, size.0 as u32, self.now))
        })
    }

    /// After a packet has joined the queue of a hop: one is pushed out if its node is over a limit.
    pub(super) fn push_out(&mut self, joined: HopId) {
        let node = self.station(joined).node;
        let spec = &self.spec.nodes[node];
        let over = |limit: Option<hopflow_units::Cells>, have: u32| {
            limit.is_some_and(|limit| have > limit.0)
        };
        let own = self.hop(joined).direction;
        let queued = |id: DirectionId| self.ports[id.0].counters.queue_packets;
        let over_port = over(self.spec.port_limit(own), queued(own));
        let over_node = over(spec.buffer, self.nodes[node].counters.buffered_packets);
        if spec.discard == Discard::Arriving || !(over_port || over_node) {
            return;
        }
        let mut from = own;
        if !over_port && spec.discard == Discard::LastOfLongest {
            for &port in &self.nodes[node].ports {
                let longer = queued(port) > queued(from);
                if longer || (queued(port) == queued(from) && from != own && port < from) {
                    from = port;
                }
            }
        }
        let scheduler = self.ports[from.0].scheduler.as_mut().expect("all ports have schedulers");
        if let Some(flow) = scheduler.victim() {
            self.push_out_of(from, flow);
        }
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
