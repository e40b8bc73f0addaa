//! The normal distribution, by the method of Box and Muller, and the lognormal one.
//!
//! ```text
//! Z = sqrt(-2 ln(1 - U)) cos(2 pi V),  U, V uniform in [0, 1)                    (1)
//! X = m exp(s Z)                                                                 (2)
//! ```
//! | symbol | meaning                                             | unit     |
//! |--------|-----------------------------------------------------|----------|
//! | Z      | standard normal: mean 0, variance 1                 | 1        |
//! | m      | median of X                                         | that of X|
//! | s      | standard deviation of ln X                          | 1        |
//!
//! 1 - U lies in (0, 1], so the logarithm is finite. X has mean m exp(s^2 / 2), variance
//! m^2 exp(s^2) (exp(s^2) - 1).
//!
//! Source: [BM58]. Differs: the second number of the pair, with the sine, is not used, so that a
//! stream needs no memory. Not modelled: tails beyond 8.57 deviations (U has 53 bits).
//! Checked by: `random/tests/normal.rs`.

/// Z of Eq. (1) for two uniform numbers.
pub(super) fn standard(u: f64, v: f64) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - u)).sqrt();
    radius * libm::cos(2.0 * std::f64::consts::PI * v)
}

/// X of Eq. (2), in the unit of `median`, for a standard normal number.
pub(super) fn lognormal(z: f64, median: f64, sigma: f64) -> f64 {
    assert!(median.is_finite() && median >= 0.0, "the median {median} is not finite and >= 0");
    assert!(sigma.is_finite() && sigma >= 0.0, "the deviation {sigma} is not finite and >= 0");
    median * libm::exp(sigma * z)
}
