//! PFC, priority flow control: a receiver whose buffer fills stops one priority of its link.
//!
//! ```text
//! receiving end, for one input and priority      B >= XOFF  -> off, a pause frame falls due   (1)
//!                                        off and B <= XON   -> on, a resume frame falls due   (2)
//!                  off, half of q quanta after the last pause frame started -> another        (3)
//! sending end     pause frame of q quanta at t   -> nothing starts before t + q x 512 / rate  (4)
//!                 a frame of 0 quanta: a resume  -> may start at once                         (5)
//!                 paused for the watchdog's span -> discards, or ignores it: `watchdog.rs` (6)
//! ```
//! | symbol           | meaning                                                | unit    |
//! |------------------|--------------------------------------------------------|---------|
//! | B, `held`        | bytes from the input at this priority that are held    | bytes   |
//! | XOFF, XON        | thresholds, XON below XOFF                             | bytes   |
//! | q, `quanta`      | duration that a pause frame requests, 1 to 65535       | quanta  |
//! | quantum          | 512 bit times of the link                              | 512 / rate |
//! | room             | room of the input for this priority: XOFF + headroom   | bytes   |
//!
//! The value of a frame is read when it starts: q when off, 0 when on. At most one frame of a
//! priority waits at a port, and a resume is left out if no pause was sent. By (3) a pause lasts as
//! long as the receiver is off, even if a frame is lost; a lost resume costs at most q quanta. The
//! data that arrives after (1) must fit the headroom (`pause/headroom.rs`).
//!
//! Source: [IEEE802.1Qbb], [IEEE802.3] Annex 31B for the quanta. Differs: one frame covers one
//! priority (that of the standard has eight fields), and is as long as a cell. (3) and (6) are not
//! part of the standard; (6) is what switches do against pause storms [SONiC-PFCWD]. Not modelled:
//! dynamic thresholds. Checked by: `pause/tests.rs`, `docs/models/pfc.md`.

mod headroom;
mod watchdog;

use hopflow_units::{Bytes, Picos, Rate, SimTime};
use serde::{Deserialize, Serialize};

use super::machine::{Frame, Receiver, Rule, Sender, Watched};
use super::{Facts, Frames, Threshold};

pub use headroom::{Headroom, HeadroomError, PausedLink, headroom};
pub use watchdog::{WatchdogAction, Watching};

/// The bit times of a quantum as bytes: 512 bits.
const QUANTUM: u64 = 64;

/// The pause parameters of one priority of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PauseSpec {
    /// The sender is paused when at least this many bytes are held. Not zero.
    #[serde(rename = "xoff_bytes")]
    pub xoff: Bytes,
    /// The sender is resumed when at most this many bytes are held. Below `xoff`.
    #[serde(rename = "xon_bytes")]
    pub xon: Bytes,
    /// The duration that a pause frame requests, in quanta of 512 bit times. Not zero.
    pub quanta: u16,
    /// The receiver's room: `xoff` plus headroom; packets that do not fit are dropped. `None`: no
    /// limit.
    #[serde(rename = "room_bytes")]
    pub room: Option<Bytes>,
    /// The watchdog of a sending port of a switch acts on a pause of this span. Not zero. `None`:
    /// never.
    #[serde(rename = "watchdog_ps")]
    pub watchdog: Option<Picos>,
    /// How it watches, and what it does.
    #[serde(default, skip_serializing_if = "Watching::is_plain")]
    pub watching: Watching,
}

impl Rule for PauseSpec {
    const FACTS: Facts = Facts { name: "pause", table: "pause", frames: Frames::Pause };

    fn threshold(&self) -> Option<Threshold> {
        let PauseSpec { xoff, xon, room, .. } = *self;
        Some(Threshold { xoff, xon, room })
    }

    fn set_threshold(&mut self, Threshold { xoff, xon, room }: Threshold) {
        (self.xoff, self.xon, self.room) = (xoff, xon, room);
    }

    fn watchdog(&self) -> Option<Picos> {
        self.watchdog
    }

    fn assert_valid(&self, _: Bytes) {
        assert!(self.xon < self.xoff, "XON is below XOFF");
        assert!(self.quanta > 0, "a pause of no quanta is a resume");
        let spans = [self.watchdog, self.watching.restore];
        assert!(!spans.contains(&Some(Picos::ZERO)), "a watchdog waits some time");
    }
}

/// The duration of this number of quanta on a link of this rate, rounded up to a whole picosecond.
/// Below 2 b/s it can exceed any run, and is then limited to 2^64 - 1 ps.
pub fn pause_span(quanta: u16, rate: Rate) -> Picos {
    let bits = Bytes(QUANTUM * u64::from(quanta));
    rate.transmit_time(bits).unwrap_or(Picos(u64::MAX))
}

/// The receiving end of one input and priority.
#[derive(Clone, Copy, Debug)]
pub struct PauseReceiver {
    spec: PauseSpec,
    /// Half of the duration that a pause frame requests.
    renewal: Picos,
    held: Bytes,
    held_most: Bytes,
    off: bool,
    waiting: bool,
    /// When the last pause frame started, if no resume has started since.
    sent_at: Option<SimTime>,
}

impl PauseReceiver {
    fn ask(&mut self) -> bool {
        !std::mem::replace(&mut self.waiting, true)
    }
}

impl Receiver for PauseReceiver {
    type Spec = PauseSpec;

    fn new(spec: PauseSpec, rate: Rate) -> PauseReceiver {
        spec.assert_valid(Bytes(0));
        let renewal = Picos(pause_span(spec.quanta, rate).0.div_ceil(2));
        let (held, held_most) = (Bytes(0), Bytes(0));
        PauseReceiver { spec, renewal, held, held_most, off: false, waiting: false, sent_at: None }
    }

    fn fits(&self, size: Bytes) -> bool {
        self.spec.room.is_none_or(|room| self.held.0 + size.0 <= room.0)
    }

    /// Eq. (1).
    fn on_packet(&mut self, _: SimTime, size: Bytes) -> bool {
        self.held = Bytes(self.held.0 + size.0);
        self.held_most = self.held_most.max(self.held);
        if self.off || self.held < self.spec.xoff {
            return false;
        }
        self.off = true;
        self.ask()
    }

    /// Eq. (2).
    fn on_freed(&mut self, _: SimTime, size: Bytes) -> bool {
        assert!(self.held >= size, "a packet left a buffer that did not hold it");
        self.held = Bytes(self.held.0 - size.0);
        if !self.off || self.held > self.spec.xon {
            return false;
        }
        self.off = false;
        self.ask()
    }

    /// Such a packet is never held.
    fn on_passed(&mut self, _: SimTime, _: Bytes) -> bool {
        false
    }

    /// The quanta; left out if it would resume without a pause.
    fn frame(&mut self, now: SimTime) -> Option<Frame> {
        assert!(self.waiting, "a pause frame starts that was not queued");
        self.waiting = false;
        let quanta = if self.off {
            self.sent_at = Some(now);
            self.spec.quanta
        } else {
            self.sent_at.take()?;
            0
        };
        Some(Frame { value: quanta.into(), is_pause: self.off, carries_total: false })
    }

    /// When the pause must be renewed, unless an event comes before. Eq. (3).
    fn alarm(&self) -> Option<SimTime> {
        let sent_at = self.sent_at.filter(|_| self.off && !self.waiting)?;
        Some(sent_at.saturating_add(self.renewal))
    }

    fn on_timer(&mut self, now: SimTime) -> (bool, Option<SimTime>) {
        (self.alarm() == Some(now) && self.ask(), None)
    }

    /// In bytes.
    fn held_most(&self) -> u64 {
        self.held_most.0
    }

    fn restart_statistics(&mut self) {
        self.held_most = self.held;
    }
}

/// The sending end of one port and priority.
#[derive(Clone, Copy, Debug)]
pub struct PauseSender {
    rate: Rate,
    watchdog: Option<Picos>,
    watching: Watching,
    /// Paused until this instant; `None` when not paused.
    until: Option<SimTime>,
    /// When the pause began, if paused; or from when on it counts for the watchdog.
    since: SimTime,
    /// When the watchdog has seen the last pause frame, or began to act.
    seen: SimTime,
    /// What the watchdog does at present.
    acting: Option<WatchdogAction>,
}

impl PauseSender {
    fn resume(&mut self) {
        self.until = None;
        if self.watching.restore.is_none() {
            self.acting = None;
        }
    }
}

impl Sender for PauseSender {
    type Spec = PauseSpec;

    fn new(spec: PauseSpec, rate: Rate, _: impl FnOnce() -> Bytes) -> PauseSender {
        let PauseSpec { watchdog, watching, .. } = spec;
        let (since, seen) = (SimTime::ZERO, SimTime::ZERO);
        PauseSender { rate, watchdog, watching, until: None, since, seen, acting: None }
    }

    fn may_send(&self) -> bool {
        self.until.is_none() || self.acting == Some(WatchdogAction::Forward)
    }

    /// Eqs. (4) and (5).
    fn on_frame(&mut self, now: SimTime, quanta: u32) {
        if quanta == 0 {
            return self.resume();
        }
        if self.until.is_none() {
            self.since = now;
        }
        self.seen = self.watching.seen_at(now);
        self.until = Some(now.saturating_add(pause_span(quanta as u16, self.rate)));
    }

    fn until(&self) -> Option<SimTime> {
        self.until
    }

    fn on_expiry(&mut self, now: SimTime) -> bool {
        let over = self.until == Some(now);
        if over {
            self.resume();
        }
        over
    }

    /// Eq. (6).
    fn watchdog_due(&self) -> Option<SimTime> {
        if self.acting.is_some() {
            return self.watching.restores_at(self.seen);
        }
        let span = self.watchdog.filter(|_| self.until.is_some())?;
        Some(self.watching.acts_at(self.since, span))
    }

    fn on_watchdog(&mut self, now: SimTime) -> Watched {
        if self.watchdog_due() != Some(now) {
            return Watched::Nothing;
        }
        if self.acting.take().is_some() {
            self.since = now;
            return Watched::Changed;
        }
        (self.acting, self.seen) = (Some(self.watching.action), now);
        match self.watching.action {
            WatchdogAction::Drop => Watched::Drops,
            WatchdogAction::Forward => Watched::Changed,
        }
    }

    fn discards(&self) -> bool {
        self.acting == Some(WatchdogAction::Drop)
    }
}

#[cfg(test)]
mod tests;
