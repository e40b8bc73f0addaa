//! Claims about the normal and the lognormal distribution.

use super::moments;
use crate::random::{RandomStream, normal};

const DRAWS: u32 = 100_000;

/// Claim (fingerprint): the first draws, from a second implementation of generator and formula in
/// another language.
#[test]
fn the_first_draws_are_pinned() {
    let mut stream = RandomStream::new(1, "VC1", "source");
    for expected in [-0.912_504_221_094_198, 0.543_688_525_410_133_5, 0.231_060_824_922_054_07] {
        let drawn = stream.normal();
        assert!((drawn - expected).abs() < 1e-14, "{drawn} is not {expected}");
    }
    let mut stream = RandomStream::new(1, "VC1", "size");
    for expected in [1_715.971_266_774_180_3, 16_304.762_219_967_66, 35_727.517_239_512_286] {
        let drawn = stream.lognormal(6_000.0, 1.3);
        assert!((drawn - expected).abs() < 1e-13 * expected, "{drawn} is not {expected}");
    }
}

/// Claim (closed form): the first four moments are 0, 1, 0, 3. Standard errors for n = 100,000:
/// sqrt(1/n) = 0.0032; sqrt(2/n) = 0.0045; sqrt(15/n) = 0.0122 (sixth moment 15); sqrt((105 - 9)/n)
/// = 0.031 (eighth moment 105). 5 of each are allowed.
#[test]
fn normal_has_its_moments() {
    let mut stream = RandomStream::new(8, "n", "test");
    let (mean, variance) = moments(DRAWS, || stream.normal());
    assert!(mean.abs() < 5.0 * 0.0032, "mean {mean}");
    assert!((variance - 1.0).abs() < 5.0 * 0.0045, "variance {variance}");
    let mut stream = RandomStream::new(9, "n", "test");
    let (mut third, mut fourth) = (0.0, 0.0);
    for _ in 0..DRAWS {
        let z = stream.normal();
        third += z * z * z;
        fourth += z * z * z * z;
    }
    let (third, fourth) = (third / f64::from(DRAWS), fourth / f64::from(DRAWS));
    assert!(third.abs() < 5.0 * 0.0122, "third moment {third}");
    assert!((fourth - 3.0).abs() < 5.0 * 0.031, "fourth moment {fourth}");
}

/// Claim: the distribution, not only its moments: shares within 1, 2 and 3 deviations are erf(k /
/// sqrt 2) = 0.68269, 0.95450, 0.99730, half of them above 0. Standard errors: below 0.0015,
/// 0.0007, 0.0002.
#[test]
fn normal_has_its_shares() {
    let mut stream = RandomStream::new(10, "n", "test");
    let drawn: Vec<f64> = (0..DRAWS).map(|_| stream.normal()).collect();
    let share = |is_in: &dyn Fn(f64) -> bool| {
        drawn.iter().filter(|z| is_in(**z)).count() as f64 / f64::from(DRAWS)
    };
    for (k, error) in [(1.0, 0.0015), (2.0, 0.0007), (3.0, 0.0002)] {
        let expected = libm::erf(k / 2.0_f64.sqrt());
        let found = share(&|z| z.abs() <= k);
        assert!((found - expected).abs() < 5.0 * error, "share {found} within {k}");
    }
    let above = share(&|z| z > 0.0);
    assert!((above - 0.5).abs() < 5.0 * 0.0016, "share {above} above 0");
}

/// Claim: draws that follow each other are independent: their products have mean 0 (standard
/// error sqrt(1/n) = 0.0032).
#[test]
fn neighbours_are_uncorrelated() {
    let mut stream = RandomStream::new(11, "n", "test");
    let (mean, _) = moments(DRAWS, || stream.normal() * stream.normal());
    assert!(mean.abs() < 5.0 * 0.0032, "mean product {mean}");
}

/// Claim (closed form): half of all are below the median m; the mean is m exp(s^2/2), its standard
/// error m exp(s^2/2) sqrt((exp(s^2) - 1)/n); the logarithm has mean ln m and variance s^2.
#[test]
fn lognormal_has_its_median_mean_and_spread() {
    for (m, s) in [(6_144.0, 1.3), (4_096.0, 0.7), (1.0, 0.1)] {
        let mut stream = RandomStream::new(12, "l", "test");
        let drawn: Vec<f64> = (0..DRAWS).map(|_| stream.lognormal(m, s)).collect();
        let below = drawn.iter().filter(|x| **x < m).count() as f64 / f64::from(DRAWS);
        assert!((below - 0.5).abs() < 5.0 * 0.0016, "share {below} below the median {m}");
        let expected = m * libm::exp(s * s / 2.0);
        let allowed = 5.0 * expected * ((libm::exp(s * s) - 1.0) / f64::from(DRAWS)).sqrt();
        let mean = drawn.iter().sum::<f64>() / f64::from(DRAWS);
        assert!((mean - expected).abs() < allowed, "mean {mean}, not {expected}");
        let mut logarithms = drawn.iter().map(|x| libm::log(*x / m));
        let (mean, variance) = moments(DRAWS, || logarithms.next().expect("as many as drawn"));
        assert!(mean.abs() < 5.0 * 0.0032 * s, "mean of the logarithm {mean}");
        assert!((variance / (s * s) - 1.0).abs() < 5.0 * 0.0045, "its variance {variance}");
    }
}

/// Claim: the ends of the range are ordinary numbers. U = 0 gives 0 whatever V; the largest U,
/// 1 - 2^-53, gives sqrt(106 ln 2) = 8.572 deviations; sigma 0 gives the median always.
#[test]
fn the_ends_of_the_range_are_finite() {
    let largest = 1.0 - 0.5 * f64::EPSILON;
    assert!(normal::standard(0.0, 0.3).abs() == 0.0);
    assert!((normal::standard(largest, 0.0) - 8.572).abs() < 0.001);
    assert!((normal::standard(largest, 0.5) + 8.572).abs() < 0.001);
    assert!(normal::lognormal(-8.0, 5.0, 0.0).to_bits() == 5.0_f64.to_bits());
}
