//! The user-behaviour envelope: a source limits itself to AR x AI packets in any AI, about or
//! strictly.
//!
//! ```text
//! required gap after the packet at t, by gaps [Zhang90, Appendix A]:
//!     g_min  if fewer than AIR packets precede it, or t >= t_old + AI            (1)
//!     g_avg  otherwise                                                           (2)
//! required gap after the packet at t, strictly [Zhang90, 2.3.2]:
//!     max(0, t_first + AI - t)                                                   (3)
//! next packet at  t + max(natural gap, required gap)                             (4)
//! ```
//! | symbol  | meaning                                               | unit    |
//! |---------|-------------------------------------------------------|---------|
//! | t_old   | when the AIR-th packet before this one was sent       | ps      |
//! | t_first | when the AIR-th packet before the next one was sent   | ps      |
//! | AIR     | packets remembered: AR x AI                           | packets |
//! | g_min   | least gap, 1 / (2 AR) in the paper's trains           | ps      |
//! | g_avg   | average gap, 1 / AR                                   | ps      |
//!
//! A closed loop: the natural gap follows the source's own law, and traffic cut off by the envelope
//! is never made up for ("encoded in subsequent packets"), so the mean rate falls.
//!
//! Under Eq. (3) no half-open span `[s, s + AI)`, wherever it begins, has more than AIR packets:
//! packets n and n + AIR are at least AI apart. A packet is later than its natural gap only if it
//! would be one packet too many. It may send AIR packets at once. Eqs. (1) and (2) spread packets,
//! but are softer than "at most AIR packets in AI": a greedy source sends 2 AR for AI/2, then AR.
//!
//! Source: [Zhang90] Appendix A, and 2.3.2 for the strict kind. Differs: before AIR packets have
//! been sent, their slots count as older than AI. Not modelled: waiting data. Checked by:
//! `traffic/tests/packets.rs`, `traffic/tests/strict.rs`.

use hopflow_units::{Picos, SimTime};

use crate::{EnvelopeRule, EnvelopeSpec};

/// The ring of send times of Eqs. (1) to (3): AIR instants at most.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    spec: EnvelopeSpec,
    /// The last AIR send times; initially fewer.
    ring: Vec<SimTime>,
    oldest: usize,
}

impl Envelope {
    /// A source that has sent nothing.
    pub(super) fn new(spec: EnvelopeSpec) -> Envelope {
        assert!(spec.packets >= 1, "an envelope remembers at least one packet");
        Envelope { spec, ring: Vec::new(), oldest: 0 }
    }

    /// A packet is sent at `now`: returns the required gap after it.
    pub(super) fn required_gap(&mut self, now: SimTime) -> Picos {
        let before = self.remember(now);
        match self.spec.rule {
            EnvelopeRule::Gaps { least_gap, average_gap } => {
                let is_old = before.is_none_or(|old| now >= old.saturating_add(self.spec.interval));
                if is_old { least_gap } else { average_gap }
            }
            EnvelopeRule::Strict if self.is_full() => {
                let first = self.ring[self.oldest];
                Picos(first.saturating_add(self.spec.interval).0.saturating_sub(now.0))
            }
            EnvelopeRule::Strict => Picos::ZERO,
        }
    }

    /// Remembers a send time, in the place of the AIR-th before it: returns that, if there is one.
    fn remember(&mut self, now: SimTime) -> Option<SimTime> {
        if !self.is_full() {
            if self.ring.len() == self.ring.capacity() {
                let room = self.spec.packets as usize - self.ring.len();
                self.ring.reserve_exact(room.min(self.ring.len().max(4)));
            }
            self.ring.push(now);
            return None;
        }
        let before = std::mem::replace(&mut self.ring[self.oldest], now);
        self.oldest = (self.oldest + 1) % self.ring.len();
        Some(before)
    }

    fn is_full(&self) -> bool {
        self.ring.len() == self.spec.packets as usize
    }
}
