//! Lanes: gates that shut all VCs of a lane at a port, and the frames that tell of the buffer
//! at the far end, which is in `intake.rs`.

use hopflow_units::SimTime;

use super::intake::size_of;
use crate::embed::lane::{Frame, GateChange, Gates, LaneTimer};
use crate::windowed::state::lane::LaneAt;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::Control;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::timers::Timer;
use crate::windowed::state::tracer::Levels;
use crate::windowed::wire::NONE;
use crate::windowed::wire::arrival::Arrival;
use hopflow_network::{CellKind, TraceEvent};

/// In a lane credit, where the way back has no lane credits.
const NO_TOTAL: u32 = u32::MAX;

/// The word of a frame: its lane, above the total that it carries.
const fn word(lane: u16, total: u32) -> u64 {
    (lane as u64) << 32 | total as u64
}

/// The lane and the total in the word of a frame.
const fn split(word: u64) -> (u16, u32) {
    ((word >> 32) as u16, word as u32)
}

impl Node {
    fn gates_mut(&mut self, port: u32) -> &mut Gates {
        let lanes = self.ports[port as usize].lanes.as_mut();
        let gates = lanes.and_then(|lanes| lanes.gates.as_mut());
        gates.expect("frames come to ports with lanes")
    }

    /// A packet of a sender starts: its size is kept, and the gate of its lane records it.
    #[inline]
    pub(super) fn lane_start(&mut self, index: u32, bytes: u32, now: u64) {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let port = &mut self.ports[queue.port as usize];
        port.bytes = bytes;
        let Some(lanes) = &mut port.lanes else { return };
        lanes.note_start(circuit.lane, index);
        let Some(gates) = &mut lanes.gates else { return };
        let (port, lane) = (queue.port, circuit.lane);
        if gates.start(lane, size_of(bytes), SimTime(now)) {
            self.set_gate(port, lane);
        }
    }

    /// A gate was shut or opened: its senders know it before any of them is looked at.
    #[cold]
    #[inline(never)]
    fn set_gate(&mut self, port: u32, lane: u16) {
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
    pub(super) fn start_lane(&mut self, lane: u16, port: u32, now: u64) -> bool {
        let intakes = self.intakes_mut(port);
        let Some(mut frame) = intakes.frame(lane, SimTime(now)) else { return false };
        if let Some(error) = self.false_credits.of_lane(port, lane) {
            frame = self.intakes_mut(port).falsified(frame, error);
        }
        let intakes = self.intakes_mut(port);
        let Frame { kind, value, tells_fctbs, .. } = frame;
        let renewal = intakes.renewal(lane);
        if let Some(at) = renewal {
            self.timers.set(at.0, Timer::Lane(LaneTimer::Renewal, LaneAt { port, lane }));
        }
        let gates = self.ports[port as usize].gates();
        let fctbs = gates.filter(|_| tells_fctbs).and_then(|gates| gates.fctbs(lane));
        let word = word(lane, fctbs.unwrap_or(NO_TOTAL));
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
        let (lane, total) = split(unit.word);
        let gates = self.gates_mut(port);
        let changed = gates.take(lane, unit.value, SimTime(now));
        let (credit, timers) = (gates.available(lane), gates.timers(lane));
        for (timer, at) in timers {
            if let Some(at) = at {
                self.timers.set(at.0, Timer::Lane(timer, LaneAt { port, lane }));
            }
        }
        self.trace_in(TraceEvent::Arrived, arrival, NONE, 0, credit);
        if unit.kind == CellKind::LaneCredit && total != NO_TOTAL {
            let intakes = self.ports[port as usize].intakes_mut();
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
        self.gates_mut(arrival.port).note_corrupted(split(unit.word).0);
        self.trace_in(TraceEvent::Corrupted, arrival, NONE, 0, 0);
    }

    /// A lane has been shut or opened: all its VCs at the port, in turn. The span until a request
    /// begins again when it opens, as with a credit.
    #[cold]
    #[inline(never)]
    pub(super) fn refresh_lane(&mut self, port: u32, lane: u16, now: u64) {
        self.set_gate(port, lane);
        for place in 0.. {
            let lanes = self.ports[port as usize].lanes.as_ref();
            let [first, rest] = lanes.expect("it has lanes").in_turn(lane);
            let index = first.get(place).or_else(|| rest.get(place - first.len()));
            let Some(index) = index.copied() else { break };
            self.refresh(index, now);
            if !self.senders[index as usize].queue.is_shut() {
                self.count_request_from(index, now);
            }
        }
    }

    /// A timer of a lane fires.
    #[cold]
    #[inline(never)]
    pub(super) fn fire_lane(&mut self, timer: LaneTimer, of: LaneAt, now: u64) {
        let LaneAt { port, lane } = of;
        if timer == LaneTimer::Renewal {
            let (due, again) = self.intakes_mut(port).fire(lane, SimTime(now));
            if let Some(at) = again {
                self.timers.set(at.0, Timer::Lane(timer, of));
            }
            if due {
                self.put_in_line(port, Control::Lane(lane));
            }
            return;
        }
        let (change, again) = self.gates_mut(port).fire(lane, timer, SimTime(now));
        if let Some(at) = again {
            self.timers.set(at.0, Timer::Lane(timer, of));
        }
        match change {
            GateChange::Nothing => {}
            GateChange::Changed => self.refresh_lane(port, lane, now),
            GateChange::Discards => self.discard_waiting(port, lane, now),
        }
    }

    /// The watchdog bites: all that waits on a lane goes.
    fn discard_waiting(&mut self, port: u32, lane: u16, now: u64) {
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
