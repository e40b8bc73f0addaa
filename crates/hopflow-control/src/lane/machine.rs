//! The interfaces of a lane rule: its parameters and its two machines.

use hopflow_units::{Bytes, Picos, Rate, SimTime};

use super::{FRAME_BITS, Facts, Promise, Threshold};

/// A frame that starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// What it carries, in [`super::FRAME_BITS`] bits.
    pub value: u32,
    /// Whether it begins or renews a pause.
    pub is_pause: bool,
    /// Whether it also carries the total that its port has started on this lane.
    pub carries_total: bool,
}

/// What a watchdog does as its time comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// It is another's time.
    Nothing,
    /// All waiting packets must be discarded.
    Drops,
    /// Whether packets may start has perhaps changed.
    Changed,
}

/// The parameters of a rule; [`super::LaneRule`] describes each call.
pub(super) trait Rule {
    const FACTS: Facts;
    /// Bits of what its frames carry.
    const VALUE_BITS: u32 = FRAME_BITS;

    fn threshold(&self) -> Option<Threshold> {
        None
    }

    fn set_threshold(&mut self, _threshold: Threshold) {}

    fn promise(&self) -> Option<Promise> {
        None
    }

    fn set_buffer(&mut self, _blocks: u32) {}

    fn watchdog(&self) -> Option<Picos> {
        None
    }

    fn assert_valid(&self, largest: Bytes);
}

/// The sending end of a lane; [`super::LaneSender`] describes each call.
pub(super) trait Sender {
    type Spec;

    fn new(spec: Self::Spec, rate: Rate, largest: impl FnOnce() -> Bytes) -> Self;

    fn may_send(&self) -> bool;

    fn on_send(&mut self, _now: SimTime, _size: Bytes) {}

    fn on_frame(&mut self, now: SimTime, value: u32);

    fn until(&self) -> Option<SimTime> {
        None
    }

    fn on_expiry(&mut self, _now: SimTime) -> bool {
        false
    }

    fn watchdog_due(&self) -> Option<SimTime> {
        None
    }

    fn on_watchdog(&mut self, _now: SimTime) -> Watched {
        Watched::Nothing
    }

    fn discards(&self) -> bool {
        false
    }

    fn total(&self) -> Option<u32> {
        None
    }

    fn available(&self) -> u64 {
        0
    }
}

/// The receiving end of a lane; [`super::LaneReceiver`] describes each call.
pub(super) trait Receiver {
    type Spec;

    fn new(spec: Self::Spec, rate: Rate) -> Self;

    fn fits(&self, _size: Bytes) -> bool {
        true
    }

    fn on_packet(&mut self, now: SimTime, size: Bytes) -> bool;

    fn on_freed(&mut self, now: SimTime, size: Bytes) -> bool;

    fn on_passed(&mut self, now: SimTime, size: Bytes) -> bool {
        let is_due = self.on_packet(now, size);
        self.on_freed(now, size) || is_due
    }

    fn on_total(&mut self, _now: SimTime, _total: u32) -> bool {
        false
    }

    fn frame(&mut self, now: SimTime) -> Option<Frame>;

    fn first_timer(&self) -> Option<SimTime> {
        None
    }

    fn alarm(&self) -> Option<SimTime>;

    fn on_timer(&mut self, now: SimTime) -> (bool, Option<SimTime>);

    fn held_most(&self) -> u64;

    fn overruns(&self) -> u64 {
        0
    }

    fn restart_statistics(&mut self);
}
