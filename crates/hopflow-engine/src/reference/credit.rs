//! Receivers take and free cells, and credits fall due. Shared buffers: the memory that VCs under
//! adaptive credit share at the receiving end of a link.

use hopflow_control::credit::{
    BufferShares, CreditCarrier, CreditValue, ExternalReceiver, Receiver,
};
use hopflow_control::external::Fault;
use hopflow_units::{Bytes, Cells, Picos};

use super::job::Job;
use super::state::Hop;
use super::unit::{Control, Credit, HopId};
use super::{Event, ReferenceEngine};
use crate::embed;
use crate::embed::credit::Decider;
use crate::embed::processor::Task;
use hopflow_network::{DirectionId, NetworkSpec};

/// The shared buffer of one link direction.
#[derive(Debug)]
pub(super) struct SharedBuffer {
    pub(super) machine: BufferShares,
    members: Vec<HopId>,
    interval: Picos,
}

impl SharedBuffer {
    pub(super) fn new(
        spec: &NetworkSpec,
        direction: DirectionId,
        members: &[(usize, usize)],
    ) -> Option<SharedBuffer> {
        let (machine, shared) = embed::credit::shared_buffer(spec, direction, members)?;
        Some(SharedBuffer {
            machine,
            members: members.iter().map(|&(vc, hop)| HopId { vc, ack: false, hop }).collect(),
            interval: shared.interval,
        })
    }

    fn number(&self, id: HopId) -> u32 {
        let place = self.members.iter().position(|member| *member == id);
        place.expect("a hop under adaptive credit is in its shared buffer") as u32
    }
}

impl Hop {
    /// Why external machines of its two ends are no longer called.
    pub(super) fn faults(&self) -> impl Iterator<Item = &Fault> {
        let receiver = self.credit_machine.as_ref().and_then(ExternalReceiver::fault);
        self.sender.fault().into_iter().chain(receiver)
    }
}

impl ReferenceEngine {
    pub(super) fn schedule_shared_buffers(&mut self) {
        for id in (0..self.ports.len()).map(DirectionId) {
            if let Some(shared) = &self.shared_buffers[id.0] {
                let first = self.now + shared.interval;
                self.events.push(first, Event::Allot(id));
            }
        }
    }

    /// The shared buffer of a hop under adaptive credit, and the hop's number in it.
    fn shared_buffer_of(&mut self, id: HopId) -> Option<(&mut SharedBuffer, u32)> {
        if id.ack {
            return None;
        }
        self.spec.vcs[id.vc].hops[id.hop].shared_credit()?;
        let direction = self.hop(id).direction;
        let shared =
            self.shared_buffers[direction.0].as_mut().expect("adaptive credit has a shared buffer");
        let number = shared.number(id);
        Some((shared, number))
    }

    /// What decides about the credits of a hop, if its receiver passes its cells on.
    fn decider(&mut self, id: HopId) -> Option<Decider<'_>> {
        if self.hop(id).credit_machine.is_some() {
            return self.hop_mut(id).credit_machine.as_mut().map(Decider::Machine);
        }
        let (shared, member) = self.shared_buffer_of(id)?;
        Some(Decider::Shared(&mut shared.machine, member))
    }

    /// The units that the receiver of a hop holds.
    fn buffered(&self, id: HopId) -> Cells {
        self.hop(id).receiver.as_ref().map_or(Cells::ZERO, Receiver::buffered)
    }

    /// The receiver of a hop takes a packet of this size.
    pub(super) fn receiver_takes(&mut self, id: HopId, size: Bytes) {
        let bytes = size.0 as u32;
        let hop = self.hop_mut(id);
        let units = hop.started.units.of(bytes);
        if let Some(receiver) = &mut hop.receiver {
            receiver.on_packet(units);
        }
        let (now, held) = (self.now, self.buffered(id));
        let due = self.decider(id).is_some_and(|decider| decider.on_packet(now, bytes, held));
        self.put_credit_in_line(id, due);
    }

    /// The receiver of a hop frees a packet of this size; a credit that falls due is queued at the
    /// reverse port.
    pub(super) fn credit_falls_due(&mut self, id: HopId, size: Bytes) {
        let bytes = size.0 as u32;
        let hop = self.hop_mut(id);
        let units = hop.started.units.of(bytes);
        let mut due = hop.receiver.as_mut().is_some_and(|all| all.on_packet_freed(units));
        let (now, held) = (self.now, self.buffered(id));
        if let Some(decider) = self.decider(id) {
            due = decider.on_freed(now, bytes, held);
        }
        let carried = self.ask_carrier(id, CreditCarrier::on_freed);
        self.put_credit_in_line(id, carried.unwrap_or(due));
    }

    /// A request contains the number of units that its sender has started.
    pub(super) fn check_shared_buffer(&mut self, id: HopId, sent_units: u64) {
        if let Some((shared, member)) = self.shared_buffer_of(id) {
            shared.machine.on_check(member, sent_units);
        }
    }

    /// Requests a credit of the receiver of a hop; if one falls due it is queued at the reverse
    /// port.
    pub(super) fn ask_for_credit(&mut self, id: HopId) {
        let mut due = self.hop_mut(id).receiver.as_mut().is_some_and(Receiver::ask);
        let (now, held) = (self.now, self.buffered(id));
        if let Some(decider) = self.decider(id) {
            due = decider.ask(now, held);
        }
        let carried = self.ask_carrier(id, CreditCarrier::ask);
        self.put_credit_in_line(id, carried.unwrap_or(due));
    }

    fn put_credit_in_line(&mut self, id: HopId, due: bool) {
        let direction = self.hop(id).direction;
        let node = self.spec.to_node(direction);
        if due && self.works_on(node, Task::Credit) {
            self.ask_for_work(node, Task::Credit, Job::Credit(id));
        } else if due {
            self.put_made_credit_in_line(id);
        }
    }

    /// A credit for which the host has worked joins the control line.
    pub(super) fn put_made_credit_in_line(&mut self, id: HopId) {
        let (back, carried) = (self.hop(id).direction.reverse(), self.hop(id).carried);
        let alone = Control::Credit(id);
        let control = carried.map_or(alone, |(group, _)| Control::SharedCredits(group));
        self.port(back).control_line.push_back(control);
    }

    /// The value of the credit of a hop that starts now.
    fn credit_value(&mut self, id: HopId) -> Option<CreditValue> {
        let (now, held) = (self.now, self.buffered(id));
        if let Some(decider) = self.decider(id) {
            return decider.credit_value(now, held);
        }
        self.hop_mut(id).receiver.as_mut().expect("a credit has a receiver").credit_value()
    }

    /// Whether a packet of this size does not fit the shared buffer at which it arrives.
    pub(super) fn shared_buffer_is_full(&mut self, id: HopId, size: Bytes) -> bool {
        let bytes = size.0 as u32;
        let shared = self.shared_buffer_of(id);
        shared.is_some_and(|(shared, member)| shared.machine.lacks_room(member, bytes))
    }

    /// Asserts that a shared buffer is never full when a cell arrives, unless credit cells were
    /// lost or false.
    pub(super) fn assert_shared_buffer_holds(&self, id: HopId) {
        let Some(shared) = &self.shared_buffers[self.hop(id).direction.0] else { return };
        if !shared.members.contains(&id) {
            return;
        }
        let lost = |member: &HopId| {
            let counters = &self.hop(*member).counters;
            counters.credits_corrupted > 0 || counters.credits_falsified > 0
        };
        let over = self.hop(id).counters.overrun_packets > 0;
        assert!(!over || shared.members.iter().any(lost), "overrun of {id:?} at {}", self.now);
    }

    /// The measuring interval of a shared buffer ends.
    pub(super) fn allot(&mut self, direction: DirectionId) {
        let shared =
            self.shared_buffers[direction.0].as_mut().expect("an event of a shared buffer has one");
        let mut due = Vec::new();
        shared.machine.allot(|member| due.push(shared.members[member as usize]));
        let next = self.now.saturating_add(shared.interval);
        for id in due {
            self.put_credit_in_line(id, true);
        }
        self.events.push(next, Event::Allot(direction));
    }

    /// The share of a hop of its shared buffer, in cells; 0 without one.
    pub(super) fn allocation(&self, id: HopId) -> u32 {
        let Some(shared) = &self.shared_buffers[self.hop(id).direction.0] else { return 0 };
        let place = shared.members.iter().position(|member| *member == id);
        place.map_or(0, |member| shared.machine.allocation(member as u32).0)
    }

    /// Asks the carrier of a hop whether a credit cell falls due; `None` if it has none.
    fn ask_carrier(
        &mut self,
        id: HopId,
        ask: impl FnOnce(&mut CreditCarrier, u32) -> bool,
    ) -> Option<bool> {
        let (group, number) = self.hop(id).carried?;
        let back = self.hop(id).direction.reverse();
        Some(ask(&mut self.port(back).carriers.groups[group].machine, number))
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
}
