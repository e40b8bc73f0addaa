//! Estimate: the mean of several independent values, with a confidence interval.
//!
//! ```text
//! mean       = sum x / n                                                                 (1)
//! deviation  = sqrt(sum (x - mean)^2 / (n - 1))                                          (2)
//! half width = t(n - 1) x deviation / sqrt(n)                                            (3)
//! prediction = t(n - 1) x deviation x sqrt(1 + 1/n)                                      (5)
//! ```
//! t(v) is the value that Student's t with v degrees of freedom exceeds, either way, with
//! probability 0.05. With t = sqrt(v) tan(a) its density becomes one of cos^(v-1) in the angle a,
//! so the probability inside has a closed form for whole v:
//! ```text
//! v odd:   2/pi x (a + sin a x (cos a + 2/3 cos^3 a + (2 4)/(3 5) cos^5 a + ... cos^(v-2) a))
//! v even:  sin a x (1 + 1/2 cos^2 a + (1 3)/(2 4) cos^4 a + ... cos^(v-2) a)             (4)
//! ```
//! | symbol     | meaning                                                      | unit            |
//! |------------|--------------------------------------------------------------|-----------------|
//! | n, `count` | values: one for each seed                                    | 1               |
//! | v          | degrees of freedom, n - 1                                    | 1               |
//! | `mean`, `deviation`, `half_width` |                                       | of the values   |
//!
//! The interval contains the true mean in 95 of 100 experiments if values are independent and about
//! normal. Runs of different seeds are independent.
//!
//! Checked by: the tests below, against tabulated values of t and values computed by hand.

use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

/// The confidence of every interval.
pub const CONFIDENCE: f64 = 0.95;

/// Mean, standard deviation and 95 % confidence interval of some values, in their unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct Estimate {
    /// The number of values.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation (divisor n - 1); `None` for one value.
    pub deviation: Option<f64>,
    /// Half the width of the confidence interval around the mean; `None` for one value.
    pub half_width: Option<f64>,
}

impl Estimate {
    /// The estimate of these values; `None` without a value.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Estimate> {
        let values: Vec<f64> = values.into_iter().collect();
        if values.is_empty() {
            return None;
        }
        let count = values.len() as f64;
        // Relative to the first value, so that equal values have exactly this mean and deviation 0.
        let mean = values[0] + values.iter().map(|value| value - values[0]).sum::<f64>() / count;
        let deviation = (values.len() > 1).then(|| {
            let squares = values.iter().map(|value| (value - mean) * (value - mean));
            (squares.sum::<f64>() / (count - 1.0)).sqrt()
        });
        let freedom = values.len() as u64 - 1;
        let half_width = deviation.map(|d| student_t(freedom) * d / count.sqrt());
        Some(Estimate { count: values.len() as u64, mean, deviation, half_width })
    }

    /// The confidence interval: (least, greatest). For one value it is infinite.
    pub fn interval(&self) -> (f64, f64) {
        let half = self.half_width.unwrap_or(f64::INFINITY);
        (self.mean - half, self.mean + half)
    }

    /// The confidence interval, [least, greatest]; `None` for one value.
    pub fn bounds(&self) -> Option<[f64; 2]> {
        self.half_width.map(|_| self.interval().into())
    }

    /// How far one more value may be from the mean, with 95 % confidence. Eq. (5); `None` for one
    /// value.
    pub fn prediction(&self) -> Option<f64> {
        let count = self.count as f64;
        self.deviation.map(|d| student_t(self.count - 1) * d * (1.0 + 1.0 / count).sqrt())
    }

    /// Whether the confidence interval contains `value`.
    pub fn covers(&self, value: f64) -> bool {
        let (least, greatest) = self.interval();
        least <= value && value <= greatest
    }
}

/// Degrees of freedom from which the expansion around the normal distribution is used; its error
/// is then below the ninth digit.
const MANY: u64 = 1_000;

/// The value that Student's t with `freedom` (at least 1) degrees of freedom exceeds, either
/// way, with probability 0.05.
pub fn student_t(freedom: u64) -> f64 {
    assert!(freedom > 0, "Student's t has at least one degree of freedom");
    if freedom >= MANY {
        return near_normal(freedom as f64);
    }
    let (mut low, mut high) = (0.0, 13.0);
    // t(1) = 12.706 is the greatest; 60 halvings determine all digits.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if inside(freedom, middle) < CONFIDENCE { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The expansion of t in powers of 1 / v around the normal distribution's 1.96.
fn near_normal(freedom: f64) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    let cube = Z * Z * Z;
    let fifth = cube * Z * Z;
    Z + (cube + Z) / (4.0 * freedom)
        + (5.0 * fifth + 16.0 * cube + 3.0 * Z) / (96.0 * freedom * freedom)
}

/// The probability that Student's t lies within `bound` of 0. Eq. (4).
fn inside(freedom: u64, bound: f64) -> f64 {
    let v = freedom as f64;
    let hypotenuse = (v + bound * bound).sqrt();
    let (sine, cosine) = (bound / hypotenuse, v.sqrt() / hypotenuse);
    let odd = freedom % 2 == 1;
    let mut term = if odd { cosine } else { 1.0 };
    let mut power = u64::from(odd);
    let mut sum = 0.0;
    while power + 2 <= freedom {
        sum += term;
        power += 2;
        term *= cosine * cosine * (power - 1) as f64 / power as f64;
    }
    if odd {
        let angle = libm::atan2(sine, cosine);
        std::f64::consts::FRAC_2_PI * (angle + sine * sum)
    } else {
        sine * sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: t is that of the tables, for odd and even, few and many degrees of freedom.
    #[test]
    fn t_is_that_of_the_tables() {
        let table = [
            (1, 12.706_20),
            (2, 4.302_65),
            (3, 3.182_45),
            (4, 2.776_45),
            (5, 2.570_58),
            (7, 2.364_62),
            (9, 2.262_16),
            (10, 2.228_14),
            (19, 2.093_02),
            (30, 2.042_27),
            (100, 1.983_97),
            (1_000, 1.962_34),
        ];
        for (freedom, expected) in table {
            let t = student_t(freedom);
            assert!((t - expected).abs() < 1e-5, "t({freedom}) = {t}, not {expected}");
        }
        // Both methods agree at their limit, and t tends to the value of the normal distribution.
        assert!((near_normal(999.0) - student_t(999)).abs() < 1e-8);
        assert!((student_t(u64::MAX) - 1.959_964).abs() < 1e-6);
    }

    /// Claim: of 1, 2, 3, 4 the mean is 2.5, the squares sum to 5, so the deviation is
    /// sqrt(5 / 3), and half the interval is 3.18245 x deviation / 2.
    #[test]
    fn an_estimate_is_worked_out_by_hand() {
        let estimate = Estimate::of([1.0, 2.0, 3.0, 4.0]).unwrap();
        let deviation = (5.0_f64 / 3.0).sqrt();
        assert_eq!((estimate.count, estimate.mean), (4, 2.5));
        assert!((estimate.deviation.unwrap() - deviation).abs() < 1e-12);
        assert!((estimate.half_width.unwrap() - 3.182_45 * deviation / 2.0).abs() < 1e-5);
        assert!(estimate.covers(0.45) && !estimate.covers(0.44));
    }

    /// Claim: one more value beside 1, 2, 3, 4 is within 3.18245 x sqrt(5 / 3) x sqrt(5 / 4) =
    /// 4.5935 of their mean.
    #[test]
    fn one_more_value_is_predicted() {
        let estimate = Estimate::of([1.0, 2.0, 3.0, 4.0]).unwrap();
        assert!((estimate.prediction().unwrap() - 4.593_5).abs() < 1e-3);
        assert_eq!(Estimate::of([1.0]).unwrap().prediction(), None);
    }

    /// Claim: one value has a mean and no interval, no values have no estimate, equal values have
    /// an interval of width 0.
    #[test]
    fn few_values_say_little() {
        let one = Estimate::of([7.0]).unwrap();
        assert_eq!((one.mean, one.deviation, one.half_width), (7.0, None, None));
        assert!(one.covers(1e300));
        assert_eq!(Estimate::of([]), None);
        let equal = Estimate::of([0.1; 3]).unwrap();
        assert_eq!((equal.mean, equal.deviation, equal.half_width), (0.1, Some(0.0), Some(0.0)));
    }

    /// Claim: about 95 of 100 intervals contain the true mean. For 4,000 experiments of 5 sums of
    /// 12 uniform values the share is 0.95 within 4 standard errors, 0.014.
    #[test]
    fn intervals_hold_the_mean_as_often_as_they_say() {
        let mut stream = hopflow_kernel::RandomStream::new(1, "estimate", "test");
        let mut held = 0;
        for _ in 0..4_000 {
            let mut sum = || (0..12).map(|_| stream.unit()).sum::<f64>();
            let values: Vec<f64> = (0..5).map(|_| sum()).collect();
            held += u32::from(Estimate::of(values).unwrap().covers(6.0));
        }
        let share = f64::from(held) / 4_000.0;
        assert!((share - 0.95).abs() < 0.014, "{share}");
    }
}
