//! CBFC, the credit-based flow control of Ultra Ethernet: when the credits of a lane return.
//!
//! The ends of a lane (`lane.rs`) keep totals of credits consumed, CC, and freed, CF, cyclic in 20
//! bits. A CF_Update returns the receiver's CF; a CC_Update carries the sender's CC along with the
//! data, so that credits of lost packets return:
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
//! loss of earlier ones, and a CC_Update repairs the loss of all earlier data.
//!
//! Source: [UE]; its section 5.2 was not read. Differs: an update is a control cell for one lane.
//! The CC of a lane travels with the CF of the same lane in the opposite direction, as FCTBS does;
//! so both directions need lanes where data can be lost, and the timer is that of the opposite
//! direction. A sender requires room for the largest packet of the lane, not for the next. Not
//! modelled: 32 VCs (a lane is one of eight priorities); limits of a port and shares of them; a
//! negative PktOvhd; link retry. Checked by: `cbfc/tests.rs`, `docs/models/lanes.md`.

use hopflow_units::{Picos, SimTime};
use serde::{Deserialize, Serialize};

/// Bits of a total.
pub(super) const BITS: u32 = 20;

/// When CF_Updates of a lane fall due. Eq. (5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CbfcSpec {
    /// The least time from one start to the next. Not zero.
    #[serde(rename = "min_spacing_ps")]
    pub min_spacing: Picos,
    /// The most time until the next falls due, at least `min_spacing`.
    #[serde(rename = "max_spacing_ps")]
    pub max_spacing: Picos,
}

/// Decides when the receiving end of a lane sends updates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Updates {
    spec: CbfcSpec,
    cc_timer: Picos,
    /// When the last update started; initially the start of the run.
    last: SimTime,
    /// Whether `min_spacing` has passed since the last start.
    is_open: bool,
    cc_next: SimTime,
    cc_is_due: bool,
    /// The only timer in force; earlier ones are void.
    alarm: SimTime,
}

impl Updates {
    pub(super) fn new(spec: CbfcSpec, cc_timer: Picos) -> Updates {
        let cc_next = SimTime::ZERO.saturating_add(cc_timer);
        let alarm = cc_next.min(SimTime::ZERO.saturating_add(spec.max_spacing));
        let (last, is_open, cc_is_due) = (SimTime::ZERO, true, false);
        Updates { spec, cc_timer, last, is_open, cc_next, cc_is_due, alarm }
    }

    /// Whether a change is sent at once.
    pub(super) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// The instant of the next call of [`Updates::on_timer`].
    pub(super) const fn alarm(&self) -> SimTime {
        self.alarm
    }

    /// An update starts. Returns whether it is a CC_Update.
    pub(super) fn on_start(&mut self, now: SimTime) -> bool {
        (self.last, self.is_open) = (now, false);
        self.alarm = self.cc_next.min(now.saturating_add(self.spec.min_spacing));
        std::mem::take(&mut self.cc_is_due)
    }

    /// A timer expires. Returns whether an update falls due, and the next instant. Eqs. (5), (6).
    pub(super) fn on_timer(&mut self, now: SimTime, is_news: bool) -> (bool, Option<SimTime>) {
        if now != self.alarm {
            return (false, None);
        }
        let CbfcSpec { min_spacing, max_spacing } = self.spec;
        let [open, latest] = [min_spacing, max_spacing].map(|span| self.last.saturating_add(span));
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
