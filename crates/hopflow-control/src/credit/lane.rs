//! Lane credits: one credit for all VCs of a lane on a link, as on a virtual lane of InfiniBand.
//!
//! The buffer is counted in blocks, and a packet takes whole blocks. Both ends keep running totals;
//! a credit cell carries two of them, one for each direction of the link:
//! ```text
//! a packet may start  <=>  FCCL - FCTBS >= b_max                                  (1)
//! FCCL  = ABR + (buffer - B)            when the credit cell starts               (2)
//! ABR  <- FCTBS                         when a credit cell of the other end arrives (3)
//! a credit falls due after every `update` freed blocks                            (4)
//! ```
//! | symbol             | meaning                                                  | unit   |
//! |--------------------|----------------------------------------------------------|--------|
//! | FCTBS, `sent`      | blocks that the sender has started                       | blocks |
//! | FCCL, `limit`      | limit of FCTBS; the buffer initially                     | blocks |
//! | ABR, `received`    | blocks received, plus those known to be lost by (3)      | blocks |
//! | B, `held`          | blocks in the receiver's buffer                          | blocks |
//! | b_max, `largest`   | blocks of the largest packet of the lane                 | blocks |
//!
//! Totals travel modulo 2^25 and are compared in serial arithmetic [RFC1982]. FCCL never decreases,
//! and any credit cell repairs the loss of earlier ones; (3) repairs the loss of data, if both
//! directions have lane credits.
//!
//! Source: [IBA]. Differs: totals have 25 bits (12 in [IBA]); blocks may have any size (64 bytes in
//! [IBA]); (1) requires room for the largest packet, not for the next; a credit cell has no field
//! for its kind. Not modelled: more lanes than priorities. Checked by: `lane/tests.rs`,
//! `docs/models/lanes.md`. `lane/size.rs` computes the buffer that a lane needs.

mod size;

pub use size::{LaneLoop, LaneNeed, LaneSizeError};

use hopflow_units::{Bytes, Picos, SimTime};
use serde::{Deserialize, Serialize};

use super::cbfc::{self, CbfcSpec, Updates};

/// The credit parameters of one lane of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneSpec {
    /// The size of a block. Not zero.
    #[serde(rename = "block_bytes")]
    pub block: Bytes,
    /// Bytes that each packet takes in its blocks in addition to its size.
    #[serde(rename = "overhead_bytes", default, skip_serializing_if = "is_zero")]
    pub overhead: u16,
    /// The receiver's buffer, in blocks: below 2^24, under CBFC below 2^20.
    #[serde(rename = "buffer_blocks")]
    pub buffer: u32,
    /// A credit falls due after this number of freed blocks. Not zero.
    #[serde(rename = "update_blocks")]
    pub update: u32,
    /// The receiver sends a credit at least once per this span. Not zero.
    #[serde(rename = "refresh_ps")]
    pub refresh: Option<Picos>,
    /// CBFC decides when credits return (`cbfc.rs`): `update` is 1, and `refresh` is the CC timer.
    #[serde(flatten)]
    pub cbfc: Option<CbfcSpec>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_zero(overhead: &u16) -> bool {
    *overhead == 0
}

impl LaneSpec {
    /// Its name in results.
    pub const fn name(&self) -> &'static str {
        if self.cbfc.is_some() { "cbfc" } else { "credit" }
    }

    /// Blocks that a packet of this size takes, rounded up.
    pub fn blocks(&self, size: Bytes) -> u64 {
        (size.0 + u64::from(self.overhead)).div_ceil(self.block.0)
    }

    /// When the receiver first checks whether a credit falls due; `None`: when blocks are freed.
    pub fn first_timer(&self) -> Option<Picos> {
        let latest = self.cbfc.map_or(Picos::MAX, |cbfc| cbfc.max_spacing);
        self.refresh.map(|span| span.min(latest))
    }

    /// The largest buffer, in blocks: half the range of a total, the whole range under CBFC.
    pub const fn most_blocks(is_cbfc: bool) -> u32 {
        if is_cbfc { (1 << cbfc::BITS) - 1 } else { (1 << (LANE_BITS - 1)) - 1 }
    }

    /// Asserts what the machines rely on, for the largest packet `largest`: a credit for it never
    /// waits for more freed blocks than there are.
    pub fn assert_valid(&self, largest: Bytes) {
        assert!(self.block > Bytes(0) && self.update > 0, "a lane has blocks and updates");
        let most = LaneSpec::most_blocks(self.cbfc.is_some());
        assert!(self.buffer <= most, "serial arithmetic needs less than 2^24, in CBFC 2^20");
        assert!(self.refresh != Some(Picos::ZERO), "a refresh waits some time");
        if let Some(CbfcSpec { min_spacing, max_spacing }) = self.cbfc {
            assert!(self.update == 1 && self.refresh.is_some(), "CBFC has spacings and a CC timer");
            assert!(Picos::ZERO < min_spacing && min_spacing <= max_spacing, "a spacing is a time");
        }
        let least = self.blocks(largest) + u64::from(self.update) - 1;
        assert!(u64::from(self.buffer) >= least, "a lane's buffer holds a packet and an update");
    }
}

/// Bits of a total in a credit cell; CBFC has fewer.
pub const LANE_BITS: u32 = 25;

/// Totals in credit cells.
impl LaneSpec {
    const fn mask(&self) -> u32 {
        let bits = if self.cbfc.is_some() { cbfc::BITS } else { LANE_BITS };
        (1 << bits) - 1
    }

    const fn told(&self, total: u64) -> u32 {
        (total & self.mask() as u64) as u32
    }

    /// The distance of a received total from `total`; `None` if it is behind, which never occurs
    /// under CBFC.
    fn ahead(&self, value: u32, total: u64) -> Option<u64> {
        let distance = value.wrapping_sub(self.told(total)) & self.mask();
        let is_ahead = self.cbfc.is_some() || distance <= self.mask() / 2;
        is_ahead.then_some(u64::from(distance))
    }

    /// The total that is sent for freed blocks: FCCL, which includes the buffer, or CF.
    fn promised(&self) -> u64 {
        if self.cbfc.is_some() { 0 } else { u64::from(self.buffer) }
    }
}

/// The sending end of one lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneSender {
    spec: LaneSpec,
    largest: u64,
    sent: u64,
    limit: u64,
}

impl LaneSender {
    /// A sender to an empty buffer, on a lane whose largest packet is `largest`.
    pub fn new(spec: LaneSpec, largest: Bytes) -> LaneSender {
        spec.assert_valid(largest);
        let largest = spec.blocks(largest);
        LaneSender { spec, largest, sent: 0, limit: u64::from(spec.buffer) }
    }

    /// Whether a packet may start. Eq. (1).
    pub const fn may_send(&self) -> bool {
        self.limit - self.sent >= self.largest
    }

    /// Counts a start. Panics without credit: a bug in the caller.
    pub fn on_send(&mut self, size: Bytes) {
        self.sent += self.spec.blocks(size);
        assert!(self.sent <= self.limit, "a lane sent a packet without credit");
    }

    /// Takes the receiver's FCCL, or CF; an older one changes nothing.
    pub fn on_credit(&mut self, value: u32) {
        let known = self.limit - u64::from(self.spec.buffer) + self.spec.promised();
        self.limit += self.spec.ahead(value, known).unwrap_or(0);
    }

    /// FCTBS as it is sent.
    pub const fn fctbs(&self) -> u32 {
        self.spec.told(self.sent)
    }

    /// Blocks that may still start.
    pub const fn available(&self) -> u64 {
        self.limit - self.sent
    }
}

/// The receiving end of one lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneReceiver {
    spec: LaneSpec,
    received: u64,
    held: u64,
    held_most: u64,
    /// Blocks freed since a credit last fell due.
    since_due: u64,
    waiting: bool,
    updates: Option<Updates>,
}

impl LaneReceiver {
    /// An empty buffer.
    pub fn new(spec: LaneSpec) -> LaneReceiver {
        let updates = spec.cbfc.zip(spec.refresh).map(|(cbfc, timer)| Updates::new(cbfc, timer));
        let (received, held, held_most, since_due) = (0, 0, 0, 0);
        LaneReceiver { spec, received, held, held_most, since_due, waiting: false, updates }
    }

    /// Stores a packet. Panics when it does not fit: a bug in the sender.
    pub fn on_packet(&mut self, size: Bytes) {
        let blocks = self.spec.blocks(size);
        self.received += blocks;
        self.held += blocks;
        self.held_most = self.held_most.max(self.held);
        assert!(self.held <= u64::from(self.spec.buffer), "a lane's buffer never overflows");
    }

    /// Frees a packet. Returns whether a credit falls due and must be queued. Eq. (4).
    pub fn on_freed(&mut self, size: Bytes) -> bool {
        let blocks = self.spec.blocks(size);
        assert!(self.held >= blocks, "a packet left a lane that did not hold it");
        self.held -= blocks;
        self.since_due += blocks;
        let is_due = match &self.updates {
            Some(updates) => updates.is_open(),
            None => self.since_due >= u64::from(self.spec.update),
        };
        if !is_due {
            return false;
        }
        self.since_due = 0;
        self.ask()
    }

    /// Requests a credit now. Returns whether one must be queued: not if one is waiting.
    pub fn ask(&mut self) -> bool {
        !std::mem::replace(&mut self.waiting, true)
    }

    /// FCCL (or CF) of the credit cell that starts now, and whether the cell also carries FCTBS of
    /// the other direction. Eq. (2). Panics unless a credit was waiting.
    pub fn told(&mut self, now: SimTime) -> (u32, bool) {
        assert!(self.waiting, "a lane credit starts that was not queued");
        self.waiting = false;
        let tells_other = self.updates.as_mut().is_none_or(|updates| {
            self.since_due = 0;
            updates.on_start(now)
        });
        (self.spec.told(self.received - self.held + self.spec.promised()), tells_other)
    }

    /// The next timer, in addition to every `refresh`.
    pub fn alarm(&self) -> Option<SimTime> {
        self.updates.as_ref().map(Updates::alarm)
    }

    /// A timer expires. Returns whether a credit must be queued, and the next instant.
    pub fn on_timer(&mut self, now: SimTime) -> (bool, Option<SimTime>) {
        let Some(updates) = &mut self.updates else {
            return (self.ask(), self.spec.refresh.map(|span| now.saturating_add(span)));
        };
        let (is_due, again) = updates.on_timer(now, self.since_due > 0);
        (is_due && self.ask(), again)
    }

    /// The sender has started this total of blocks; all of them have arrived or are lost. Returns
    /// whether a credit for lost ones must be queued. Eq. (3).
    pub fn on_check(&mut self, fctbs: u32) -> bool {
        let lost = self.spec.ahead(fctbs, self.received);
        let lost = lost.expect("blocks were received that were never sent");
        self.received += lost;
        let is_due = match &self.updates {
            Some(updates) => {
                self.since_due += lost;
                updates.is_open()
            }
            None => true,
        };
        lost > 0 && is_due && self.ask()
    }

    /// B, in blocks.
    pub const fn held(&self) -> u64 {
        self.held
    }

    /// The greatest B so far, in blocks.
    pub const fn held_most(&self) -> u64 {
        self.held_most
    }

    /// Resets the greatest B.
    pub fn restart_statistics(&mut self) {
        self.held_most = self.held;
    }
}

#[cfg(test)]
mod tests;
