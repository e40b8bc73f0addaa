//! The edge: the packets of a source are sent at once, delayed, discarded, or left to another VC.
//!
//! ```text
//! births --> conforms now? --yes--------------------------> sent at birth
//!                 |  no
//!                 +--> discarded | waits until it conforms | left out
//! ```
//! A packet that waits passes after all that wait before it; a packet that finds the room of the
//! shaper full is discarded. Packets that wait when the VC stops still pass.
//!
//! Two VCs made from the same stream, one with [`Excess::Elsewhere`] and one with
//! [`Excess::Only`], carry each packet exactly once. Checked by: `traffic/tests/packets.rs`.

use std::collections::VecDeque;

use hopflow_control::policing::{Gcra, LeakyBucket, Policer, TokenBucket};
use hopflow_units::{Bytes, SimTime};

use super::{Fate, Made};
use crate::{Excess, PolicingRule, PolicingSpec, SizeLaw};

/// The policer or shaper of one VC.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    policer: Policer,
    excess: Excess,
    /// Waiting packets, with the instant at which each passes.
    waiting: VecDeque<(SimTime, Made)>,
    /// When the last packet passed, or will pass.
    last: SimTime,
}

impl Edge {
    /// The edge of a VC whose packets follow `size`.
    pub(super) fn new(spec: &PolicingSpec, size: &SizeLaw) -> Edge {
        let (policer, excess) = match spec.rule {
            PolicingRule::LeakyBucket { period, packets } => {
                let excess = Excess::Delayed { packets };
                (Policer::LeakyBucket(LeakyBucket::new(period)), excess)
            }
            PolicingRule::TokenBucket { rate, burst } => {
                (Policer::TokenBucket(TokenBucket::new(rate, burst, size.most())), spec.excess)
            }
            PolicingRule::Gcra { increment, limit } => {
                (Policer::Gcra(Gcra::new(increment, limit)), spec.excess)
            }
        };
        Edge { policer, excess, waiting: VecDeque::new(), last: SimTime::ZERO }
    }

    /// When the next waiting packet passes.
    pub(super) fn next_release(&self) -> Option<SimTime> {
        self.waiting.front().map(|(at, _)| *at)
    }

    /// Removes the packet that passes next.
    pub(super) fn release(&mut self) -> Option<Made> {
        self.waiting.pop_front().map(|(_, made)| made)
    }

    /// A packet is born; earlier due packets have passed. `None`: it waits.
    pub(super) fn judge(&mut self, made: Made) -> Option<Made> {
        let size = Bytes(u64::from(made.bytes));
        let from = made.birth.max(self.last);
        let at = self.policer.earliest(size, from);
        let conforms = at == made.birth;
        if conforms {
            self.pass(size, at);
        }
        let fate = match (self.excess, conforms) {
            (Excess::Only, true) | (Excess::Elsewhere, false) => Fate::LeftOut,
            (_, true) | (Excess::Only, false) => Fate::Sent,
            (Excess::Delayed { packets }, false) if self.waiting.len() < packets as usize => {
                self.pass(size, at);
                self.waiting.push_back((at, made));
                return None;
            }
            (Excess::Discarded | Excess::Delayed { .. }, false) => Fate::Discarded,
        };
        Some(Made { fate, ..made })
    }

    fn pass(&mut self, size: Bytes, at: SimTime) {
        self.policer.pass(size, at);
        self.last = at;
    }
}
