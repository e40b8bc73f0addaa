//! The watchdog of a paused port, as switches have it: it looks at a pause at times, acts if it
//! lasts, and restores the port when no more pauses come.
//!
//! Let the gate be shut since s without a break, and let the last pause frame arrive at f, after
//! which the first look is at g. If it began to act at t and no frame came since, g = t.
//! ```text
//! acts at      s + detect                                       if poll = 0      (1)
//!              poll (floor(s / poll) + ceil(detect / poll))     else
//! restores at  f + restore                                      if poll = 0      (2)
//!              g + poll ceil(restore / poll)                    else
//!              as the pause ends                                without `restore`
//! ```
//! | symbol    | meaning                                                        | unit |
//! |-----------|----------------------------------------------------------------|------|
//! | `poll`    | time from one look to the next; looks are at its multiples     | ps   |
//! | `detect`  | time for which the gate is shut                                | ps   |
//! | `restore` | time for which no pause frame arrives                          | ps   |
//!
//! (1): each look after s finds the gate shut and counts `poll` of `detect`; it acts when nothing
//! of it is left. So it acts ceil(detect / poll) - 1 polls after the first look at the pause, and
//! up to a poll after `detect`. (2): the look at g finds that a frame has come, and each later look
//! counts `poll` of `restore`. A gate that is still shut when the port is restored is shut since
//! then for (1).
//!
//! While it acts, `drop` discards all packets of the lane, queued and arriving, whether the gate is
//! shut or not; `forward` ignores the pause, so that the gate is open.
//!
//! Source: [SONiC-PFCWD], whose words are used. Differs: a look sees the gate, where a switch reads
//! counters of packets and pause frames; so its first look at a pause may not count, and it acts a
//! poll later than (1). Not modelled: `alert`, which changes nothing; a look that
//! is late. Checked by: `pause/tests.rs`, `hopflow-engine/tests/lanes.rs`.

use hopflow_units::{Picos, SimTime};
use serde::{Deserialize, Serialize};

/// What a watchdog does to a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WatchdogAction {
    /// Packets are discarded.
    #[default]
    Drop,
    /// The pause is ignored.
    Forward,
}

impl WatchdogAction {
    /// The words of a scenario.
    pub const WORDS: &'static [&'static str] = &["drop", "forward"];

    /// The action of a word of [`WatchdogAction::WORDS`].
    pub fn of_word(word: &str) -> WatchdogAction {
        if word == WatchdogAction::WORDS[1] {
            WatchdogAction::Forward
        } else {
            WatchdogAction::Drop
        }
    }
}

/// How a watchdog watches, beside the span after which it acts. The default is an ideal timer that
/// discards until the pause ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Watching {
    /// The time from one look to the next; 0: it sees everything at once.
    #[serde(rename = "poll_ps")]
    pub poll: Picos,
    /// The port is restored when no pause frame has arrived for this time. Not zero. `None`: as
    /// soon as the pause ends.
    #[serde(rename = "restore_ps")]
    pub restore: Option<Picos>,
    /// What it does meanwhile.
    pub action: WatchdogAction,
}

impl Watching {
    /// The ideal timer.
    pub const IDEAL: Watching =
        Watching { poll: Picos::ZERO, restore: None, action: WatchdogAction::Drop };

    /// Whether it is the default.
    pub fn is_plain(&self) -> bool {
        *self == Watching::IDEAL
    }

    /// Eq. (1), for a span that is not zero: later than `since`.
    pub(super) fn acts_at(&self, since: SimTime, detect: Picos) -> SimTime {
        let look =
            since.0.checked_div(self.poll.0).map_or(since, |looks| SimTime(looks * self.poll.0));
        look.saturating_add(self.looked(detect))
    }

    /// g of Eq. (2) for a frame that arrives at `last`.
    pub(super) fn seen_at(&self, last: SimTime) -> SimTime {
        self.acts_at(last, self.poll)
    }

    /// Eq. (2), for g. `None`: as the pause ends.
    pub(super) fn restores_at(&self, seen: SimTime) -> Option<SimTime> {
        Some(seen.saturating_add(self.looked(self.restore?)))
    }

    /// A span in whole looks.
    fn looked(&self, span: Picos) -> Picos {
        if self.poll == Picos::ZERO {
            return span;
        }
        Picos(span.0.div_ceil(self.poll.0).saturating_mul(self.poll.0))
    }
}
