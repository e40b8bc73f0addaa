//! (b) Data and ACK cells that arrive at a switch: refused, dropped, or queued for their branches.

use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::receiver::{Held, Role};
use crate::windowed::state::sender::VcSender;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::{RM, SIZE_MASK, Unit, index_of, is_last};
use hopflow_network::TraceEvent;
use hopflow_network::transport::frame_discard::Verdict;

/// The fate of a packet that arrives at a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Taken,
    Refused,
    /// It was an RM cell, whose loop ends here.
    Ended,
}

impl Node {
    #[inline]
    pub(super) fn take_at_switch<const TRACED: bool>(&mut self, unit: Unit, mut arrival: Arrival) {
        let now = arrival.due;
        let mut fate = Fate::Taken;
        if self.limits.asks_port {
            fate = self.fate_of(&mut arrival);
        }
        let receiver = &self.receivers[unit.to as usize];
        if receiver.control.buffered().0 >= receiver.promised {
            self.note_overrun(unit.to, unit.bytes, now);
        }
        let receiver = &mut self.receivers[unit.to as usize];
        if fate != Fate::Taken
            || self.buffered >= self.limits.node
            || receiver.control.buffered().0 >= self.limits.vc
        {
            if fate != Fate::Ended {
                self.drop_at_switch(arrival);
            }
            return;
        }
        receiver.take();
        self.buffered += 1;
        self.buffered_max = self.buffered_max.max(self.buffered);
        let mut cell = Cell { value: unit.value, bytes: arrival.bytes, birth: unit.word };
        if self.limits.has_lanes {
            self.lane_take(unit.to, unit.bytes, now);
        }
        if TRACED {
            let receiver = &self.receivers[unit.to as usize];
            let (vc, fill) = (receiver.vc, receiver.control.buffered().0);
            let credit = self.passing_rate(arrival);
            self.trace_in(TraceEvent::Arrived, arrival, vc, fill, credit);
        }
        if let Role::Forward(sender) = self.receivers[unit.to as usize].role {
            if self.limits.has_markers {
                self.mark_joining(sender, &mut cell.bytes, now);
            }
            self.arena.push(&mut self.senders[sender as usize].queue.cells, cell);
            self.join(sender, unit.bytes, now);
            if self.limits.follows {
                self.follow_up(sender, cell.bytes, now);
            }
        } else {
            self.hold(unit.to, cell, now);
        }
    }

    /// The fate of a packet that arrives at a switch, as decided by its output, its lane, its frame
    /// and rate control.
    #[inline(never)]
    fn fate_of(&mut self, arrival: &mut Arrival) -> Fate {
        if self.limits.has_records && self.record_meets(arrival) {
            return Fate::Ended;
        }
        if self.is_refused_here(*arrival) { Fate::Refused } else { Fate::Taken }
    }

    /// Whether an output of an arriving packet has no room for it or refuses it, or its frame is
    /// dropped.
    fn is_refused_here(&mut self, arrival: Arrival) -> bool {
        let to = index_of(arrival.words);
        let is_refused = self.is_refused_below(to, arrival.bytes & SIZE_MASK, arrival.due);
        let Some(thresholds) = self.limits.frames else { return is_refused };
        let above = self.is_above_fills(to, arrival.bytes);
        let receiver = &mut self.receivers[to as usize];
        if arrival.bytes & RM != 0 {
            return is_refused;
        }
        let held = [self.buffered, receiver.control.buffered().0];
        let Some(frame) = receiver.frame_mut() else { return is_refused };
        let full = held[0] >= self.limits.node || held[1] >= self.limits.vc;
        let above = held[0] >= thresholds[0] || held[1] >= thresholds[1] || above;
        let is_last = is_last(arrival.bytes);
        frame.on_cell(is_last, is_refused || full, above) == Verdict::Drop
    }

    /// A cell is held for all branches.
    fn hold(&mut self, receiver: u32, cell: Cell, now: u64) {
        let multicast = self.multicast_mut(receiver);
        multicast.settle(now);
        let branches = multicast.branches.clone();
        multicast.held.push_back(Held { cell, remaining: branches.len() as u32 });
        self.memory_hold(receiver, cell.bytes);
        for index in branches {
            if self.limits.has_markers {
                // A VC that can be marked has no branches.
                let mut bytes = cell.bytes;
                self.mark_joining(index, &mut bytes, now);
            }
            // The position of the next cell is computed from `waiting`: one branch at a time, but a
            // branch that has joined never reads the state of another.
            self.join(index, cell.bytes & SIZE_MASK, now);
            self.memory_join(index, cell.bytes);
            if self.limits.has_records {
                self.join_with_record(index, cell.bytes, now);
            }
            let VcSender { queue, circuit } = &mut self.senders[index as usize];
            if queue.waiting == 1 && !queue.transmitting {
                if let Some(cold) = &mut circuit.cold {
                    cold.held_since = now;
                }
                self.arm_give_up(index, now);
            }
        }
        self.give_up_held(receiver, now);
    }
}
