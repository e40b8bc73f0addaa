//! Shared buffers: credits of VCs that share memory fall due, are requested and are reallocated.

use hopflow_control::credit::{CreditPool, CreditValue};

use crate::windowed::state::node::Node;
use crate::windowed::state::port::{Control, Port};
use crate::windowed::state::shared_buffer::SharedBuffer;
use crate::windowed::state::timers::Timer;
use crate::windowed::wire::NONE;

impl Node {
    /// The shared buffer of a receiver, and the receiver's number there.
    fn shared_buffer_of(&mut self, receiver: u32) -> (&mut CreditPool, u32) {
        let vc = &self.receivers[receiver as usize];
        let (port, member) = (vc.port, vc.member);
        (&mut shared_buffer_mut(&mut self.ports[port as usize]).machine, member)
    }

    /// A cell arrives at a switch for a receiver that holds at least as many as it promised room
    /// for, or for one that uses a shared buffer.
    #[inline(never)]
    pub(super) fn note_overrun(&mut self, receiver: u32) {
        let shares = self.receivers[receiver as usize].member != NONE;
        let over = !shares || {
            let (shared, member) = self.shared_buffer_of(receiver);
            shared.on_cell(member)
        };
        if over {
            self.receivers[receiver as usize].cold_mut().overrun_packets += 1;
        }
    }

    /// A receiver has freed a cell: a credit falls due, unless its shared buffer decides otherwise.
    pub(super) fn credit_due(&mut self, receiver: u32) {
        let vc = &self.receivers[receiver as usize];
        let port = vc.port;
        if vc.member != NONE {
            let (shared, member) = self.shared_buffer_of(receiver);
            if !shared.on_freed(member) {
                return;
            }
        }
        self.put_in_line(port, Control::Credit(receiver));
    }

    /// The same at a final host, where the cell has arrived at the same instant.
    pub(super) fn credit_due_at_host(&mut self, receiver: u32) {
        if self.receivers[receiver as usize].member != NONE {
            let (shared, member) = self.shared_buffer_of(receiver);
            shared.on_cell(member);
        }
        self.credit_due(receiver);
    }

    /// A request contains the number of cells that its sender has started.
    pub(super) fn check_shared_buffer(&mut self, receiver: u32, sent_packets: u64) {
        if self.receivers[receiver as usize].member != NONE {
            let (shared, member) = self.shared_buffer_of(receiver);
            shared.on_check(member, sent_packets);
        }
    }

    /// Requests a credit of a receiver, which is queued if none is waiting.
    pub(super) fn ask_for_credit(&mut self, receiver: u32) {
        let vc = &mut self.receivers[receiver as usize];
        let port = vc.port;
        let mut asked = vc.control.ask();
        if vc.member != NONE {
            let (shared, member) = self.shared_buffer_of(receiver);
            asked = shared.ask(member);
        }
        if asked {
            self.put_in_line(port, Control::Credit(receiver));
        }
    }

    /// The value of the credit of a receiver that starts now.
    pub(super) fn credit_value(&mut self, receiver: u32) -> Option<CreditValue> {
        let vc = &mut self.receivers[receiver as usize];
        if vc.member == NONE {
            return vc.control.credit_value();
        }
        let (shared, member) = self.shared_buffer_of(receiver);
        shared.credit_value(member)
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
        machine.allot(|member| line.push_back(Control::Credit(receivers[member as usize])));
        self.timers.set(now.saturating_add(*interval), Timer::SharedBuffer(port));
        if !self.ports[port as usize].control.is_empty() {
            self.touch(port);
        }
    }
}

fn shared_buffer_mut(port: &mut Port) -> &mut SharedBuffer {
    port.shared_buffer.as_deref_mut().expect("a receiver that shares has a pool at its port")
}
