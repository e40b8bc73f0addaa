//! The buffer at the receiving end of a lane: packets are taken in and freed, and a frame of the
//! lane may fall due. `lane.rs` has the sending end and the frames.

use hopflow_units::{Bytes, SimTime};

use crate::embed::lane::Intakes;
use crate::windowed::state::lane::NO_LANE;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::Control;
use crate::windowed::wire::unit::SIZE_MASK;

/// A size without marks.
pub(super) fn size_of(bytes: u32) -> Bytes {
    Bytes(u64::from(bytes & SIZE_MASK))
}

impl Node {
    pub(super) fn intakes_mut(&mut self, port: u32) -> &mut Intakes {
        let intakes = self.ports[port as usize].intakes_mut();
        intakes.expect("a receiver with a lane comes in by a port with lanes")
    }

    /// Whether the lane a packet comes in by has no room for it.
    pub(super) fn lane_is_full(&self, receiver: u32, bytes: u32) -> bool {
        let receiver = &self.receivers[receiver as usize];
        let (intakes, size) = (self.ports[receiver.port as usize].intakes(), size_of(bytes));
        receiver.lane != NO_LANE
            && intakes.is_some_and(|intakes| !intakes.fits(receiver.lane, size))
    }

    /// A packet is taken in.
    #[cold]
    #[inline(never)]
    pub(super) fn lane_take(&mut self, receiver: u32, bytes: u32, now: u64) {
        self.tell_intake(receiver, |intakes, lane| {
            intakes.take(lane, size_of(bytes), SimTime(now))
        });
    }

    /// A packet that was taken in is gone.
    #[inline]
    pub(super) fn lane_free(&mut self, receiver: u32, bytes: u32, now: u64) {
        self.tell_intake(receiver, |intakes, lane| {
            intakes.free(lane, size_of(bytes), SimTime(now))
        });
    }

    /// A packet came and was gone at once.
    #[cold]
    #[inline(never)]
    pub(super) fn lane_pass(&mut self, receiver: u32, bytes: u32, now: u64) {
        self.tell_intake(receiver, |intakes, lane| {
            intakes.pass(lane, size_of(bytes), SimTime(now))
        });
    }

    /// Something has happened on the lane of a receiver, if it has one (none is at a source).
    /// `what` tells whether a frame falls due.
    fn tell_intake(&mut self, receiver: u32, what: impl FnOnce(&mut Intakes, u16) -> bool) {
        let Some(receiver) = self.receivers.get(receiver as usize) else { return };
        let (port, lane) = (receiver.port, receiver.lane);
        if lane != NO_LANE && what(self.intakes_mut(port), lane) {
            self.put_in_line(port, Control::Lane(lane));
        }
    }
}
