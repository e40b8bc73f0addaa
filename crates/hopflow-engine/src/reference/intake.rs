//! The buffer at the receiving end of a lane: packets are taken in and freed, and a frame of the
//! lane may fall due. `lane.rs` has the sending end and the frames.

use hopflow_units::{Bytes, SimTime};

use super::ReferenceEngine;
use super::unit::{Control, HopId};
use crate::embed::lane::Intakes;
use hopflow_network::DirectionId;

impl ReferenceEngine {
    /// Whether the lane a packet comes in by has room for it.
    pub(super) fn lane_fits(&self, id: HopId, size: Bytes) -> bool {
        let hop = self.hop(id);
        let intakes = self.ports[hop.direction.0].intakes.as_deref();
        let fits = |(intakes, lane): (&Intakes, u16)| intakes.fits(lane, size);
        intakes.zip(hop.lane).is_none_or(fits)
    }

    /// A packet of a hop is taken in.
    pub(super) fn lane_take(&mut self, id: HopId, size: Bytes) {
        self.tell_intake(id, |intakes, lane, now| intakes.take(lane, size, now));
    }

    /// A packet that was taken in is gone.
    pub(super) fn lane_free(&mut self, id: HopId, size: Bytes) {
        self.tell_intake(id, |intakes, lane, now| intakes.free(lane, size, now));
    }

    /// A packet of a hop came and was gone at once.
    pub(super) fn lane_pass(&mut self, id: HopId, size: Bytes) {
        self.tell_intake(id, |intakes, lane, now| intakes.pass(lane, size, now));
    }

    /// Something has happened at the far end of a hop. `what` tells whether a frame falls due.
    fn tell_intake(&mut self, id: HopId, what: impl FnOnce(&mut Intakes, u16, SimTime) -> bool) {
        let (now, direction) = (self.now, self.hop(id).direction);
        let Some(lane) = self.hop(id).lane else { return };
        let intakes = self.port(direction).intakes.as_mut();
        let due = intakes.is_some_and(|intakes| what(intakes, lane, now));
        self.lane_frame_due(direction, lane, due);
    }

    pub(super) fn lane_frame_due(&mut self, direction: DirectionId, lane: u16, due: bool) {
        if due {
            self.port(direction.reverse()).control_line.push_back(Control::Lane(lane));
        }
    }
}
