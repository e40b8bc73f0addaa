//! Lanes: gates that shut all VCs of a lane at a port, and the frames that tell of the buffer
//! at the far end, which is in `intake.rs`.

use hopflow_units::Bytes;

use super::unit::{HopId, Unit};
use super::{Event, ReferenceEngine};
use crate::embed::lane::{Frame, GateChange, LaneTimer};
use hopflow_network::{CellKind, DirectionId, LaneKey, TraceEvent};

impl ReferenceEngine {
    /// A packet of a hop starts. Returns whether that shuts its lane.
    pub(super) fn lane_start(&mut self, id: HopId, size: Bytes) -> bool {
        let (now, direction) = (self.now, self.hop(id).direction);
        let Some(lane) = self.hop(id).lane else { return false };
        self.port(direction).last_of_lanes.insert(lane, id);
        let gates = self.port(direction).gates.as_mut();
        gates.is_some_and(|gates| gates.start(lane, size, now))
    }

    /// A lane has been shut or opened: all its VCs at the port, in order or, per destination, from
    /// the one after that which started last. The span until a request
    /// begins again when it opens, as with a credit.
    pub(super) fn consider_lane(&mut self, direction: DirectionId, lane: u16) {
        let now = self.now;
        let mut flows = self.lane_flows(direction, lane);
        if self.takes_turns(direction) {
            let last = self.ports[direction.0].last_of_lanes.get(&lane);
            let place = flows.iter().position(|id| Some(id) == last);
            flows.rotate_left(place.map_or(0, |place| place + 1));
        }
        for id in flows {
            self.consider(id);
            if !self.is_shut(id) {
                self.hop_mut(id).last_credit = now;
            }
        }
    }

    /// Whether VCs of a lane take turns beyond the time in which it is shut.
    fn takes_turns(&self, direction: DirectionId) -> bool {
        let lanes = self.spec.direction(direction).lanes;
        lanes.is_some_and(|lanes| lanes.per == LaneKey::Destination)
    }

    fn lane_flows(&self, direction: DirectionId, lane: u16) -> Vec<HopId> {
        let flows = self.ports[direction.0].flows.iter().copied();
        flows.filter(|id| self.hop(*id).lane == Some(lane)).collect()
    }

    /// The watchdog of a port bites: all that waits on a lane goes.
    fn discard_waiting(&mut self, direction: DirectionId, lane: u16) {
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

    /// The frame of a lane that starts on the port `back`; `None` when it is left out.
    pub(super) fn lane_unit(&mut self, back: DirectionId, lane: u16) -> Option<Unit> {
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
        let Frame { kind, value, tells_fctbs, .. } = frame?;
        if let Some(at) = renewal {
            self.events.push(at, Event::Lane(back, lane, LaneTimer::Renewal));
        }
        let gates = self.port(back).gates.as_ref().filter(|_| tells_fctbs);
        let fctbs = gates.and_then(|gates| gates.fctbs(lane));
        Some(Unit::Lane { kind, lane, value, fctbs })
    }

    /// A frame has come in over `back`, about a lane of the other direction.
    pub(super) fn take_lane(
        &mut self,
        back: DirectionId,
        (kind, lane): (CellKind, u16),
        value: u32,
        fctbs: Option<u32>,
    ) {
        let (now, direction) = (self.now, back.reverse());
        let gates = self.port(direction).gates.as_mut().expect("frames come to ports with lanes");
        let changed = gates.take(lane, value, now);
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
    pub(super) fn fire_lane(&mut self, direction: DirectionId, lane: u16, timer: LaneTimer) {
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
