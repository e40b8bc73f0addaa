//! (b) Arrivals: units are discarded, dropped or accepted, and counts are raised.

use hopflow_control::credit::{CreditValue, Holds};
use hopflow_units::{Cells, Picos};

use super::job::Job;
use super::unit::{Cell, Control, Credit, HopId, Place, Target, Unit, label};
use super::{OnWire, ReferenceEngine};
use crate::embed::processor::Task;
use hopflow_network::transport::frame_discard::Verdict;
use hopflow_network::{DirectionId, FrameDiscardSpec, RoundTrip, TraceEvent};

impl ReferenceEngine {
    pub(super) fn arrive(&mut self, direction: DirectionId, on_wire: &OnWire) {
        if !self.waits_at_door(direction, on_wire) {
            self.take_in(direction, on_wire);
        }
    }

    /// A unit that arrives, or is admitted, is in flight no longer.
    pub(super) fn take_in(&mut self, direction: DirectionId, on_wire: &OnWire) {
        let counters = &mut self.port(direction).counters;
        match on_wire.unit {
            Unit::Cell { .. } => counters.data_in_flight -= 1,
            _ => counters.control_in_flight -= 1,
        }
        self.take_unit_in(direction, on_wire.unit, on_wire.corrupted);
        for _ in 0..on_wire.further {
            let further = self.port(direction).carriers.further.pop_front();
            let further = further.expect("what is in a cell comes with it");
            self.take_unit_in(direction, further, on_wire.corrupted);
        }
    }

    fn take_unit_in(&mut self, direction: DirectionId, unit: Unit, corrupted: bool) {
        if corrupted {
            return self.discard_corrupted(direction, unit);
        }
        match unit {
            Unit::Cell { id, cell } if id.ack => self.take_ack(id, cell),
            Unit::Cell { id, cell } => self.take_data(id, cell),
            Unit::Credit(credit) => self.take_credit(direction, credit),
            Unit::Request { id, sent_units } => {
                self.control_row(TraceEvent::Arrived, direction, &unit);
                self.check_shared_buffer(id, sent_units);
                self.ask_for_credit(id);
            }
            Unit::SlowDown { id } => {
                self.control_row(TraceEvent::Arrived, direction, &unit);
                self.slow_down(id);
            }
            Unit::Message { .. } => self.take_message(direction, &unit),
            Unit::Lane { kind, lane, value, fctbs } => {
                self.take_lane(direction, (kind, lane), value, fctbs);
            }
            Unit::Loop { started } => {
                self.control_row(TraceEvent::Arrived, direction, &unit);
                let reply = Control::LoopReply { started, arrived: self.now };
                self.port(direction.reverse()).control_line.push_back(reply);
            }
            Unit::LoopReply { started, waited } => {
                self.control_row(TraceEvent::Arrived, direction, &unit);
                let measured = Picos(self.now.since(started).0 - waited.0);
                assert_eq!(measured, self.spec.loop_time(direction.link()), "R is the true loop");
                self.port(direction.reverse()).measured = true;
            }
        }
    }

    fn discard_corrupted(&mut self, direction: DirectionId, unit: Unit) {
        match unit {
            Unit::Cell { id, cell } => {
                self.hop_mut(id).counters.corrupted_packets += 1;
                let held = self.held_at_target(id);
                self.cell_row(TraceEvent::Corrupted, direction, id, &cell, held, 0);
            }
            Unit::Credit(Credit { id, .. }) => {
                self.hop_mut(id).counters.credits_corrupted += 1;
                self.control_row(TraceEvent::Corrupted, direction, &unit);
            }
            Unit::Lane { lane, .. } => {
                let gates = self.port(direction.reverse()).gates.as_mut();
                gates.expect("frames come to ports with lanes").note_corrupted(lane);
                self.control_row(TraceEvent::Corrupted, direction, &unit);
            }
            _ => self.control_row(TraceEvent::Corrupted, direction, &unit),
        }
    }

    fn take_data(&mut self, id: HopId, mut cell: Cell) {
        let is_full = self.shared_buffer_is_full(id, cell.size);
        let hop = self.hop_mut(id);
        if let (Some(credit), Some(receiver)) = (hop.control, &hop.receiver) {
            let shares = credit.scheme.facts().shares_buffer();
            let held = receiver.buffered() + hop.started.units.of(cell.size.0 as u32);
            let over = if shares { is_full } else { held > credit.buffer() };
            hop.counters.overrun_packets += u64::from(over);
        }
        self.assert_no_overrun(id);
        let target = self.hop(id).target;
        match target {
            Target::Leaf(leaf) => {
                if !self.rate_delivers(id, &cell) && !self.holds_for_work(id, leaf, cell) {
                    self.hop_mut(id).counters.received_packets += 1;
                    self.deliver(id, leaf, cell, false);
                }
            }
            Target::Station(_) if self.rate_meets(id, &mut cell) => {}
            Target::Station(station) if self.is_dropped(id, station, cell) => {
                self.drop_arrival(id, cell);
            }
            Target::Station(station) => {
                self.hop_mut(id).counters.received_packets += 1;
                self.receiver_takes(id, cell.size);
                self.lane_take(id, cell.size);
                self.enter(id, station, cell, TraceEvent::Arrived, self.hop(id).direction);
            }
        }
    }

    /// Asserts that no buffer overflows where the scheme or the shared buffer guarantees it: to
    /// receivers that sent no false credit.
    fn assert_no_overrun(&self, id: HopId) {
        self.assert_shared_buffer_holds(id);
        let hop = self.hop(id);
        let link = hop.direction.link();
        let safe = match hop.control.map(|credit| credit.scheme.facts().holds) {
            Some(Holds::TrueLoop) => self.spec.round_trip(link) >= self.spec.loop_time(link),
            Some(Holds::Always) => true,
            Some(Holds::Unknown) | None => false,
        };
        let safe = safe && hop.counters.credits_falsified == 0;
        assert!(!safe || hop.counters.overrun_packets == 0, "overrun of {id:?} at {}", self.now);
    }

    fn take_ack(&mut self, id: HopId, mut cell: Cell) {
        let direction = self.hop(id).direction;
        let Target::Station(station) = self.hop(id).target else {
            return match &cell.rm_cell() {
                Some(rm) => self.take_backward(id, &cell, rm),
                None => self.take_ack_at_source(id, cell),
            };
        };
        if self.rate_meets(id, &mut cell) {
            return;
        }
        if !self.lane_fits(id, cell.size) || self.has_no_room(id, station, cell.size) {
            return self.drop_arrival(id, cell);
        }
        self.hop_mut(id).counters.received_packets += 1;
        self.lane_take(id, cell.size);
        self.enter(id, station, cell, TraceEvent::Arrived, direction);
    }

    fn take_ack_at_source(&mut self, id: HopId, cell: Cell) {
        let now = self.now;
        self.hop_mut(id).counters.received_packets += 1;
        self.vcs[id.vc].acked_cells += 1;
        self.lane_pass(id, cell.size);
        let first = HopId { vc: id.vc, ack: false, hop: 0 };
        self.touch(first);
        let value = CreditValue::from_total(cell.number);
        let hop = self.hop_mut(first);
        hop.window.on_credit(now, value, Cells::ZERO);
        let credit = hop.credit_count(now);
        let direction = self.hop(id).direction;
        self.cell_row(TraceEvent::Arrived, direction, id, &cell, 0, credit);
        self.consider(first);
    }

    fn take_credit(&mut self, direction: DirectionId, credit_cell: Credit) {
        let Credit { id, value, freed_units, is_false, .. } = credit_cell;
        self.touch(id);
        let now = self.now;
        let hop = self.hop_mut(id);
        let in_flight = hop.started.in_flight(now);
        hop.sender.on_credit(now, value, in_flight);
        hop.counters.credits_taken += 1;
        hop.last_credit = now;
        let credit = hop.credit_count(now);
        if !is_false {
            self.assert_exact(id, freed_units);
        }
        let fill = self.fill(id);
        let (kind, vc, value) = label(&Unit::Credit(credit_cell));
        self.row(TraceEvent::Arrived, direction, kind, vc, value, fill, credit);
        self.consider(id);
        let node = self.spec.from_node(self.hop(id).direction);
        if self.works_on(node, Task::Credit) {
            self.ask_for_work(node, Task::Credit, Job::Taken);
        }
    }

    /// Asserts that the count of a scheme that subtracts E, with the true R and where no data cell
    /// is lost, equals the exact counters; 0 if a false credit has let too many cells start.
    fn assert_exact(&self, id: HopId, freed_units: u64) {
        let hop = self.hop(id);
        let Some(credit) = hop.control else { return };
        let round_trip = self.spec.links[hop.direction.link()].round_trip;
        if !credit.scheme.facts().counts_exactly()
            || matches!(round_trip, RoundTrip::Fixed(_))
            || hop.counters.corrupted_packets > 0
        {
            return;
        }
        let outstanding = hop.started.total - freed_units;
        let promised = u64::from(credit.initial_credit().0);
        let is_kept = outstanding <= promised || hop.counters.credits_falsified > 0;
        assert!(is_kept, "more than N2 + N3 are outstanding: {id:?} at {}", self.now);
        let exact = promised.saturating_sub(outstanding);
        let count = u64::from(hop.sender.credit_count(self.now).0);
        assert_eq!(count, exact, "not the exact count: {id:?} at {}", self.now);
    }

    /// Whether a switch drops a cell that has arrived over the hop `id`: there is no room for it,
    /// or for its frame.
    fn is_dropped(&mut self, id: HopId, station: usize, cell: Cell) -> bool {
        let full = !self.lane_fits(id, cell.size) || self.has_no_room(id, station, cell.size);
        let place = &self.part(id).stations[station];
        let node = &self.spec.nodes[place.node];
        if node.frame_discard == FrameDiscardSpec::None {
            return full;
        }
        if id.ack || cell.rm_cell().is_some() || self.spec.vcs[id.vc].framing.is_none() {
            return full;
        }
        let places = [Place::Node(place.node), Place::Station(id, station)];
        let (fills, packet) = (node.frame_discard.fills(), node.load_of(cell.size));
        let above = std::iter::zip(places, fills).any(|(at, fill)| self.lacks(at, fill, packet));
        let frame = &mut self.hop_mut(id).frame;
        frame.on_cell(cell.is_last, full, above) == Verdict::Drop
    }
}
