//! One instant at one node: phases (0), (a) and (c); (b) is in `arrivals.rs`, (d) in `starts.rs`.

use super::agenda::Agenda;
use super::unit::{Control, HopId, Unit};
use super::{Event, ReferenceEngine, Timer, TimerKind};
use hopflow_network::{Change, DirectionId, TraceEvent};

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
        for (&(direction, _), on_wire) in &agenda.admissions {
            self.take_in(direction, on_wire);
        }
        if agenda.work {
            self.end_work(node);
        }
        for &(direction, lane, timer) in &agenda.lanes {
            self.fire_lane(direction, lane, timer);
        }
        for &direction in &agenda.shared_buffers {
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
        let begun = std::mem::take(&mut self.begun);
        for &vc in agenda.sources.union(&begun) {
            self.run_call(vc);
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
            Change::FalsifyNextCredits { count, error, of } => {
                port.false_credits.add(0, of, error, count);
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
        if self.vcs[number].fed.is_some() {
            let vc = &mut self.vcs[number];
            vc.is_on = (vc.start..vc.stop).contains(&self.now);
            return self.feed(first);
        }
        if self.vcs[number].source.due() != Some(self.now) {
            return;
        }
        while self.vcs[number].source.due() == Some(self.now) {
            let acr = self.hop(first).rated.as_ref().map(|rated| rated.acr());
            let source = &mut self.vcs[number].source;
            if let (true, Some(acr)) = (source.follows_rate(), acr) {
                source.on_rate(acr);
            }
            let made = source.made();
            source.advance();
            self.make_timed(first, made);
        }
        if let Some(next) = self.vcs[number].source.due() {
            self.events.push(next, Event::Source(number));
        }
    }
}
