//! Lanes of a link direction in both engines: the gates at the sending port, and the buffers at the
//! far end with the frames that they send.

use hopflow_control::credit::{LANE_BITS, LaneReceiver, LaneSender};
use hopflow_control::pause::{PauseReceiver, PauseSender};
use hopflow_units::{Bytes, Picos, SimTime};

use hopflow_network::CellKind;
use hopflow_network::counters::LaneCounters;
use hopflow_network::{DirectionId, LANES, LaneRule, LanesSpec, NetworkSpec};

/// Timers of one lane at one port, in the order of an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum LaneTimer {
    /// A pause may expire.
    Expiry = 0,
    /// The watchdog may expire.
    Watchdog = 1,
    /// A pause may have to be renewed, a credit to be refreshed.
    Renewal = 2,
}

/// The effect of a timer of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GateChange {
    Nothing,
    /// The lane is open.
    Opened,
    /// All waiting packets of the lane must be discarded.
    Discards,
}

/// A frame that starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) kind: CellKind,
    /// The lane and the value of the frame, see [`split`].
    pub(crate) value: u32,
    /// Whether it also carries the total that its port has started on this lane.
    pub(crate) tells_fctbs: bool,
}

/// The lane and the value in a frame.
pub(crate) const fn split(value: u32) -> (u8, u32) {
    ((value >> LANE_BITS) as u8, value & ((1 << LANE_BITS) - 1))
}

/// The sending end of the lanes of a link direction.
#[derive(Debug)]
pub(crate) struct Gates {
    lanes: [Option<Gate>; LANES],
}

#[derive(Debug)]
struct Gate {
    machine: GateMachine,
    shut_since: Option<SimTime>,
    shut: Picos,
    shut_count: u64,
    frames_taken: u64,
    frames_corrupted: u64,
    watchdog_packets: u64,
}

#[derive(Debug)]
enum GateMachine {
    Pause(PauseSender),
    Credit(LaneSender),
}

impl Gates {
    /// The gates of a link direction that has lanes.
    pub(crate) fn new(spec: &NetworkSpec, id: DirectionId) -> Option<Box<Gates>> {
        let direction = spec.direction(id);
        let lanes = direction.lanes?;
        let machine = |lane: u8| match lanes.rule {
            LaneRule::Pause(pause) => GateMachine::Pause(PauseSender::new(&pause, direction.rate)),
            LaneRule::Credit(credit) => {
                GateMachine::Credit(LaneSender::new(credit, spec.largest_of_lane(id, lane)))
            }
        };
        let gate = |lane| lanes.covers(lane).then(|| Gate::new(machine(lane)));
        Some(Box::new(Gates { lanes: std::array::from_fn(|lane| gate(lane as u8)) }))
    }

    fn gate(&self, lane: u8) -> Option<&Gate> {
        self.lanes[lane as usize].as_ref()
    }

    fn gate_mut(&mut self, lane: u8) -> &mut Gate {
        self.lanes[lane as usize].as_mut().expect("frames and timers belong to existing lanes")
    }

    /// Whether a priority is a lane.
    pub(crate) fn covers(&self, priority: u8) -> bool {
        self.gate(priority).is_some()
    }

    /// Whether no packet of a priority may start.
    pub(crate) fn is_shut(&self, priority: u8) -> bool {
        self.gate(priority).is_some_and(|gate| gate.shut_since.is_some())
    }

    /// Whether a packet that joins a queue of a priority is discarded.
    pub(crate) fn discards(&self, priority: u8) -> bool {
        let machine = self.gate(priority).map(|gate| &gate.machine);
        matches!(machine, Some(GateMachine::Pause(pause)) if pause.discards())
    }

    /// A packet starts. Returns whether this closes its lane.
    pub(crate) fn start(&mut self, priority: u8, size: Bytes, now: SimTime) -> bool {
        let Some(gate) = &mut self.lanes[priority as usize] else { return false };
        if let GateMachine::Credit(credit) = &mut gate.machine {
            credit.on_send(size);
        }
        gate.settle(now)
    }

    /// A frame has arrived. Returns whether this closes or opens the lane.
    pub(crate) fn take(&mut self, value: u32, now: SimTime) -> bool {
        let (lane, told) = split(value);
        let gate = self.gate_mut(lane);
        gate.frames_taken += 1;
        match &mut gate.machine {
            GateMachine::Pause(pause) => pause.on_frame(now, told as u16),
            GateMachine::Credit(credit) => credit.on_credit(told),
        }
        gate.settle(now)
    }

    /// A frame has arrived corrupted.
    pub(crate) fn note_corrupted(&mut self, value: u32) {
        self.gate_mut(split(value).0).frames_corrupted += 1;
    }

    /// Packets that the watchdog has discarded.
    pub(crate) fn note_discarded(&mut self, lane: u8, packets: u64) {
        self.gate_mut(lane).watchdog_packets += packets;
    }

    /// The timers of a lane, to be set after a frame.
    pub(crate) fn timers(&self, lane: u8) -> [(LaneTimer, Option<SimTime>); 2] {
        let (expiry, watchdog) = match self.gate(lane).map(|gate| &gate.machine) {
            Some(GateMachine::Pause(pause)) => (pause.until(), pause.watchdog_due()),
            _ => (None, None),
        };
        [(LaneTimer::Expiry, expiry), (LaneTimer::Watchdog, watchdog)]
    }

    /// A timer expires.
    pub(crate) fn fire(&mut self, lane: u8, timer: LaneTimer, now: SimTime) -> GateChange {
        let gate = self.gate_mut(lane);
        let GateMachine::Pause(pause) = &mut gate.machine else { return GateChange::Nothing };
        match timer {
            LaneTimer::Expiry if pause.on_expiry(now) => {
                gate.settle(now);
                GateChange::Opened
            }
            LaneTimer::Watchdog if pause.on_watchdog(now) => GateChange::Discards,
            _ => GateChange::Nothing,
        }
    }

    /// FCTBS of a lane with credit.
    pub(crate) fn fctbs(&self, lane: u8) -> Option<u32> {
        match self.gate(lane).map(|gate| &gate.machine) {
            Some(GateMachine::Credit(credit)) => Some(credit.fctbs()),
            _ => None,
        }
    }

    /// Blocks that may still start on a lane with credit; otherwise 0.
    pub(crate) fn available(&self, lane: u8) -> u32 {
        match self.gate(lane).map(|gate| &gate.machine) {
            Some(GateMachine::Credit(credit)) => credit.available() as u32,
            _ => 0,
        }
    }

    /// The sending half of the counters of all lanes, as read at `now`.
    pub(crate) fn read(&self, now: SimTime, counters: &mut [LaneCounters]) {
        for lane in counters {
            let gate = self.gate(lane.lane).expect("counters belong to existing lanes");
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
    const fn new(machine: GateMachine) -> Gate {
        Gate {
            machine,
            shut_since: None,
            shut: Picos::ZERO,
            shut_count: 0,
            frames_taken: 0,
            frames_corrupted: 0,
            watchdog_packets: 0,
        }
    }

    /// Records a change of the machine. Returns whether it closes or opens the gate.
    fn settle(&mut self, now: SimTime) -> bool {
        let is_shut = match &self.machine {
            GateMachine::Pause(pause) => pause.is_paused(),
            GateMachine::Credit(credit) => !credit.may_send(),
        };
        match self.shut_since {
            None if is_shut => {
                self.shut_since = Some(now);
                self.shut_count += 1;
                true
            }
            Some(since) if !is_shut => {
                self.shut += now.since(since);
                self.shut_since = None;
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
    lanes: [Option<Intake>; LANES],
}

#[derive(Debug)]
struct Intake {
    machine: IntakeMachine,
    pauses_sent: u64,
    frames_sent: u64,
}

#[derive(Debug)]
enum IntakeMachine {
    Pause(PauseReceiver),
    Credit(LaneReceiver),
}

impl Intakes {
    /// The far end of a link direction that has lanes.
    pub(crate) fn new(spec: &NetworkSpec, id: DirectionId) -> Option<Box<Intakes>> {
        let direction = spec.direction(id);
        let spec = direction.lanes?;
        let machine = || match spec.rule {
            LaneRule::Pause(pause) => {
                IntakeMachine::Pause(PauseReceiver::new(pause, direction.rate))
            }
            LaneRule::Credit(credit) => IntakeMachine::Credit(LaneReceiver::new(credit)),
        };
        let intake = |lane| {
            let intake = || Intake { machine: machine(), pauses_sent: 0, frames_sent: 0 };
            spec.covers(lane).then(intake)
        };
        let lanes = std::array::from_fn(|lane| intake(lane as u8));
        Some(Box::new(Intakes { spec, lanes }))
    }

    fn intake_mut(&mut self, lane: u8) -> &mut Intake {
        self.lanes[lane as usize].as_mut().expect("frames and timers belong to existing lanes")
    }

    /// Whether a priority is a lane.
    pub(crate) fn covers(&self, priority: u8) -> bool {
        self.lanes[priority as usize].is_some()
    }

    /// Whether a packet fits. One without a lane always does.
    pub(crate) fn fits(&self, priority: u8, size: Bytes) -> bool {
        match self.lanes[priority as usize].as_ref().map(|intake| &intake.machine) {
            Some(IntakeMachine::Pause(pause)) => pause.fits(size),
            _ => true,
        }
    }

    /// A packet is accepted. Returns whether a frame falls due.
    pub(crate) fn take(&mut self, priority: u8, size: Bytes) -> bool {
        match self.lanes[priority as usize].as_mut().map(|intake| &mut intake.machine) {
            Some(IntakeMachine::Pause(pause)) => pause.on_packet(size),
            Some(IntakeMachine::Credit(credit)) => {
                credit.on_packet(size);
                false
            }
            None => false,
        }
    }

    /// An accepted packet is freed. Returns whether a frame falls due.
    pub(crate) fn free(&mut self, priority: u8, size: Bytes) -> bool {
        match self.lanes[priority as usize].as_mut().map(|intake| &mut intake.machine) {
            Some(IntakeMachine::Pause(pause)) => pause.on_freed(size),
            Some(IntakeMachine::Credit(credit)) => credit.on_freed(size),
            None => false,
        }
    }

    /// A packet is accepted and freed at once. Returns whether a frame falls due: never under PFC.
    pub(crate) fn pass(&mut self, priority: u8, size: Bytes) -> bool {
        match self.lanes[priority as usize].as_mut().map(|intake| &mut intake.machine) {
            Some(IntakeMachine::Credit(credit)) => {
                credit.on_packet(size);
                credit.on_freed(size)
            }
            Some(IntakeMachine::Pause(_)) | None => false,
        }
    }

    /// The far end of a lane reports the total of blocks that it has started. Returns whether a
    /// frame falls due.
    pub(crate) fn check(&mut self, lane: u8, fctbs: u32) -> bool {
        match self.lanes[lane as usize].as_mut().map(|intake| &mut intake.machine) {
            Some(IntakeMachine::Credit(credit)) => credit.on_check(fctbs),
            _ => false,
        }
    }

    /// The frame that starts now; `None` when it is left out.
    pub(crate) fn frame(&mut self, lane: u8, now: SimTime) -> Option<Frame> {
        let intake = self.intake_mut(lane);
        let (kind, told, tells_fctbs) = match &mut intake.machine {
            IntakeMachine::Pause(pause) => {
                let quanta = pause.frame(now)?;
                intake.pauses_sent += u64::from(quanta > 0);
                (CellKind::Pause, u32::from(quanta), false)
            }
            IntakeMachine::Credit(credit) => {
                let (told, tells_fctbs) = credit.told(now);
                (CellKind::LaneCredit, told, tells_fctbs)
            }
        };
        intake.frames_sent += 1;
        Some(Frame { kind, value: (u32::from(lane) << LANE_BITS) | told, tells_fctbs })
    }

    /// The next timer after a frame that has just started: a pause must be renewed, or the next
    /// credit may start.
    pub(crate) fn renewal(&self, lane: u8) -> Option<SimTime> {
        match &self.lanes[lane as usize].as_ref()?.machine {
            IntakeMachine::Pause(pause) => pause.renewal_due(),
            IntakeMachine::Credit(credit) => credit.alarm(),
        }
    }

    /// The span until the first timer of refreshed credits, and the lanes that have it.
    pub(crate) fn refreshed(&self) -> Option<(Picos, impl Iterator<Item = u8>)> {
        match self.spec.rule {
            LaneRule::Credit(credit) => Some((credit.first_timer()?, self.spec.lanes())),
            LaneRule::Pause(_) => None,
        }
    }

    /// A pause may have to be renewed, or a credit refreshed. Returns whether a frame falls due,
    /// and the next timer.
    pub(crate) fn fire(&mut self, lane: u8, now: SimTime) -> (bool, Option<SimTime>) {
        match &mut self.intake_mut(lane).machine {
            IntakeMachine::Pause(pause) => (pause.on_renewal(now), None),
            IntakeMachine::Credit(credit) => credit.on_timer(now),
        }
    }

    /// Resets the most held so far.
    pub(crate) fn restart_statistics(&mut self) {
        for intake in self.lanes.iter_mut().flatten() {
            match &mut intake.machine {
                IntakeMachine::Pause(pause) => pause.restart_statistics(),
                IntakeMachine::Credit(credit) => credit.restart_statistics(),
            }
        }
    }

    /// The receiving half of the counters of all lanes.
    pub(crate) fn read(&self, counters: &mut [LaneCounters]) {
        for lane in counters {
            let intake = self.lanes[lane.lane as usize].as_ref();
            let intake = intake.expect("counters belong to existing lanes");
            lane.pauses_sent = intake.pauses_sent;
            lane.frames_sent = intake.frames_sent;
            lane.held_max = match &intake.machine {
                IntakeMachine::Pause(pause) => pause.held_most().0,
                IntakeMachine::Credit(credit) => credit.held_most(),
            };
        }
    }
}

/// Counters of the lanes of a link direction, all zero.
pub(crate) fn blank(lanes: Option<LanesSpec>) -> Vec<LaneCounters> {
    let lanes = lanes.into_iter().flat_map(LanesSpec::lanes);
    lanes.map(|lane| LaneCounters { lane, ..LaneCounters::default() }).collect()
}
