//! Lanes: gates that shut all VCs of a priority at a port, and the frames that tell of the buffer
//! at the far end, which is in `intake.rs`.

use hopflow_units::SimTime;

use super::intake::size_of;
use crate::embed::lane::{Frame, GateChange, Gates, LaneTimer, split};
use crate::windowed::state::lane::lane_index;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::Control;
use crate::windowed::state::timers::Timer;
use crate::windowed::state::tracer::Levels;
use crate::windowed::wire::NONE;
use crate::windowed::wire::arrival::Arrival;
use hopflow_network::{CellKind, LANES, TraceEvent};

/// In a lane credit, where the way back has no lane credits.
const NO_TOTAL: u64 = u64::MAX;

impl Node {
    fn gates_mut(&mut self, port: u32) -> &mut Gates {
        let lanes = self.ports[port as usize].lanes.as_mut();
        let gates = lanes.and_then(|lanes| lanes.gates.as_mut());
        gates.expect("frames come to ports with lanes")
    }

    /// A packet of a sender starts: its size is kept, and the gate of its lane records it.
    #[inline]
    pub(super) fn lane_start(&mut self, index: u32, bytes: u32, now: u64) {
        let queue = &self.senders[index as usize].queue;
        let port = &mut self.ports[queue.port as usize];
        port.bytes = bytes;
        let Some(lanes) = &mut port.lanes else { return };
        let Some(gates) = &mut lanes.gates else { return };
        let lane = queue.priority;
        if gates.start(lane, size_of(bytes), SimTime(now)) {
            let port = queue.port;
            self.set_gate(port, lane);
        }
    }

    /// A gate was shut or opened: its senders know it before any of them is looked at.
    #[cold]
    #[inline(never)]
    fn set_gate(&mut self, port: u32, lane: u8) {
        let Node { ports, senders, .. } = self;
        let Some(lanes) = &ports[port as usize].lanes else { return };
        let Some(gates) = &lanes.gates else { return };
        let is_shut = gates.is_shut(lane);
        for index in &lanes.senders[lane as usize] {
            senders[*index as usize].queue.set_shut(is_shut);
        }
    }

    /// Starts the frame of a lane, if it has something to say.
    #[cold]
    #[inline(never)]
    pub(super) fn start_lane(&mut self, lane: u8, port: u32, now: u64) -> bool {
        let intakes = self.intakes_mut(port);
        let Some(mut frame) = intakes.frame(lane, SimTime(now)) else { return false };
        if let Some(error) = self.false_credits.of_lane(port, lane) {
            frame = self.intakes_mut(port).falsified(frame, error);
        }
        let intakes = self.intakes_mut(port);
        let Frame { kind, value, tells_fctbs } = frame;
        let renewal = intakes.renewal(lane);
        if let Some(at) = renewal {
            self.timers.set(at.0, Timer::Lane(LaneTimer::Renewal, lane_index(port, lane)));
        }
        let gates = self.ports[port as usize].gates();
        let fctbs = gates.filter(|_| tells_fctbs).and_then(|gates| gates.fctbs(lane));
        let word = fctbs.map_or(NO_TOTAL, u64::from);
        self.will_write(port);
        self.ports[port as usize].send_frame(now, kind, value, word);
        if self.tracer.is_some() {
            self.trace_out(port, now, NONE, kind, value, Levels::default());
        }
        true
    }

    /// A frame of a lane has arrived.
    #[cold]
    #[inline(never)]
    pub(super) fn take_lane(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        let (now, port) = (arrival.due, arrival.port);
        let (lane, _) = split(unit.value);
        let gates = self.gates_mut(port);
        let changed = gates.take(unit.value, SimTime(now));
        let (credit, timers) = (gates.available(lane), gates.timers(lane));
        for (timer, at) in timers {
            if let Some(at) = at {
                self.timers.set(at.0, Timer::Lane(timer, lane_index(port, lane)));
            }
        }
        self.trace_in(TraceEvent::Arrived, arrival, NONE, 0, credit);
        if unit.kind == CellKind::LaneCredit && unit.word != NO_TOTAL {
            let (intakes, total) = (self.ports[port as usize].intakes_mut(), unit.word as u32);
            if intakes.is_some_and(|intakes| intakes.check(lane, total, SimTime(now))) {
                self.put_in_line(port, Control::Lane(lane));
            }
        }
        if changed {
            self.refresh_lane(port, lane, now);
        }
    }

    /// A frame of a lane has arrived corrupted.
    #[cold]
    #[inline(never)]
    pub(super) fn discard_lane(&mut self, arrival: Arrival) {
        let unit = arrival.unit();
        self.gates_mut(arrival.port).note_corrupted(unit.value);
        self.trace_in(TraceEvent::Corrupted, arrival, NONE, 0, 0);
    }

    /// A lane has been shut or opened: all its VCs at the port, in order. The span until a request
    /// begins again when it opens, as with a credit.
    #[cold]
    #[inline(never)]
    pub(super) fn refresh_lane(&mut self, port: u32, lane: u8, now: u64) {
        self.set_gate(port, lane);
        for place in 0.. {
            let lanes = self.ports[port as usize].lanes.as_ref();
            let index = lanes.and_then(|lanes| lanes.senders[lane as usize].get(place).copied());
            let Some(index) = index else { break };
            self.refresh(index, now);
            if !self.senders[index as usize].queue.is_shut() {
                self.count_request_from(index, now);
            }
        }
    }

    /// A timer of a lane fires.
    #[cold]
    #[inline(never)]
    pub(super) fn fire_lane(&mut self, timer: LaneTimer, index: u32, now: u64) {
        let (port, lane) = (index / LANES as u32, (index % LANES as u32) as u8);
        if timer == LaneTimer::Renewal {
            let (due, again) = self.intakes_mut(port).fire(lane, SimTime(now));
            if let Some(at) = again {
                self.timers.set(at.0, Timer::Lane(timer, index));
            }
            if due {
                self.put_in_line(port, Control::Lane(lane));
            }
            return;
        }
        let (change, again) = self.gates_mut(port).fire(lane, timer, SimTime(now));
        if let Some(at) = again {
            self.timers.set(at.0, Timer::Lane(timer, index));
        }
        match change {
            GateChange::Nothing => {}
            GateChange::Changed => self.refresh_lane(port, lane, now),
            GateChange::Discards => self.discard_waiting(port, lane, now),
        }
    }

    /// The watchdog bites: all that waits on a lane goes.
    fn discard_waiting(&mut self, port: u32, lane: u8, now: u64) {
        let lanes = self.ports[port as usize].lanes.as_ref().expect("a watchdog is of lanes");
        let mut packets = 0;
        for index in lanes.senders[lane as usize].clone() {
            while self.senders[index as usize].queue.waiting > 0 {
                self.push_last_out(index, now);
                packets += 1;
            }
        }
        self.gates_mut(port).note_discarded(lane, packets);
    }
}
