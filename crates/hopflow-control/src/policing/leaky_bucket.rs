//! Leaky bucket A: the bucket opens once a period and drops one packet out.
//!
//! ```text
//! x_n >= x_(n-1) + D                                                             (1)
//! ```
//! | symbol | meaning                     | unit |
//! |--------|-----------------------------|------|
//! | x_n    | when packet n goes through  | ps   |
//! | D      | period                      | ps   |
//!
//! The n-th packet of a burst at 0 goes through at n D, n = 0, 1, ... How many wait is the
//! shaper's affair.
//!
//! Source: [Turner86] as told in [Zhang90] 4.2.1. Differs: the bucket opens a period after the last
//! packet, not on a fixed grid. Not modelled: sizes; a packet is a packet. Checked by:
//! `policing/tests.rs`.

use hopflow_units::{Picos, SimTime};

/// The machine of Eq. (1).
#[derive(Clone, Copy, Debug)]
pub struct LeakyBucket {
    period: Picos,
    /// x_(n-1) + D.
    opens: SimTime,
}

impl LeakyBucket {
    /// A bucket that has been closed for long.
    pub const fn new(period: Picos) -> LeakyBucket {
        LeakyBucket { period, opens: SimTime::ZERO }
    }

    pub(super) fn earliest(&self, now: SimTime) -> SimTime {
        now.max(self.opens)
    }

    pub(super) fn pass(&mut self, now: SimTime) {
        self.opens = now.saturating_add(self.period);
    }
}
