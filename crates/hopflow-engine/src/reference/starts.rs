//! Phase (d): every idle port starts at most one unit, which is put on the link.

use std::collections::VecDeque;

use hopflow_control::credit::{Permission, Receiver};
use hopflow_units::{Bytes, Picos};

use super::phases::label;
use super::rate::rm_rate;
use super::unit::{Control, Credit, HopId, Unit};
use super::{Event, OnWire, ReferenceEngine};
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
            return self.start_scheduled(direction);
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

    /// The credit of a hop that starts now on the port `back`; `None` if it is left out.
    pub(super) fn credit(
        &mut self,
        back: DirectionId,
        id: HopId,
        is_further: bool,
    ) -> Option<Credit> {
        let value = self.credit_value(id);
        let counters = &mut self.hop_mut(id).counters;
        let Some(value) = value else {
            counters.credits_left_out += 1;
            return None;
        };
        counters.credits_sent += 1;
        counters.credits_shared += u64::from(is_further);
        let error = self.port(back).false_credits.of_vc(0, id.vc);
        let hop = self.hop_mut(id);
        let freed_units = hop.receiver.as_ref().map_or(0, Receiver::freed);
        let right = Credit { id, value, freed_units, is_false: false, is_further };
        let Some(error) = error else { return Some(right) };
        hop.counters.credits_falsified += 1;
        let grant = hop.control.map(|credit| credit.scheme.facts().grant);
        let value = grant.map_or(value, |grant| grant.falsified(value, error));
        Some(Credit { value, is_false: true, ..right })
    }

    /// The oldest waiting cell of an eligible hop starts.
    pub(super) fn start_cell(&mut self, id: HopId) {
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
        if shuts {
            self.consider_lane(direction, self.hop(id).priority);
        }
    }

    /// Puts a unit on the link, with what else is in its cell.
    pub(super) fn send(&mut self, direction: DirectionId, unit: Unit, further: &[Unit]) {
        let now = self.now;
        let size = if let Unit::Cell { cell, .. } = unit { cell.size } else { Bytes::CELL };
        let time = self.spec.transmit_time(direction, size);
        let latency = self.spec.latency_of(direction, size);
        let corrupted = self.is_corrupted(direction, &unit, further);
        let (kind, vc, value) = label(&unit);
        let port = self.port(direction);
        port.sending = Some(unit);
        port.busy_until = now + time;
        port.hash.start(now.0, vc, kind as u8, value);
        for other in further {
            let (kind, vc, value) = label(other);
            port.hash.start(now.0, vc, kind as u8, value);
            port.carriers.further.push_back(*other);
        }
        let counters = &mut port.counters;
        counters.busy += time;
        if kind.is_control() {
            counters.control_packets += 1;
            counters.control_in_flight += 1;
        } else {
            counters.data_packets += 1;
            counters.data_in_flight += 1;
        }
        assert!(time > Picos::ZERO, "a unit takes time");
        self.events.push(now + time, Event::Completion(direction));
        let on_wire = OnWire { unit, corrupted, further: further.len() };
        self.events.push(now + latency, Event::Arrival(direction, on_wire));
    }

    fn is_corrupted(&mut self, direction: DirectionId, unit: &Unit, further: &[Unit]) -> bool {
        let port = self.port(direction);
        let chance = match unit {
            Unit::Cell { .. } => port.corrupt_data,
            Unit::Credit(_) | Unit::Request { .. } | Unit::Lane { .. } => port.corrupt_credits,
            Unit::SlowDown { .. }
            | Unit::Message { .. }
            | Unit::Loop { .. }
            | Unit::LoopReply { .. } => return false,
        };
        // Credits specified for a VC take precedence over those for any VC.
        let of_vc = |unit: &Unit| match unit {
            Unit::Credit(credit) => Some(Some(credit.id.vc)),
            _ => None,
        };
        let vcs = std::iter::once(unit).chain(further).filter_map(of_vc);
        let any = matches!(unit, Unit::Credit(_)).then_some(None);
        for key in vcs.chain(any) {
            if let Some(left) = port.corrupt_next.get_mut(&key).filter(|left| **left > 0) {
                *left -= 1;
                return true;
            }
        }
        !chance.is_zero() && chance.hits(port.stream.next_u64())
    }
}
