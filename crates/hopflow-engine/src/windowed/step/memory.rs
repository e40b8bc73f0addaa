//! Bytes of memory, where a limit of the node counts them: packets that join, leave or are lost.
//!
//! Every packet is reported to the memory, as to markers. Where no limit is in bytes there is none,
//! and each of these costs one test, on the general path alone.

use hopflow_control::credit::Grant;

use crate::windowed::state::lane::NO_LANE;
use crate::windowed::state::memory::{Class, Part};
use crate::windowed::state::node::Node;
use crate::windowed::state::queue::Queue;
use crate::windowed::wire::NONE;

/// The part of a VC that a sender belongs to.
const fn part_of(queue: &Queue, index: u32) -> Part {
    Part { receiver: queue.receiver, sender: index }
}

/// The class queue of a sender.
const fn class_of(queue: &Queue) -> Class {
    Class { port: queue.port, priority: queue.priority }
}

/// The part of a VC that branches at its receiver.
const fn of_receiver(receiver: u32) -> Part {
    Part { receiver, sender: 0 }
}

impl Node {
    /// A packet of a sender, of this size with or without marks, is held and has joined its queue.
    #[inline]
    pub(super) fn memory_take(&mut self, index: u32, bytes: u32) {
        if self.memory.is_some() {
            self.take_memory(index, bytes);
        }
    }

    #[cold]
    #[inline(never)]
    fn take_memory(&mut self, index: u32, bytes: u32) {
        let Some(memory) = &mut self.memory else { return };
        let queue = &self.senders[index as usize].queue;
        memory.hold(part_of(queue, index), bytes);
        memory.join(class_of(queue), bytes);
    }

    /// A packet of a sender has left its queue and the node, or was lost.
    #[inline]
    pub(super) fn memory_free(&mut self, index: u32, bytes: u32) {
        if self.memory.is_some() {
            self.free_memory(index, bytes);
        }
    }

    #[cold]
    #[inline(never)]
    fn free_memory(&mut self, index: u32, bytes: u32) {
        let Some(memory) = &mut self.memory else { return };
        let queue = &self.senders[index as usize].queue;
        memory.leave(class_of(queue), bytes);
        memory.free(part_of(queue, index), bytes);
    }

    /// A packet is held for all branches.
    #[inline]
    pub(super) fn memory_hold(&mut self, receiver: u32, bytes: u32) {
        if let Some(memory) = &mut self.memory {
            memory.hold(of_receiver(receiver), bytes);
        }
    }

    /// A packet that was held for all branches is gone.
    #[inline]
    pub(super) fn memory_finish(&mut self, receiver: u32, bytes: u32) {
        if let Some(memory) = &mut self.memory {
            memory.free(of_receiver(receiver), bytes);
        }
    }

    /// A held packet has joined the queue of a branch.
    #[inline]
    pub(super) fn memory_join(&mut self, index: u32, bytes: u32) {
        if let Some(memory) = &mut self.memory {
            memory.join(class_of(&self.senders[index as usize].queue), bytes);
        }
    }

    /// A branch has sent a held packet, or was given up.
    #[inline]
    pub(super) fn memory_leave(&mut self, index: u32, bytes: u32) {
        if let Some(memory) = &mut self.memory {
            memory.leave(class_of(&self.senders[index as usize].queue), bytes);
        }
    }

    /// Whether there is no memory for `units` units of one packet that is created for a sender, or
    /// arrives for it.
    #[cold]
    #[inline(never)]
    pub(super) fn lacks_memory(&self, index: u32, bytes: u32, units: u32) -> bool {
        let Some(memory) = &self.memory else { return false };
        let queue = &self.senders[index as usize].queue;
        let to = class_of(queue);
        memory.lacks(part_of(queue, index), to, bytes, units)
            || memory.is_above_threshold(to, bytes, units) && !self.is_promised(queue)
    }

    /// Whether credit or a lane holds the packets of a sender on the link by which they come.
    fn is_promised(&self, queue: &Queue) -> bool {
        if queue.receiver == NONE {
            return false;
        }
        let receiver = &self.receivers[queue.receiver as usize];
        receiver.control.grant() != Grant::Nothing || receiver.lane != NO_LANE
    }

    /// The same by the limit of the VC alone.
    #[inline]
    pub(super) fn lacks_memory_of_vc(&self, index: u32, bytes: u32, units: u32) -> bool {
        let Some(memory) = &self.memory else { return false };
        let queue = &self.senders[index as usize].queue;
        memory.lacks_of_vc(part_of(queue, index), bytes, units)
    }

    /// Whether a frame that begins with a cell of this size for a receiver begins above a fill.
    #[inline]
    pub(super) fn is_above_fills(&self, receiver: u32, bytes: u32) -> bool {
        let memory = self.memory.as_ref();
        memory.is_some_and(|memory| memory.is_above_fills(of_receiver(receiver), bytes))
    }
}
