//! (b) Arrivals: cells are accepted, delivered, dropped or discarded; credits raise counts.

use hopflow_control::credit::CreditValue;
use hopflow_units::{Cells, SimTime};

use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::{Control, LoopState};
use crate::windowed::state::receiver::Role;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::tracer::Subject;
use crate::windowed::state::work::Job;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::{CE, CELL, RECORD, Unit, kind_of};
use hopflow_network::{CellKind, TraceEvent};

impl Node {
    /// One unit arrives.
    #[inline]
    pub(super) fn arrive<const TRACED: bool>(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let port = &mut self.ports[arrival.port as usize];
        if unit.kind.is_control() {
            port.control_read += u64::from(unit.kind != CellKind::FurtherCredit);
        } else {
            port.data_read += 1;
        }
        if unit.corrupted {
            self.discard(arrival);
            return;
        }
        match unit.kind {
            CellKind::Data | CellKind::Ack => self.take_cell::<TRACED>(unit, arrival),
            CellKind::ForwardRm | CellKind::BackwardRm => panic!("RM cells go as data and ACKs"),
            CellKind::Credit | CellKind::FurtherCredit => self.take_credit(unit, arrival),
            CellKind::Request => self.take_request(arrival),
            CellKind::Loop => self.take_loop(arrival),
            CellKind::LoopReply => self.end_measurement(arrival),
            CellKind::SlowDown => self.take_slow_down(arrival),
            CellKind::Pause | CellKind::LaneCredit => self.take_lane(arrival),
            CellKind::SetUp | CellKind::Connect | CellKind::Refusal | CellKind::Release => {
                self.take_message(arrival);
            }
        }
    }

    fn discard(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let (vc, fill) = match unit.kind {
            CellKind::Credit | CellKind::FurtherCredit => {
                let circuit = &mut self.senders[unit.to as usize].circuit;
                circuit.cold.get_or_insert_default().credits_corrupted += 1;
                (circuit.vc, 0)
            }
            CellKind::Data | CellKind::Ack => {
                self.discard_record(arrival);
                let receiver = &mut self.receivers[unit.to as usize];
                receiver.cold_mut().corrupted_packets += 1;
                (receiver.vc, receiver.control.buffered().0)
            }
            CellKind::Pause | CellKind::LaneCredit => return self.discard_lane(arrival),
            _ => (self.receivers[unit.to as usize].vc, 0),
        };
        self.trace_in(TraceEvent::Corrupted, arrival, vc, fill, 0);
    }

    #[inline]
    fn take_cell<const TRACED: bool>(&mut self, unit: Unit, arrival: Arrival) {
        match self.receivers[unit.to as usize].role {
            Role::Forward(_) | Role::Multicast(_) => {
                if self.door.is_none() || !self.waits_at_door(&unit, arrival) {
                    self.take_at_switch::<TRACED>(unit, arrival);
                }
            }
            Role::Deliver(_) => self.deliver::<TRACED>(unit, arrival),
            Role::Acknowledge(sender) => self.take_ack(sender, arrival),
        }
    }

    #[inline]
    fn deliver<const TRACED: bool>(&mut self, unit: Unit, arrival: Arrival) {
        if self.limits.is_special && self.record_delivered(arrival) {
            return;
        }
        self.receivers[unit.to as usize].take();
        self.hand_over::<TRACED, false>(unit, arrival);
    }

    /// A unit that was accepted is delivered, and freed. `HELD`: it was accepted before.
    #[inline]
    pub(super) fn hand_over<const TRACED: bool, const HELD: bool>(
        &mut self,
        unit: Unit,
        arrival: Arrival,
    ) {
        let receiver = &mut self.receivers[unit.to as usize];
        let due = receiver.control.on_freed();
        let vc = receiver.vc;
        let (mut ack, mut is_unit) = (None, false);
        if let Role::Deliver(leaf) = &mut receiver.role {
            leaf.deliver(arrival.due, unit.word, unit.bytes);
            ack = leaf.ack_due();
            is_unit = leaf.packets.is_some();
            leaf.ack_cells += u64::from(ack.is_some());
        }
        if due && HELD {
            self.credit_due(unit.to, unit.bytes, arrival.due);
        } else if due {
            self.credit_due_at_host(unit.to, unit.bytes, arrival.due);
        }
        if self.limits.has_lanes && HELD {
            self.lane_free(unit.to, unit.bytes, arrival.due);
        } else if self.limits.has_lanes {
            self.lane_pass(unit.to, unit.bytes, arrival.due);
        }
        if TRACED {
            self.trace_in(TraceEvent::Arrived, arrival, vc, 0, 0);
        }
        if is_unit {
            self.take_unit(&unit, arrival.bytes & CE != 0, arrival.due);
        }
        if let Some(sender) = ack {
            self.make_ack(sender, unit.value, arrival.due);
        }
    }

    /// An ACK cell joins the queue of the final host, or is dropped when the host is full.
    fn make_ack(&mut self, index: u32, delivered: u32, now: u64) {
        let next = CreditValue::from_total(u64::from(delivered) + 1);
        if self.has_no_room(index, CELL, now) {
            return self.trace_of(TraceEvent::Dropped, index, CellKind::Ack, next.bits(), now);
        }
        self.take_back(index, Cell { value: next.bits(), bytes: CELL, birth: now }, now);
    }

    /// A cell created for the way back joins the queue of its sender.
    pub(super) fn take_back(&mut self, index: u32, mut cell: Cell, now: u64) {
        if self.limits.has_markers {
            self.mark_joining(index, &mut cell.bytes, now);
        }
        self.buffered += 1;
        self.buffered_max = self.buffered_max.max(self.buffered);
        self.arena.push(&mut self.senders[index as usize].queue.cells, cell);
        self.join(index, CELL, now);
        if self.limits.follows {
            self.follow_up(index, cell.bytes, now);
        }
    }

    /// Whether a host has no room for a packet that is created there.
    pub(super) fn has_no_room(&self, index: u32, bytes: u32, now: u64) -> bool {
        self.buffered >= self.limits.node
            || self.senders[index as usize].queue.fill() >= self.limits.vc
            || self.limits.asks_port && self.is_refused(index, bytes, now)
    }

    fn take_slow_down(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let (vc, receiver) = {
            let VcSender { queue, circuit } = &self.senders[unit.to as usize];
            (circuit.vc, queue.receiver)
        };
        self.trace_in(TraceEvent::Arrived, arrival, vc, 0, 0);
        self.slow_down(unit.to, receiver, arrival.due);
    }

    fn take_ack(&mut self, index: u32, arrival: Arrival) {
        if arrival.bytes & RECORD != 0 && self.record_returned(index, arrival) {
            return;
        }
        let unit = arrival.unit();
        let now = arrival.due;
        let receiver = &mut self.receivers[unit.to as usize];
        receiver.take();
        receiver.control.on_freed();
        self.lane_pass(unit.to, unit.bytes, now);
        let value = CreditValue::from_amount(unit.value);
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        if let Some(cold) = &mut circuit.cold {
            cold.window.on_credit(SimTime(now), value, Cells::ZERO);
        }
        let (vc, credit) = (circuit.vc, queue.credit(circuit, now));
        self.trace_in(TraceEvent::Arrived, arrival, vc, 0, credit);
        self.refresh(index, now);
    }

    fn take_credit(&mut self, unit: Unit, arrival: Arrival) {
        let now = arrival.due;
        let VcSender { queue, circuit } = &mut self.senders[unit.to as usize];
        circuit.credits_taken += 1;
        let value = CreditValue::from_amount(unit.value);
        let in_flight = if circuit.needs_in_flight {
            self.ports[arrival.port as usize].forget_starts(&mut self.senders, now);
            self.senders[unit.to as usize].circuit.in_flight
        } else {
            queue.in_flight_by_count(circuit, &unit)
        };
        let VcSender { queue, circuit } = &mut self.senders[unit.to as usize];
        queue.control.on_credit(SimTime(now), value, Cells(in_flight));
        if self.tracer.is_some() {
            let (vc, fill, credit) = (circuit.vc, queue.fill(), queue.credit(circuit, now));
            self.trace_in(TraceEvent::Arrived, arrival, vc, fill, credit);
        }
        self.refresh(unit.to, now);
        self.count_request_from(unit.to, now);
        if self.processor.is_some() {
            self.works_on_credit(Job::Taken, now);
        }
    }

    fn take_request(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let vc = self.receivers[unit.to as usize].vc;
        self.trace_in(TraceEvent::Arrived, arrival, vc, 0, 0);
        self.check_shared_buffer(unit.to, unit.word);
        self.ask_for_credit(unit.to, arrival.due);
    }

    fn take_loop(&mut self, arrival: Arrival) {
        self.put_in_line(arrival.port, Control::LoopReply(arrival.due));
        self.trace_in(TraceEvent::Arrived, arrival, u32::MAX, 0, 0);
    }

    fn end_measurement(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let port = &mut self.ports[arrival.port as usize];
        let LoopState::Out(start) = port.measuring else {
            panic!("a looping cell comes back that was never sent");
        };
        let measured = arrival.due - start - unit.word;
        assert_eq!(measured, port.round_trip, "the measured R is the true loop");
        port.measuring = LoopState::Done;
        self.touch(arrival.port);
        self.trace_in(TraceEvent::Arrived, arrival, u32::MAX, 0, 0);
    }

    /// Adds a row of a unit that arrives.
    #[inline]
    pub(super) fn trace_in(
        &mut self,
        event: TraceEvent,
        arrival: Arrival,
        vc: u32,
        fill: u32,
        credit: u32,
    ) {
        if self.tracer.is_some() {
            self.add_row_in(event, &arrival, vc, fill, credit);
        }
    }

    #[inline(never)]
    fn add_row_in(
        &mut self,
        event: TraceEvent,
        arrival: &Arrival,
        vc: u32,
        fill: u32,
        credit: u32,
    ) {
        if let Some(tracer) = &mut self.tracer {
            let unit = arrival.unit();
            let direction = self.ports[arrival.port as usize].direction ^ 1;
            let kind = kind_of(unit.kind, arrival.bytes);
            let subject = Subject { at_receiver: true, direction, vc, kind, value: unit.value };
            tracer.row(arrival.due, event, subject, fill, credit);
        }
    }
}
