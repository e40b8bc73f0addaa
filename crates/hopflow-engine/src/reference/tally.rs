//! The end of an instant, counters and conservation.

use hopflow_control::admission::PortReservations;
use hopflow_control::credit::Permission;
use hopflow_units::Picos;

use super::packets::Packets;
use super::state::{Vc, VcPart};
use super::unit::{HopId, Unit};
use super::{Event, ReferenceEngine, TimerKind};
use crate::embed::credit::counted;
use crate::embed::processor::Processor;
use crate::embed::rate::PortRates;
use hopflow_network::counters::{
    DirectionCounters, HopCounters, LeafCounters, RateCounters, SetUpCounters, VcCounters,
};
use hopflow_network::{DelayHistogram, RunCounters};

impl ReferenceEngine {
    /// Records the state of the touched hops from now on, and sets their timers.
    pub(super) fn end_instant(&mut self) {
        let now = self.now;
        for id in std::mem::take(&mut self.touched) {
            let blocked = self.is_blocked(id);
            let no_cell = self.fill(id) == 0 && !self.has_greedy_cell(id);
            let permission = self.permission(id);
            let hop = self.hop_mut(id);
            hop.no_cell = no_cell;
            if !blocked {
                (hop.blocked_since, hop.blocked_counted) = (None, false);
            } else if hop.blocked_since.is_none() {
                hop.blocked_since = Some(now);
            }
            if let Permission::At(time) = permission {
                self.arm(time, id, TimerKind::Eligible);
            }
            if let Some(time) = self.request_due(id) {
                self.arm(time, id, TimerKind::Request);
            }
            if let Some(time) = self.give_up_due(id) {
                self.arm(time, id, TimerKind::GiveUp);
            }
        }
    }

    /// Statistics that cannot be subtracted begin anew, see
    /// [`hopflow_network::Engine::restart_statistics`].
    pub(super) fn restart(&mut self) {
        let end = self.end;
        for number in 0..self.nodes.len() {
            let held = self.bytes_of_node(number);
            let node = &mut self.nodes[number];
            node.counters.buffered_max_packets = node.counters.buffered_packets;
            node.counters.memory_max_bytes = held;
            node.processor.iter_mut().for_each(Processor::restart);
        }
        self.shared_buffers.iter_mut().flatten().for_each(|shared| shared.machine.restart());
        for port in &mut self.ports {
            port.reservations.iter_mut().for_each(PortReservations::restart);
            port.counters.queue_max_packets = port.counters.queue_packets;
            if let Some(lengths) = &mut port.counters.lengths {
                lengths.restart(end);
            }
            if let Some(intakes) = &mut port.intakes {
                intakes.restart_statistics();
            }
        }
        for vc in 0..self.vcs.len() {
            for hop in 0..self.vcs[vc].forward.hops.len() {
                let id = HopId { vc, ack: false, hop };
                let fill = self.fill(id);
                self.hop_mut(id).counters.fill_max_packets = fill;
            }
            for leaf in &mut self.vcs[vc].leaves {
                (leaf.first, leaf.last) = (None, None);
                leaf.delay = DelayHistogram::default();
                leaf.waiting = leaf.waiting.take().map(|_| DelayHistogram::default());
            }
            if let Some(packets) = &mut self.vcs[vc].packets {
                packets.restart();
            }
            self.vcs[vc].source.restart_statistics();
        }
    }

    /// The counters at the end of the run so far.
    pub(super) fn counted(&self) -> RunCounters {
        RunCounters {
            now: self.end,
            vcs: (0..self.vcs.len()).map(|vc| self.counted_vc(vc)).collect(),
            directions: (0..self.ports.len()).map(|port| self.counted_port(port)).collect(),
            nodes: self.nodes.iter().map(|node| node.counted(self.end)).collect(),
        }
    }

    fn counted_vc(&self, number: usize) -> VcCounters {
        let vc = &self.vcs[number];
        let hops = (0..vc.forward.hops.len()).map(|hop| HopId { vc: number, ack: false, hop });
        let hops: Vec<_> = hops.map(|id| self.counted_hop(id)).collect();
        let (end, empty) = (self.end, hops[0].no_cell);
        VcCounters {
            created_packets: vc.created_packets,
            policed_packets: vc.policed_packets,
            sent_frames: vc.packets.as_ref().map_or(0, |packets| packets.sent),
            endpoint: vc.packets.as_ref().and_then(Packets::counters),
            holds: vc.packets.as_ref().and_then(|packets| packets.holds(end, empty)),
            coded: vc.source.coded(),
            hops,
            leaves: counted_leaves(vc),
            ack_cells: vc.ack_cells,
            acked_cells: vc.acked_cells,
            set_up: vc.call.as_ref().map_or(SetUpCounters::default(), |call| call.counters),
        }
    }

    fn counted_hop(&self, id: HopId) -> HopCounters {
        let counters = self.hop(id).counted(self.end, self.fill(id));
        let acr = self.hop(id).rated.as_ref().map_or(0, |rated| rated.acr().get() as u64);
        let rate = RateCounters { acr, ..counters.rate };
        let is_reserved = self.hop(id).is_reserved;
        HopCounters { allocation_cells: self.allocation(id), is_reserved, rate, ..counters }
    }

    fn counted_port(&self, number: usize) -> DirectionCounters {
        let port = &self.ports[number];
        let mut counters = port.counters.clone();
        let ahead = Picos(port.busy_until.0.saturating_sub(self.end.0));
        counters.busy = Picos(counters.busy.0 - ahead.0);
        counters.hash = port.hash.value();
        counters.marked_packets = port.marker.as_ref().map_or(0, |marker| marker.marked);
        counters.fair_rate = port.rates.as_ref().and_then(PortRates::reading);
        if let Some(reservations) = &port.reservations {
            counters.reserved_bps = reservations.reserved_bps();
            counters.reserved_max_bps = reservations.most_bps();
            counters.refused_set_ups = reservations.refused();
        }
        if let (Some(gates), Some(intakes)) = (&port.gates, &port.intakes) {
            gates.read(self.end, &mut counters.lanes);
            intakes.read(&mut counters.lanes);
        }
        let shared = self.shared_buffers[number].as_ref();
        counters.shared_buffer = shared.map(|shared| counted(&shared.machine));
        let length = counters.queue_packets;
        counters.lengths = counters.lengths.map(|lengths| lengths.read(length, self.end));
        counters
    }

    /// Asserts that no cell appears or vanishes: on every hop of every part, and from source to
    /// leaf.
    pub(super) fn assert_conservation(&self) {
        for (number, vc) in self.vcs.iter().enumerate() {
            let id = HopId { vc: number, ack: false, hop: 0 };
            self.assert_part_conserves(id, &vc.forward, vc.created_packets);
            for (leaf, &last) in self.spec.leaves(number).iter().enumerate() {
                self.assert_path_conserves(number, last, vc.leaves[leaf].delivered_packets);
            }
            if let Some(ack) = &vc.ack {
                let id = HopId { ack: true, ..id };
                self.assert_part_conserves(id, ack, vc.ack_cells);
            }
        }
    }

    fn assert_part_conserves(&self, part_id: HopId, part: &VcPart, made: u64) {
        let policed = if part_id.ack { 0 } else { self.vcs[part_id.vc].policed_packets };
        for (number, hop) in part.hops.iter().enumerate() {
            let id = HopId { hop: number, ..part_id };
            let counters = &hop.counters;
            let station = &part.stations[hop.station];
            let entered =
                station.fed_by.map_or(made - policed, |h| part.hops[h].counters.received_packets);
            let entered = entered + self.rm_made(id) - self.rm_ended(id);
            let fill = u64::from(self.fill(id));
            let out =
                counters.left_packets + counters.given_up_packets + counters.pushed_out_packets;
            assert_eq!(entered, out + fill, "cells at the sending end of {id:?}");
            let started = counters.left_packets + u64::from(hop.in_transmission);
            assert_eq!(counters.sent_packets, started, "cells started on {id:?}");
            let taken =
                counters.received_packets + counters.dropped_packets + counters.corrupted_packets;
            assert_eq!(counters.sent_packets, taken + self.on_wire(id), "cells sent on {id:?}");
        }
    }

    /// RM cells created where a hop begins (at final hosts they are ACKs like others).
    fn rm_made(&self, id: HopId) -> u64 {
        let forward = &self.vcs[id.vc].forward.hops;
        match id.ack {
            false => forward[id.hop].counters.rate.forward_made,
            true if id.hop + 1 == forward.len() => 0,
            true => {
                let created = forward[id.hop + 1].counters.rate.backward_made;
                forward[id.hop].counters.rate.turned_around + created
            }
        }
    }

    /// RM cells that have ended where a hop begins.
    fn rm_ended(&self, id: HopId) -> u64 {
        let forward = &self.vcs[id.vc].forward.hops;
        match id.ack {
            false if id.hop == 0 => 0,
            false => {
                let before = self.spec.vcs[id.vc].hops[id.hop].parent.expect("of later hops");
                forward[before].counters.rate.turned_around
            }
            true => forward.get(id.hop + 1).map_or(0, |hop| hop.counters.rate.backward_taken),
        }
    }

    /// Cells of a hop that have started and not arrived, or wait at an input.
    fn on_wire(&self, id: HopId) -> u64 {
        let ours = |event: &&Event| match event {
            Event::Arrival(_, on_wire) | Event::Admission(_, _, on_wire) => match on_wire.unit {
                Unit::Cell { id: other, .. } => other == id,
                _ => false,
            },
            _ => false,
        };
        self.events.iter().filter(ours).count() as u64
    }

    /// created = delivered + dropped + corrupted + given up + queued + in flight.
    fn assert_path_conserves(&self, vc: usize, last: usize, delivered: u64) {
        let mut sum = delivered + self.undelivered(vc, last) + self.vcs[vc].policed_packets;
        let mut created = self.vcs[vc].created_packets;
        let mut next = Some(last);
        while let Some(hop) = next {
            let id = HopId { vc, ack: false, hop };
            let counters = &self.hop(id).counters;
            let queued = u64::from(self.fill(id)) - u64::from(self.hop(id).in_transmission);
            sum +=
                counters.dropped_packets + counters.corrupted_packets + counters.given_up_packets;
            sum += counters.pushed_out_packets + queued + self.on_wire(id);
            sum += counters.rate.turned_around;
            created += counters.rate.forward_made;
            next = self.spec.vcs[vc].hops[hop].parent;
        }
        assert_eq!(created, sum, "cells of VC {vc} on the way to hop {last}");
    }
}

fn counted_leaves(vc: &Vc) -> Vec<LeafCounters> {
    let mut leaves = vc.leaves.clone();
    for (number, leaf) in leaves.iter_mut().enumerate() {
        leaf.packets = vc.packets.as_ref().map(|packets| packets.counted(number));
    }
    leaves
}
