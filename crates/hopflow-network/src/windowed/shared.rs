//! Pools: the memory that VCs under adaptive credit share at the receiving end of a link.

use hopflow_control::credit::{CreditPool, CreditValue};
use hopflow_units::Cells;

use super::node::{Node, NodeParts};
use super::port::{Control, Port};
use super::sender::NONE;
use super::timers::Timer;
use crate::counters::PoolCounters;
use crate::{DirectionId, NetworkSpec};

/// The pool of VCs that come in by one port.
#[derive(Debug)]
pub(super) struct Pool {
    machine: CreditPool,
    /// Receivers at this node, by member.
    receivers: Vec<u32>,
    /// The measuring interval, in ps.
    interval: u64,
}

impl Pool {
    /// The pool of a link direction, `None` if nobody shares it.
    pub(super) fn new(
        spec: &NetworkSpec,
        direction: DirectionId,
        members: &[(usize, usize)],
    ) -> Option<Box<Pool>> {
        let pool = spec.direction(direction).pool?;
        let n2: Vec<Cells> = members
            .iter()
            .filter_map(|&(vc, hop)| spec.vcs[vc].hops[hop].adaptive())
            .map(|c| c.n2)
            .collect();
        if n2.is_empty() {
            return None;
        }
        let machine = CreditPool::new(pool.memory, &n2);
        let receivers = Vec::with_capacity(n2.len());
        Some(Box::new(Pool { machine, receivers, interval: pool.interval.0 }))
    }

    /// Adds the receiver of the next member. Returns its number.
    pub(super) fn join(&mut self, receiver: u32) -> u32 {
        self.receivers.push(receiver);
        self.receivers.len() as u32 - 1
    }

    pub(super) fn restart(&mut self) {
        self.machine.restart();
    }

    pub(super) fn allocation(&self, member: u32) -> u32 {
        self.machine.allocation(member).0
    }

    pub(super) fn read(&self) -> PoolCounters {
        PoolCounters {
            held_cells: self.machine.held().0,
            held_max_cells: self.machine.held_max().0,
        }
    }
}

impl NodeParts {
    /// Sets the ends of the first measuring intervals.
    pub(super) fn set_pool_timers(&mut self) {
        for (port, parts) in (0_u32..).zip(&self.ports) {
            if let Some(pool) = &parts.pool {
                self.timers.set(pool.interval, Timer::Pool(port));
            }
        }
    }
}

impl Node {
    /// The pool that a receiver shares, and its number there.
    fn pool_of(&mut self, receiver: u32) -> (&mut CreditPool, u32) {
        let vc = &self.receivers[receiver as usize];
        let (port, member) = (vc.port, vc.member);
        (&mut pool_mut(&mut self.ports[port as usize]).machine, member)
    }

    /// A cell comes in at a switch for a receiver with at least as many as it promised room for,
    /// or for one that shares a pool.
    #[inline(never)]
    pub(super) fn note_overrun(&mut self, receiver: u32) {
        let shares = self.receivers[receiver as usize].member != NONE;
        let over = !shares || {
            let (pool, member) = self.pool_of(receiver);
            pool.on_cell(member)
        };
        if over {
            self.receivers[receiver as usize].rare_mut().overrun_packets += 1;
        }
    }

    /// A receiver has freed a cell and says so: a credit falls due, unless its pool knows better.
    pub(super) fn credit_due(&mut self, receiver: u32) {
        let vc = &self.receivers[receiver as usize];
        let port = vc.port;
        if vc.member != NONE {
            let (pool, member) = self.pool_of(receiver);
            if !pool.on_freed(member) {
                return;
            }
        }
        self.put_in_line(port, Control::Credit(receiver));
    }

    /// The same at a final host, where the cell has come at the same moment.
    pub(super) fn credit_due_at_host(&mut self, receiver: u32) {
        if self.receivers[receiver as usize].member != NONE {
            let (pool, member) = self.pool_of(receiver);
            pool.on_cell(member);
        }
        self.credit_due(receiver);
    }

    /// A request tells how many cells its sender has started.
    pub(super) fn check_pool(&mut self, receiver: u32, sent_packets: u64) {
        if self.receivers[receiver as usize].member != NONE {
            let (pool, member) = self.pool_of(receiver);
            pool.on_check(member, sent_packets);
        }
    }

    /// Asks a receiver for a credit, which joins the line if none is waiting.
    pub(super) fn ask_for_credit(&mut self, receiver: u32) {
        let vc = &mut self.receivers[receiver as usize];
        let port = vc.port;
        let mut asked = vc.control.ask();
        if vc.member != NONE {
            let (pool, member) = self.pool_of(receiver);
            asked = pool.ask(member);
        }
        if asked {
            self.put_in_line(port, Control::Credit(receiver));
        }
    }

    /// What the credit of a receiver that starts now carries.
    pub(super) fn credit_value(&mut self, receiver: u32) -> Option<CreditValue> {
        let vc = &mut self.receivers[receiver as usize];
        if vc.member == NONE {
            return vc.control.credit_value();
        }
        let (pool, member) = self.pool_of(receiver);
        pool.credit_value(member)
    }

    /// The measuring interval of the pool at a port ends.
    pub(super) fn fire_pool(&mut self, port: u32, now: u64) {
        let in_port = &mut self.ports[port as usize];
        let line = &mut in_port.control;
        let Some(Pool { machine, receivers, interval }) = in_port.pool.as_deref_mut() else {
            return;
        };
        machine.allot(|member| line.push_back(Control::Credit(receivers[member as usize])));
        self.timers.set(now.saturating_add(*interval), Timer::Pool(port));
        if !self.ports[port as usize].control.is_empty() {
            self.touch(port);
        }
    }
}

fn pool_mut(port: &mut Port) -> &mut Pool {
    port.pool.as_deref_mut().expect("a receiver that shares has a pool at its port")
}
