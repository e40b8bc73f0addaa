//! The numbers of an axis: steps of 1, 2 or 5 times a power of ten.
//!
//! ```text
//! step = m 10^e,  m one of 1, 2, 5: the least for which  length / step <= most        (1)
//! tick = n step   for every whole n with  low <= tick <= high                         (2)
//! ```
//! Powers of ten are products of tens, never a function of the platform, so that the same
//! figure has the same bytes everywhere.

use super::number::plain_number;

/// The numbers of one axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    /// The values, in order.
    pub(crate) values: Vec<f64>,
    /// Digits after the point in their texts.
    pub(crate) decimals: usize,
}

impl Ticks {
    /// The texts of the values.
    pub(crate) fn texts(&self) -> impl Iterator<Item = String> + '_ {
        self.values.iter().map(|value| plain_number(*value, self.decimals))
    }
}

/// 10^e for e >= 0.
fn ten_to(exponent: u32) -> f64 {
    (0..exponent.min(308)).fold(1.0, |power, _| power * 10.0)
}

/// The digit m and the exponent e of the step. Eq. (1).
fn step(length: f64, most: usize) -> (f64, i32) {
    let least = length / most.max(1) as f64;
    let mut exponent = 0;
    while exponent < 300 && times(10.0, exponent) <= least {
        exponent += 1;
    }
    while exponent > -300 && times(1.0, exponent) > least {
        exponent -= 1;
    }
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| times(*digit, exponent) >= least);
    digit.map_or((1.0, exponent + 1), |digit| (digit, exponent))
}

/// The least number of 1, 2 or 5 times a power of ten that is not below `value`.
pub(crate) fn round_up(value: f64) -> f64 {
    let (digit, exponent) = step(value, 1);
    times(digit, exponent)
}

/// `count` x 10^e.
fn times(count: f64, exponent: i32) -> f64 {
    let power = ten_to(exponent.unsigned_abs());
    if exponent < 0 { count / power } else { count * power }
}

/// The numbers from `low` to `high`, at most `most` + 1 of them. Eq. (2).
pub(crate) fn ticks((low, high): (f64, f64), most: usize) -> Ticks {
    let (digit, exponent) = step(high - low, most);
    let size = times(digit, exponent);
    let first = (low / size - 1e-9).ceil();
    let values = (0..=most + 1)
        .map(|place| times((first + place as f64) * digit, exponent))
        .take_while(|value| *value <= high + 1e-9 * size)
        // Not -0.
        .map(|value| value + 0.0)
        .collect();
    Ticks { values, decimals: usize::try_from(-exponent).unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(low: f64, high: f64, most: usize) -> Vec<String> {
        ticks((low, high), most).texts().collect()
    }

    /// Worked examples: the step of 0 to 20,000 in at most 8 steps is 5,000; that of 0 to 0.35 in
    /// at most 5 steps is 0.1.
    #[test]
    fn steps_are_one_two_or_five() {
        assert_eq!(of(0.0, 20_000.0, 8), ["0", "5,000", "10,000", "15,000", "20,000"]);
        assert_eq!(of(0.0, 20_000.0, 10).len(), 11);
        assert_eq!(of(0.0, 0.35, 5), ["0", "0.1", "0.2", "0.3"]);
        assert_eq!(of(-3.0, 1.0, 4), ["\u{2212}3", "\u{2212}2", "\u{2212}1", "0", "1"]);
        assert_eq!(of(0.0, 1.0, 5), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(of(0.0, 1e-6, 2), ["0", "0.0000005", "0.000001"]);
        assert_eq!(of(1e6, 3e6, 2), ["1,000,000", "2,000,000", "3,000,000"]);
    }

    proptest! {
        /// Claim: for 5 or more steps and any range there are at least two and at most `most` + 1
        /// numbers, all within the range, at equal distances.
        #[test]
        fn every_range_has_its_numbers(
            low in -1000_i32..1000,
            length in 1_u32..5000,
            power in 0_u32..12,
            most in 5_usize..12,
        ) {
            let scale = ten_to(power) / 1e6;
            let (low, length) = (f64::from(low) * scale, f64::from(length) * scale);
            let high = low + length;
            let found = ticks((low, high), most);
            let size = found.values[1] - found.values[0];
            prop_assert!(found.values.len() <= most + 1, "{:?}", found);
            prop_assert!(size * 3.0 >= length / most as f64);
            for pair in found.values.windows(2) {
                prop_assert!(((pair[1] - pair[0]) / size - 1.0).abs() < 1e-6);
            }
            let inside = |v: &f64| low - 1e-6 * size <= *v && *v <= high + 1e-6 * size;
            prop_assert!(found.values.iter().all(inside), "{:?}", found);
        }
    }
}
