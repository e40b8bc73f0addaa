//! Lanes of a link direction in both engines: the gates at the sending port, and the buffers at the
//! far end with the frames that they send.

use hopflow_control::external::Fault;
use hopflow_control::lane::{self, FRAME_BITS, LaneReceiver, LaneSender, Watched};
use hopflow_units::{Bytes, Picos, SimTime};

use hopflow_network::CellKind;
use hopflow_network::counters::LaneCounters;
use hopflow_network::{DirectionId, LANES, LaneNumbers, LanesSpec, NetworkSpec};

/// Timers of one lane at one port, in the order of an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum LaneTimer {
    /// A pause may expire.
    Expiry = 0,
    /// The watchdog may act, or restore the port.
    Watchdog = 1,
    /// A pause may have to be renewed, a credit to be refreshed.
    Renewal = 2,
}

/// The effect of a timer of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GateChange {
    Nothing,
    /// The lane was opened or shut.
    Changed,
    /// All waiting packets of the lane must be discarded.
    Discards,
}

/// A frame that starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) kind: CellKind,
    pub(crate) lane: u16,
    /// What it carries and, above that, the low bits of the lane: what trace and digest have.
    pub(crate) value: u32,
    /// Whether it also carries the total that its port has started on this lane.
    pub(crate) tells_fctbs: bool,
}

/// The value of a frame of a lane, which carries this: 28 bits.
const fn of_lane(lane: u16, carried: u32) -> u32 {
    ((lane as u32 % LANES as u32) << FRAME_BITS) | carried
}

/// What a frame carries, from its value.
const fn carried(value: u32) -> u32 {
    value & ((1 << FRAME_BITS) - 1)
}

/// The sending end of the lanes of a link direction.
#[derive(Debug)]
pub(crate) struct Gates {
    /// Whether starts take credit. Otherwise nothing of a gate changes as a packet starts.
    take_credit: bool,
    /// By number.
    lanes: Vec<Option<Gate>>,
}

#[derive(Debug)]
struct Gate {
    machine: LaneSender,
    /// Of the counters of the lane those of the sending end, the rest stays zero; `shut` without
    /// the present span.
    counters: LaneCounters,
}

impl Gates {
    /// The gates of a link direction that has lanes.
    pub(crate) fn new(
        spec: &NetworkSpec,
        numbers: &LaneNumbers,
        id: DirectionId,
    ) -> Option<Box<Gates>> {
        let take_credit = spec.direction(id).lanes?.rule.promise().is_some();
        assert!(!numbers.overflows(id), "each lane of a link has a number");
        let mut lanes = Vec::new();
        lanes.resize_with(numbers.count(id), || None);
        for (number, lane) in numbers.of(id) {
            let machine = spec.new_lane_sender(id, (number, lane));
            lanes[usize::from(number)] = machine.map(|machine| Gate::new(number, machine));
        }
        Some(Box::new(Gates { take_credit, lanes }))
    }

    fn gate(&self, lane: u16) -> Option<&Gate> {
        self.lanes.get(usize::from(lane))?.as_ref()
    }

    fn gate_mut(&mut self, lane: u16) -> &mut Gate {
        let gate = self.lanes[usize::from(lane)].as_mut();
        gate.expect("frames and timers belong to existing lanes")
    }

    /// Whether no packet of a lane may start.
    pub(crate) fn is_shut(&self, lane: u16) -> bool {
        self.gate(lane).is_some_and(|gate| gate.counters.shut_since.is_some())
    }

    /// Whether a packet that joins a queue of a lane is discarded.
    pub(crate) fn discards(&self, lane: u16) -> bool {
        self.gate(lane).is_some_and(|gate| gate.machine.discards())
    }

    /// A packet starts. Returns whether this closes its lane.
    #[inline]
    pub(crate) fn start(&mut self, lane: u16, size: Bytes, now: SimTime) -> bool {
        self.take_credit && self.take_credit_of(lane, size, now)
    }

    #[inline(never)]
    fn take_credit_of(&mut self, lane: u16, size: Bytes, now: SimTime) -> bool {
        let Some(Some(gate)) = self.lanes.get_mut(usize::from(lane)) else { return false };
        let may_send = gate.machine.on_send(now, size);
        gate.settle(now, may_send)
    }

    /// A frame has arrived. Returns whether this closes or opens the lane.
    pub(crate) fn take(&mut self, lane: u16, value: u32, now: SimTime) -> bool {
        let gate = self.gate_mut(lane);
        gate.counters.frames_taken += 1;
        let may_send = gate.machine.on_frame(now, carried(value));
        gate.settle(now, may_send)
    }

    /// A frame has arrived corrupted.
    pub(crate) fn note_corrupted(&mut self, lane: u16) {
        self.gate_mut(lane).counters.frames_corrupted += 1;
    }

    /// Packets that the watchdog has discarded.
    pub(crate) fn note_discarded(&mut self, lane: u16, packets: u64) {
        self.gate_mut(lane).counters.watchdog_packets += packets;
    }

    /// The timers of a lane, to be set after a frame.
    pub(crate) fn timers(&self, lane: u16) -> [(LaneTimer, Option<SimTime>); 2] {
        let machine = self.gate(lane).map(|gate| &gate.machine);
        let (expiry, watchdog) =
            machine.map_or((None, None), |machine| (machine.until(), machine.watchdog_due()));
        [(LaneTimer::Expiry, expiry), (LaneTimer::Watchdog, watchdog)]
    }

    /// A timer expires. Returns what changes, and when the watchdog must be called again.
    pub(crate) fn fire(
        &mut self,
        lane: u16,
        timer: LaneTimer,
        now: SimTime,
    ) -> (GateChange, Option<SimTime>) {
        let gate = self.gate_mut(lane);
        let change = match timer {
            LaneTimer::Expiry if gate.machine.on_expiry(now) => gate.changed(now),
            LaneTimer::Watchdog => {
                let change = match gate.machine.on_watchdog(now) {
                    Watched::Nothing => return (GateChange::Nothing, None),
                    Watched::Drops => GateChange::Discards,
                    Watched::Changed => gate.changed(now),
                };
                return (change, gate.machine.watchdog_due());
            }
            _ => GateChange::Nothing,
        };
        (change, None)
    }

    /// FCTBS of a lane with credit.
    pub(crate) fn fctbs(&self, lane: u16) -> Option<u32> {
        self.gate(lane)?.machine.total()
    }

    /// Blocks that may still start on a lane with credit; otherwise 0.
    pub(crate) fn available(&self, lane: u16) -> u32 {
        self.gate(lane).map_or(0, |gate| gate.machine.available() as u32)
    }

    /// Why external machines are no longer called.
    pub(crate) fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.lanes.iter().flatten().filter_map(|gate| gate.machine.fault())
    }

    /// The sending half of the counters of all lanes, as read at `now`.
    pub(crate) fn read(&self, now: SimTime, counters: &mut Vec<LaneCounters>) {
        let gates = self.lanes.iter().flatten().map(|gate| &gate.counters);
        make(counters, gates.clone().map(|gate| gate.lane));
        for (lane, gate) in counters.iter_mut().zip(gates) {
            lane.shut = gate.shut + gate.shut_since.map_or(Picos::ZERO, |since| now.since(since));
            lane.shut_count = gate.shut_count;
            lane.shut_since = gate.shut_since;
            lane.frames_taken = gate.frames_taken;
            lane.frames_corrupted = gate.frames_corrupted;
            lane.watchdog_packets = gate.watchdog_packets;
        }
    }
}

impl Gate {
    /// At the start of the run.
    fn new(lane: u16, machine: LaneSender) -> Gate {
        let counters = LaneCounters { lane, ..LaneCounters::default() };
        let mut gate = Gate { machine, counters };
        gate.settle(SimTime::ZERO, gate.machine.may_send());
        gate
    }

    /// The machine may let packets start, or no longer.
    fn changed(&mut self, now: SimTime) -> GateChange {
        let changed = self.settle(now, self.machine.may_send());
        if changed { GateChange::Changed } else { GateChange::Nothing }
    }

    /// Records whether the machine lets packets start. Returns whether it closes or opens the gate.
    fn settle(&mut self, now: SimTime, may_send: bool) -> bool {
        let counters = &mut self.counters;
        match counters.shut_since {
            None if !may_send => {
                counters.shut_since = Some(now);
                counters.shut_count += 1;
                true
            }
            Some(since) if may_send => {
                counters.shut += now.since(since);
                counters.shut_since = None;
                true
            }
            _ => false,
        }
    }
}

/// The receiving end of the lanes of a link direction.
#[derive(Debug)]
pub(crate) struct Intakes {
    spec: LanesSpec,
    /// By number.
    lanes: Vec<Option<Intake>>,
}

#[derive(Debug)]
struct Intake {
    lane: u16,
    machine: LaneReceiver,
    pauses_sent: u64,
    frames_sent: u64,
    frames_falsified: u64,
}

impl Intakes {
    /// The far end of a link direction that has lanes.
    pub(crate) fn new(
        spec: &NetworkSpec,
        numbers: &LaneNumbers,
        id: DirectionId,
    ) -> Option<Box<Intakes>> {
        let mut lanes = Vec::new();
        lanes.resize_with(numbers.count(id), || None);
        for (number, lane) in numbers.of(id) {
            lanes[usize::from(number)] =
                spec.new_lane_receiver(id, (number, lane)).map(|machine| Intake {
                    lane: number,
                    machine,
                    pauses_sent: 0,
                    frames_sent: 0,
                    frames_falsified: 0,
                });
        }
        Some(Box::new(Intakes { spec: spec.direction(id).lanes?, lanes }))
    }

    fn intake(&self, lane: u16) -> Option<&Intake> {
        self.lanes.get(usize::from(lane))?.as_ref()
    }

    fn intake_mut(&mut self, lane: u16) -> &mut Intake {
        let intake = self.lanes[usize::from(lane)].as_mut();
        intake.expect("frames and timers belong to existing lanes")
    }

    /// Whether a packet fits. One without a lane always does.
    pub(crate) fn fits(&self, lane: u16, size: Bytes) -> bool {
        self.intake(lane).is_none_or(|intake| intake.machine.fits(size))
    }

    /// The machine of a lane has an input, if there is the lane. Returns whether a frame falls due.
    fn hear(&mut self, lane: u16, input: impl FnOnce(&mut LaneReceiver) -> bool) -> bool {
        let intake = self.lanes.get_mut(usize::from(lane)).and_then(Option::as_mut);
        intake.is_some_and(|intake| input(&mut intake.machine))
    }

    /// A packet is accepted. Returns whether a frame falls due.
    pub(crate) fn take(&mut self, lane: u16, size: Bytes, now: SimTime) -> bool {
        self.hear(lane, |machine| machine.on_packet(now, size))
    }

    /// An accepted packet is freed. Returns whether a frame falls due.
    pub(crate) fn free(&mut self, lane: u16, size: Bytes, now: SimTime) -> bool {
        self.hear(lane, |machine| machine.on_freed(now, size))
    }

    /// A packet is accepted and freed at once. Returns whether a frame falls due.
    pub(crate) fn pass(&mut self, lane: u16, size: Bytes, now: SimTime) -> bool {
        self.hear(lane, |machine| machine.on_passed(now, size))
    }

    /// The far end of a lane reports the total of blocks that it has started. Returns whether a
    /// frame falls due.
    pub(crate) fn check(&mut self, lane: u16, fctbs: u32, now: SimTime) -> bool {
        self.hear(lane, |machine| machine.on_total(now, fctbs))
    }

    /// The frame that starts now; `None` when it is left out.
    pub(crate) fn frame(&mut self, lane: u16, now: SimTime) -> Option<Frame> {
        let (kind, intake) = (self.spec.frames(), self.intake_mut(lane));
        let lane::Frame { value, is_pause, carries_total } = intake.machine.frame(now)?;
        intake.pauses_sent += u64::from(is_pause);
        intake.frames_sent += 1;
        Some(Frame { kind, lane, value: of_lane(lane, value), tells_fctbs: carries_total })
    }

    /// The same frame with a value that is wrong by `error`.
    #[cold]
    pub(crate) fn falsified(&mut self, frame: Frame, error: i32) -> Frame {
        let wrong = self.spec.rule.falsified(carried(frame.value), error);
        self.intake_mut(frame.lane).frames_falsified += 1;
        Frame { value: of_lane(frame.lane, wrong), ..frame }
    }

    /// The next timer after a frame that has just started: a pause must be renewed, or the next
    /// credit may start.
    pub(crate) fn renewal(&self, lane: u16) -> Option<SimTime> {
        self.intake(lane)?.machine.alarm()
    }

    /// The lanes with a timer at the start, and when it expires.
    pub(crate) fn first_timers(&self) -> impl Iterator<Item = (u16, SimTime)> {
        let lanes = self.lanes.iter().flatten();
        lanes.filter_map(|intake| Some((intake.lane, intake.machine.first_timer()?)))
    }

    /// Why external machines are no longer called.
    pub(crate) fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.lanes.iter().flatten().filter_map(|intake| intake.machine.fault())
    }

    /// A pause may have to be renewed, or a credit refreshed. Returns whether a frame falls due,
    /// and the next timer.
    pub(crate) fn fire(&mut self, lane: u16, now: SimTime) -> (bool, Option<SimTime>) {
        self.intake_mut(lane).machine.on_timer(now)
    }

    /// Resets the most held so far.
    pub(crate) fn restart_statistics(&mut self) {
        for intake in self.lanes.iter_mut().flatten() {
            intake.machine.restart_statistics();
        }
    }

    /// The receiving half of the counters of all lanes.
    pub(crate) fn read(&self, counters: &mut Vec<LaneCounters>) {
        let intakes = self.lanes.iter().flatten();
        make(counters, intakes.clone().map(|intake| intake.lane));
        for (lane, intake) in counters.iter_mut().zip(intakes) {
            lane.pauses_sent = intake.pauses_sent;
            lane.frames_sent = intake.frames_sent;
            lane.frames_falsified = intake.frames_falsified;
            lane.held_max = intake.machine.held_most();
            lane.overrun_packets = intake.machine.overruns();
        }
    }
}

/// Counters of the lanes of a link direction, zero where neither of its ends has been read.
fn make(counters: &mut Vec<LaneCounters>, lanes: impl Iterator<Item = u16>) {
    if counters.is_empty() {
        counters.extend(lanes.map(|lane| LaneCounters { lane, ..LaneCounters::default() }));
    }
}
