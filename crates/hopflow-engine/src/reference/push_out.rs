//! Packets that are pushed out of their queues, where a node is over a limit or the watchdog of a
//! lane bites.

use super::ReferenceEngine;
use super::unit::{HopId, Place, Unit};
use hopflow_network::{DirectionId, Discard, Limit, Load, TraceEvent};

impl ReferenceEngine {
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
