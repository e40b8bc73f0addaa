//! Control of a lane: all VCs of one priority on one link direction are stopped and released
//! together.
//!
//! Every rule is two small machines. The [`LaneReceiver`] at the far end counts what it holds, and
//! decides when a frame falls due and what it carries. The [`LaneSender`] at the sending port
//! decides whether a packet may start.
//!
//! `lane_rules!` below is the only list of rules: the parser, results, sizes, checks and engines
//! are derived from it. Each rule has its own file, with both machines and the facts that others
//! need ([`Facts`], [`Threshold`], [`Promise`]).
//!
//! | rule   | frame carries                          | a packet may start    | file        |
//! |--------|----------------------------------------|-----------------------|-------------|
//! | pause  | quanta of the pause; 0 resumes         | unless paused         | `pause.rs`  |
//! | CBFC   | CF, at spaced times, and sometimes CC  | CC - CF + c_max <= CL | `cbfc.rs`   |
//! | credit | FCCL, and FCTBS of the other direction | FCCL - FCTBS >= b_max | `credit.rs` |
//! | external | what its machine answers             | what its machine answers | `external.rs` |
//!
//! The rules with credits share `blocks.rs` (the totals of both ends) and `size.rs` (the buffer
//! that a lane needs). `pause/headroom.rs` computes what a pause needs above its threshold.

mod blocks;
mod cbfc;
mod credit;
mod external;
mod facts;
mod machine;
mod pause;
mod size;
mod table;

use hopflow_units::{Bytes, Picos, Rate, SimTime};
use serde::{Deserialize, Deserializer, Serialize};

use crate::external::Fault;
use cbfc::{CbfcReceiver, CbfcSender};
use credit::{CreditReceiver, CreditSender};
use machine::{Receiver, Rule, Sender};
use pause::{PauseReceiver, PauseSender};
use table::lane_rules;

pub use cbfc::CbfcSpec;
pub use credit::LaneCreditSpec;
pub use external::{ExternalLane, ExternalLaneSpec, ExternalReceiver, ExternalSender};
pub use facts::{Facts, Frames, Promise, Threshold};
pub use machine::{Frame, Watched};
pub use pause::{
    Headroom, HeadroomError, PauseSpec, PausedLink, WatchdogAction, Watching, headroom, pause_span,
};
pub use size::{LaneLoop, LaneNeed, LaneSizeError};

/// Bits in the value of a frame.
pub const FRAME_BITS: u32 = 25;

lane_rules! {
    /// Pause frames of PFC.
    Pause(PauseSpec => PauseSender, PauseReceiver) as "pause",
    /// One credit for all VCs of the lane.
    Credit(LaneCreditSpec => CreditSender, CreditReceiver) as "credit",
    /// CBFC of Ultra Ethernet. Manifests write it as a credit with spacings.
    Cbfc(CbfcSpec => CbfcSender, CbfcReceiver) as "credit",
    /// Machines from outside hopflow.
    External(ExternalLaneSpec => ExternalSender, ExternalReceiver) as "external",
}

impl LaneRule {
    /// The thresholds of the receiver; `None` if it works without.
    pub fn threshold(&self) -> Option<Threshold> {
        of_spec!(self, spec => spec.threshold())
    }

    /// Replaces the thresholds, if it has some.
    pub fn set_threshold(&mut self, threshold: Threshold) {
        of_spec!(self, spec => spec.set_threshold(threshold));
    }

    /// The buffer that the receiver promises to the sender; `None` if it promises nothing.
    pub fn promise(&self) -> Option<Promise> {
        of_spec!(self, spec => spec.promise())
    }

    /// Replaces the size of a promised buffer, in blocks, if it has one.
    pub fn set_buffer(&mut self, blocks: u32) {
        of_spec!(self, spec => spec.set_buffer(blocks));
    }

    /// The span of a pause after which a port discards packets; `None`: never.
    pub fn watchdog(&self) -> Option<Picos> {
        of_spec!(self, spec => spec.watchdog())
    }

    /// The index of the machine, if the rule comes from outside hopflow.
    pub const fn external(&self) -> Option<u16> {
        if let LaneRule::External(spec) = self { Some(spec.place) } else { None }
    }

    /// Gives the rule the machine of another index, if it comes from outside hopflow.
    pub fn set_external(&mut self, new: impl FnOnce(u16) -> u16) {
        if let LaneRule::External(spec) = self {
            spec.place = new(spec.place);
        }
    }

    /// What a frame carries, if it is wrong by `error`: changed modulo the bits of a total.
    pub fn falsified(&self, value: u32, error: i32) -> u32 {
        fn bits<R: Rule>(_: &R) -> u32 {
            R::VALUE_BITS
        }
        let wrong = value.wrapping_add_signed(error);
        of_spec!(self, spec => wrong & ((1 << bits(spec)) - 1))
    }

    /// Asserts what the machines rely on, for the largest packet of the lane.
    pub fn assert_valid(&self, largest: Bytes) {
        of_spec!(self, spec => spec.assert_valid(largest));
    }
}

impl LaneSender {
    /// Whether a packet may start.
    pub fn may_send(&self) -> bool {
        of_sender!(self, sender => sender.may_send())
    }

    /// Counts a start, and returns whether another packet may start. Panics if none is allowed: a
    /// bug in the caller.
    pub fn on_send(&mut self, now: SimTime, size: Bytes) -> bool {
        of_sender!(self, sender => {
            sender.on_send(now, size);
            sender.may_send()
        })
    }

    /// A frame of this value has arrived. Returns whether a packet may start.
    pub fn on_frame(&mut self, now: SimTime, value: u32) -> bool {
        of_sender!(self, sender => {
            sender.on_frame(now, value);
            sender.may_send()
        })
    }

    /// When a pause expires, if there is one.
    pub fn until(&self) -> Option<SimTime> {
        of_sender!(self, sender => sender.until())
    }

    /// The pause may have expired. Returns whether it has.
    pub fn on_expiry(&mut self, now: SimTime) -> bool {
        of_sender!(self, sender => sender.on_expiry(now))
    }

    /// When the watchdog acts, if the pause lasts until then, or when it restores the port.
    pub fn watchdog_due(&self) -> Option<SimTime> {
        of_sender!(self, sender => sender.watchdog_due())
    }

    /// The time of the watchdog may have come. Returns what it does.
    pub fn on_watchdog(&mut self, now: SimTime) -> Watched {
        of_sender!(self, sender => sender.on_watchdog(now))
    }

    /// Whether arriving packets are discarded.
    pub fn discards(&self) -> bool {
        of_sender!(self, sender => sender.discards())
    }

    /// The total of started blocks as a frame carries it; `None` if the rule counts none.
    pub fn total(&self) -> Option<u32> {
        of_sender!(self, sender => sender.total())
    }

    /// Blocks that may still start; 0 if the rule counts none.
    pub fn available(&self) -> u64 {
        of_sender!(self, sender => sender.available())
    }

    /// Why an external machine is no longer called.
    pub fn fault(&self) -> Option<&Fault> {
        if let LaneSender::External(sender) = self { sender.fault() } else { None }
    }
}

impl LaneReceiver {
    /// Whether a packet of this size fits.
    pub fn fits(&self, size: Bytes) -> bool {
        of_receiver!(self, receiver => receiver.fits(size))
    }

    /// Stores a packet. Returns whether a frame falls due and must be queued.
    pub fn on_packet(&mut self, now: SimTime, size: Bytes) -> bool {
        of_receiver!(self, receiver => receiver.on_packet(now, size))
    }

    /// Frees a packet. Returns whether a frame falls due and must be queued.
    pub fn on_freed(&mut self, now: SimTime, size: Bytes) -> bool {
        of_receiver!(self, receiver => receiver.on_freed(now, size))
    }

    /// A packet is stored and freed at one instant. Returns whether a frame falls due and must be
    /// queued.
    pub fn on_passed(&mut self, now: SimTime, size: Bytes) -> bool {
        of_receiver!(self, receiver => receiver.on_passed(now, size))
    }

    /// The sender has started this total of blocks; all of them have arrived or are lost. Returns
    /// whether a frame falls due and must be queued.
    pub fn on_total(&mut self, now: SimTime, total: u32) -> bool {
        of_receiver!(self, receiver => receiver.on_total(now, total))
    }

    /// The frame that starts now; `None` if it is left out. Panics unless a frame was waiting.
    pub fn frame(&mut self, now: SimTime) -> Option<Frame> {
        of_receiver!(self, receiver => receiver.frame(now))
    }

    /// When the first timer expires; `None` if there is none at the start.
    pub fn first_timer(&self) -> Option<SimTime> {
        of_receiver!(self, receiver => receiver.first_timer())
    }

    /// The next timer after a frame that has just started, if there is one.
    pub fn alarm(&self) -> Option<SimTime> {
        of_receiver!(self, receiver => receiver.alarm())
    }

    /// A timer expires. Returns whether a frame falls due and must be queued, and the next timer.
    pub fn on_timer(&mut self, now: SimTime) -> (bool, Option<SimTime>) {
        of_receiver!(self, receiver => receiver.on_timer(now))
    }

    /// The most that was held so far: bytes under a threshold, blocks of a promised buffer.
    pub fn held_most(&self) -> u64 {
        of_receiver!(self, receiver => receiver.held_most())
    }

    /// Packets that arrived when the promised buffer had fewer free blocks than they take.
    pub fn overruns(&self) -> u64 {
        of_receiver!(self, receiver => receiver.overruns())
    }

    /// Why an external machine is no longer called.
    pub fn fault(&self) -> Option<&Fault> {
        if let LaneReceiver::External(receiver) = self { receiver.fault() } else { None }
    }

    /// Resets the most that was held.
    pub fn restart_statistics(&mut self) {
        of_receiver!(self, receiver => receiver.restart_statistics());
    }
}
