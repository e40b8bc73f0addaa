//! Whether there is room for a packet: at its node, its VC and its output, in memory, and on the
//! lane by which it comes. Schedulers and watchdogs may refuse it, too.

use hopflow_units::SimTime;

use crate::windowed::state::node::Node;
use crate::windowed::state::receiver::Role;
use crate::windowed::state::scheduled::Scheduled;
use crate::windowed::state::sender::VcSender;

impl Node {
    /// Whether a host has no room for a packet that is created there.
    pub(super) fn has_no_room(&self, index: u32, bytes: u32, now: u64) -> bool {
        self.buffered >= self.limits.node
            || self.senders[index as usize].queue.fill() >= self.limits.vc
            || self.limits.asks_port && self.is_refused(index, bytes, now)
    }

    /// Whether a host has no room for `units` units of one packet.
    pub(super) fn lacks_room(&self, index: u32, units: u32, bytes: u32, now: u64) -> bool {
        let queue = &self.senders[index as usize].queue;
        let over = |held: u32, limit: u32| u64::from(held) + u64::from(units) > u64::from(limit);
        let port = &self.ports[queue.port as usize];
        over(self.buffered, self.limits.node)
            || over(queue.fill(), self.limits.vc)
            || over(port.queued, self.limits.port(port.limit))
            || self.memory.is_some() && self.lacks_memory(index, bytes, units)
            || self.limits.asks_port && self.is_refused(index, bytes, now)
    }

    /// Whether the output of a sender has no room for a packet, or its scheduler refuses it.
    #[inline]
    fn is_refused(&self, index: u32, bytes: u32, now: u64) -> bool {
        self.memory.is_some() && self.lacks_memory(index, bytes, 1)
            || self.port_refuses(index, bytes, now)
    }

    /// The same without limits in bytes.
    #[inline(never)]
    fn port_refuses(&self, index: u32, bytes: u32, now: u64) -> bool {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let port = &self.ports[queue.port as usize];
        if port.queued >= self.limits.port(port.limit) || self.is_discarding(index) {
            return true;
        }
        let refuses =
            |scheduled: &Scheduled| scheduled.machine.refuses(circuit.flow, bytes, SimTime(now));
        port.scheduled.as_deref().is_some_and(refuses)
    }

    /// Whether the watchdog of a sender's port discards what joins its queue.
    fn is_discarding(&self, index: u32) -> bool {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let gates = self.ports[queue.port as usize].gates();
        gates.is_some_and(|gates| gates.discards(circuit.lane))
    }

    /// Whether an output of an arriving packet has no room for it or refuses it.
    pub(super) fn is_refused_below(&self, to: u32, bytes: u32, now: u64) -> bool {
        if self.lane_is_full(to, bytes) {
            return true;
        }
        match &self.receivers[to as usize].role {
            Role::Forward(sender) => self.is_refused(*sender, bytes, now),
            Role::Multicast(multicast) => {
                multicast.branches.clone().any(|index| self.is_refused(index, bytes, now))
            }
            Role::Deliver(_) | Role::Acknowledge(_) => false,
        }
    }
}
