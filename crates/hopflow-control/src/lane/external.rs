//! A lane rule from outside hopflow. Experimental, see [`crate::external`].
//!
//! A lane has two machines, one at each [`End`](crate::credit::End). Frames are all that passes
//! between them. Each is called about its own end only:
//!
//! ```text
//! sender    on_send(now, b)           a packet starts
//!           on_frame(now, value)      a frame arrives
//!           credit(), total()         read when the machine is made, and after each call
//!           not_before()              read after a frame
//! receiver  on_packet(now, b, held)   a packet arrives, or
//!           on_freed(now, b, held)    leaves the buffer, or
//!           on_total(now, total)      the total of the sender arrives, or
//!           on_timer(now, held)       the timer expires: whether a frame falls due
//!           frame(now, held)          a frame starts: what it carries, `None` if it is left out
//!           next_timer()              read when the machine is made, after a frame, after a timer
//! ```
//! | symbol | meaning                                                                | unit   |
//! |--------|------------------------------------------------------------------------|--------|
//! | b      | the packet: its bytes / `block`, rounded up                            | blocks |
//! | held   | packets of the lane in the buffer, after the arrival or departure      | blocks |
//! | b_max  | the largest packet of the lane                                         | blocks |
//!
//! A packet may start at t if `credit() >= b_max` and `t >= not_before()`. A lane has at most one
//! frame waiting at a port; another that falls due meanwhile is merged with it, and what it carries
//! is read when it starts. If [`Frame::carries_total`], it also carries what `total()` of the lane
//! of the opposite direction answers there.
//!
//! The receiver has the buffer that the scenario declares, so `credit()` above it is a fault; so is
//! a value or a total of more than 25 bits, and a timer that is not later. A switch drops a packet
//! that does not fit the buffer. One that is dropped or delivered arrives and leaves at once.
//!
//! Checked by: `hopflow-engine/tests/external/lane.rs`, `hopflow/tests/machines.rs`.
//!
//! Not modelled: thresholds that a scenario or `hopflow size` computes (XOFF, headroom); watchdogs;
//! a buffer of the size of a loop (`auto`); a buffer that lanes share; frames of several lanes; a
//! stop of the lane that begins without a frame.

use hopflow_units::{Bytes, Rate, SimTime};
use serde::{Deserialize, Serialize};

use super::blocks::Stored;
use super::machine::{Frame, Receiver, Rule, Sender};
use super::{FRAME_BITS, Facts, Frames, LaneCreditSpec, Promise};
use crate::external::{Fault, Held, MachineError, refuse};

/// What a scenario declares of a rule from outside hopflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalLaneSpec {
    /// The place of the machine in the list of the network. Results have its name and version.
    #[serde(skip)]
    pub place: u16,
    /// The size of a block. Not zero.
    #[serde(rename = "block_bytes")]
    pub block: Bytes,
    /// The receiver's buffer, in blocks: at most [`LaneCreditSpec::BUFFER_MOST`].
    #[serde(rename = "buffer_blocks")]
    pub buffer: u32,
}

impl Rule for ExternalLaneSpec {
    const FACTS: Facts = Facts { name: "external", table: "lanes", frames: Frames::Credit };

    fn promise(&self) -> Option<Promise> {
        let spec =
            LaneCreditSpec { block: self.block, buffer: self.buffer, update: 1, refresh: None };
        spec.promise()
    }

    fn set_buffer(&mut self, blocks: u32) {
        self.buffer = blocks;
    }

    fn assert_valid(&self, largest: Bytes) {
        self.promise().iter().for_each(|promise| promise.assert_valid(largest));
    }
}

/// One end of one lane of a link direction, from outside hopflow. One type serves both ends, so
/// that a rule can be read in one place.
#[allow(unused_variables, reason = "the names tell what the arguments are")]
pub trait ExternalLane: Send {
    /// Sender: the number of blocks that may start on the present credit, at most the buffer.
    fn credit(&self) -> u32;

    /// Sender, after a frame: no packet starts before this instant, even on credit.
    fn not_before(&self) -> SimTime {
        SimTime::ZERO
    }

    /// Sender: the total that a frame of the opposite direction carries, of 25 bits.
    fn total(&self) -> Option<u32> {
        None
    }

    /// Sender: a packet starts.
    fn on_send(&mut self, now: SimTime, blocks: u32) -> Result<(), MachineError>;

    /// Sender: a frame with this value arrives.
    fn on_frame(&mut self, now: SimTime, value: u32) -> Result<(), MachineError>;

    /// Receiver: a packet arrives; `held` counts it. Whether a frame falls due.
    fn on_packet(&mut self, now: SimTime, blocks: u32, held: u32) -> Result<bool, MachineError> {
        Ok(false)
    }

    /// Receiver: a packet leaves the buffer; `held` does not count it. Whether a frame falls due.
    fn on_freed(&mut self, now: SimTime, blocks: u32, held: u32) -> Result<bool, MachineError>;

    /// Receiver: a frame brings the total of the sender; what it counts has arrived or is lost.
    /// Whether a frame falls due.
    fn on_total(&mut self, now: SimTime, total: u32) -> Result<bool, MachineError> {
        Ok(false)
    }

    /// Receiver: a frame that fell due starts. What it carries; `None`: it is left out.
    fn frame(&mut self, now: SimTime, held: u32) -> Result<Option<Frame>, MachineError>;

    /// Receiver: when the timer expires; an instant that it named before is void.
    fn next_timer(&self) -> Option<SimTime> {
        None
    }

    /// Receiver: the timer expires. Whether a frame falls due.
    fn on_timer(&mut self, now: SimTime, held: u32) -> Result<bool, MachineError> {
        Ok(false)
    }
}

/// The error of a value or total that a frame cannot carry.
fn refuse_long(what: &str, value: Option<u32>) -> Result<(), MachineError> {
    refuse(value.is_some_and(|value| value >> FRAME_BITS > 0), || {
        format!("{what} is {value:?}, but a frame carries {FRAME_BITS} bits")
    })
}

/// The sending end, and what its machine answered last.
#[derive(Debug)]
pub struct ExternalSender {
    machine: Box<Held<dyn ExternalLane>>,
    promise: Promise,
    largest: u64,
    credit: u32,
    total: Option<u32>,
    until: Option<SimTime>,
}

impl ExternalSender {
    /// A sender at the beginning of the run, to a receiver with this buffer.
    pub fn made(
        machine: Held<dyn ExternalLane>,
        promise: Promise,
        largest: Bytes,
    ) -> ExternalSender {
        let (machine, largest) = (Box::new(machine), promise.blocks(largest));
        let mut made =
            ExternalSender { machine, promise, largest, credit: 0, total: None, until: None };
        made.ask(SimTime::ZERO, |_| Ok(()));
        made
    }

    /// Why the machine is no longer called.
    pub(super) fn fault(&self) -> Option<&Fault> {
        self.machine.fault()
    }

    /// Calls the machine and reads what follows. Returns the instant before which nothing starts.
    /// Without a machine nothing starts.
    fn ask(
        &mut self,
        now: SimTime,
        call: impl FnOnce(&mut dyn ExternalLane) -> Result<(), MachineError>,
    ) -> SimTime {
        let buffer = self.promise.buffer;
        let answer = self.machine.ask(now, |machine| {
            call(machine)?;
            let (credit, total) = (machine.credit(), machine.total());
            refuse(credit > buffer, || {
                format!("its credit is {credit} blocks, but the receiver has a buffer of {buffer}")
            })?;
            refuse_long("its total", total)?;
            Ok((credit, total, machine.not_before()))
        });
        let not_before;
        (self.credit, self.total, not_before) = answer.unwrap_or_default();
        not_before
    }
}

impl Sender for ExternalSender {
    type Spec = ExternalLaneSpec;

    fn new(_: ExternalLaneSpec, _: Rate, _: impl FnOnce() -> Bytes) -> ExternalSender {
        panic!("the network makes external machines")
    }

    fn may_send(&self) -> bool {
        self.until.is_none() && u64::from(self.credit) >= self.largest
    }

    #[cold]
    #[inline(never)]
    fn on_send(&mut self, now: SimTime, size: Bytes) {
        let blocks = self.promise.blocks(size) as u32;
        self.ask(now, |machine| machine.on_send(now, blocks));
    }

    #[cold]
    #[inline(never)]
    fn on_frame(&mut self, now: SimTime, value: u32) {
        let not_before = self.ask(now, |machine| machine.on_frame(now, value));
        self.until = Some(not_before).filter(|until| *until > now);
    }

    fn until(&self) -> Option<SimTime> {
        self.until
    }

    fn on_expiry(&mut self, now: SimTime) -> bool {
        let is_over = self.until == Some(now);
        self.until = self.until.filter(|_| !is_over);
        is_over && self.may_send()
    }

    fn total(&self) -> Option<u32> {
        self.total
    }

    fn available(&self) -> u64 {
        self.credit.into()
    }
}

/// The receiving end.
#[derive(Debug)]
pub struct ExternalReceiver {
    machine: Box<Held<dyn ExternalLane>>,
    stored: Stored,
    timer: Option<SimTime>,
}

impl ExternalReceiver {
    /// An empty buffer of this size.
    pub fn made(machine: Held<dyn ExternalLane>, promise: Promise) -> ExternalReceiver {
        let (machine, stored) = (Box::new(machine), Stored::new(promise));
        let mut made = ExternalReceiver { machine, stored, timer: None };
        ((), made.timer) = made.with_timer(SimTime::ZERO, |_, _| Ok(()));
        made
    }

    /// Why the machine is no longer called.
    pub(super) fn fault(&self) -> Option<&Fault> {
        self.machine.fault()
    }

    /// Calls the machine. Returns whether a frame must be queued.
    fn falls_due(
        &mut self,
        now: SimTime,
        call: impl FnOnce(&mut dyn ExternalLane) -> Result<bool, MachineError>,
    ) -> bool {
        let is_due = self.machine.ask(now, |machine| call(machine)).unwrap_or(false);
        is_due && self.stored.ask()
    }

    /// Calls the machine with the blocks that are held. Returns its next timer, too.
    fn with_timer<T: Default>(
        &mut self,
        now: SimTime,
        call: impl FnOnce(&mut dyn ExternalLane, u32) -> Result<T, MachineError>,
    ) -> (T, Option<SimTime>) {
        let held = self.stored.held as u32;
        let answer = self.machine.ask(now, |machine| {
            let answer = call(machine, held)?;
            let timer = machine.next_timer();
            refuse(timer.is_some_and(|at| at <= now), || {
                format!("its next timer is {timer:?}, but it is {now}: answer a later instant")
            })?;
            Ok((answer, timer))
        });
        answer.unwrap_or_default()
    }
}

impl Receiver for ExternalReceiver {
    type Spec = ExternalLaneSpec;

    fn new(_: ExternalLaneSpec, _: Rate) -> ExternalReceiver {
        panic!("the network makes external machines")
    }

    #[cold]
    #[inline(never)]
    fn fits(&self, size: Bytes) -> bool {
        let Promise { buffer, .. } = self.stored.promise;
        self.stored.held + self.stored.promise.blocks(size) <= u64::from(buffer)
    }

    #[cold]
    #[inline(never)]
    fn on_packet(&mut self, now: SimTime, size: Bytes) -> bool {
        let [blocks, held] = [self.stored.store(size), self.stored.held].map(|n| n as u32);
        self.falls_due(now, |machine| machine.on_packet(now, blocks, held))
    }

    #[cold]
    #[inline(never)]
    fn on_freed(&mut self, now: SimTime, size: Bytes) -> bool {
        let [blocks, held] = [self.stored.on_freed(size), self.stored.held].map(|n| n as u32);
        self.falls_due(now, |machine| machine.on_freed(now, blocks, held))
    }

    #[cold]
    #[inline(never)]
    fn on_total(&mut self, now: SimTime, total: u32) -> bool {
        self.falls_due(now, |machine| machine.on_total(now, total))
    }

    #[cold]
    #[inline(never)]
    fn frame(&mut self, now: SimTime) -> Option<Frame> {
        self.stored.on_start();
        let (frame, timer) = self.with_timer(now, |machine, held| {
            let frame = machine.frame(now, held)?;
            refuse_long("the value of its frame", frame.map(|frame| frame.value))?;
            Ok(frame)
        });
        // No timer is set after a frame that is left out.
        self.timer = if frame.is_some() { timer } else { self.timer };
        frame
    }

    fn first_timer(&self) -> Option<SimTime> {
        self.timer
    }

    fn alarm(&self) -> Option<SimTime> {
        self.timer
    }

    #[cold]
    #[inline(never)]
    fn on_timer(&mut self, now: SimTime) -> (bool, Option<SimTime>) {
        if self.timer != Some(now) {
            return (false, None);
        }
        let (is_due, timer) = self.with_timer(now, |machine, held| machine.on_timer(now, held));
        self.timer = timer;
        (is_due && self.stored.ask(), timer)
    }

    /// A packet that does not fit is never held.
    fn held_most(&self) -> u64 {
        self.stored.held_most().min(self.stored.promise.buffer.into())
    }

    fn restart_statistics(&mut self) {
        self.stored.restart_statistics();
    }
}
