//! Packets join the queues of all branches of a station. Backward RM cells join here, too, as a
//! packet that joins may lead to one.

use hopflow_control::rate::RmCell;
use hopflow_units::Bytes;

use super::ReferenceEngine;
use super::unit::{Cell, Held, HopId, rm_rate};
use hopflow_network::{DirectionId, TraceEvent};

impl ReferenceEngine {
    /// A cell of the part that `id` belongs to joins the queue of every branch of a station.
    pub(super) fn enter(
        &mut self,
        id: HopId,
        station: usize,
        mut cell: Cell,
        event: TraceEvent,
        direction: DirectionId,
    ) {
        let now = self.now;
        let branches = self.branches(id, station);
        for &branch in &branches {
            self.touch(branch);
            self.mark_joining(branch, &mut cell);
        }
        let node = self.part(id).stations[station].node;
        self.settle_node(node);
        let counters = &mut self.nodes[node].counters;
        counters.buffered_packets += 1;
        counters.buffered_max_packets =
            counters.buffered_max_packets.max(counters.buffered_packets);
        self.part_mut(id).stations[station].held.push_back(Held { cell, since: now });
        self.note_memory(node);
        let held = self.held(id, station);
        // An ACK has no birth: its rows begin with its start.
        if event == TraceEvent::Arrived || !id.ack {
            let value = rm_rate(&cell).unwrap_or(0);
            self.cell_row(event, direction, id, &cell, held, value);
        }
        for &branch in &branches {
            let fill = self.fill(branch);
            let hop = self.hop_mut(branch);
            hop.counters.fill_max_packets = hop.counters.fill_max_packets.max(fill);
            let direction = hop.direction;
            self.port(direction).queue_up(now);
        }
        // A greedy cell is created while it starts; its hop is checked again after that.
        if event != TraceEvent::Born || !self.vcs[id.vc].greedy || id.ack {
            for &branch in &branches {
                self.notify_scheduler(branch, cell.size);
                self.consider(branch);
            }
            for &branch in &branches {
                self.rate_joined(branch);
                if let Some((before, number, rm)) = self.answer_congestion(branch) {
                    self.make_backward(before, number, rm);
                }
            }
            if let [only] = branches[..] {
                self.push_out(only);
            }
        }
    }

    /// A backward RM cell is created where a hop ends: it joins the queue of the way back, or is
    /// dropped when the node is full.
    pub(super) fn make_backward(&mut self, id: HopId, number: u64, rm: RmCell) {
        let back = HopId { ack: true, ..id };
        let (station, direction) = (self.hop(back).station, self.hop(back).direction);
        let cell = Cell::rm(number, self.now, rm);
        if self.has_no_room(back, station, Bytes::CELL) {
            self.hop_mut(back).counters.given_up_packets += 1;
            let held = self.held(back, station);
            self.cell_row(TraceEvent::Dropped, direction, back, &cell, held, 0);
        } else {
            self.enter(back, station, cell, TraceEvent::Born, direction);
        }
    }
}
