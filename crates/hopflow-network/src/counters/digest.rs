//! The part of the counters that is in the digest, as words.

use std::ops::Range;

use hopflow_kernel::OrderHash;
use hopflow_units::{Picos, SimTime};

use crate::delay::DelayHistogram;

/// Counters that are folded into the digest.
pub trait InDigest {
    /// Folds all its words.
    fn digest(&self, hash: &mut OrderHash);

    /// The same, unless all words are zero: the digest of older versions, without these counters,
    /// is kept.
    fn digest_if_any(&self, hash: &mut OrderHash)
    where
        Self: Default + PartialEq,
    {
        if *self != Self::default() {
            self.digest(hash);
        }
    }
}

/// The places in the digest. Panics unless the places from 0 on are used once each.
pub(crate) const fn places(lines: &[Option<u32>]) -> Range<u32> {
    let mut place = 0;
    loop {
        let (mut line, mut used) = (0, 0);
        let mut more = false;
        while line < lines.len() {
            if let Some(at) = lines[line] {
                used += (at == place) as u32;
                more |= at > place;
            }
            line += 1;
        }
        assert!(used < 2, "a place in the digest is used twice");
        if used == 0 {
            assert!(!more, "there is a gap in the places of the digest");
            return 0..place;
        }
        place += 1;
    }
}

impl InDigest for u64 {
    fn digest(&self, hash: &mut OrderHash) {
        hash.word(*self);
    }
}

impl InDigest for u32 {
    fn digest(&self, hash: &mut OrderHash) {
        hash.word(u64::from(*self));
    }
}

impl InDigest for u16 {
    fn digest(&self, hash: &mut OrderHash) {
        hash.word(u64::from(*self));
    }
}

impl InDigest for u128 {
    fn digest(&self, hash: &mut OrderHash) {
        hash.word((self >> 64) as u64);
        hash.word(*self as u64);
    }
}

impl InDigest for Picos {
    fn digest(&self, hash: &mut OrderHash) {
        hash.word(self.0);
    }
}

impl InDigest for Option<SimTime> {
    fn digest(&self, hash: &mut OrderHash) {
        hash.word(self.unwrap_or(SimTime::NEVER).0);
    }
}

impl InDigest for DelayHistogram {
    fn digest(&self, hash: &mut OrderHash) {
        hash.word(self.min_ps().unwrap_or(0));
        hash.word(self.max_ps().unwrap_or(0));
        hash.word(self.mean_ps().unwrap_or(0.0).to_bits());
        for (from, _, count) in self.buckets() {
            hash.word(from);
            hash.word(count);
        }
    }
}

impl InDigest for Option<DelayHistogram> {
    fn digest(&self, hash: &mut OrderHash) {
        if let Some(delays) = self {
            delays.digest(hash);
        }
    }
}

impl<T: InDigest> InDigest for Vec<T> {
    fn digest(&self, hash: &mut OrderHash) {
        for one in self {
            one.digest(hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a list whose places have a gap, or repeat, is refused.
    #[test]
    fn places_are_counted_up_from_zero() {
        assert_eq!(places(&[Some(1), None, Some(0)]), 0..2);
        assert_eq!(places(&[None]), 0..0);
        let refused = |lines: &[Option<u32>]| {
            let lines = lines.to_vec();
            std::panic::catch_unwind(move || places(&lines)).is_err()
        };
        assert!(refused(&[Some(0), Some(2)]));
        assert!(refused(&[Some(0), Some(0)]));
    }
}
