//! VCs that ask for their reservation: set-ups and releases hop by hop, answers on the way back.

use hopflow_units::SimTime;

use crate::embed::call::Message;
use crate::windowed::build::source::begin;
use crate::windowed::state::calls::Calls;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::Control;
use crate::windowed::state::port::send::Content;
use crate::windowed::state::receiver::Role;
use crate::windowed::state::sender::VcSender;
use crate::windowed::wire::NONE;
use crate::windowed::wire::arrival::Arrival;
use hopflow_network::{CellKind, TraceEvent};

impl Node {
    fn calls(&mut self) -> &mut Calls {
        self.calls.as_mut().expect("only nodes with calls have messages")
    }

    /// (c) A source asks at its beginning, and releases at its end.
    #[cold]
    pub(super) fn fire_call(&mut self, index: u32, now: u64) {
        let sender = self.sources[index as usize].sender;
        let calls = self.calls();
        let is_reserved = calls.is_reserved(sender);
        let call = calls.of_source_mut(index);
        if call.begins == SimTime(now) {
            call.counters.asked += 1;
            self.ask(sender, now);
        } else if call.stop == SimTime(now) && is_reserved {
            call.counters.released += 1;
            self.release(sender);
        }
    }

    /// The port of a sender is asked: it reserves and passes the set-up on, or refuses.
    fn ask(&mut self, sender: u32, now: u64) {
        let VcEnd { port, hop, .. } = self.end_of(sender);
        if self.calls().ask(sender) {
            self.put_in_line(port, Control::Message(Message::SetUp, sender));
        } else {
            self.pass_back(sender, Message::Refusal(hop), now);
        }
    }

    /// The port of a sender frees the reservation, and passes the release on. One that a refusal
    /// has freed before ends the release.
    fn release(&mut self, sender: u32) {
        let VcEnd { port, .. } = self.end_of(sender);
        if self.calls().free(sender) {
            self.put_in_line(port, Control::Message(Message::Release, sender));
        }
    }

    /// An answer at the node of a sender goes on towards the source, or has reached it.
    fn pass_back(&mut self, sender: u32, message: Message, now: u64) {
        let VcEnd { receiver, source, vc, .. } = self.end_of(sender);
        if receiver != NONE {
            let port = self.receivers[receiver as usize].port;
            return self.put_in_line(port, Control::Message(message, receiver));
        }
        if !self.calls().of_source_mut(source).answered(message, SimTime(now)) {
            return;
        }
        let plans = self.calls().plans.clone();
        let made = plans.spec.new_source_from(vc as usize, SimTime(now));
        let making = begin(&plans.spec, self, vc as usize, [source, sender], made, SimTime(now));
        self.sources[source as usize].making = making;
    }

    /// (b) A message arrives.
    #[cold]
    pub(super) fn take_message(&mut self, arrival: Arrival) {
        let (unit, now) = (arrival.unit(), arrival.due);
        if matches!(unit.kind, CellKind::Connect | CellKind::Refusal) {
            let vc = self.senders[unit.to as usize].circuit.vc;
            self.trace_in(TraceEvent::Arrived, arrival, vc, 0, 0);
            if unit.kind == CellKind::Connect {
                return self.pass_back(unit.to, Message::Connect, now);
            }
            self.calls().free(unit.to);
            return self.pass_back(unit.to, Message::Refusal(unit.value), now);
        }
        let receiver = &self.receivers[unit.to as usize];
        let (vc, port) = (receiver.vc, receiver.port);
        let next = if let Role::Forward(next) = receiver.role { Some(next) } else { None };
        self.trace_in(TraceEvent::Arrived, arrival, vc, 0, 0);
        match (unit.kind, next) {
            (CellKind::SetUp, Some(next)) => self.ask(next, now),
            (CellKind::SetUp, None) => {
                self.put_in_line(port, Control::Message(Message::Connect, unit.to));
            }
            (CellKind::Release, Some(next)) => self.release(next),
            (CellKind::Release, None) => {}
            (kind, _) => panic!("{kind:?} is no message"),
        }
    }

    /// What a port sends of a message: its VC and its content. Set-ups and releases are of a
    /// sender, answers of a receiver.
    pub(super) fn message_unit(&self, message: Message, index: u32) -> (u32, Content) {
        let (vc, to) = match message {
            Message::SetUp | Message::Release => {
                let VcSender { queue, circuit } = &self.senders[index as usize];
                (circuit.vc, queue.downstream)
            }
            Message::Connect | Message::Refusal(_) => {
                let receiver = &self.receivers[index as usize];
                (receiver.vc, receiver.upstream)
            }
        };
        (vc, Content { value: message.value(), to, word: 0 })
    }

    fn end_of(&self, sender: u32) -> VcEnd {
        let VcSender { queue, circuit } = &self.senders[sender as usize];
        let (port, hop, receiver) = (queue.port, circuit.hop, queue.receiver);
        VcEnd { port, hop, receiver, source: circuit.source, vc: circuit.vc }
    }
}

/// Where the sender of a VC is.
struct VcEnd {
    port: u32,
    hop: u32,
    /// The receiver that feeds it; `NONE` at its source.
    receiver: u32,
    source: u32,
    vc: u32,
}
