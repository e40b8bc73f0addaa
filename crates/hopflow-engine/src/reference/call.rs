//! VCs that ask for their reservation: set-ups and releases hop by hop, answers on the way back.

use hopflow_units::Rate;

use super::unit::{Control, HopId, Target, Unit};
use super::{Event, ReferenceEngine};
use crate::embed::call::Message;
use hopflow_network::{DirectionId, TraceEvent};

impl ReferenceEngine {
    /// (c) The source asks at its beginning, and releases at its end.
    pub(super) fn run_call(&mut self, vc: usize) {
        let now = self.now;
        let first = HopId { vc, ack: false, hop: 0 };
        let is_reserved = self.hop(first).is_reserved;
        let Some(call) = &mut self.vcs[vc].call else { return };
        if call.begins == now {
            call.counters.asked += 1;
            self.ask(first);
        } else if call.stop == now && is_reserved {
            call.counters.released += 1;
            self.release(first);
        }
    }

    /// The port of a hop is asked: it reserves and passes the set-up on, or refuses.
    fn ask(&mut self, id: HopId) {
        let (rate, direction) = (self.asked_rate(id), self.hop(id).direction);
        let port = self.port(direction);
        let reservations = port.reservations.as_mut().expect("the port is asked");
        if !reservations.ask(rate) {
            return self.pass_back(id, Message::Refusal(id.hop as u32));
        }
        port.control_line.push_back(Control::Message(id, Message::SetUp));
        let was = std::mem::replace(&mut self.hop_mut(id).is_reserved, true);
        assert!(!was, "a hop reserves once");
    }

    /// The port of a hop frees the reservation. Returns whether there was one.
    fn free(&mut self, id: HopId) -> bool {
        let (rate, direction) = (self.asked_rate(id), self.hop(id).direction);
        let was = std::mem::replace(&mut self.hop_mut(id).is_reserved, false);
        if was {
            self.port(direction).reservations.as_mut().expect("the port was asked").free(rate);
        }
        was
    }

    /// The port of a hop frees the reservation, and passes the release on. A hop that a refusal has
    /// freed before ends the release.
    fn release(&mut self, id: HopId) {
        let direction = self.hop(id).direction;
        if self.free(id) {
            let entry = Control::Message(id, Message::Release);
            self.port(direction).control_line.push_back(entry);
        }
    }

    /// An answer at the node before a hop goes on towards the source, or has reached it.
    fn pass_back(&mut self, id: HopId, message: Message) {
        if let Some(hop) = id.hop.checked_sub(1) {
            let before = HopId { hop, ..id };
            let back = self.hop(before).direction.reverse();
            return self.port(back).control_line.push_back(Control::Message(before, message));
        }
        let (vc, now) = (id.vc, self.now);
        let call = self.vcs[vc].call.as_mut().expect("the source asked");
        if call.answered(message, now) {
            self.vcs[vc].source = self.spec.new_source_from(vc, now);
            self.vcs[vc].start = now;
            match self.vcs[vc].source.due() {
                Some(due) if due > now => self.events.push(due, Event::Source(vc)),
                _ => drop(self.begun.insert(vc)),
            }
        }
    }

    /// (b) A message arrives by `direction`.
    pub(super) fn take_message(&mut self, direction: DirectionId, unit: &Unit) {
        let Unit::Message { id, message } = *unit else { panic!("{unit:?} is no message") };
        self.control_row(TraceEvent::Arrived, direction, unit);
        let next = HopId { hop: id.hop + 1, ..id };
        match (message, self.hop(id).target) {
            (Message::SetUp, Target::Station(_)) => self.ask(next),
            (Message::SetUp, Target::Leaf(_)) => {
                let entry = Control::Message(id, Message::Connect);
                self.port(direction.reverse()).control_line.push_back(entry);
            }
            (Message::Release, Target::Station(_)) => self.release(next),
            (Message::Release, Target::Leaf(_)) => {}
            (Message::Connect, _) => self.pass_back(id, message),
            (Message::Refusal(_), _) => {
                self.free(id);
                self.pass_back(id, message);
            }
        }
    }

    fn asked_rate(&self, id: HopId) -> Rate {
        self.spec.vcs[id.vc].asked_rate().expect("only VCs that ask have messages")
    }
}
