//! Phase (d): every idle port starts at most one unit.

use std::collections::VecDeque;

use hopflow_control::credit::Permission;

use super::ReferenceEngine;
use super::unit::{Control, HopId, Unit, rm_rate};
use hopflow_network::{DirectionId, TraceEvent};

impl ReferenceEngine {
    /// Visits ports in ascending order, again from the first until none starts: a start can free
    /// cells that other branches had given up, and so create a credit at a port already visited.
    pub(super) fn start_all(&mut self, node: usize) {
        let ports = self.nodes[node].ports.clone();
        loop {
            let mut started = false;
            for &direction in &ports {
                started |= self.start(direction);
            }
            if !started {
                return;
            }
        }
    }

    /// Starts one unit on an idle port, if there is one that may. Returns whether it did.
    fn start(&mut self, direction: DirectionId) -> bool {
        if self.port(direction).sending.is_some() {
            return false;
        }
        while let Some(control) = self.port(direction).control_line.pop_front() {
            if let Control::SharedCredits(group) = control {
                if self.start_shared_credits(direction, group) {
                    return true;
                }
            } else if let Some(unit) = self.control_unit(direction, control) {
                self.send(direction, unit, &[]);
                self.control_row(TraceEvent::Started, direction, &unit);
                return true;
            }
        }
        let port = self.port(direction);
        if port.blocked || !port.measured {
            return false;
        }
        if self.port(direction).scheduler.is_some() {
            let Some(id) = self.next_scheduled(direction) else { return false };
            self.start_cell(id);
            return true;
        }
        while let Some(id) = self.next_listed(direction) {
            if self.is_waiting(id) && self.permission(id) == Permission::Now {
                self.start_cell(id);
                return true;
            }
        }
        false
    }

    /// Removes and returns the first hop of the first list that is not empty.
    fn next_listed(&mut self, direction: DirectionId) -> Option<HopId> {
        let id = self.port(direction).lists.values_mut().find_map(VecDeque::pop_front)?;
        self.hop_mut(id).listed = false;
        Some(id)
    }

    /// The unit that starts for an entry of the control queue; `None` for a credit that is left
    /// out.
    fn control_unit(&mut self, direction: DirectionId, control: Control) -> Option<Unit> {
        let now = self.now;
        match control {
            Control::Credit(id) => self.credit(direction, id, false).map(Unit::Credit),
            Control::SharedCredits(_) => panic!("credits that share a cell start together"),
            Control::Request(id) => {
                let hop = self.hop_mut(id);
                hop.counters.request_cells += 1;
                let sent_units = hop.started.total;
                Some(Unit::Request { id, sent_units })
            }
            Control::SlowDown(id) => Some(Unit::SlowDown { id }),
            Control::Message(id, message) => Some(Unit::Message { id, message }),
            Control::Lane(lane) => self.lane_unit(direction, lane),
            Control::Loop => Some(Unit::Loop { started: now }),
            Control::LoopReply { started, arrived } => {
                Some(Unit::LoopReply { started, waited: now.since(arrived) })
            }
        }
    }

    /// The oldest waiting cell of an eligible hop starts.
    fn start_cell(&mut self, id: HopId) {
        self.touch(id);
        let now = self.now;
        self.start_turn(id);
        let station = self.station(id);
        let next = (self.hop(id).finished_packets - station.freed_cells) as usize;
        if next == station.held.len() {
            self.make_greedy(id);
        }
        let mut cell = self.station(id).held[next].cell;
        let time = self.spec.transmit_time(self.hop(id).direction, cell.size);
        let hop = self.hop_mut(id);
        hop.in_transmission = true;
        hop.given_up = false;
        let bytes = cell.size.0 as u32;
        hop.sender.on_send(now, bytes);
        hop.window.on_send(now, bytes);
        hop.started.count(now, cell.size, time);
        hop.counters.sent_packets += 1;
        let (direction, credit) = (hop.direction, hop.credit_count(now));
        let credit = rm_rate(&cell).unwrap_or(credit);
        self.rate_starts(id, &mut cell);
        self.mark_starting(id, &mut cell);
        let shuts = self.lane_start(id, cell.size);
        self.send(direction, Unit::Cell { id, cell }, &[]);
        self.note_start(id);
        let fill = self.fill(id);
        self.cell_row(TraceEvent::Started, direction, id, &cell, fill, credit);
        self.free_cells(id);
        self.consider(id);
        if let Some(lane) = self.hop(id).lane.filter(|_| shuts) {
            self.consider_lane(direction, lane);
        }
    }

    /// A credit cell of a group starts on the port `back`. Returns whether it did: not if all its
    /// credits are left out.
    fn start_shared_credits(&mut self, back: DirectionId, group: usize) -> bool {
        let mut units: Vec<Unit> = Vec::new();
        while units.len() < self.port(back).carriers.groups[group].per_cell {
            let carrier = &mut self.port(back).carriers.groups[group];
            let Some(number) = carrier.machine.next_credit() else { break };
            let id = carrier.members[number as usize];
            match self.credit(back, id, !units.is_empty()) {
                Some(credit) => units.push(Unit::Credit(credit)),
                None => self.port(back).carriers.groups[group].machine.leave_out(number),
            }
        }
        let port = self.port(back);
        if port.carriers.groups[group].machine.complete() {
            port.control_line.push_back(Control::SharedCredits(group));
        }
        let Some((first, further)) = units.split_first() else { return false };
        self.send(back, *first, further);
        for unit in &units {
            self.control_row(TraceEvent::Started, back, unit);
        }
        true
    }
}
