//! Cells created, held, freed, given up and dropped; and which hops are eligible.

use hopflow_control::credit::Permission;
use hopflow_units::Bytes;

use super::ReferenceEngine;
use super::rate::rm_rate;
use super::unit::{Cell, Held, HopId, Target};
use super::work::Job;
use crate::embed::processor::Task;
use hopflow_network::traffic::{Fate, Made};
use hopflow_network::{DirectionId, TraceEvent};

impl ReferenceEngine {
    // Created cells.

    /// A source has created a packet, which waits for the processor, joins the queue of hop 0, or
    /// is lost at the policer or in a host that has no room.
    pub(super) fn make_timed(&mut self, first: HopId, made: Made) {
        let host = self.part(first).stations[0].node;
        if made.fate == Fate::Sent && self.works_on(host, Task::Send) {
            return self.ask_for_work(host, Task::Send, Job::Made(first, made));
        }
        self.make_now(first, made);
    }

    /// The same, once the host has worked on it.
    pub(super) fn make_now(&mut self, first: HopId, made: Made) {
        if self.vcs[first.vc].packets.is_some() {
            return self.make_born(first, made);
        }
        if made.fate == Fate::LeftOut {
            return;
        }
        let size = Bytes(u64::from(made.bytes));
        let number = self.number_of_next(first);
        let vc = &mut self.vcs[first.vc];
        vc.created_packets += 1;
        let policed = made.fate == Fate::Discarded;
        vc.policed_packets += u64::from(policed);
        let direction = self.hop(first).direction;
        if policed || self.has_no_room(first, 0, size) {
            self.touch(first);
            self.hop_mut(first).counters.given_up_packets += u64::from(!policed);
            let held = self.held(first, 0);
            let cell = Cell::new(number, made.birth, size);
            self.cell_row(TraceEvent::Dropped, direction, first, &cell, held, 0);
        } else {
            let cell = Cell::new(number, made.birth, size);
            self.enter(first, 0, cell, TraceEvent::Born, direction);
        }
    }

    /// A greedy packet is created when it starts, and is never dropped.
    pub(super) fn make_greedy(&mut self, first: HopId) {
        let number = self.number_of_next(first);
        let vc = &mut self.vcs[first.vc];
        vc.created_packets += 1;
        if Some(vc.created_packets) == self.spec.vcs[first.vc].traffic.packets {
            vc.is_on = false;
        }
        let cell = Cell::new(number, self.now, vc.greedy_size);
        let direction = self.hop(first).direction;
        self.enter(first, 0, cell, TraceEvent::Born, direction);
    }

    /// Cells are numbered as the source host accepts them.
    pub(super) fn number_of_next(&self, first: HopId) -> u64 {
        let host = &self.part(first).stations[0];
        let made = self.hop(first).counters.rate.forward_made;
        host.entered_packets() + host.pushed_out_packets - made
    }

    /// The final host, where the hop `last` ends, creates an ACK cell.
    pub(super) fn make_ack(&mut self, last: HopId, next_expected: u64) {
        let id = HopId { ack: true, ..last };
        self.vcs[id.vc].ack_cells += 1;
        let cell = Cell::new(next_expected, self.now, Bytes::CELL);
        let direction = self.hop(id).direction;
        if self.has_no_room(id, 0, cell.size) {
            self.hop_mut(id).counters.given_up_packets += 1;
            let held = self.held(id, 0);
            self.cell_row(TraceEvent::Dropped, direction, id, &cell, held, 0);
        } else {
            self.enter(id, 0, cell, TraceEvent::Born, direction);
        }
    }

    // Held cells.

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
            }
            if let [only] = branches[..] {
                self.push_out(only);
            }
        }
    }

    fn branches(&self, id: HopId, station: usize) -> Vec<HopId> {
        let hops = &self.part(id).stations[station].branches;
        hops.iter().map(|&hop| HopId { hop, ..id }).collect()
    }

    /// Cells of the part held at a station.
    pub(super) fn held(&self, id: HopId, station: usize) -> u32 {
        self.part(id).stations[station].held.len() as u32
    }

    /// Cells of the part held where a hop leads; at its end those that wait for the processor.
    pub(super) fn held_at_target(&self, id: HopId) -> u32 {
        match self.hop(id).target {
            Target::Station(station) => self.held(id, station),
            Target::Leaf(_) if id.ack => 0,
            Target::Leaf(_) => self.undelivered(id.vc, id.hop) as u32,
        }
    }

    /// Cells a branch has not finished.
    pub(super) fn fill(&self, id: HopId) -> u32 {
        (self.station(id).entered_packets() - self.hop(id).finished_packets) as u32
    }

    // Freed and lost cells.

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

    // Eligible hops.

    /// Whether a hop has a cell that is not in transmission.
    pub(super) fn is_waiting(&self, id: HopId) -> bool {
        self.fill(id) > u32::from(self.hop(id).in_transmission) || self.has_greedy_cell(id)
    }

    /// Whether the hop leaves the host of a greedy source that is on.
    pub(super) fn has_greedy_cell(&self, id: HopId) -> bool {
        let vc = &self.vcs[id.vc];
        !id.ack && id.hop == 0 && vc.greedy && vc.is_on
    }

    /// The permission of credit, window and run-ahead limit together.
    pub(super) fn permission(&self, id: HopId) -> Permission {
        let (hop, station) = (self.hop(id), self.station(id));
        if let Some(limit) = self.spec.vcs[id.vc].multicast.run_ahead
            && station.branches.len() > 1
        {
            let next = hop.finished_packets + u64::from(hop.in_transmission);
            if next - station.freed_cells > u64::from(limit.0) {
                return Permission::Blocked;
            }
        }
        if self.is_shut(id) || self.lacks_turn(id) {
            return Permission::Blocked;
        }
        hop.permission(self.now)
    }

    /// Whether a hop waits only for permission.
    pub(super) fn is_blocked(&self, id: HopId) -> bool {
        self.is_waiting(id)
            && !self.hop(id).in_transmission
            && self.permission(id) != Permission::Now
    }

    /// After an event of a hop: if it is eligible and on no list, it is appended to the list of its
    /// port.
    pub(super) fn consider(&mut self, id: HopId) {
        self.touch(id);
        let hop = self.hop(id);
        let (direction, priority) = (hop.direction, hop.priority);
        if !hop.listed && self.is_waiting(id) && self.permission(id) == Permission::Now {
            self.hop_mut(id).listed = true;
            let (now, flow) = (self.now, self.hop(id).flow);
            let port = self.port(direction);
            match &mut port.scheduler {
                Some(scheduler) => scheduler.permit(flow, now),
                None => port.lists.entry(priority).or_default().push_back(id),
            }
        }
    }
}
