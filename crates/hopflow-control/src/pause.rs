//! PFC, priority flow control: a receiver whose buffer fills stops one priority of its link.
//!
//! ```text
//! receiving end, for one input and priority      B >= XOFF  -> off, a pause frame falls due   (1)
//!                                        off and B <= XON   -> on, a resume frame falls due   (2)
//!                  off, half of q quanta after the last pause frame started -> another        (3)
//! sending end     pause frame of q quanta at t   -> nothing starts before t + q x 512 / rate  (4)
//!                 a frame of 0 quanta: a resume  -> may start at once                         (5)
//!                 paused for the watchdog's span -> discards until it is not paused           (6)
//! ```
//! | symbol           | meaning                                                | unit    |
//! |------------------|--------------------------------------------------------|---------|
//! | B, `held`        | what came in by the input at this priority and is held | bytes   |
//! | XOFF, XON        | thresholds, XON below XOFF                             | bytes   |
//! | q, `quanta`      | what a pause frame asks for, 1 to 65535                | quanta  |
//! | quantum          | 512 bit times of the link                              | 512 / rate |
//! | room             | what the input has for this priority: XOFF + headroom  | bytes   |
//!
//! A frame's value is read as it starts: q when off, 0 when on. At most one frame of a priority
//! waits at a port, and a resume is left out when no pause was told. By (3) a pause lasts as long
//! as the receiver is off, though a frame may be lost; a lost resume costs at most q quanta.
//! What comes after (1) has to fit the headroom (`pause/headroom.rs`).
//!
//! Source: [IEEE802.1Qbb], [IEEE802.3] Annex 31B for the quanta. Differs: one frame speaks for one
//! priority (the standard's has eight fields), and is as long as a cell. (3) and (6) are no part
//! of the standard; (6) is what switches do against pause storms [SONiC-PFCWD], with no time to
//! restore: it ends with the pause. Not modelled: dynamic thresholds.
//! Checked by: `pause/tests.rs`, `docs/models/pfc.md`.

mod headroom;

use hopflow_units::{Bytes, Picos, Rate, SimTime};
use serde::{Deserialize, Serialize};

pub use headroom::{Headroom, HeadroomError, PausedLink, headroom};

/// Bits times of a quantum, in bytes: 512 bits.
const QUANTUM: u64 = 64;

/// How one priority of a link is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseSpec {
    /// At so many held bytes or more the sender is paused. Not zero.
    #[serde(rename = "xoff_bytes")]
    pub xoff: Bytes,
    /// At so many or fewer it is resumed. Below `xoff`.
    #[serde(rename = "xon_bytes")]
    pub xon: Bytes,
    /// What a pause frame asks for, in quanta of 512 bit times. Not zero.
    pub quanta: u16,
    /// What the receiver has room for, `xoff` and headroom; what does not fit is dropped.
    /// `None`: no limit.
    #[serde(rename = "room_bytes")]
    pub room: Option<Bytes>,
    /// A sending port of a switch that has been paused so long discards what it has of the
    /// priority, and all that comes, until it is resumed. Not zero. `None`: never.
    #[serde(rename = "watchdog_ps")]
    pub watchdog: Option<Picos>,
}

impl PauseSpec {
    /// Asserts what the machines rely on.
    pub fn assert_valid(&self) {
        assert!(self.xon < self.xoff, "XON is below XOFF");
        assert!(self.quanta > 0, "a pause of no quanta is a resume");
        assert!(self.watchdog != Some(Picos::ZERO), "a watchdog waits some time");
    }
}

/// The span of so many quanta on a link of this rate, rounded up to a whole picosecond; below
/// 2 b/s it can be longer than any run, and is then cut to 2^64 - 1 ps.
pub fn pause_span(quanta: u16, rate: Rate) -> Picos {
    let bits = Bytes(QUANTUM * u64::from(quanta));
    rate.transmit_time(bits).unwrap_or(Picos(u64::MAX))
}

/// The receiving end of one input and priority.
#[derive(Clone, Copy, Debug)]
pub struct PauseReceiver {
    spec: PauseSpec,
    /// Half of what a pause frame asks for.
    renewal: Picos,
    held: Bytes,
    held_most: Bytes,
    off: bool,
    waiting: bool,
    /// When the last pause frame started, if no resume has since.
    told_at: Option<SimTime>,
}

impl PauseReceiver {
    /// An empty buffer at the end of a link of this rate.
    pub fn new(spec: PauseSpec, rate: Rate) -> PauseReceiver {
        spec.assert_valid();
        let renewal = Picos(pause_span(spec.quanta, rate).0.div_ceil(2));
        let (held, held_most) = (Bytes(0), Bytes(0));
        PauseReceiver { spec, renewal, held, held_most, off: false, waiting: false, told_at: None }
    }

    /// Whether a packet of this size finds room.
    pub fn fits(&self, size: Bytes) -> bool {
        self.spec.room.is_none_or(|room| self.held.0 + size.0 <= room.0)
    }

    /// Takes a packet in. Returns whether a frame falls due and must be put in line. Eq. (1).
    pub fn on_packet(&mut self, size: Bytes) -> bool {
        self.held = Bytes(self.held.0 + size.0);
        self.held_most = self.held_most.max(self.held);
        if self.off || self.held < self.spec.xoff {
            return false;
        }
        self.off = true;
        self.ask()
    }

    /// Lets a packet go. Returns whether a frame falls due and must be put in line. Eq. (2).
    pub fn on_freed(&mut self, size: Bytes) -> bool {
        assert!(self.held >= size, "a packet left a buffer that did not hold it");
        self.held = Bytes(self.held.0 - size.0);
        if !self.off || self.held > self.spec.xon {
            return false;
        }
        self.off = false;
        self.ask()
    }

    fn ask(&mut self) -> bool {
        !std::mem::replace(&mut self.waiting, true)
    }

    /// The quanta that the frame which starts now carries; `None` when it is left out. Panics
    /// unless a frame was waiting.
    pub fn frame(&mut self, now: SimTime) -> Option<u16> {
        assert!(self.waiting, "a pause frame starts that nobody asked for");
        self.waiting = false;
        if self.off {
            self.told_at = Some(now);
            return Some(self.spec.quanta);
        }
        self.told_at.take().map(|_| 0)
    }

    /// When the pause is to be renewed, if nothing comes between. Eq. (3).
    pub fn renewal_due(&self) -> Option<SimTime> {
        let told_at = self.told_at.filter(|_| self.off && !self.waiting)?;
        Some(told_at.saturating_add(self.renewal))
    }

    /// A renewal may be due. Returns whether a frame must be put in line.
    pub fn on_renewal(&mut self, now: SimTime) -> bool {
        self.renewal_due() == Some(now) && self.ask()
    }

    /// B, in bytes.
    pub const fn held(&self) -> Bytes {
        self.held
    }

    /// The greatest B so far, in bytes.
    pub const fn held_most(&self) -> Bytes {
        self.held_most
    }

    /// Forgets the greatest B.
    pub fn restart_statistics(&mut self) {
        self.held_most = self.held;
    }
}

/// The sending end of one port and priority.
#[derive(Clone, Copy, Debug)]
pub struct PauseSender {
    rate: Rate,
    watchdog: Option<Picos>,
    /// Paused until then; `None` when it is not.
    until: Option<SimTime>,
    /// Paused since then, when it is.
    since: SimTime,
    discards: bool,
}

impl PauseSender {
    /// A sender that is not paused, on a link of this rate.
    pub const fn new(spec: &PauseSpec, rate: Rate) -> PauseSender {
        let watchdog = spec.watchdog;
        PauseSender { rate, watchdog, until: None, since: SimTime::ZERO, discards: false }
    }

    /// A frame of so many quanta has arrived. Eqs. (4) and (5).
    pub fn on_frame(&mut self, now: SimTime, quanta: u16) {
        if quanta == 0 {
            return self.resume();
        }
        if self.until.is_none() {
            self.since = now;
        }
        self.until = Some(now.saturating_add(pause_span(quanta, self.rate)));
    }

    fn resume(&mut self) {
        (self.until, self.discards) = (None, false);
    }

    /// Whether nothing may start.
    pub const fn is_paused(&self) -> bool {
        self.until.is_some()
    }

    /// When the pause runs out, if there is one.
    pub const fn until(&self) -> Option<SimTime> {
        self.until
    }

    /// The pause may have run out. Returns whether it did.
    pub fn on_expiry(&mut self, now: SimTime) -> bool {
        let over = self.until == Some(now);
        if over {
            self.resume();
        }
        over
    }

    /// When the watchdog bites, if the pause goes on. Eq. (6).
    pub fn watchdog_due(&self) -> Option<SimTime> {
        let span = self.watchdog.filter(|_| self.until.is_some() && !self.discards)?;
        Some(self.since.saturating_add(span))
    }

    /// The watchdog may bite. Returns whether it does: all that waits is to be discarded.
    pub fn on_watchdog(&mut self, now: SimTime) -> bool {
        let bites = self.watchdog_due() == Some(now);
        self.discards |= bites;
        bites
    }

    /// Whether what comes is discarded.
    pub const fn discards(&self) -> bool {
        self.discards
    }
}

#[cfg(test)]
mod tests;
