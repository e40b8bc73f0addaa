//! Branches that have held a multicast VC too long lose cells.

use crate::windowed::state::node::Node;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::timers::Timer;
use hopflow_network::{CellKind, TraceEvent};

impl Node {
    /// Sets the timer of a branch that now has a next cell and none in transmission.
    pub(super) fn arm_give_up(&mut self, index: u32, now: u64) {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let Some(cold) = &circuit.cold else { return };
        let Some(span) = cold.give_up_after else { return };
        if queue.waiting > 0 && !queue.transmitting && !cold.given_up {
            self.timers.set(now.saturating_add(span), Timer::GiveUp(index));
        }
    }

    /// A give-up timer fires: the branch is given up if it has waited its whole span.
    pub(super) fn fire_give_up(&mut self, index: u32, now: u64) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let (waiting, transmitting, receiver) = (queue.waiting, queue.transmitting, queue.receiver);
        let Some(cold) = &mut circuit.cold else { return };
        let Some(span) = cold.give_up_after else { return };
        let due = cold.held_since.saturating_add(span) == now;
        if due && waiting > 0 && !transmitting && !cold.given_up {
            cold.given_up = true;
            self.give_up_held(receiver, now);
        }
    }

    /// Drops the oldest held cells that only given-up branches still have to send.
    pub(super) fn give_up_held(&mut self, receiver: u32, now: u64) {
        while self.only_given_up_hold(receiver) {
            let branches = self.multicast(receiver).branches.clone();
            let held = self.multicast(receiver).held.len() as u32;
            for index in branches {
                if self.senders[index as usize].queue.fill() == held {
                    self.drop_for(index, receiver, now);
                }
            }
            self.free_finished(receiver, now);
        }
    }

    /// Whether the oldest held cell waits only for branches that are given up, and another branch
    /// is not given up.
    fn only_given_up_hold(&self, receiver: u32) -> bool {
        let multicast = self.multicast(receiver);
        let held = multicast.held.len() as u32;
        if held == 0 {
            return false;
        }
        let mut others = false;
        for index in multicast.branches.clone() {
            let VcSender { queue, circuit } = &self.senders[index as usize];
            let given_up = circuit.cold.as_ref().is_some_and(|cold| cold.given_up);
            others |= !given_up;
            // The fill of a branch that has not finished the oldest cell equals `held`.
            if queue.fill() == held && (!given_up || queue.transmitting) {
                return false;
            }
        }
        others
    }

    /// The oldest held cell is dropped for one branch.
    fn drop_for(&mut self, index: u32, receiver: u32, now: u64) {
        let multicast = self.multicast_mut(receiver);
        let front = &mut multicast.held[0];
        front.remaining -= 1;
        let (value, bytes) = (front.cell.value, front.cell.bytes);
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        queue.waiting -= 1;
        queue.fill_down(circuit, now);
        if let Some(cold) = &mut circuit.cold {
            cold.given_up_packets += 1;
            cold.held_since = now;
        }
        let (port, flow) = (queue.port, circuit.flow);
        self.ports[port as usize].queue_down(now);
        self.mark_gone(port, bytes);
        self.memory_leave(index, bytes);
        if let Some(scheduled) = &mut self.ports[port as usize].scheduled {
            scheduled.machine.drop_first(flow);
        }
        self.trace_of(TraceEvent::Dropped, index, CellKind::Data, value, now);
        self.refresh(index, now);
    }
}
