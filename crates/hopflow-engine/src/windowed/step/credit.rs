//! Credits fall due, are requested, and get their values: from the receiver, from the buffer that
//! VCs share, or from a machine from outside hopflow. Shared buffers are reallocated.

use hopflow_control::credit::{BufferShares, CreditCarrier, CreditValue};
use hopflow_units::{Cells, SimTime};

use super::processor::ask;
use crate::embed::credit::Decider;
use crate::embed::processor::Task;
use crate::windowed::state::carrier::{Carrier, place_of};
use crate::windowed::state::node::Node;
use crate::windowed::state::port::send::Content;
use crate::windowed::state::port::{Control, Port};
use crate::windowed::state::receiver::VcReceiver;
use crate::windowed::state::shared_buffer::SharedBuffer;
use crate::windowed::state::timers::Timer;
use crate::windowed::state::work::Job;
use crate::windowed::wire::NONE;

impl Node {
    /// The shared buffer of a receiver, and the receiver's number there.
    fn shared_buffer_of(&mut self, receiver: u32) -> (&mut BufferShares, u32) {
        let vc = &self.receivers[receiver as usize];
        let (port, member) = (vc.port, vc.member);
        (&mut shared_buffer_mut(&mut self.ports[port as usize]).machine, member)
    }

    /// What decides about the credits of a receiver, if it passes its cells on.
    fn decider(&mut self, receiver: u32) -> Option<Decider<'_>> {
        let vc = &self.receivers[receiver as usize];
        if vc.member == NONE || vc.control.is_carried() {
            return None;
        }
        if vc.control.is_in_packets() {
            return Some(Decider::Units(&mut self.unit_receivers[vc.member as usize]));
        }
        if vc.control.is_external() {
            return Some(Decider::Machine(&mut self.credit_machines[vc.member as usize]));
        }
        let (shared, member) = self.shared_buffer_of(receiver);
        Some(Decider::Shared(shared, member))
    }

    /// Units that a receiver has freed since the start of the run.
    fn freed_units(&self, receiver: u32) -> u64 {
        let VcReceiver { control, member, .. } = &self.receivers[receiver as usize];
        if control.is_in_packets() {
            return self.unit_receivers[*member as usize].freed();
        }
        control.freed()
    }

    /// The packets that a receiver holds.
    fn held(&self, receiver: u32) -> Cells {
        self.receivers[receiver as usize].control.buffered()
    }

    /// A packet of this size arrives at a switch for a receiver that holds at least as many as it
    /// promised room for, or for one that passes its packets on.
    #[inline(never)]
    pub(super) fn note_overrun(&mut self, receiver: u32, bytes: u32, now: u64) {
        let held = self.held(receiver);
        let (over, due) = match self.decider(receiver) {
            None => (true, false),
            Some(Decider::Units(units)) => (units.on_packet(bytes), false),
            Some(Decider::Shared(shared, member)) => (shared.on_packet(member, bytes), false),
            Some(Decider::Machine(machine)) => {
                let due = machine.on_cell(SimTime(now), held + Cells::ONE);
                (held >= machine.promised(), due)
            }
        };
        if over {
            self.receivers[receiver as usize].cold_mut().overrun_packets += 1;
        }
        self.put_credit_in_line(receiver, due, now);
    }

    /// A receiver has freed a packet of this size: a credit falls due, unless something beside it
    /// decides otherwise.
    pub(super) fn credit_due(&mut self, receiver: u32, bytes: u32, now: u64) {
        let vc = &self.receivers[receiver as usize];
        let port = vc.port;
        if vc.member == NONE {
            self.put_credit(port, receiver, now);
        } else {
            self.ask_decider(receiver, bytes, now);
        }
    }

    /// A credit joins the control line of a port, once the host has worked for it.
    #[inline]
    fn put_credit(&mut self, port: u32, receiver: u32, now: u64) {
        if self.processor.is_none() || !self.works_on_credit(Job::Credit(receiver), now) {
            self.put_in_line(port, Control::Credit(receiver));
        }
    }

    #[inline(never)]
    fn ask_decider(&mut self, receiver: u32, bytes: u32, now: u64) {
        if self.receivers[receiver as usize].control.is_carried() {
            return self.ask_carrier(receiver, CreditCarrier::on_freed);
        }
        let held = self.held(receiver);
        let due = self.decider(receiver).is_some_and(|to| to.on_freed(SimTime(now), bytes, held));
        self.put_credit_in_line(receiver, due, now);
    }

    /// Asks the carrier of a receiver whether a shared credit cell falls due, which is then queued.
    fn ask_carrier(&mut self, receiver: u32, ask: impl FnOnce(&mut CreditCarrier, u32) -> bool) {
        let vc = &self.receivers[receiver as usize];
        let (port, (group, number)) = (vc.port, place_of(vc.member));
        if ask(&mut self.carrier(port, group).machine, number) {
            self.put_in_line(port, Control::SharedCredits(group));
        }
    }

    /// A group of receivers that share credit cells.
    pub(super) fn carrier(&mut self, port: u32, group: u8) -> &mut Carrier {
        let carriers = self.ports[port as usize].carriers.as_mut();
        carriers.expect("receivers that share credit cells have carriers").group(group)
    }

    /// The same at a final host, where the packet has arrived at the same instant.
    pub(super) fn credit_due_at_host(&mut self, receiver: u32, bytes: u32, now: u64) {
        if self.receivers[receiver as usize].member != NONE {
            let held = self.held(receiver) + Cells::ONE;
            let decider = self.decider(receiver);
            let due = decider.is_some_and(|decider| decider.on_packet(SimTime(now), bytes, held));
            self.put_credit_in_line(receiver, due, now);
        }
        self.credit_due(receiver, bytes, now);
    }

    fn put_credit_in_line(&mut self, receiver: u32, due: bool, now: u64) {
        if due {
            let port = self.receivers[receiver as usize].port;
            self.put_credit(port, receiver, now);
        }
    }

    /// A request contains the number of units that its sender has started.
    pub(super) fn check_shared_buffer(&mut self, receiver: u32, sent_units: u64) {
        if let Some(Decider::Shared(shared, member)) = self.decider(receiver) {
            shared.on_check(member, sent_units);
        }
    }

    /// Requests a credit of a receiver, which is queued if none is waiting.
    pub(super) fn ask_for_credit(&mut self, receiver: u32, now: u64) {
        if self.receivers[receiver as usize].control.is_carried() {
            return self.ask_carrier(receiver, CreditCarrier::ask);
        }
        let held = self.held(receiver);
        let asked = match self.decider(receiver) {
            Some(decider) => decider.ask(SimTime(now), held),
            None => self.receivers[receiver as usize].control.ask(),
        };
        self.put_credit_in_line(receiver, asked, now);
    }

    /// The value of the credit of a receiver that starts now.
    fn credit_value(&mut self, receiver: u32, now: u64) -> Option<CreditValue> {
        let vc = &mut self.receivers[receiver as usize];
        if vc.member == NONE || vc.control.is_carried() {
            return vc.control.credit_value();
        }
        let held = self.held(receiver);
        self.decider(receiver)?.credit_value(SimTime(now), held)
    }

    /// The measuring interval of the shared buffer at a port ends.
    pub(super) fn fire_shared_buffer(&mut self, port: u32, now: u64) {
        let in_port = &mut self.ports[port as usize];
        let line = &mut in_port.control;
        let Some(SharedBuffer { machine, receivers, interval }) =
            in_port.shared_buffer.as_deref_mut()
        else {
            return;
        };
        let (processor, timers) = (&mut self.processor, &mut self.timers);
        machine.allot(|member| {
            let receiver = receivers[member as usize];
            let working = processor.as_deref_mut().filter(|it| it.works_on(Task::Credit));
            if let Some(processor) = working {
                ask(processor, timers, Task::Credit, Job::Credit(receiver), now);
            } else {
                line.push_back(Control::Credit(receiver));
            }
        });
        self.timers.set(now.saturating_add(*interval), Timer::SharedBuffer(port));
        if !self.ports[port as usize].control.is_empty() {
            self.touch(port);
        }
    }

    /// The credit of a receiver that starts now, and its VC; `None` if it is left out.
    #[inline]
    pub(super) fn credit(&mut self, index: u32, port: u32, now: u64) -> Option<(u32, Content)> {
        let value = self.credit_value(index, now);
        let receiver = &mut self.receivers[index as usize];
        let Some(value) = value else {
            receiver.cold_mut().credits_left_out += 1;
            return None;
        };
        receiver.credits_sent += 1;
        let (vc, to) = (receiver.vc, receiver.upstream);
        let value = self.false_credits.of_vc(port, vc as usize).map_or(value, |error| {
            let receiver = &mut self.receivers[index as usize];
            receiver.cold_mut().credits_falsified += 1;
            receiver.control.grant().falsified(value, error)
        });
        Some((vc, Content { value: value.bits(), to, word: self.freed_units(index) }))
    }
}

fn shared_buffer_mut(port: &mut Port) -> &mut SharedBuffer {
    port.shared_buffer.as_deref_mut().expect("a receiver that shares has a buffer at its port")
}
