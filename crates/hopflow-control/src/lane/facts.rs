//! Facts about lane rules for the parser, checks, sizes, results and engines. Each rule states them
//! in its own file, so that no other list of rules exists.

use hopflow_units::{Bytes, Picos};

/// The facts about a rule, whatever its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its name in results, and its `kind` in scenarios if several rules have one table.
    pub name: &'static str,
    /// The table of a link that selects it in scenarios.
    pub table: &'static str,
    /// What its receiver sends.
    pub frames: Frames,
}

/// The frames of a receiver, and so what stops its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frames {
    /// Pause frames: the sender stops when one arrives.
    Pause,
    /// Credits: the sender stops when it has used them up.
    Credit,
}

/// The thresholds of a receiver that stops its sender when it holds too much. Nothing is lost if
/// the headroom above XOFF takes all that arrives before the sender stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// XOFF: the sender is stopped when at least this many bytes are held.
    pub xoff: Bytes,
    /// XON: it is released when at most this many bytes are held. Below `xoff`.
    pub xon: Bytes,
    /// The receiver's room: `xoff` plus headroom. `None`: no limit.
    pub room: Option<Bytes>,
}

/// The buffer that a receiver promises to its sender, counted in blocks. Nothing is lost, because
/// the sender starts no packet for which it has no promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The size of a block. Not zero.
    pub block: Bytes,
    /// Bytes that each packet takes in its blocks in addition to its size.
    pub overhead: u16,
    /// The buffer, in blocks.
    pub buffer: u32,
    /// The largest buffer that the rule can promise, in blocks.
    pub buffer_most: u32,
    /// The largest buffer that a device with this block can promise, in blocks, if its totals are
    /// shorter than those of the model.
    pub device_most: Option<u32>,
    /// A credit falls due after this number of freed blocks. Not zero.
    pub update: u32,
    /// The least time from the start of one credit to the next.
    pub spacing: Picos,
    /// Whether credits also start at times, with or without freed blocks.
    pub is_refreshed: bool,
}

impl Promise {
    /// Blocks that a packet of this size takes, rounded up.
    pub fn blocks(&self, size: Bytes) -> u64 {
        (size.0 + u64::from(self.overhead)).div_ceil(self.block.0)
    }

    /// The least buffer of a lane whose largest packet is `largest`, in blocks: a credit for it
    /// never waits for more freed blocks than there are.
    pub fn least(&self, largest: Bytes) -> u64 {
        self.blocks(largest) + u64::from(self.update) - 1
    }

    /// Asserts what the machines rely on, for the largest packet of the lane.
    pub(super) fn assert_valid(&self, largest: Bytes) {
        assert!(self.block > Bytes(0) && self.update > 0, "a lane has blocks and updates");
        let fits = self.buffer <= self.buffer_most;
        assert!(fits, "serial arithmetic needs less than 2^24, or the limit of the rule");
        let holds = u64::from(self.buffer) >= self.least(largest);
        assert!(holds, "a lane's buffer holds a packet and an update");
    }
}
