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
//! Totals travel modulo 2^25 and are compared in serial arithmetic [RFC1982]. Any credit cell
//! repairs the loss of earlier ones, and a false FCCL counts until the next; (3) repairs the loss
//! of data, if both directions have lane credits.
//!
//! Source: [IBA]. Differs: totals have 25 bits (12 in [IBA]); blocks may have any size (64 bytes in
//! [IBA]); (1) requires room for the largest packet, not for the next; a credit cell has no field
//! for its kind. Not modelled: more lanes than priorities. Checked by: `credit/tests.rs`,
//! `docs/models/lanes.md`. `size.rs` computes the buffer that a lane needs.

use hopflow_units::{Bytes, Picos, Rate, SimTime};
use serde::{Deserialize, Serialize};

use super::blocks::{Started, Stored, ahead, low};
use super::machine::{Frame, Receiver, Rule, Sender};
use super::{FRAME_BITS, Facts, Frames, Promise};
use crate::credit::USUAL_N2;

/// The credit parameters of one lane of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaneCreditSpec {
    /// The size of a block. Not zero.
    #[serde(rename = "block_bytes")]
    pub block: Bytes,
    /// The receiver's buffer, in blocks: at most [`LaneCreditSpec::BUFFER_MOST`].
    #[serde(rename = "buffer_blocks")]
    pub buffer: u32,
    /// A credit falls due after this number of freed blocks. Not zero.
    #[serde(rename = "update_blocks")]
    pub update: u32,
    /// The receiver sends a credit at least once per this span. Not zero.
    #[serde(rename = "refresh_ps")]
    pub refresh: Option<Picos>,
}

impl LaneCreditSpec {
    /// The largest buffer, in blocks: half the range of a total, so that ahead and behind are
    /// distinct.
    pub const BUFFER_MOST: u32 = (1 << (FRAME_BITS - 1)) - 1;
    /// The largest buffer that totals of 12 bits of [IBA] can promise, in blocks: half their range.
    pub const DEVICE_MOST: u32 = 1 << 11;
    /// The block where none is given, that of [IBA].
    pub const USUAL_BLOCK: Bytes = Bytes(64);
    /// Freed blocks per credit where none are given, as many as N2 has cells.
    pub const USUAL_UPDATE: u32 = USUAL_N2.0;

    const fn promised(&self) -> Promise {
        let LaneCreditSpec { block, buffer, update, refresh } = *self;
        let (buffer_most, is_refreshed) = (LaneCreditSpec::BUFFER_MOST, refresh.is_some());
        let (overhead, spacing) = (0, Picos::ZERO);
        let device_most = LaneCreditSpec::device_most(block);
        Promise { block, overhead, buffer, buffer_most, device_most, update, spacing, is_refreshed }
    }

    /// The largest buffer that a device with this block can promise: blocks of 64 B are those of
    /// [IBA]. `None`: no device is known.
    pub const fn device_most(block: Bytes) -> Option<u32> {
        let is_usual = block.0 == LaneCreditSpec::USUAL_BLOCK.0;
        if is_usual { Some(LaneCreditSpec::DEVICE_MOST) } else { None }
    }
}

impl Rule for LaneCreditSpec {
    const FACTS: Facts = Facts { name: "credit", table: "lanes", frames: Frames::Credit };

    fn promise(&self) -> Option<Promise> {
        Some(self.promised())
    }

    fn set_buffer(&mut self, blocks: u32) {
        self.buffer = blocks;
    }

    fn assert_valid(&self, largest: Bytes) {
        self.promised().assert_valid(largest);
        assert!(self.refresh != Some(Picos::ZERO), "a refresh waits some time");
    }
}

/// The sending end.
#[derive(Clone, Copy, Debug)]
pub struct CreditSender(Started);

impl Sender for CreditSender {
    type Spec = LaneCreditSpec;

    fn new(spec: LaneCreditSpec, _: Rate, largest: impl FnOnce() -> Bytes) -> CreditSender {
        let largest = largest();
        spec.assert_valid(largest);
        CreditSender(Started::new(spec.promised(), largest))
    }

    /// Eq. (1).
    fn may_send(&self) -> bool {
        self.0.may_send()
    }

    fn on_send(&mut self, _: SimTime, size: Bytes) {
        self.0.on_send(size);
    }

    /// Takes the receiver's FCCL, whatever the limit was before; one behind FCTBS leaves no room.
    fn on_frame(&mut self, _: SimTime, fccl: u32) {
        let room = ahead(fccl, self.0.sent, FRAME_BITS);
        let is_ahead = room <= LaneCreditSpec::BUFFER_MOST;
        self.0.limit = self.0.sent + if is_ahead { u64::from(room) } else { 0 };
    }

    /// FCTBS.
    fn total(&self) -> Option<u32> {
        Some(low(self.0.sent, FRAME_BITS))
    }

    fn available(&self) -> u64 {
        self.0.available()
    }
}

/// The receiving end.
#[derive(Clone, Copy, Debug)]
pub struct CreditReceiver {
    spec: LaneCreditSpec,
    stored: Stored,
    /// Blocks freed since a credit last fell due.
    since_due: u64,
}

impl Receiver for CreditReceiver {
    type Spec = LaneCreditSpec;

    fn new(spec: LaneCreditSpec, _: Rate) -> CreditReceiver {
        CreditReceiver { spec, stored: Stored::new(spec.promised()), since_due: 0 }
    }

    fn on_packet(&mut self, _: SimTime, size: Bytes) -> bool {
        self.stored.on_packet(size);
        false
    }

    /// Eq. (4).
    fn on_freed(&mut self, _: SimTime, size: Bytes) -> bool {
        self.since_due += self.stored.on_freed(size);
        if self.since_due < u64::from(self.spec.update) {
            return false;
        }
        self.since_due = 0;
        self.stored.ask()
    }

    /// Takes FCTBS. A credit falls due if some blocks were lost. Eq. (3).
    fn on_total(&mut self, _: SimTime, fctbs: u32) -> bool {
        let lost = ahead(fctbs, self.stored.received, FRAME_BITS);
        let was_sent = lost <= LaneCreditSpec::BUFFER_MOST;
        assert!(was_sent, "blocks were received that were never sent");
        self.stored.received += u64::from(lost);
        lost > 0 && self.stored.ask()
    }

    /// FCCL, with FCTBS of the other direction. Eq. (2).
    fn frame(&mut self, _: SimTime) -> Option<Frame> {
        self.stored.on_start();
        let fccl = self.stored.freed() + u64::from(self.spec.buffer);
        Some(Frame { value: low(fccl, FRAME_BITS), is_pause: false, carries_total: true })
    }

    fn first_timer(&self) -> Option<SimTime> {
        self.spec.refresh.map(|span| SimTime::ZERO.saturating_add(span))
    }

    fn alarm(&self) -> Option<SimTime> {
        None
    }

    fn on_timer(&mut self, now: SimTime) -> (bool, Option<SimTime>) {
        (self.stored.ask(), self.spec.refresh.map(|span| now.saturating_add(span)))
    }

    fn held_most(&self) -> u64 {
        self.stored.held_most()
    }

    fn overruns(&self) -> u64 {
        self.stored.overruns()
    }

    fn restart_statistics(&mut self) {
        self.stored.restart_statistics();
    }
}

#[cfg(test)]
mod tests;
