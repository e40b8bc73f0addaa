//! Token bucket (leaky bucket B): tokens accrue at a constant rate up to a depth; a packet needs
//! one token for each of its bits.
//!
//! ```text
//! n(t) = min(sigma, n(s) + r (t - s))      no packet passed in (s, t)            (1)
//! conforms:  n(t) >= b;   then  n := n - b                                       (2)
//! ```
//! | symbol | meaning                         | unit |
//! |--------|---------------------------------|------|
//! | n      | tokens                          | bits |
//! | sigma  | depth                           | bits |
//! | r      | rate                            | b/s  |
//! | b      | size of the packet              | bits |
//!
//! So in any window of length w at most sigma + r w bits pass. Tokens are counted in bits x ps/s,
//! without rounding; only the instant at which a shaper releases a packet is rounded up.
//!
//! Source: the second version of [Zhang90] 4.2.1. Differs: bits, not packets. Not modelled:
//! borrowing future tokens. Checked by: `policing/tests.rs`.

use hopflow_units::{Bytes, Picos, Rate, SimTime};

/// The machine of Eqs. (1) and (2).
#[derive(Clone, Copy, Debug)]
pub struct TokenBucket {
    rate: u64,
    /// The depth sigma, in bits x ps/s like all tokens.
    depth: u128,
    tokens: u128,
    /// The instant of `tokens`.
    since: SimTime,
}

const fn scaled(size: Bytes) -> u128 {
    size.bits() as u128 * Picos::PER_SECOND as u128
}

impl TokenBucket {
    /// A full bucket. Panics when a packet of `largest` would never conform.
    pub fn new(rate: Rate, depth: Bytes, largest: Bytes) -> TokenBucket {
        assert!(depth >= largest, "the bucket holds the largest packet");
        let full = scaled(depth);
        TokenBucket { rate: rate.bps(), depth: full, tokens: full, since: SimTime::ZERO }
    }

    fn tokens_at(&self, now: SimTime) -> u128 {
        let gained = u128::from(self.rate) * u128::from(now.since(self.since).0);
        self.depth.min(self.tokens + gained)
    }

    pub(super) fn earliest(&self, size: Bytes, now: SimTime) -> SimTime {
        let lacking = scaled(size).saturating_sub(self.tokens_at(now));
        let wait = lacking.div_ceil(u128::from(self.rate));
        now.saturating_add(Picos(u64::try_from(wait).unwrap_or(u64::MAX)))
    }

    pub(super) fn pass(&mut self, size: Bytes, now: SimTime) {
        // Tokens are short only where `earliest` is beyond the range of time.
        self.tokens = self.tokens_at(now).saturating_sub(scaled(size));
        self.since = now;
    }
}
