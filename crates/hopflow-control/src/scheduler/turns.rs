//! The flows in order of their turns: one intrusive list, every step O(1). Where classes take turns
//! they are the flows of the list.
//!
//! A flow joins the end of the list when it has a packet and may send, and leaves it only at the
//! front, when it is found there without a packet. So a flow that runs empty and receives its next
//! packet before the port is idle again keeps its place.

use super::backlog::Backlog;

/// No flow.
const NONE: u32 = u32::MAX;
/// The mark of a flow that is not in the list.
const UNLISTED: u32 = u32::MAX - 1;

/// A list of flows, each in it at most once.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    /// The flow after each; [`NONE`] after the last, [`UNLISTED`] for flows not in the list.
    next: Vec<u32>,
    first: u32,
    last: u32,
}

impl Turns {
    pub(super) fn new(flows: usize) -> Turns {
        assert!(flows < UNLISTED as usize, "a port has fewer than 2^32 - 2 flows");
        Turns { next: vec![UNLISTED; flows], first: NONE, last: NONE }
    }

    /// The flow at the front.
    #[inline]
    pub(super) fn first(&self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }

    /// Puts a flow at the end, if it has a packet, may send and is not in the list.
    pub(super) fn join(&mut self, flow: u32, backlog: &Backlog) {
        if self.next[flow as usize] == UNLISTED && backlog.ready(flow).is_some() {
            self.push(flow);
        }
    }

    /// Puts one at the end that has a packet which may start, if it is not in the list.
    pub(super) fn enter(&mut self, flow: u32) {
        if self.next[flow as usize] == UNLISTED {
            self.push(flow);
        }
    }

    fn push(&mut self, flow: u32) {
        self.next[flow as usize] = NONE;
        match self.last {
            NONE => self.first = flow,
            last => self.next[last as usize] = flow,
        }
        self.last = flow;
    }

    /// Removes the flow at the front. Panics when the list is empty.
    pub(super) fn leave(&mut self) -> u32 {
        let flow = self.first;
        assert!(flow != NONE, "a flow leaves an empty list");
        self.first = std::mem::replace(&mut self.next[flow as usize], UNLISTED);
        if self.first == NONE {
            self.last = NONE;
        }
        flow
    }

    /// Moves the flow at the front to the end.
    pub(super) fn rotate(&mut self) {
        let flow = self.leave();
        self.push(flow);
    }
}
