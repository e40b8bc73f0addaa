//! Claims about random streams.

mod normal;

use proptest::prelude::*;

use super::*;

/// Claim (fingerprint): the first draws of a stream, from a second implementation of the three
/// formulas of the header in another language.
#[test]
fn the_first_draws_are_pinned() {
    let mut stream = RandomStream::new(1, "A->B", "corruption");
    let drawn: Vec<u64> = (0..4).map(|_| stream.next_u64()).collect();
    assert_eq!(
        drawn,
        [
            0xBCAB_E523_C2C2_E020,
            0x27AB_0955_B61A_588C,
            0x264C_F132_18A7_24A9,
            0x2BA4_3A8E_03AA_D768
        ]
    );
    let mut stream = RandomStream::new(1, "VC1", "source");
    let drawn: Vec<u64> = (0..8).map(|_| stream.geometric(10.0)).collect();
    assert_eq!(drawn, [5, 8, 6, 2, 4, 3, 13, 5]);
    let mut stream = RandomStream::new(1, "VC1", "source");
    for expected in [4.718_324_763_395_653, 8.112_918_378_206_606, 5.805_323_577_566_137] {
        let drawn = stream.exponential(10.0);
        assert!((drawn - expected).abs() < 1e-14 * expected, "{drawn} is not {expected}");
    }
}

/// Claim: the stream depends on owner, purpose and seed, and on where the owner's name ends.
#[test]
fn different_keys_give_different_streams() {
    let keys = [
        (1, "VC1", "source"),
        (2, "VC1", "source"),
        (1, "VC2", "source"),
        (1, "VC1", "corruption"),
        (1, "VC1s", "ource"),
        (1, "", "VC1source"),
        (1, "VC1source", ""),
    ];
    let mut firsts: Vec<u64> =
        keys.iter().map(|&(seed, o, p)| RandomStream::new(seed, o, p).next_u64()).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), keys.len());
}

/// Claim: streams of adjacent names are independent: over 64,000 bits, the number of equal bits is
/// half of all, within 5 standard deviations of sqrt(64000)/2 = 126.5.
#[test]
fn streams_of_neighbours_are_independent() {
    let mut one = RandomStream::new(7, "VC1", "source");
    let mut other = RandomStream::new(7, "VC2", "source");
    let differing: u32 = (0..1000).map(|_| (one.next_u64() ^ other.next_u64()).count_ones()).sum();
    assert!((31_367..=32_633).contains(&differing), "{differing} of 64,000 bits differ");
}

/// Mean and variance of `count` draws.
fn moments(count: u32, mut draw: impl FnMut() -> f64) -> (f64, f64) {
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..count {
        let x = draw();
        sum += x;
        squares += x * x;
    }
    let mean = sum / f64::from(count);
    (mean, squares / f64::from(count) - mean * mean)
}

/// Claim: mean 1/2 and variance 1/12. Standard errors for n = 100,000: sqrt(1/12/n) = 9.1e-4,
/// and sqrt((1/80 - 1/144)/n) = 2.4e-4 for the variance; 5 of each are allowed.
#[test]
fn unit_is_uniform() {
    let mut stream = RandomStream::new(3, "u", "test");
    let (mean, variance) = moments(100_000, || stream.unit());
    assert!((mean - 0.5).abs() < 5.0 * 9.1e-4, "mean {mean}");
    assert!((variance - 1.0 / 12.0).abs() < 5.0 * 2.4e-4, "variance {variance}");
}

/// Claim (closed form): mean m and variance m^2. Standard errors for n = 100,000: m/sqrt(n) =
/// 0.0032 m, and sqrt((9 - 1) m^4/n) = 0.0089 m^2 (fourth central moment 9 m^4); 5 of each.
#[test]
fn exponential_has_its_mean_and_variance() {
    for m in [1.0, 30.0, 1e9] {
        let mut stream = RandomStream::new(4, "e", "test");
        let (mean, variance) = moments(100_000, || stream.exponential(m));
        assert!((mean / m - 1.0).abs() < 5.0 * 0.0032, "mean {mean} for {m}");
        assert!((variance / (m * m) - 1.0).abs() < 5.0 * 0.0089, "variance {variance} for {m}");
    }
}

/// Claim (closed form): mean m and variance v = m(m - 1), p = 1/m. Standard errors for n =
/// 100,000: sqrt(v/n), and v sqrt((8 + p^2/(1 - p))/n) (excess kurtosis 6 + p^2/(1 - p)).
#[test]
fn geometric_has_its_mean_and_variance() {
    let n = 100_000_u32;
    for m in [1.5, 10.0, 60.0, 1e6] {
        let mut stream = RandomStream::new(5, "g", "test");
        let (mean, variance) = moments(n, || stream.geometric(m) as f64);
        let (v, p) = (m * (m - 1.0), 1.0 / m);
        let allowed = 5.0 * (v / f64::from(n)).sqrt();
        assert!((mean - m).abs() < allowed, "mean {mean} for {m}");
        let allowed = 5.0 * v * ((8.0 + p * p / (1.0 - p)) / f64::from(n)).sqrt();
        assert!((variance - v).abs() < allowed, "variance {variance} for {m}");
    }
}

/// Claim: with p = 1/2, the share of exact k is 2^-k: the distribution, not only its moments.
/// Standard error for n = 100,000: sqrt(q(1 - q)/n) < 0.0016 at q = 1/2; 5 of it are allowed.
#[test]
fn geometric_halves_with_each_count() {
    let mut stream = RandomStream::new(6, "g", "test");
    let mut counts = [0_u32; 5];
    for _ in 0..100_000 {
        let drawn = stream.geometric(2.0);
        assert!(drawn >= 1);
        if let Some(count) = counts.get_mut(drawn as usize) {
            *count += 1;
        }
    }
    for (k, q) in [(1, 0.5), (2, 0.25), (3, 0.125), (4, 0.0625)] {
        let share = f64::from(counts[k]) / 1e5;
        assert!((share - q).abs() < 5.0 * 0.0016, "share {share} of {k}");
    }
}

/// Claim: the ends of the range are finite. U = 0 gives 0 and 1; the largest U, 1 - 2^-53, gives 53
/// ln 2 = 36.74 means; a mean of 1 always gives 1, a mean of 0 always 0.
#[test]
fn the_ends_of_the_range_are_finite() {
    let largest = 1.0 - 0.5 * f64::EPSILON;
    assert_eq!(exponential::quantile(0.0, 5.0).to_bits(), 0.0_f64.to_bits());
    assert!((exponential::quantile(largest, 1.0) - 36.74).abs() < 0.01);
    assert!(exponential::quantile(largest, 0.0) == 0.0);
    assert_eq!(geometric::quantile(0.0, 1e18), 1);
    assert_eq!(geometric::quantile(largest, 1.0), 1);
    assert_eq!(geometric::quantile(largest, 1e300), u64::MAX);
}

proptest! {
    /// Claim: for any key and any mean, draws stay in the range of the distribution.
    #[test]
    fn draws_stay_in_range(seed: u64, owner: String, mean in 1.0_f64..1e12) {
        let mut stream = RandomStream::new(seed, &owner, "test");
        for _ in 0..20 {
            prop_assert!((0.0..1.0).contains(&stream.unit()));
            let span = stream.exponential(mean);
            prop_assert!((0.0..=37.0 * mean).contains(&span));
            prop_assert!(stream.geometric(mean) as f64 <= 38.0 * mean);
        }
    }
}
