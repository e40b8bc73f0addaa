//! Which senders may start and which are blocked, by credit, window, branches, lane or pacer: only
//! this file puts a sender on the list of its port.

use hopflow_control::credit::Permission;
use hopflow_units::SimTime;

use crate::windowed::state::node::Node;
use crate::windowed::state::receiver::{Multicast, Role};
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::timers::Timer;

impl Node {
    /// Updates a sender after anything that may have changed whether it can send: lists it when it
    /// is eligible, arms its timer when it will be, and keeps its blocked time. The usual cases,
    /// nothing to send or free to send, are inlined.
    #[inline]
    pub(super) fn refresh(&mut self, index: u32, now: u64) {
        let queue = &self.senders[index as usize].queue;
        if queue.is_blocked() || queue.has_cell() && !queue.is_free_to_send() {
            return self.refresh_other(index, now);
        }
        if queue.has_cell() && !queue.listed {
            self.list(index, now);
        }
    }

    #[inline(never)]
    pub(super) fn refresh_other(&mut self, index: u32, now: u64) {
        let queue = &self.senders[index as usize].queue;
        let was_blocked = queue.is_blocked();
        if !queue.has_cell() {
            if was_blocked {
                self.set_blocked(index, now, false);
            }
            return;
        }
        let transmitting = queue.transmitting;
        let permission = self.permission(index, now);
        let blocked = !transmitting && permission != Permission::Now;
        if blocked != was_blocked {
            self.set_blocked(index, now, blocked);
        }
        match permission {
            Permission::Now if !self.senders[index as usize].queue.listed => self.list(index, now),
            Permission::At(at) => self.arm(index, at),
            Permission::Now | Permission::Blocked => {}
        }
    }

    /// Whether the next cell of a sender that has one may start at `now`.
    pub(super) fn permission(&self, index: u32, now: u64) -> Permission {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        if queue.held_by != 0 && self.is_held(index) {
            return Permission::Blocked;
        }
        queue.permission(circuit, now)
    }

    /// Whether a sender is held by other branches, by its lane, or by its pacer.
    #[cold]
    #[inline(never)]
    fn is_held(&self, index: u32) -> bool {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        queue.is_branch() && self.is_too_far_ahead(index) || queue.is_shut() || circuit.lacks_turn()
    }

    /// Whether a branch must wait for slower ones.
    fn is_too_far_ahead(&self, index: u32) -> bool {
        let queue = &self.senders[index as usize].queue;
        let multicast = self.multicast(queue.receiver);
        let limit = multicast.run_ahead.unwrap_or(u32::MAX);
        multicast.next_position(queue.waiting) as u64 > u64::from(limit)
    }

    /// The held cells of a receiver that feeds branches.
    pub(super) fn multicast(&self, receiver: u32) -> &Multicast {
        match &self.receivers[receiver as usize].role {
            Role::Multicast(multicast) => multicast,
            role => panic!("a branch is fed by {role:?}"),
        }
    }

    /// The same, mutable.
    pub(super) fn multicast_mut(&mut self, receiver: u32) -> &mut Multicast {
        match &mut self.receivers[receiver as usize].role {
            Role::Multicast(multicast) => multicast,
            role => panic!("a branch is fed by {role:?}"),
        }
    }

    /// Puts a queue that is on no list on the list of its port, or reports it to the scheduler.
    fn list(&mut self, index: u32, now: u64) {
        let Node { senders, ports, .. } = self;
        let VcSender { queue, circuit } = &mut senders[index as usize];
        let number = queue.port;
        let port = &mut ports[number as usize];
        if let Some(scheduled) = &mut port.scheduled {
            queue.listed = true;
            scheduled.machine.permit(circuit.flow, SimTime(now));
        } else {
            port.list_in_turn(senders, index);
        }
        self.touch(number);
    }

    fn arm(&mut self, index: u32, at: SimTime) {
        let circuit = &mut self.senders[index as usize].circuit;
        if circuit.arm(at.0) {
            self.timers.set(at.0, Timer::Eligible(index));
        }
    }

    fn set_blocked(&mut self, index: u32, now: u64, blocked: bool) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        if queue.set_blocked(circuit, blocked, now) {
            self.count_request_from(index, now);
        }
    }

    /// The span until a sender's next request begins now, if it is or becomes blocked.
    #[inline]
    pub(super) fn count_request_from(&mut self, index: u32, now: u64) {
        let circuit = &mut self.senders[index as usize].circuit;
        let Some(cold) = &mut circuit.cold else { return };
        let Some(span) = cold.request_after else { return };
        cold.request_from = now;
        self.timers.set(now.saturating_add(span), Timer::Request(index));
    }
}
