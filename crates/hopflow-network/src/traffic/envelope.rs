//! The user-behaviour envelope: a source limits itself to about AR x AI packets in any AI.
//!
//! ```text
//! required gap after the packet at t:
//!     g_min  if fewer than AIR packets precede it, or t >= t_old + AI            (1)
//!     g_avg  otherwise                                                           (2)
//! next packet at  t + max(natural gap, required gap)                             (3)
//! ```
//! | symbol | meaning                                          | unit    |
//! |--------|--------------------------------------------------|---------|
//! | t_old  | when the AIR-th packet before this one was sent  | ps      |
//! | AIR    | packets remembered: AR x AI                      | packets |
//! | g_min  | least gap, 1 / (2 AR) in the paper's trains      | ps      |
//! | g_avg  | average gap, 1 / AR                              | ps      |
//!
//! A closed loop: the natural gap follows the source's own law, and traffic cut off by the envelope
//! is never made up for ("encoded in subsequent packets"), so the mean rate falls. It is softer
//! than "at most AIR packets in AI": a greedy source sends 2 AR for AI/2, then AR.
//!
//! Source: [Zhang90] Appendix A. Differs: before AIR packets have been sent, their slots count as
//! older than AI. Not modelled: waiting data. Checked by: `traffic/tests/packets.rs`.

use hopflow_units::{Picos, SimTime};

use crate::EnvelopeSpec;

/// The ring of send times of Eqs. (1) and (2).
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
        if self.ring.len() < self.spec.packets as usize {
            self.ring.push(now);
            return self.spec.least_gap;
        }
        let slot = &mut self.ring[self.oldest];
        let is_old = now >= slot.saturating_add(self.spec.interval);
        *slot = now;
        self.oldest = (self.oldest + 1) % self.ring.len();
        if is_old { self.spec.least_gap } else { self.spec.average_gap }
    }
}
