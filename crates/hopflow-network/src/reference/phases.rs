//! One instant at one node: phases (0), (a), (b) and (c); (d) is in `starts.rs`.

use hopflow_control::credit::{CreditValue, Holds};
use hopflow_units::{Cells, Picos, SimTime};

use super::rate::kind_of;
use super::unit::{Cell, Control, HopId, Target, Unit};
use super::{Agenda, Event, OnWire, Owner, ReferenceEngine, Timer, TimerKind};
use crate::{CellKind, Change, DirectionId, RoundTrip, TraceEvent};

impl ReferenceEngine {
    pub(super) fn run_node(&mut self, node: usize, agenda: &Agenda) {
        for &direction in &agenda.measures {
            self.port(direction).control_line.push_back(Control::Loop);
        }
        for &number in &agenda.changes {
            self.change(number);
        }
        for &direction in &agenda.completions {
            self.complete(direction);
        }
        for (&direction, on_wire) in &agenda.arrivals {
            self.arrive(direction, on_wire);
        }
        for &(direction, lane, timer) in &agenda.lanes {
            self.fire_lane(direction, lane, timer);
        }
        for &direction in &agenda.pools {
            self.allot(direction);
        }
        for &direction in &agenda.rates {
            self.fire_rates(direction);
        }
        for timer in &agenda.timers {
            self.fire(*timer);
        }
        self.woken.extend(&agenda.endpoints);
        self.run_endpoints(node);
        for &vc in &agenda.sources {
            self.run_source(vc);
            self.run_endpoints(node);
        }
        self.start_all(node);
        self.end_instant();
    }

    // (0)

    fn change(&mut self, number: usize) {
        let event = self.spec.events[number].clone();
        let port = self.port(DirectionId::new(event.link, event.direction));
        match event.change {
            Change::CorruptData(chance) => port.corrupt_data = chance,
            Change::CorruptCredits(chance) => port.corrupt_credits = chance,
            Change::CorruptNextCredits { count, vc } => {
                *port.corrupt_next.entry(vc).or_default() += count;
            }
            Change::Blocked(blocked) => port.blocked = blocked,
        }
    }

    // (a)

    fn complete(&mut self, direction: DirectionId) {
        let sent = self.port(direction).sending.take().expect("a completed port was sending");
        let Unit::Cell { id, cell } = sent else { return };
        self.touch(id);
        let now = self.now;
        let hop = self.hop_mut(id);
        hop.in_transmission = false;
        hop.finished_packets += 1;
        hop.last_finished = now;
        hop.counters.left_packets += 1;
        self.port(direction).queue_down(now);
        self.mark_gone(direction, cell.size);
        let fill = self.fill(id);
        self.cell_row(TraceEvent::Left, direction, id, &cell, fill, 0);
        self.free_cells(id);
        self.rate_left(id);
        self.consider(id);
        self.freed_at_source(id);
    }

    // (b)

    fn arrive(&mut self, direction: DirectionId, on_wire: &OnWire) {
        let counters = &mut self.port(direction).counters;
        match on_wire.unit {
            Unit::Cell { .. } => counters.data_in_flight -= 1,
            _ => counters.control_in_flight -= 1,
        }
        if on_wire.corrupted {
            return self.discard_corrupted(direction, on_wire.unit);
        }
        match on_wire.unit {
            Unit::Cell { id, cell } if id.ack => self.take_ack(id, cell),
            Unit::Cell { id, cell } => self.take_data(id, cell),
            Unit::Credit { id, value, freed_cells } => {
                self.take_credit(direction, id, value, freed_cells);
            }
            Unit::Request { id, sent_packets } => {
                self.control_row(TraceEvent::Arrived, direction, &on_wire.unit);
                self.check_pool(id, sent_packets);
                self.ask_for_credit(id);
            }
            Unit::SlowDown { id } => {
                self.control_row(TraceEvent::Arrived, direction, &on_wire.unit);
                self.slow_down(id);
            }
            Unit::Lane { kind, value, fctbs } => self.take_lane(direction, kind, value, fctbs),
            Unit::Loop { started } => {
                self.control_row(TraceEvent::Arrived, direction, &on_wire.unit);
                let reply = Control::LoopReply { started, arrived: self.now };
                self.port(direction.reverse()).control_line.push_back(reply);
            }
            Unit::LoopReply { started, waited } => {
                self.control_row(TraceEvent::Arrived, direction, &on_wire.unit);
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
            Unit::Credit { id, .. } => {
                self.hop_mut(id).counters.credits_corrupted += 1;
                self.control_row(TraceEvent::Corrupted, direction, &unit);
            }
            Unit::Lane { value, .. } => {
                let gates = self.port(direction.reverse()).gates.as_mut();
                gates.expect("frames come to ports with lanes").note_corrupted(value);
                self.control_row(TraceEvent::Corrupted, direction, &unit);
            }
            _ => self.control_row(TraceEvent::Corrupted, direction, &unit),
        }
    }

    fn take_data(&mut self, id: HopId, mut cell: Cell) {
        let is_full = self.pool_is_full(id);
        let hop = self.hop_mut(id);
        if let (Some(credit), Some(receiver)) = (hop.control, &hop.receiver) {
            let shares = credit.scheme.facts().shares_pool();
            let over = if shares { is_full } else { receiver.buffered() >= credit.buffer() };
            hop.counters.overrun_packets += u64::from(over);
        }
        self.assert_no_overrun(id);
        let target = self.hop(id).target;
        match target {
            Target::Leaf(leaf) => {
                if !self.rate_delivers(id, &cell) {
                    self.deliver(id, leaf, cell);
                }
            }
            Target::Station(_) if self.rate_meets(id, &mut cell) => {}
            Target::Station(station) if self.is_dropped(id, station, cell) => {
                self.drop_arrival(id, cell);
            }
            Target::Station(station) => {
                self.hop_mut(id).counters.received_packets += 1;
                self.receiver_takes(id);
                self.lane_take(id, cell.size);
                self.enter(id, station, cell, TraceEvent::Arrived, self.hop(id).direction);
            }
        }
    }

    /// A scheme that promises to holds to it, and a pool too.
    fn assert_no_overrun(&self, id: HopId) {
        self.assert_pool_holds(id);
        let hop = self.hop(id);
        let link = hop.direction.link();
        let safe = match hop.control.map(|credit| credit.scheme.facts().holds) {
            Some(Holds::TrueLoop) => self.spec.round_trip(link) >= self.spec.loop_time(link),
            Some(Holds::Always) => true,
            Some(Holds::Unknown) | None => false,
        };
        assert!(!safe || hop.counters.overrun_packets == 0, "overrun of {id:?} at {}", self.now);
    }

    fn deliver(&mut self, id: HopId, leaf: usize, cell: Cell) {
        let now = self.now;
        let direction = self.hop(id).direction;
        self.hop_mut(id).counters.received_packets += 1;
        let counters = &mut self.vcs[id.vc].leaves[leaf];
        counters.delivered_packets += 1;
        counters.first = counters.first.or(Some(now));
        counters.last = Some(now);
        counters.delivered_bytes += cell.size.0;
        let delay = now.since(cell.born);
        counters.delay.record(delay.0);
        if let Some(waiting) = &mut counters.waiting {
            waiting.record(delay.0 - self.spec.unloaded_delay(id.vc, id.hop, cell.size).0);
        }
        self.cell_row(TraceEvent::Arrived, direction, id, &cell, 0, 0);
        self.receive_and_free(id, cell.size);
        self.take_unit(id.vc, leaf, &cell);
        let Some(window) = self.spec.vcs[id.vc].window else { return };
        let vc = &mut self.vcs[id.vc];
        vc.since_ack += 1;
        if vc.since_ack == window.ack_every.0 {
            vc.since_ack = 0;
            self.make_ack(id, cell.number + 1);
        }
    }

    fn take_ack(&mut self, id: HopId, mut cell: Cell) {
        let direction = self.hop(id).direction;
        let Target::Station(station) = self.hop(id).target else {
            return match &cell.rm {
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

    fn take_credit(
        &mut self,
        direction: DirectionId,
        id: HopId,
        value: CreditValue,
        freed_cells: u64,
    ) {
        self.touch(id);
        let now = self.now;
        let round_trip = self.spec.round_trip(direction.link());
        let hop = self.hop_mut(id);
        let in_flight = hop.in_flight(now, round_trip);
        hop.sender.on_credit(now, value, in_flight);
        hop.counters.credits_taken += 1;
        hop.last_credit = now;
        let credit = hop.credit_count(now);
        self.assert_exact(id, freed_cells);
        let unit = Unit::Credit { id, value, freed_cells };
        let fill = self.fill(id);
        let (kind, vc, value) = label(&unit);
        self.row(TraceEvent::Arrived, direction, kind, vc, value, fill, credit);
        self.consider(id);
    }

    /// A count that takes E with the true R, and no data cell lost, equals the exact counters.
    fn assert_exact(&self, id: HopId, freed_cells: u64) {
        let hop = self.hop(id);
        let Some(credit) = hop.control else { return };
        let round_trip = self.spec.links[hop.direction.link()].round_trip;
        if !credit.scheme.facts().needs_in_flight
            || matches!(round_trip, RoundTrip::Fixed(_))
            || hop.counters.corrupted_packets > 0
        {
            return;
        }
        let outstanding = hop.counters.sent_packets - freed_cells;
        let exact = u64::from(credit.initial_credit().0) - outstanding;
        let count = u64::from(hop.sender.credit_count(self.now).0);
        assert_eq!(count, exact, "not the exact count: {id:?} at {}", self.now);
    }

    // (c)

    fn fire(&mut self, timer: Timer) {
        let id = timer.id;
        match timer.kind {
            TimerKind::Redundant => {
                self.ask_for_credit(id);
                let span = self.hop(id).control.and_then(|credit| credit.redundant_every);
                let next = self.now.saturating_add(span.expect("only such receivers have timers"));
                self.events.push(next, Event::Timer(timer));
            }
            TimerKind::Eligible => self.consider(id),
            TimerKind::Pace => self.fire_pace(id),
            TimerKind::Request => {
                if self.is_blocked(id) && self.request_due(id) == Some(self.now) {
                    self.touch(id);
                    let now = self.now;
                    let hop = self.hop_mut(id);
                    hop.last_request = now;
                    let direction = hop.direction;
                    self.port(direction).control_line.push_back(Control::Request(id));
                }
            }
            TimerKind::GiveUp => {
                if self.give_up_due(id) == Some(self.now) {
                    self.touch(id);
                    self.hop_mut(id).given_up = true;
                    self.free_cells(id);
                }
            }
        }
    }

    /// When a request falls due, if the hop stays blocked; `None` while it is not.
    pub(super) fn request_due(&self, id: HopId) -> Option<SimTime> {
        let hop = self.hop(id);
        let span = hop.control?.request_after?;
        let since = hop.blocked_since?.max(hop.last_credit).max(hop.last_request);
        Some(since.saturating_add(span))
    }

    /// When a branch with a cell at hand and none in transmission gives up; `None` if never.
    pub(super) fn give_up_due(&self, id: HopId) -> Option<SimTime> {
        let hop = self.hop(id);
        if id.ack || hop.given_up || hop.in_transmission {
            return None;
        }
        let span = self.spec.vcs[id.vc].multicast.give_up_after?;
        let station = self.station(id);
        let next = station.held.get((hop.finished_packets - station.freed_cells) as usize)?;
        Some(next.since.max(hop.last_finished).saturating_add(span))
    }

    fn run_source(&mut self, number: usize) {
        let first = HopId { vc: number, ack: false, hop: 0 };
        if self.vcs[number].greedy {
            let (start, stop) = (self.vcs[number].start, self.vcs[number].stop);
            let was_on = self.vcs[number].is_on;
            let is_on = (start..stop).contains(&self.now);
            self.vcs[number].is_on = is_on;
            if is_on && !was_on {
                self.offer_greedy(first);
            } else if was_on && !is_on {
                let (direction, flow) = (self.hop(first).direction, self.hop(first).flow);
                if let Some(scheduler) = &mut self.port(direction).scheduler {
                    scheduler.drop_last(flow);
                }
            }
            self.pace(first);
            return self.consider(first);
        }
        if self.vcs[number].source.due() != Some(self.now) {
            return;
        }
        while self.vcs[number].source.due() == Some(self.now) {
            let made = self.vcs[number].source.made();
            self.vcs[number].source.advance();
            self.make_timed(first, made);
        }
        if let Some(next) = self.vcs[number].source.due() {
            self.events.push(next, Event::Source(number));
        }
    }

    /// Timers of a sender, armed at the end of an instant.
    pub(super) fn arm(&mut self, time: SimTime, id: HopId, kind: TimerKind) {
        self.events.push(time, Event::Timer(Timer { owner: Owner::Sender, id, kind }));
    }

    /// A row of a control cell that changes no sender; looping cells have no VC.
    pub(super) fn control_row(&mut self, event: TraceEvent, direction: DirectionId, unit: &Unit) {
        let (kind, vc, value) = label(unit);
        self.row(event, direction, kind, vc, value, 0, 0);
    }

    pub(super) fn cell_row(
        &mut self,
        event: TraceEvent,
        direction: DirectionId,
        id: HopId,
        cell: &Cell,
        fill: u32,
        credit: u32,
    ) {
        let kind = kind_of(id.ack, cell);
        let value = CreditValue::from_total(cell.number).bits();
        self.row(event, direction, kind, id.vc as u32, value, fill, credit);
    }
}

/// Kind, VC and value of a unit, as the trace and the order hash tell them.
pub(super) fn label(unit: &Unit) -> (CellKind, u32, u32) {
    match unit {
        Unit::Cell { id, cell } => {
            let kind = kind_of(id.ack, cell);
            (kind, id.vc as u32, CreditValue::from_total(cell.number).bits())
        }
        Unit::Credit { id, value, .. } => (CellKind::Credit, id.vc as u32, value.bits()),
        Unit::Request { id, .. } => (CellKind::Request, id.vc as u32, 0),
        Unit::SlowDown { id } => (CellKind::SlowDown, id.vc as u32, 0),
        Unit::Lane { kind, value, .. } => (*kind, u32::MAX, *value),
        Unit::Loop { .. } => (CellKind::Loop, u32::MAX, 0),
        Unit::LoopReply { .. } => (CellKind::LoopReply, u32::MAX, 0),
    }
}
