//! The geometric distribution on 1, 2, ..., by inversion of its distribution function.
//!
//! ```text
//! P(X > k) = (1 - p)^k,  p = 1 / mean     X = 1 + floor(ln(1 - U) / ln(1 - p))           (1)
//! ```
//! U is uniform in [0, 1). Mean `mean`, variance `mean * (mean - 1)`. With mean 1, p = 1 and X
//! is always 1.
//!
//! Source: [Dev86]. Differs: nothing. Not modelled: tails with a chance below 2^-53.
//! Checked by: `random/tests.rs`.

/// X of Eq. (1) for one uniform number.
pub(super) fn quantile(unit: f64, mean: f64) -> u64 {
    assert!(
        mean.is_finite() && mean >= 1.0,
        "the mean {mean} of a geometric distribution is below 1"
    );
    // For mean 1 the divisor is minus infinity and the quotient 0.
    let failures = libm::log(1.0 - unit) / libm::log1p(-1.0 / mean);
    (failures as u64).saturating_add(1)
}
