//! (b) Arrivals: each kind of unit goes its way; credits raise counts, looping cells return.

use hopflow_control::credit::CreditValue;
use hopflow_units::{Cells, SimTime};

use crate::windowed::state::node::Node;
use crate::windowed::state::port::{Control, LoopState};
use crate::windowed::state::receiver::Role;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::work::Job;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::{RECORD, Unit};
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
}
