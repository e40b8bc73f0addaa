//! Which senders may start and which are blocked: only this file puts a sender on the list of its
//! port.

use hopflow_control::credit::Permission;
use hopflow_units::SimTime;

use crate::windowed::state::node::Node;
use crate::windowed::state::receiver::{Multicast, Role};
use crate::windowed::state::timers::Timer;

impl Node {
    /// Updates a sender after anything that may have changed whether it can send: lists it when it
    /// is eligible, arms its timer when it will be, and keeps its blocked time. The usual cases,
    /// nothing to send or free to send, are inlined.
    #[inline]
    pub(super) fn refresh(&mut self, index: u32, now: u64) {
        let sender = &self.senders[index as usize];
        if sender.is_blocked || sender.has_cell() && !sender.is_free_to_send() {
            return self.refresh_other(index, now);
        }
        if sender.has_cell() && !sender.listed {
            self.list(index, now);
        }
    }

    #[inline(never)]
    pub(super) fn refresh_other(&mut self, index: u32, now: u64) {
        let sender = &self.senders[index as usize];
        let was_blocked = sender.is_blocked;
        if !sender.has_cell() {
            if was_blocked {
                self.set_blocked(index, now, false);
            }
            return;
        }
        let transmitting = sender.transmitting;
        let permission = self.permission(index, now);
        let blocked = !transmitting && permission != Permission::Now;
        if blocked != was_blocked {
            self.set_blocked(index, now, blocked);
        }
        match permission {
            Permission::Now if !self.senders[index as usize].listed => self.list(index, now),
            Permission::At(at) => self.arm(index, at),
            Permission::Now | Permission::Blocked => {}
        }
    }

    /// Whether the next cell of a sender that has one may start at `now`.
    pub(super) fn permission(&self, index: u32, now: u64) -> Permission {
        let sender = &self.senders[index as usize];
        if sender.held_by != 0 && self.is_held(index) {
            return Permission::Blocked;
        }
        sender.permission(now)
    }

    /// Whether a sender is held by other branches, by its lane, or by its pacer.
    #[cold]
    #[inline(never)]
    fn is_held(&self, index: u32) -> bool {
        let sender = &self.senders[index as usize];
        sender.is_branch() && self.is_too_far_ahead(index)
            || self.is_shut(index)
            || sender.lacks_turn()
    }

    /// Whether a branch must wait for slower ones.
    fn is_too_far_ahead(&self, index: u32) -> bool {
        let sender = &self.senders[index as usize];
        let multicast = self.multicast(sender.receiver);
        let limit = multicast.run_ahead.unwrap_or(u32::MAX);
        multicast.next_position(sender.waiting) as u64 > u64::from(limit)
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

    /// Puts a sender that is on no list on the list of its port.
    fn list(&mut self, index: u32, now: u64) {
        let port = self.senders[index as usize].port;
        self.ports[port as usize].list(&mut self.senders, index, now);
        self.touch(port);
    }

    fn arm(&mut self, index: u32, at: SimTime) {
        let sender = &mut self.senders[index as usize];
        if sender.arm(at.0) {
            self.timers.set(at.0, Timer::Eligible(index));
        }
    }

    fn set_blocked(&mut self, index: u32, now: u64, blocked: bool) {
        if self.senders[index as usize].set_blocked(now, blocked) {
            self.count_request_from(index, now);
        }
    }

    /// The span until a sender's next request begins now, if it is or becomes blocked.
    #[inline]
    pub(super) fn count_request_from(&mut self, index: u32, now: u64) {
        let sender = &mut self.senders[index as usize];
        let Some(cold) = &mut sender.cold else { return };
        let Some(span) = cold.request_after else { return };
        cold.request_from = now;
        self.timers.set(now.saturating_add(span), Timer::Request(index));
    }
}
