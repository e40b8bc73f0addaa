//! Lanes: gates that shut all VCs of a priority at a port, and the frames that tell of the buffer
//! at the far end.

use hopflow_units::{Bytes, SimTime};

use super::unit::{Control, HopId, Unit};
use super::{Event, ReferenceEngine};
use crate::embed::lane::{Frame, GateChange, Intakes, LaneTimer, split};
use hopflow_network::{CellKind, DirectionId, TraceEvent};

impl ReferenceEngine {
    /// The first timers.
    pub(super) fn schedule_lanes(&mut self) {
        for id in (0..self.ports.len()).map(DirectionId) {
            let Some(intakes) = &self.ports[id.0].intakes else { continue };
            for (lane, at) in intakes.first_timers() {
                self.events.push(at, Event::Lane(id.reverse(), lane, LaneTimer::Renewal));
            }
        }
    }

    // The gate at the sending end of a hop.

    /// Whether the lane of a hop is shut.
    pub(super) fn is_shut(&self, id: HopId) -> bool {
        let hop = self.hop(id);
        let gates = self.ports[hop.direction.0].gates.as_ref();
        gates.is_some_and(|gates| gates.is_shut(hop.priority))
    }

    /// A packet of a hop starts. Returns whether that shuts its lane.
    pub(super) fn lane_start(&mut self, id: HopId, size: Bytes) -> bool {
        let (now, direction, priority) = (self.now, self.hop(id).direction, self.hop(id).priority);
        let gates = self.port(direction).gates.as_mut();
        gates.is_some_and(|gates| gates.start(priority, size, now))
    }

    /// A lane has been shut or opened: all its VCs at the port, in order. The span until a request
    /// begins again when it opens, as with a credit.
    pub(super) fn consider_lane(&mut self, direction: DirectionId, lane: u8) {
        let now = self.now;
        for id in self.lane_flows(direction, lane) {
            self.consider(id);
            if !self.is_shut(id) {
                self.hop_mut(id).last_credit = now;
            }
        }
    }

    fn lane_flows(&self, direction: DirectionId, lane: u8) -> Vec<HopId> {
        let flows = self.ports[direction.0].flows.iter().copied();
        flows.filter(|id| self.hop(*id).priority == lane).collect()
    }

    /// The watchdog of a port bites: all that waits on a lane goes.
    fn discard_waiting(&mut self, direction: DirectionId, lane: u8) {
        let mut packets = 0;
        for id in self.lane_flows(direction, lane) {
            while self.is_waiting(id) {
                self.push_out_of(direction, self.hop(id).flow);
                packets += 1;
            }
        }
        let gates = self.port(direction).gates.as_mut().expect("a watchdog is of lanes");
        gates.note_discarded(lane, packets);
    }

    // The buffer at the receiving end of a hop.

    /// Whether the lane a packet comes in by has room for it.
    pub(super) fn lane_fits(&self, id: HopId, size: Bytes) -> bool {
        let hop = self.hop(id);
        let intakes = self.ports[hop.direction.0].intakes.as_ref();
        intakes.is_none_or(|intakes| intakes.fits(hop.priority, size))
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
    fn tell_intake(&mut self, id: HopId, what: impl FnOnce(&mut Intakes, u8, SimTime) -> bool) {
        let (now, direction, lane) = (self.now, self.hop(id).direction, self.hop(id).priority);
        let intakes = self.port(direction).intakes.as_mut();
        let due = intakes.is_some_and(|intakes| what(intakes, lane, now));
        self.lane_frame_due(direction, lane, due);
    }

    fn lane_frame_due(&mut self, direction: DirectionId, lane: u8, due: bool) {
        if due {
            self.port(direction.reverse()).control_line.push_back(Control::Lane(lane));
        }
    }

    // Frames.

    /// The frame of a lane that starts on the port `back`; `None` when it is left out.
    pub(super) fn lane_unit(&mut self, back: DirectionId, lane: u8) -> Option<Unit> {
        let (now, direction) = (self.now, back.reverse());
        let intakes = self.port(direction).intakes.take();
        let mut intakes = intakes.expect("the frame is of a lane");
        let frame = intakes.frame(lane, now).map(|frame| {
            match self.port(back).false_credits.of_lane(0, lane) {
                Some(error) => intakes.falsified(frame, error),
                None => frame,
            }
        });
        let renewal = frame.and_then(|_| intakes.renewal(lane));
        self.port(direction).intakes = Some(intakes);
        let Frame { kind, value, tells_fctbs } = frame?;
        if let Some(at) = renewal {
            self.events.push(at, Event::Lane(back, lane, LaneTimer::Renewal));
        }
        let gates = self.port(back).gates.as_ref().filter(|_| tells_fctbs);
        let fctbs = gates.and_then(|gates| gates.fctbs(lane));
        Some(Unit::Lane { kind, value, fctbs })
    }

    /// A frame has come in over `back`, about a lane of the other direction.
    pub(super) fn take_lane(
        &mut self,
        back: DirectionId,
        kind: CellKind,
        value: u32,
        fctbs: Option<u32>,
    ) {
        let (now, direction) = (self.now, back.reverse());
        let (lane, _) = split(value);
        let gates = self.port(direction).gates.as_mut().expect("frames come to ports with lanes");
        let changed = gates.take(value, now);
        let (available, timers) = (gates.available(lane), gates.timers(lane));
        for (timer, at) in timers {
            if let Some(at) = at {
                self.events.push(at, Event::Lane(direction, lane, timer));
            }
        }
        self.row(TraceEvent::Arrived, back, kind, u32::MAX, value, 0, available);
        if let (Some(fctbs), Some(intakes)) = (fctbs, &mut self.port(back).intakes) {
            let due = intakes.check(lane, fctbs, now);
            self.lane_frame_due(back, lane, due);
        }
        if changed {
            self.consider_lane(direction, lane);
        }
    }

    /// A timer of a lane at the port that sends into `direction`.
    pub(super) fn fire_lane(&mut self, direction: DirectionId, lane: u8, timer: LaneTimer) {
        let now = self.now;
        if timer == LaneTimer::Renewal {
            let about = direction.reverse();
            let intakes = self.port(about).intakes.as_mut().expect("the timer is of a lane");
            let (due, again) = intakes.fire(lane, now);
            self.lane_frame_due(about, lane, due);
            if let Some(at) = again {
                self.events.push(at, Event::Lane(direction, lane, timer));
            }
            return;
        }
        let gates = self.port(direction).gates.as_mut().expect("the timer is of a lane");
        let (change, again) = gates.fire(lane, timer, now);
        if let Some(at) = again {
            self.events.push(at, Event::Lane(direction, lane, timer));
        }
        match change {
            GateChange::Nothing => {}
            GateChange::Changed => self.consider_lane(direction, lane),
            GateChange::Discards => self.discard_waiting(direction, lane),
        }
    }
}
