//! Pools: credits of VCs that share memory fall due, are asked for and allotted anew.

use hopflow_control::credit::{CreditPool, CreditValue};

use crate::windowed::state::node::Node;
use crate::windowed::state::port::{Control, Port};
use crate::windowed::state::shared::Pool;
use crate::windowed::state::timers::Timer;
use crate::windowed::wire::NONE;

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
