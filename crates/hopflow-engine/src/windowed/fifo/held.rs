//! How many packets a FIFO-only node and its ports hold, Eq. (3) of `fifo.rs`: what the maximum,
//! the limit of the node and its door ask for.
//!
//! The sum over ports counts packets that have left ports which nobody has looked at since. It is
//! an upper bound, and exact before `sure_until`, so all ports are examined only where it decides.

use super::bounds::half_of;
use super::outputs::Outputs;
use crate::windowed::wire::NEVER;

impl Outputs {
    /// The number of packets that a packet finds at its port at `now` if at least half of a limit
    /// is used, of the port or of the node, else 0.
    #[inline]
    pub(super) fn queued_from_half(&mut self, index: u32, now: u64) -> u32 {
        let port = &mut self.ports[self.hops[index as usize].port as usize];
        let half = half_of(self.limit);
        if port.free <= now || port.held < port.bounds.half() && self.held < half {
            return 0;
        }
        let half_of_port = port.bounds.half();
        let queued = self.queued_at(self.hops[index as usize].port, now);
        if queued >= half_of_port || self.held_at(now) >= half { queued } else { 0 }
    }

    /// The number of packets at a port.
    pub(super) fn queued_at(&mut self, port: u32, now: u64) -> u32 {
        let port = &mut self.ports[port as usize];
        let before = port.held;
        port.expire(&mut self.waits, now);
        self.held = self.held + port.held - before;
        port.held
    }

    /// Whether the node has no room for another packet.
    #[inline(never)]
    pub(super) fn is_full(&mut self, now: u64) -> bool {
        self.held_at(now) >= self.limit
    }

    /// The number of packets at the node.
    fn held_at(&mut self, now: u64) -> u32 {
        if now >= self.sure_until {
            self.recount_held(now);
        }
        self.held
    }

    /// The number of packets at the node may have reached a new maximum at `now`. No counted packet
    /// leaves before `sure_until`.
    #[inline]
    pub(super) fn update_held_max(&mut self, now: u64) {
        if self.held > self.held_max {
            self.held_max = self.held_max.max(self.held_at(now));
        }
    }

    #[inline(never)]
    fn recount_held(&mut self, now: u64) {
        let (mut held, mut sure_until) = (0, NEVER);
        for port in self.ports.iter_mut().filter(|port| port.held > 0) {
            port.expire(&mut self.waits, now);
            held += port.held;
            sure_until = sure_until.min(port.oldest);
        }
        (self.held, self.sure_until) = (held, sure_until);
    }
}
