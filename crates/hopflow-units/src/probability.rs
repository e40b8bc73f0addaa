//! Probabilities, kept as thresholds so that a draw is one integer comparison.

use thiserror::Error;

/// A probability in `[0, 1]`. Kept as `p * 2^64`, so that the same draw gives the same answer
/// on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probability {
    /// `p * 2^64`, rounded down; 2^64 itself is `u64::MAX` with `certain` set.
    threshold: u64,
    certain: bool,
}

/// A number outside `[0, 1]`.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{0} is not a probability: it must lie between 0 and 1")]
pub struct ProbabilityError(pub f64);

impl Probability {
    /// Never.
    pub const ZERO: Probability = Probability { threshold: 0, certain: false };
    /// Always.
    pub const ONE: Probability = Probability { threshold: u64::MAX, certain: true };

    /// A probability from a number in `[0, 1]`; anything else, including NaN, is an error.
    pub fn new(value: f64) -> Result<Probability, ProbabilityError> {
        if !(0.0..=1.0).contains(&value) {
            return Err(ProbabilityError(value));
        }
        if value >= 1.0 {
            return Ok(Probability::ONE);
        }
        let threshold = (value * 18_446_744_073_709_551_616.0) as u64;
        Ok(Probability { threshold, certain: false })
    }

    /// Whether it can never happen.
    pub const fn is_zero(self) -> bool {
        self.threshold == 0 && !self.certain
    }

    /// Whether a uniform 64-bit `draw` hits.
    pub const fn hits(self, draw: u64) -> bool {
        self.certain || draw < self.threshold
    }

    /// The probability as a number, for display.
    pub fn as_f64(self) -> f64 {
        if self.certain { 1.0 } else { self.threshold as f64 / 18_446_744_073_709_551_616.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the threshold is exact at the ends and half-way.
    #[test]
    fn a_draw_hits_below_the_threshold() {
        let half = Probability::new(0.5).unwrap();
        assert!(half.hits(0) && half.hits((1 << 63) - 1) && !half.hits(1 << 63));
        assert!(Probability::ONE.hits(u64::MAX) && !Probability::ZERO.hits(0));
        assert!(Probability::new(f64::NAN).is_err());
        assert!(Probability::new(1.0001).is_err() && Probability::new(-0.1).is_err());
    }
}
