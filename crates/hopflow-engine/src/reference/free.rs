//! Packets that are freed or lost: credits and frames of lanes fall due. Branches that have given
//! up lose held cells.

use hopflow_units::Bytes;

use super::ReferenceEngine;
use super::unit::{Cell, HopId};
use hopflow_network::TraceEvent;

impl ReferenceEngine {
    /// The receiver of a hop takes a cell and frees it at once.
    pub(super) fn receive_and_free(&mut self, id: HopId, size: Bytes) {
        if self.hop(id).receiver.is_some() {
            self.receiver_takes(id, size);
            self.credit_falls_due(id, size);
        }
        self.lane_pass(id, size);
    }

    /// The receiver of a hop, and its lane, free a cell.
    pub(super) fn receiver_frees(&mut self, id: HopId, size: Bytes) {
        self.credit_falls_due(id, size);
        self.lane_free(id, size);
    }

    /// Drops a cell that finds a full buffer: it is received and freed at once.
    pub(super) fn drop_arrival(&mut self, id: HopId, cell: Cell) {
        let hop = self.hop_mut(id);
        hop.counters.dropped_packets += 1;
        let direction = hop.direction;
        let held = self.held_at_target(id);
        let rows = self.rows.len();
        self.cell_row(TraceEvent::Dropped, direction, id, &cell, held, 0);
        self.rows[rows..].iter_mut().for_each(|row| row.at_receiver = true);
        self.receive_and_free(id, cell.size);
    }

    /// Frees, in order, the cells at the station of `id` that every branch has finished, and
    /// drops those that only given-up branches still have to send.
    pub(super) fn free_cells(&mut self, id: HopId) {
        let station_index = self.hop(id).station;
        let branches = self.branches(id, station_index);
        let mut freed = false;
        loop {
            let station = self.station(id);
            let (oldest, fed_by, node) = (station.freed_cells, station.fed_by, station.node);
            if station.held.is_empty() {
                break;
            }
            self.drop_given_up(&branches, oldest);
            if branches.iter().any(|&branch| self.hop(branch).finished_packets == oldest) {
                break;
            }
            freed = true;
            self.settle_node(node);
            self.nodes[node].counters.buffered_packets -= 1;
            let station = &mut self.part_mut(id).stations[station_index];
            let freed = station.held.pop_front().expect("it is not empty");
            station.freed_cells += 1;
            if let Some(hop) = fed_by {
                self.receiver_frees(HopId { hop, ..id }, freed.cell.size);
            }
        }
        if freed {
            for branch in branches {
                self.consider(branch);
            }
        }
    }

    /// Drops the oldest cell for the branches that have given up, if there are any and all others
    /// have sent it.
    fn drop_given_up(&mut self, branches: &[HopId], oldest: u64) {
        let (lost, others): (Vec<HopId>, Vec<HopId>) =
            branches.iter().partition(|branch| self.hop(**branch).given_up);
        let sent_by_others = others.iter().all(|&o| self.hop(o).finished_packets > oldest);
        if others.is_empty() || !sent_by_others {
            return;
        }
        let now = self.now;
        for branch in lost {
            if self.hop(branch).finished_packets > oldest {
                continue;
            }
            self.touch(branch);
            let cell = self.station(branch).held[0].cell;
            let hop = self.hop_mut(branch);
            hop.finished_packets += 1;
            hop.last_finished = now;
            hop.counters.given_up_packets += 1;
            let direction = hop.direction;
            let flow = self.hop(branch).flow;
            self.mark_gone(direction, cell.size);
            let port = self.port(direction);
            port.queue_down(now);
            if let Some(scheduler) = &mut port.scheduler {
                scheduler.drop_first(flow);
            }
            let fill = self.fill(branch);
            self.cell_row(TraceEvent::Dropped, direction, branch, &cell, fill, 0);
        }
    }
}
