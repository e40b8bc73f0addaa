//! The ends of a lane whose buffer is promised in blocks, as the rules with credits share them.
//!
//! Both ends count blocks in running totals that never wrap; frames carry the low bits of a total,
//! which are compared in serial arithmetic [RFC1982].

use hopflow_units::Bytes;

use super::Promise;

/// The low `bits` of a total, as frames carry them.
pub(super) const fn low(total: u64, bits: u32) -> u32 {
    (total & ((1 << bits) - 1)) as u32
}

/// The distance of a received total from `total`, which is behind it by less than 2^bits.
pub(super) const fn ahead(value: u32, total: u64, bits: u32) -> u32 {
    value.wrapping_sub(low(total, bits)) & ((1 << bits) - 1)
}

/// The sending end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Started {
    pub(super) promise: Promise,
    /// Blocks of the largest packet of the lane.
    largest: u64,
    /// Blocks that the sender has started.
    pub(super) sent: u64,
    /// The limit of `sent`; the buffer initially.
    pub(super) limit: u64,
}

impl Started {
    /// A sender to an empty buffer.
    pub(super) fn new(promise: Promise, largest: Bytes) -> Started {
        let (largest, limit) = (promise.blocks(largest), u64::from(promise.buffer));
        Started { promise, largest, sent: 0, limit }
    }

    /// Whether there is room for the largest packet.
    pub(super) const fn may_send(&self) -> bool {
        self.available() >= self.largest
    }

    /// Counts a start. Panics without credit: a bug in the caller.
    pub(super) fn on_send(&mut self, size: Bytes) {
        let blocks = self.promise.blocks(size);
        assert!(blocks <= self.available(), "a lane sent a packet without credit");
        self.sent += blocks;
    }

    /// Blocks that may still start. The limit is below `sent` after a false credit only.
    pub(super) const fn available(&self) -> u64 {
        self.limit.saturating_sub(self.sent)
    }
}

/// The receiving end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    pub(super) promise: Promise,
    /// Blocks received, plus those known to be lost.
    pub(super) received: u64,
    /// Blocks in the buffer.
    pub(super) held: u64,
    held_most: u64,
    /// Packets that found fewer free blocks than they take.
    overruns: u64,
    /// Whether a credit is queued.
    is_waiting: bool,
}

impl Stored {
    /// An empty buffer.
    pub(super) const fn new(promise: Promise) -> Stored {
        Stored { promise, received: 0, held: 0, held_most: 0, overruns: 0, is_waiting: false }
    }

    /// Stores a packet, and counts it if it does not fit.
    pub(super) fn on_packet(&mut self, size: Bytes) {
        self.store(size);
        self.overruns += u64::from(self.held > u64::from(self.promise.buffer));
    }

    /// Stores a packet. Returns its blocks.
    pub(super) fn store(&mut self, size: Bytes) -> u64 {
        let blocks = self.promise.blocks(size);
        self.received += blocks;
        self.held += blocks;
        self.held_most = self.held_most.max(self.held);
        blocks
    }

    /// Frees a packet. Returns its blocks.
    pub(super) fn on_freed(&mut self, size: Bytes) -> u64 {
        let blocks = self.promise.blocks(size);
        assert!(self.held >= blocks, "a packet left a lane that did not hold it");
        self.held -= blocks;
        blocks
    }

    /// Requests a credit now. Returns whether one must be queued: not if one is waiting.
    pub(super) fn ask(&mut self) -> bool {
        !std::mem::replace(&mut self.is_waiting, true)
    }

    /// A credit starts. Panics unless one was waiting.
    pub(super) fn on_start(&mut self) {
        assert!(self.is_waiting, "a lane credit starts that was not queued");
        self.is_waiting = false;
    }

    /// Blocks that were freed or lost.
    pub(super) const fn freed(&self) -> u64 {
        self.received - self.held
    }

    /// The most blocks in the buffer so far.
    pub(super) const fn held_most(&self) -> u64 {
        self.held_most
    }

    /// Packets that did not fit.
    pub(super) const fn overruns(&self) -> u64 {
        self.overruns
    }

    /// Resets the most blocks.
    pub(super) fn restart_statistics(&mut self) {
        self.held_most = self.held;
    }
}
