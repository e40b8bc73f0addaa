//! Leaky bucket A: the bucket opens once per period and releases one packet.
//!
//! ```text
//! x_n >= x_(n-1) + D                                                             (1)
//! ```
//! | symbol | meaning                     | unit |
//! |--------|-----------------------------|------|
//! | x_n    | when packet n passes        | ps   |
//! | D      | period                      | ps   |
//!
//! The n-th packet of a burst at 0 passes at n D, n = 0, 1, ... The shaper decides how many may
//! wait.
//!
//! Source: [Turner86] as described in [Zhang90] 4.2.1. Differs: the bucket opens a period after the
//! last packet, not on a fixed grid. Not modelled: packet sizes. Checked by: `policing/tests.rs`.

use hopflow_units::{Picos, SimTime};

/// The machine of Eq. (1).
#[derive(Clone, Copy, Debug)]
pub struct LeakyBucket {
    period: Picos,
    /// The value x_(n-1) + D.
    opens: SimTime,
}

impl LeakyBucket {
    /// A bucket that may open at once.
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
