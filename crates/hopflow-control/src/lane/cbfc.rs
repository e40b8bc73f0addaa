//! CBFC, the credit-based flow control of Ultra Ethernet: when the credits of a lane return.
//!
//! The ends of a lane (`blocks.rs`) keep totals of credits consumed, CC, and freed, CF, cyclic in
//! 20 bits. A CF_Update returns the receiver's CF; a CC_Update carries the sender's CC along with
//! the data, so that credits of lost packets return:
//! ```text
//! credits of a packet = ceil((bytes + PktOvhd) / CreditSize)                        (1)
//! a packet may start  <=>  CC_s - CF_s + c_max <= CL                                (2)
//! CF_s <- CF_r                       when a CF_Update arrives                       (3)
//! CF_r <- CF_r + (CC_s - CC_r),  CC_r <- CC_s     when a CC_Update arrives          (4)
//! a CF_Update falls due  when CF_r has changed, at least `min_spacing` after the last,
//!                        and `max_spacing` after the last, changed or not           (5)
//! a CC_Update falls due  every `cc_timer`                                           (6)
//! ```
//! | symbol                  | meaning                                           | unit    |
//! |-------------------------|---------------------------------------------------|---------|
//! | CreditSize              | `block` of the lane                               | bytes   |
//! | PktOvhd                 | `overhead` of the lane                            | bytes   |
//! | CL                      | `buffer` of the lane, below 2^20                  | credits |
//! | c_max                   | credits of the largest packet of the lane         | credits |
//! | CC_s, CC_r              | credits started; stored, plus those known as lost | credits |
//! | CF_r, CF_s              | credits freed; the last CF received by the sender | credits |
//! | min and max spacing     | between starts, as times of the link              | ps      |
//! | `cc_timer`              | `refresh` of the lane                             | ps      |
//!
//! Totals that are compared differ by at most CL, so 20 bits are exact. Any CF_Update repairs the
//! loss of earlier ones, and a CC_Update repairs the loss of all earlier data. (3) does not look at
//! the CF before, so a false CF counts until the next. One ahead of CC_s leaves CC_s - CF_s just
//! below 2^20, and the lane shut: only credits in use can be given back twice.
//!
//! Source: [UE]; its section 5.2 was not read. Differs: an update is a control cell for one lane.
//! The CC of a lane travels with the CF of the same lane in the opposite direction, as FCTBS does;
//! so both directions need lanes where data can be lost, and the timer is that of the opposite
//! direction. A sender requires room for the largest packet of the lane, not for the next. Not
//! modelled: 32 VCs (a lane is one of eight priorities); limits of a port and shares of them; a
//! negative PktOvhd; link retry. Checked by: `cbfc/tests.rs`, `docs/models/lanes.md`.

use hopflow_units::{Bytes, Picos, Rate, SimTime};
use serde::{Deserialize, Serialize};

use super::blocks::{Started, Stored, ahead, low};
use super::machine::{Frame, Receiver, Rule, Sender};
use super::{Facts, Frames, Promise};

/// Bits of a total.
const BITS: u32 = 20;

/// The CBFC parameters of one lane of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct CbfcSpec {
    /// CreditSize. Not zero.
    pub block: Bytes,
    /// PktOvhd.
    pub overhead: u16,
    /// CL: at most [`CbfcSpec::BUFFER_MOST`].
    pub buffer: u32,
    /// The least time from the start of one CF_Update to the next. Not zero.
    pub min_spacing: Picos,
    /// The most time until the next falls due, at least `min_spacing`.
    pub max_spacing: Picos,
    /// A CC_Update of the opposite direction falls due once per this span. Not zero.
    pub cc_timer: Picos,
}

/// The parameters as manifests write them: those of lane credits, and the spacings.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    block_bytes: Bytes,
    #[serde(skip_serializing_if = "Option::is_none")]
    overhead_bytes: Option<u16>,
    buffer_blocks: u32,
    update_blocks: u32,
    refresh_ps: Picos,
    min_spacing_ps: Picos,
    max_spacing_ps: Picos,
}

impl From<CbfcSpec> for Written {
    fn from(spec: CbfcSpec) -> Written {
        Written {
            block_bytes: spec.block,
            overhead_bytes: Some(spec.overhead).filter(|overhead| *overhead > 0),
            buffer_blocks: spec.buffer,
            update_blocks: 1,
            refresh_ps: spec.cc_timer,
            min_spacing_ps: spec.min_spacing,
            max_spacing_ps: spec.max_spacing,
        }
    }
}

impl From<Written> for CbfcSpec {
    fn from(written: Written) -> CbfcSpec {
        CbfcSpec {
            block: written.block_bytes,
            overhead: written.overhead_bytes.unwrap_or(0),
            buffer: written.buffer_blocks,
            min_spacing: written.min_spacing_ps,
            max_spacing: written.max_spacing_ps,
            cc_timer: written.refresh_ps,
        }
    }
}

impl CbfcSpec {
    /// The largest CL: totals that are compared differ by at most CL.
    pub const BUFFER_MOST: u32 = (1 << BITS) - 1;

    const fn promised(&self) -> Promise {
        let CbfcSpec { block, overhead, buffer, min_spacing: spacing, .. } = *self;
        let (buffer_most, update, is_refreshed) = (CbfcSpec::BUFFER_MOST, 1, true);
        let device_most = None;
        Promise { block, overhead, buffer, buffer_most, device_most, update, spacing, is_refreshed }
    }
}

impl Rule for CbfcSpec {
    const FACTS: Facts = Facts { name: "cbfc", table: "lanes", frames: Frames::Credit };
    const VALUE_BITS: u32 = BITS;

    fn promise(&self) -> Option<Promise> {
        Some(self.promised())
    }

    fn set_buffer(&mut self, blocks: u32) {
        self.buffer = blocks;
    }

    fn assert_valid(&self, largest: Bytes) {
        self.promised().assert_valid(largest);
        assert!(self.cc_timer != Picos::ZERO, "a CC timer waits some time");
        let is_span = Picos::ZERO < self.min_spacing && self.min_spacing <= self.max_spacing;
        assert!(is_span, "a spacing is a time");
    }
}

/// The sending end.
#[derive(Clone, Copy, Debug)]
pub struct CbfcSender(Started);

impl Sender for CbfcSender {
    type Spec = CbfcSpec;

    fn new(spec: CbfcSpec, _: Rate, largest: impl FnOnce() -> Bytes) -> CbfcSender {
        let largest = largest();
        spec.assert_valid(largest);
        CbfcSender(Started::new(spec.promised(), largest))
    }

    /// Eq. (2): the limit of CC is CF + CL.
    fn may_send(&self) -> bool {
        self.0.may_send()
    }

    fn on_send(&mut self, _: SimTime, size: Bytes) {
        self.0.on_send(size);
    }

    /// Takes the receiver's CF, whatever was known before: CC - CF in 20 bits are in use. Eq. (3).
    fn on_frame(&mut self, _: SimTime, cf: u32) {
        let (sent, buffer) = (self.0.sent, u64::from(self.0.promise.buffer));
        let used = ahead(low(sent, BITS), cf.into(), BITS);
        self.0.limit = (sent + buffer).saturating_sub(used.into());
    }

    /// CC.
    fn total(&self) -> Option<u32> {
        Some(low(self.0.sent, BITS))
    }

    fn available(&self) -> u64 {
        self.0.available()
    }
}

/// The receiving end.
#[derive(Clone, Copy, Debug)]
pub struct CbfcReceiver {
    stored: Stored,
    /// Whether CF has changed since an update last started, or fell due at once.
    is_news: bool,
    updates: Updates,
}

impl CbfcReceiver {
    /// CF has changed. Returns whether an update must be queued. Eq. (5).
    fn on_change(&mut self) -> bool {
        self.updates.is_open && self.stored.ask()
    }
}

impl Receiver for CbfcReceiver {
    type Spec = CbfcSpec;

    fn new(spec: CbfcSpec, _: Rate) -> CbfcReceiver {
        let (stored, updates) = (Stored::new(spec.promised()), Updates::new(spec));
        CbfcReceiver { stored, is_news: false, updates }
    }

    fn on_packet(&mut self, _: SimTime, size: Bytes) -> bool {
        self.stored.on_packet(size);
        false
    }

    fn on_freed(&mut self, _: SimTime, size: Bytes) -> bool {
        self.stored.on_freed(size);
        self.is_news = !self.updates.is_open;
        self.on_change()
    }

    /// Takes CC. Eq. (4).
    fn on_total(&mut self, _: SimTime, cc: u32) -> bool {
        let lost = ahead(cc, self.stored.received, BITS);
        self.stored.received += u64::from(lost);
        self.is_news |= lost > 0;
        lost > 0 && self.on_change()
    }

    /// CF, and CC of the other direction in a CC_Update.
    fn frame(&mut self, now: SimTime) -> Option<Frame> {
        self.stored.on_start();
        self.is_news = false;
        let carries_total = self.updates.on_start(now);
        Some(Frame { value: low(self.stored.freed(), BITS), is_pause: false, carries_total })
    }

    fn first_timer(&self) -> Option<SimTime> {
        self.alarm()
    }

    fn alarm(&self) -> Option<SimTime> {
        Some(self.updates.alarm)
    }

    /// Eqs. (5) and (6).
    fn on_timer(&mut self, now: SimTime) -> (bool, Option<SimTime>) {
        let (is_due, again) = self.updates.on_timer(now, self.is_news);
        (is_due && self.stored.ask(), again)
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

/// Decides when the receiving end of a lane sends updates.
#[derive(Clone, Copy, Debug)]
struct Updates {
    min_spacing: Picos,
    max_spacing: Picos,
    cc_timer: Picos,
    /// When the last update started; initially the start of the run.
    last: SimTime,
    /// Whether `min_spacing` has passed since the last start: a change is sent at once.
    is_open: bool,
    cc_next: SimTime,
    cc_is_due: bool,
    /// The instant of the next call of [`Updates::on_timer`]; earlier ones are void.
    alarm: SimTime,
}

impl Updates {
    fn new(spec: CbfcSpec) -> Updates {
        let CbfcSpec { min_spacing, max_spacing, cc_timer, .. } = spec;
        let cc_next = SimTime::ZERO.saturating_add(cc_timer);
        let alarm = cc_next.min(SimTime::ZERO.saturating_add(max_spacing));
        let (last, is_open, cc_is_due) = (SimTime::ZERO, true, false);
        Updates { min_spacing, max_spacing, cc_timer, last, is_open, cc_next, cc_is_due, alarm }
    }

    /// An update starts. Returns whether it is a CC_Update.
    fn on_start(&mut self, now: SimTime) -> bool {
        (self.last, self.is_open) = (now, false);
        self.alarm = self.cc_next.min(now.saturating_add(self.min_spacing));
        std::mem::take(&mut self.cc_is_due)
    }

    /// A timer expires. Returns whether an update falls due, and the next instant. Eqs. (5), (6).
    fn on_timer(&mut self, now: SimTime, is_news: bool) -> (bool, Option<SimTime>) {
        if now != self.alarm {
            return (false, None);
        }
        let spans = [self.min_spacing, self.max_spacing];
        let [open, latest] = spans.map(|span| self.last.saturating_add(span));
        if now == self.cc_next {
            (self.cc_is_due, self.cc_next) = (true, now.saturating_add(self.cc_timer));
        }
        self.is_open |= now >= open;
        let later = [open, latest].into_iter().filter(|at| *at > now);
        self.alarm = later.fold(self.cc_next, SimTime::min);
        let is_due = self.cc_is_due || (self.is_open && is_news) || now >= latest;
        (is_due, Some(self.alarm))
    }
}

#[cfg(test)]
mod tests;
