//! (b) Arrivals: cells are taken in, delivered, dropped or discarded; credits raise counts.

use hopflow_control::credit::CreditValue;
use hopflow_units::{Cells, SimTime};

use crate::trace::{CellKind, TraceEvent};
use crate::transport::frame_discard::Verdict;
use crate::windowed::state::node::Node;
use crate::windowed::state::pool::Cell;
use crate::windowed::state::port::{Control, LoopState};
use crate::windowed::state::receiver::{Held, Role};
use crate::windowed::state::tracer::Subject;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::{CE, CELL, RM, SIZE_MASK, Unit, is_last, kind_of};

/// What becomes of a packet that comes to a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Taken,
    Refused,
    /// It was an RM cell, whose loop ends here.
    Ended,
}

impl Node {
    /// One unit arrives.
    #[inline]
    pub(super) fn arrive<const TRACED: bool>(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let port = &mut self.ports[arrival.port as usize];
        if unit.kind.is_control() {
            port.control_read += 1;
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
            CellKind::Credit => self.take_credit(unit, arrival),
            CellKind::Request => self.take_request(arrival),
            CellKind::Loop => self.take_loop(arrival),
            CellKind::LoopReply => self.end_measurement(arrival),
            CellKind::SlowDown => self.take_slow_down(arrival),
            CellKind::Pause | CellKind::LaneCredit => self.take_lane(arrival),
        }
    }

    fn discard(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let (vc, fill) = match unit.kind {
            CellKind::Credit => {
                let sender = &mut self.senders[unit.to as usize];
                sender.extra.get_or_insert_default().credits_corrupted += 1;
                (sender.vc, 0)
            }
            CellKind::Data | CellKind::Ack => {
                self.discard_carried(arrival);
                let receiver = &mut self.receivers[unit.to as usize];
                receiver.rare_mut().corrupted_packets += 1;
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
            Role::Forward(_) | Role::Multicast(_) => self.take_at_switch::<TRACED>(unit, arrival),
            Role::Deliver(_) => self.deliver::<TRACED>(unit, arrival),
            Role::Acknowledge(sender) => self.take_ack(sender, arrival),
        }
    }

    #[inline]
    fn take_at_switch<const TRACED: bool>(&mut self, unit: Unit, mut arrival: Arrival) {
        let now = arrival.due;
        let mut fate = Fate::Taken;
        if self.limits.asks_port {
            fate = self.fate_of(&mut arrival);
        }
        let receiver = &self.receivers[unit.to as usize];
        if receiver.control.buffered().0 >= receiver.promised {
            self.note_overrun(unit.to);
        }
        let receiver = &mut self.receivers[unit.to as usize];
        if fate != Fate::Taken
            || self.buffered >= self.limits.node
            || receiver.control.buffered().0 >= self.limits.vc
        {
            if fate != Fate::Ended {
                self.drop_at_switch(arrival);
            }
            return;
        }
        receiver.take();
        self.buffered += 1;
        self.buffered_max = self.buffered_max.max(self.buffered);
        let mut cell = Cell { value: unit.value, bytes: arrival.bytes, birth: unit.word };
        if self.limits.has_lanes {
            self.lane_take(unit.to, unit.bytes);
        }
        if TRACED {
            let receiver = &self.receivers[unit.to as usize];
            let (vc, fill) = (receiver.vc, receiver.control.buffered().0);
            let credit = self.told_of_passing(arrival);
            self.trace_in(TraceEvent::Arrived, arrival, vc, fill, credit);
        }
        if let Role::Forward(sender) = self.receivers[unit.to as usize].role {
            if self.limits.has_markers {
                self.mark_joining(sender, &mut cell.bytes);
            }
            self.pool.push(&mut self.senders[sender as usize].queue, cell);
            self.join(sender, unit.bytes, now);
            if self.limits.follows {
                self.follow_up(sender, cell.bytes, now);
            }
        } else {
            self.hold(unit.to, cell, now);
        }
    }

    /// What becomes of a packet that comes to a switch, as far as its output, its lane, its frame
    /// and rate control have a say.
    #[inline(never)]
    fn fate_of(&mut self, arrival: &mut Arrival) -> Fate {
        if self.limits.has_rates && self.rate_meets(arrival) {
            return Fate::Ended;
        }
        if self.is_refused_here(*arrival) { Fate::Refused } else { Fate::Taken }
    }

    /// A packet has joined the queue of a sender: what follows from that.
    #[inline(never)]
    pub(super) fn follow_up(&mut self, index: u32, bytes: u32, now: u64) {
        if self.limits.has_rates {
            self.rate_joined(index, bytes, now);
        }
        self.push_out(self.senders[index as usize].port, now);
    }

    /// Whether an output of a packet that comes in has no room for it or refuses it, or its frame
    /// is dropped.
    fn is_refused_here(&mut self, arrival: Arrival) -> bool {
        let unit = arrival.unit();
        let is_refused = self.is_refused_below(unit, arrival.due);
        let Some(thresholds) = self.limits.frames else { return is_refused };
        let receiver = &mut self.receivers[unit.to as usize];
        if arrival.bytes & RM != 0 {
            return is_refused;
        }
        let held = [self.buffered, receiver.control.buffered().0];
        let Some(frame) = receiver.frame_mut() else { return is_refused };
        let full = held[0] >= self.limits.node || held[1] >= self.limits.vc;
        let above = held[0] >= thresholds[0] || held[1] >= thresholds[1];
        let is_last = is_last(arrival.bytes);
        frame.on_cell(is_last, is_refused || full, above) == Verdict::Drop
    }

    /// Whether an output of a packet that comes in has no room for it or refuses it.
    fn is_refused_below(&self, unit: Unit, now: u64) -> bool {
        if self.lane_is_full(unit.to, unit.bytes) {
            return true;
        }
        match &self.receivers[unit.to as usize].role {
            Role::Forward(sender) => self.is_refused(*sender, unit.bytes, now),
            Role::Multicast(multicast) => {
                multicast.branches.clone().any(|index| self.is_refused(index, unit.bytes, now))
            }
            Role::Deliver(_) | Role::Acknowledge(_) => false,
        }
    }

    /// A cell joins the queue of a sender (its branch's share of the held cells).
    #[expect(clippy::inline_always, reason = "one of its calls is on the way of every cell")]
    #[inline(always)]
    pub(super) fn join(&mut self, index: u32, bytes: u32, now: u64) {
        let Node { senders, ports, .. } = self;
        let sender = &mut senders[index as usize];
        sender.waiting += 1;
        sender.fill_up(now);
        let port = &mut ports[sender.port as usize];
        port.queue_up(now);
        if port.scheduled.is_some() {
            self.tell_scheduler(index, bytes, now);
            self.refresh(index, now);
        } else if sender.is_blocked || !sender.is_free_to_send() {
            self.refresh_other(index, now);
        } else if !sender.listed {
            let index_of_port = sender.port;
            port.list_in_turn(senders, index);
            self.touch(index_of_port);
        }
    }

    /// A cell is held for all branches.
    fn hold(&mut self, receiver: u32, cell: Cell, now: u64) {
        let multicast = self.multicast_mut(receiver);
        multicast.settle(now);
        let branches = multicast.branches.clone();
        multicast.held.push_back(Held { cell, remaining: branches.len() as u32 });
        for index in branches {
            if self.limits.has_markers {
                // A VC that can be marked has no branches.
                let mut bytes = cell.bytes;
                self.mark_joining(index, &mut bytes);
            }
            // The position of the next cell is worked out from `waiting`: one branch at a time,
            // but a branch that has joined never looks at another's.
            self.join(index, cell.bytes & SIZE_MASK, now);
            if self.limits.has_rates {
                self.rate_joined(index, cell.bytes, now);
            }
            let sender = &mut self.senders[index as usize];
            if sender.waiting == 1 && !sender.transmitting {
                if let Some(extra) = &mut sender.extra {
                    extra.held_since = now;
                }
                self.arm_give_up(index, now);
            }
        }
        self.give_up_held(receiver, now);
    }

    fn drop_at_switch(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let receiver = &mut self.receivers[unit.to as usize];
        receiver.rare_mut().dropped_packets += 1;
        receiver.control.on_cell();
        let due = receiver.control.on_freed();
        let (vc, fill) = (receiver.vc, receiver.control.buffered().0);
        if due {
            self.credit_due(unit.to);
        }
        self.lane_pass(unit.to, unit.bytes);
        self.trace_in(TraceEvent::Dropped, arrival, vc, fill, 0);
    }

    #[inline]
    fn deliver<const TRACED: bool>(&mut self, unit: Unit, arrival: Arrival) {
        if self.limits.is_special && self.rate_delivers(arrival) {
            return;
        }
        let receiver = &mut self.receivers[unit.to as usize];
        receiver.take();
        let due = receiver.control.on_freed();
        let vc = receiver.vc;
        let (mut ack, mut is_unit) = (None, false);
        if let Role::Deliver(leaf) = &mut receiver.role {
            leaf.deliver(arrival.due, unit.word, unit.bytes);
            ack = leaf.ack_due();
            is_unit = leaf.packets.is_some();
            leaf.ack_cells += u64::from(ack.is_some());
        }
        if due {
            self.credit_due_at_host(unit.to);
        }
        if self.limits.has_lanes {
            self.lane_pass(unit.to, unit.bytes);
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
        let full = self.has_no_room(index, CELL, now);
        if full {
            let sender = &self.senders[index as usize];
            let direction = self.ports[sender.port as usize].direction;
            let (vc, fill, value) = (sender.vc, sender.fill, next.bits());
            let subject = Subject { at_receiver: false, direction, vc, kind: CellKind::Ack, value };
            if let Some(tracer) = &mut self.tracer {
                tracer.row(now, TraceEvent::Dropped, subject, fill, 0);
            }
            return;
        }
        self.take_back(index, Cell { value: next.bits(), bytes: CELL, birth: now }, now);
    }

    /// A cell made for the way back joins the queue of its sender.
    pub(super) fn take_back(&mut self, index: u32, mut cell: Cell, now: u64) {
        if self.limits.has_markers {
            self.mark_joining(index, &mut cell.bytes);
        }
        self.buffered += 1;
        self.buffered_max = self.buffered_max.max(self.buffered);
        self.pool.push(&mut self.senders[index as usize].queue, cell);
        self.join(index, CELL, now);
        if self.limits.follows {
            self.follow_up(index, cell.bytes, now);
        }
    }

    /// Whether a host has no room for a packet that is made there.
    pub(super) fn has_no_room(&self, index: u32, bytes: u32, now: u64) -> bool {
        self.buffered >= self.limits.node
            || self.senders[index as usize].fill >= self.limits.vc
            || self.limits.asks_port && self.is_refused(index, bytes, now)
    }

    fn take_slow_down(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let (vc, receiver) = {
            let sender = &self.senders[unit.to as usize];
            (sender.vc, sender.receiver)
        };
        self.trace_in(TraceEvent::Arrived, arrival, vc, 0, 0);
        self.slow_down(unit.to, receiver, arrival.due);
    }

    fn take_ack(&mut self, index: u32, arrival: Arrival) {
        if arrival.bytes & RM != 0 {
            return self.take_backward(index, arrival);
        }
        let unit = arrival.unit();
        let now = arrival.due;
        let receiver = &mut self.receivers[unit.to as usize];
        receiver.take();
        receiver.control.on_freed();
        self.lane_pass(unit.to, unit.bytes);
        let value = CreditValue::from_amount(unit.value);
        let sender = &mut self.senders[index as usize];
        if let Some(extra) = &mut sender.extra {
            extra.window.on_credit(SimTime(now), value, Cells::ZERO);
        }
        let (vc, credit) = (sender.vc, sender.credit(now));
        self.trace_in(TraceEvent::Arrived, arrival, vc, 0, credit);
        self.refresh(index, now);
    }

    fn take_credit(&mut self, unit: Unit, arrival: Arrival) {
        let now = arrival.due;
        let sender = &mut self.senders[unit.to as usize];
        sender.credits_taken += 1;
        let value = CreditValue::from_amount(unit.value);
        let in_flight = if sender.needs_in_flight {
            self.ports[arrival.port as usize].forget_starts(&mut self.senders, now);
            self.senders[unit.to as usize].in_flight
        } else {
            sender.in_flight_by_count(&unit)
        };
        let sender = &mut self.senders[unit.to as usize];
        sender.control.on_credit(SimTime(now), value, Cells(in_flight));
        let (vc, fill, credit) = (sender.vc, sender.fill, sender.credit(now));
        self.trace_in(TraceEvent::Arrived, arrival, vc, fill, credit);
        self.refresh(unit.to, now);
        self.count_request_from(unit.to, now);
    }

    fn take_request(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let vc = self.receivers[unit.to as usize].vc;
        self.trace_in(TraceEvent::Arrived, arrival, vc, 0, 0);
        self.check_pool(unit.to, unit.word);
        self.ask_for_credit(unit.to);
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

    /// A row about a unit that comes in.
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
