//! Delay of the cells of one VC: exact least, greatest and mean, and a histogram for quantiles.
//!
//! Buckets are log-linear, with [`SUB_BUCKETS`] equal steps per octave, so a quantile has a
//! relative error of at most 1 / [`SUB_BUCKETS`], always upwards. Only the octaves that occur take
//! memory, which is why this is not `hdrhistogram` (20 kB per VC at the same precision).

/// Steps per octave.
pub(crate) const SUB_BUCKETS: u64 = 64;
const SUB_BITS: u32 = SUB_BUCKETS.trailing_zeros();

/// Delays seen so far, in picoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DelayHistogram {
    count: u64,
    min: u64,
    max: u64,
    sum: u128,
    /// Sum of squares; `None` after an overflow.
    squares: Option<u128>,
    /// Index of the first bucket kept.
    first: usize,
    buckets: Vec<u64>,
}

impl Default for DelayHistogram {
    fn default() -> DelayHistogram {
        let (count, min, max, sum, squares) = (0, 0, 0, 0, Some(0));
        DelayHistogram { count, min, max, sum, squares, first: 0, buckets: Vec::new() }
    }
}

impl DelayHistogram {
    /// Records one delay.
    pub fn record(&mut self, delay_ps: u64) {
        self.record_many(delay_ps, 1);
    }

    /// Records the same delay `times` times.
    #[inline]
    pub fn record_many(&mut self, delay_ps: u64, times: u64) {
        if times == 0 {
            return;
        }
        if self.count == 0 {
            self.min = delay_ps;
            self.first = bucket_of(delay_ps);
        }
        self.count += times;
        self.min = self.min.min(delay_ps);
        self.max = self.max.max(delay_ps);
        self.sum += u128::from(delay_ps) * u128::from(times);
        let square = u128::from(delay_ps) * u128::from(delay_ps);
        let squares = square.checked_mul(u128::from(times));
        let add = |(sum, more): (u128, u128)| sum.checked_add(more);
        self.squares = self.squares.zip(squares).and_then(add);
        let bucket = bucket_of(delay_ps);
        if bucket < self.first {
            let missing = self.first - bucket;
            self.buckets.splice(0..0, std::iter::repeat_n(0, missing));
            self.first = bucket;
        }
        let index = bucket - self.first;
        if index >= self.buckets.len() {
            self.buckets.resize(index + 1, 0);
        }
        self.buckets[index] += times;
    }

    /// Adds all delays of `other`.
    pub fn merge(&mut self, other: &DelayHistogram) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = other.clone();
            return;
        }
        if other.first < self.first {
            self.buckets.splice(0..0, std::iter::repeat_n(0, self.first - other.first));
            self.first = other.first;
        }
        let place = other.first - self.first;
        let end = place + other.buckets.len();
        if end > self.buckets.len() {
            self.buckets.resize(end, 0);
        }
        for (sum, count) in self.buckets[place..end].iter_mut().zip(&other.buckets) {
            *sum += count;
        }
        self.count += other.count;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.sum += other.sum;
        self.squares = self.squares.zip(other.squares).and_then(|(a, b)| a.checked_add(b));
    }

    /// The number of delays recorded.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The least, in ps; `None` before the first.
    pub fn min_ps(&self) -> Option<u64> {
        (self.count > 0).then_some(self.min)
    }

    /// The greatest, in ps.
    pub fn max_ps(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max)
    }

    /// The exact sum, in ps.
    pub const fn sum_ps(&self) -> u128 {
        self.sum
    }

    /// The mean, in ps.
    pub fn mean_ps(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The standard deviation, in ps. `None` before the first, or when the sum of the squares of
    /// the delays exceeds 2^128.
    ///
    /// With n delays of sum S, q = floor(S / n) and r = S - n q, the sum of (x - q)^2 is the sum of
    /// squares less q (S + r), an integer, so equal delays have a deviation of exactly 0 however
    /// long they are; the variance is that sum over n, less (r / n)^2, which is below 1 ps^2.
    pub fn deviation_ps(&self) -> Option<f64> {
        let count = u128::from(self.count);
        let q = self.sum.checked_div(count)?;
        let r = self.sum - count * q;
        let about_q = self.squares? - q * (self.sum + r);
        let (count, r) = (count as f64, r as f64);
        Some((about_q as f64 / count - (r / count) * (r / count)).max(0.0).sqrt())
    }

    /// The delay that a share of at least `quantile` (0 to 1) does not exceed, rounded up to the
    /// end of its bucket and never above the greatest delay, in ps.
    pub fn quantile_ps(&self, quantile: f64) -> Option<u64> {
        if self.count == 0 {
            return None;
        }
        let rank = ((quantile.clamp(0.0, 1.0) * self.count as f64).ceil() as u64).max(1);
        let mut seen = 0;
        for (index, count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return Some(bucket_end(self.first + index).min(self.max));
            }
        }
        Some(self.max)
    }

    /// The buckets that are not empty: (from, to, count), in ps, `to` included.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        self.buckets.iter().enumerate().filter(|(_, count)| **count > 0).map(|(index, count)| {
            let bucket = self.first + index;
            let from = if bucket == 0 { 0 } else { bucket_end(bucket - 1) + 1 };
            (from, bucket_end(bucket), *count)
        })
    }
}

/// The bucket of a value: linear below [`SUB_BUCKETS`], then that many per octave.
fn bucket_of(value: u64) -> usize {
    if value < SUB_BUCKETS {
        return value as usize;
    }
    let shift = value.ilog2() - SUB_BITS;
    ((u64::from(shift) + 1) * SUB_BUCKETS + (value >> shift) - SUB_BUCKETS) as usize
}

/// The greatest value of a bucket.
fn bucket_end(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < SUB_BUCKETS {
        return bucket;
    }
    let shift = bucket / SUB_BUCKETS - 1;
    let step = bucket % SUB_BUCKETS + SUB_BUCKETS;
    // The last bucket ends at u64::MAX: (128 << 57) - 1 in 128 bits.
    (((u128::from(step) + 1) << shift) - 1) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: every value lies in its bucket, and buckets are at most 1/64 of the value wide.
    #[test]
    fn buckets_cover_all_values_within_their_precision() {
        let values = (0..2_000).chain((0..64).map(|b| 1_u64 << b)).chain([u64::MAX, u64::MAX / 3]);
        for value in values {
            let bucket = bucket_of(value);
            let from = if bucket == 0 { 0 } else { bucket_end(bucket - 1) + 1 };
            assert!(from <= value && value <= bucket_end(bucket), "{value}");
            assert!(bucket_end(bucket) - from <= value / SUB_BUCKETS, "{value}");
        }
    }

    /// Claim: 1,000 equal delays of 251 ms have deviation 0, and if half of them are 1 ps longer,
    /// half a picosecond; the difference of two sums of squares near 6e28 would show neither.
    #[test]
    fn long_delays_deviate_by_what_they_do() {
        let mut delays = DelayHistogram::default();
        delays.record_many(251_000_000_007, 1_000);
        assert_eq!(delays.deviation_ps(), Some(0.0));
        delays.record_many(251_000_000_008, 1_000);
        assert_eq!(delays.deviation_ps(), Some(0.5));
        assert_eq!(DelayHistogram::default().deviation_ps(), None);
    }

    /// Claim: quantiles, mean and extremes of 1..=1000 are right within 1/64, and merging two
    /// halves gives the same as recording all.
    #[test]
    fn quantiles_are_within_their_precision() {
        let mut all = DelayHistogram::default();
        let (mut low, mut high) = (DelayHistogram::default(), DelayHistogram::default());
        for value in (1..=1_000).rev() {
            all.record(value);
            if value <= 500 { low.record(value) } else { high.record(value) }
        }
        assert_eq!((all.min_ps(), all.max_ps(), all.mean_ps()), (Some(1), Some(1000), Some(500.5)));
        // The variance of 1..=n is (n^2 - 1) / 12.
        let deviation = all.deviation_ps().unwrap();
        assert!((deviation - (999_999.0_f64 / 12.0).sqrt()).abs() < 1e-6, "{deviation}");
        let p99 = all.quantile_ps(0.99).unwrap();
        assert!((990..=990 + 990 / 64).contains(&p99), "{p99}");
        low.merge(&high);
        assert_eq!(low, all);
    }
}
