//! CBFC, the credit-based flow control of Ultra Ethernet: when the credits of a lane return.
//!
//! The ends of a lane (`lane.rs`) keep totals of credits consumed, CC, and freed, CF, cyclic in
//! 20 bits. A CF_Update takes the receiver's CF back; a CC_Update takes the sender's CC along with
//! the data, so that credits of lost packets return:
//! ```text
//! credits of a packet = ceil((bytes + PktOvhd) / CreditSize)                        (1)
//! a packet may start  <=>  CC_s - CF_s + c_max <= CL                                (2)
//! CF_s <- CF_r                       as a CF_Update arrives                         (3)
//! CF_r <- CF_r + (CC_s - CC_r),  CC_r <- CC_s     as a CC_Update arrives            (4)
//! a CF_Update falls due  as CF_r is news, at least `min_spacing` after the last one,
//!                        and `max_spacing` after it, news or not                    (5)
//! a CC_Update falls due  every `cc_timer`                                           (6)
//! ```
//! | symbol                  | meaning                                           | unit    |
//! |-------------------------|---------------------------------------------------|---------|
//! | CreditSize              | `block` of the lane                               | bytes   |
//! | PktOvhd                 | `overhead` of the lane                            | bytes   |
//! | CL                      | `buffer` of the lane, below 2^20                  | credits |
//! | c_max                   | credits of the largest packet of the lane         | credits |
//! | CC_s, CC_r              | credits started; stored, and those known as lost  | credits |
//! | CF_r, CF_s              | credits freed; the last that the sender was told  | credits |
//! | min and max spacing     | from start to start, as times of the link         | ps      |
//! | `cc_timer`              | `refresh` of the lane                             | ps      |
//!
//! Totals that are compared are at most CL apart, so 20 bits are exact. Any CF_Update repairs the
//! loss of those before, and a CC_Update makes good all data that was lost before it.
//!
//! Source: [UE]; its section 5.2 was not read. Differs: an update is a control cell, of one lane.
//! The CC of a lane goes with the CF of the same lane the other way, as FCTBS does, so both
//! directions need lanes where data can be lost, and the timer is that of the other way. A sender
//! asks for the largest packet of the lane, not for the next. Not modelled: 32 VCs (a lane is one
//! of eight priorities); limits of a port and shares of them; a PktOvhd below zero; link retry.
//! Checked by: `cbfc/tests.rs`, `docs/models/lanes.md`.

use hopflow_units::{Picos, SimTime};
use serde::{Deserialize, Serialize};

/// Bits of a total.
pub(super) const BITS: u32 = 20;

/// When CF_Updates of a lane fall due. Eq. (5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CbfcSpec {
    /// The least from the start of one to that of the next. Not zero.
    #[serde(rename = "min_spacing_ps")]
    pub min_spacing: Picos,
    /// The most until the next falls due, at least `min_spacing`.
    #[serde(rename = "max_spacing_ps")]
    pub max_spacing: Picos,
}

/// When the receiving end of a lane has something to say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Updates {
    spec: CbfcSpec,
    cc_timer: Picos,
    /// When the last update started; at first the start of the run.
    last: SimTime,
    /// The least spacing has passed since.
    is_open: bool,
    cc_next: SimTime,
    cc_is_due: bool,
    /// The one timer that counts: those set before it mean nothing any more.
    alarm: SimTime,
}

impl Updates {
    pub(super) fn new(spec: CbfcSpec, cc_timer: Picos) -> Updates {
        let cc_next = SimTime::ZERO.saturating_add(cc_timer);
        let alarm = cc_next.min(SimTime::ZERO.saturating_add(spec.max_spacing));
        let (last, is_open, cc_is_due) = (SimTime::ZERO, true, false);
        Updates { spec, cc_timer, last, is_open, cc_next, cc_is_due, alarm }
    }

    /// Whether news is told at once.
    pub(super) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// When to ask again, see [`Updates::on_timer`].
    pub(super) const fn alarm(&self) -> SimTime {
        self.alarm
    }

    /// An update starts. Returns whether it is a CC_Update.
    pub(super) fn on_start(&mut self, now: SimTime) -> bool {
        (self.last, self.is_open) = (now, false);
        self.alarm = self.cc_next.min(now.saturating_add(self.spec.min_spacing));
        std::mem::take(&mut self.cc_is_due)
    }

    /// A timer has come. Returns whether an update falls due, and when to ask again. Eqs. (5), (6).
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
