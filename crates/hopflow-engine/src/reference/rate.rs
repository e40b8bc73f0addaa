//! Rate control at the sending end: paced hops, algorithms at ports, and the RM cells that they
//! create, which are cells with contents. `rm.rs` has RM cells that arrive.

use hopflow_control::rate::RmCell;

use super::unit::{Cell, Held, HopId};
use super::{Event, ReferenceEngine, TimerKind};
use crate::embed::rate::PortRates;
use crate::embed::record::Record;
use hopflow_network::{DirectionId, TraceEvent};

impl ReferenceEngine {
    pub(super) fn schedule_rates(&mut self) {
        for id in (0..self.ports.len()).map(DirectionId) {
            self.arm_rates(id);
        }
    }

    pub(super) fn arm_rates(&mut self, id: DirectionId) {
        if let Some(at) = self.port(id).rates.as_mut().and_then(PortRates::arm) {
            self.events.push(at, Event::Rates(id));
        }
    }

    pub(super) fn fire_rates(&mut self, id: DirectionId) {
        let now = self.now;
        if let Some(rates) = &mut self.port(id).rates {
            rates.fire(now);
        }
        self.arm_rates(id);
    }

    /// The algorithm of a port that has flows.
    pub(super) fn rates(&mut self, direction: DirectionId) -> &mut PortRates {
        self.port(direction).rates.as_mut().expect("a flow of an algorithm")
    }

    /// The number of a hop at the algorithm of its port: of forward hops of VCs under rate control.
    pub(super) fn rate_flow(&self, id: HopId) -> Option<u32> {
        let rates = self.ports[self.hop(id).direction.0].rates.as_ref()?;
        rates.flow(id.vc).filter(|_| !id.ack)
    }

    /// Releases a turn of a paced hop, if one is requested and due; otherwise sets its timer.
    pub(super) fn pace(&mut self, id: HopId) {
        let waiting = self.fill(id) - u32::from(self.hop(id).in_transmission);
        let cells = if self.has_greedy_cell(id) { u32::MAX } else { waiting };
        let (now, flow) = (self.now, self.rate_flow(id));
        let Some(rated) = &mut self.hop_mut(id).rated else { return };
        let Some(pacer) = &mut rated.pacer else { return };
        let (released, again) = pacer.pace(now, cells);
        if let Some(at) = again {
            self.arm(at, id, TimerKind::Pace);
        }
        if let (true, Some(flow)) = (released, flow) {
            let direction = self.hop(id).direction;
            self.rates(direction).release(now, flow);
            self.arm_rates(direction);
        }
    }

    pub(super) fn fire_pace(&mut self, id: HopId) {
        self.touch(id);
        self.pace(id);
        self.consider(id);
    }

    /// The turn of a paced hop starts: a forward RM cell precedes the waiting cells, if the turn is
    /// for one.
    pub(super) fn start_turn(&mut self, id: HopId) {
        let (now, flow, direction) = (self.now, self.rate_flow(id), self.hop(id).direction);
        let Some(mut rated) = self.hop_mut(id).rated.take() else { return };
        let made = rated.pacer.as_mut().and_then(|pacer| {
            let mut rm = pacer.start(now)?;
            if let Some(flow) = flow {
                self.rates(direction).start_forward(now, flow, pacer, &mut rm);
            }
            Some(rm)
        });
        self.hop_mut(id).rated = Some(rated);
        if let Some(rm) = made {
            self.make_forward(id, rm);
        }
    }

    fn make_forward(&mut self, id: HopId, rm: RmCell) {
        let (now, direction) = (self.now, self.hop(id).direction);
        let made = &mut self.hop_mut(id).counters.rate.forward_made;
        let number = *made;
        *made += 1;
        let mut cell = Cell::rm(number, now, rm);
        self.mark_joining(id, &mut cell);
        let next = self.hop(id).finished_packets - self.station(id).freed_cells;
        let station = self.hop(id).station;
        let held = &mut self.part_mut(id).stations[station].held;
        held.insert(next as usize, Held { cell, since: now });
        let node = self.station(id).node;
        self.settle_node(node);
        let counters = &mut self.nodes[node].counters;
        counters.buffered_packets += 1;
        counters.buffered_max_packets =
            counters.buffered_max_packets.max(counters.buffered_packets);
        self.note_memory(node);
        self.port(direction).queue_up(now);
        let fill = self.fill(id);
        let counters = &mut self.hop_mut(id).counters;
        counters.fill_max_packets = counters.fill_max_packets.max(fill);
        self.cell_row(TraceEvent::Born, direction, id, &cell, fill, 0);
    }

    /// A cell of a hop starts: it may get EFCI. A paced hop has used its turn.
    pub(super) fn rate_starts(&mut self, id: HopId, cell: &mut Cell) {
        let (now, direction) = (self.now, self.hop(id).direction);
        if let (Some(flow), None) = (self.rate_flow(id), cell.rm_cell()) {
            cell.marked |= self.rates(direction).start(now, flow);
        }
        self.arm_rates(direction);
        self.pace(id);
    }

    /// A cell has joined the queue of a hop.
    pub(super) fn rate_joined(&mut self, id: HopId) {
        let (now, direction, flow) = (self.now, self.hop(id).direction, self.rate_flow(id));
        let station = self.hop(id).station;
        let held = self.part(id).stations[station].held.back();
        let mut cell = held.expect("a cell has joined").cell;
        if let Some(rates) = &mut self.port(direction).rates {
            match flow {
                Some(flow) => {
                    rates.on_enqueue(now, flow, cell.record.as_mut().and_then(Record::rm));
                }
                None => rates.other(now),
            }
            self.arm_rates(direction);
        }
        let held = self.part_mut(id).stations[station].held.back_mut();
        held.expect("a cell has joined").cell = cell;
        self.pace(id);
        self.consider(id);
    }

    /// A cell has joined the queue of a hop: its port, if congested, may create a backward RM cell.
    /// Returns the hop at whose end it is created, its number and its contents.
    pub(super) fn answer_congestion(&mut self, id: HopId) -> Option<(HopId, u64, RmCell)> {
        let (now, direction) = (self.now, self.hop(id).direction);
        let flow = self.rate_flow(id)?;
        let rm = self.rates(direction).create(now, flow)?;
        let made = &mut self.hop_mut(id).counters.rate.backward_made;
        let number = *made;
        *made += 1;
        let before = id.hop - 1;
        Some((HopId { hop: before, ..id }, number, rm))
    }

    /// A cell of a hop has left its port, or was lost there.
    pub(super) fn rate_left(&mut self, id: HopId) {
        if self.rate_flow(id).is_some() {
            self.rates(self.hop(id).direction).leave();
        }
    }
}
