//! The exponential distribution, by inversion of its distribution function.
//!
//! ```text
//! P(X > x) = exp(-x / mean)        X = mean * -ln(1 - U),  U uniform in [0, 1)           (1)
//! ```
//! 1 - U lies in (0, 1], so the logarithm is finite. Mean `mean`, variance `mean^2`.
//!
//! Source: [Dev86]. Differs: nothing. Not modelled: tails beyond 36.75 means (U has 53
//! bits). Checked by: `random/tests.rs`.

/// X of Eq. (1), in the unit of `mean`, for one uniform number.
pub(super) fn quantile(unit: f64, mean: f64) -> f64 {
    assert!(mean.is_finite() && mean >= 0.0, "the mean {mean} is not finite and >= 0");
    mean * (0.0 - libm::log(1.0 - unit))
}
