//! Rule: the number of seeds at which a point ends.
//!
//! ```text
//! n = the least number >= 2 of seeds for which  h(1..n) <= share |mean(1..n)|            (1)
//! ```
//! mean and h are the mean of a measure over the runs of seeds 1 to n that have it, and half of its
//! 95 % confidence interval (`Estimate`); at least two runs must have it. Seeds count in their
//! order, so n does not depend on which run ended first; runs of later seeds are left out of the
//! dataset. A mean of exactly 0 meets the rule only if all values are 0.
//!
//! Differs from a fixed number of seeds: because seeds end when an interval is narrow, it contains
//! the true mean somewhat less often than in 95 of 100 cases, most of all with few seeds.

use std::collections::BTreeMap;

use hopflow::record::Estimate;

/// A measure, and its required precision.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    text: String,
    measure: String,
    share: f64,
}

impl Rule {
    /// Reads `MEASURE within SHARE %`.
    pub fn parse(text: &str) -> Result<Rule, String> {
        let wrong = || {
            format!(
                "--until `{text}`: write MEASURE within SHARE %, such as \
                 `throughput_bps within 1 %` or `vc/VC1/delay_mean_ps within 2.5 %`"
            )
        };
        let (measure, share) = text.rsplit_once(" within ").ok_or_else(wrong)?;
        let percent = share.trim().strip_suffix('%').ok_or_else(wrong)?.trim();
        let percent: f64 = percent.parse().map_err(|_| wrong())?;
        if !(percent > 0.0 && percent <= 100.0) {
            return Err(format!("--until `{text}`: the share is above 0 % and at most 100 %"));
        }
        let (text, measure) = (text.trim().to_owned(), measure.trim().to_owned());
        Ok(Rule { text, measure, share: percent / 100.0 })
    }

    /// The text of the rule.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The measure.
    pub fn measure(&self) -> &str {
        &self.measure
    }

    /// Whether the values of seeds 1 to n, NaN without a value, meet the rule. Eq. (1).
    pub fn is_met(&self, values: &[f64]) -> bool {
        let estimate = Estimate::of(values.iter().copied().filter(|value| !value.is_nan()));
        let Some(estimate) = estimate else { return false };
        estimate.half_width.is_some_and(|half| half <= self.share * estimate.mean.abs())
    }

    /// The least number of seeds, with these values in order, that meets the rule. Eq. (1).
    pub fn least(&self, values: &[f64]) -> Option<usize> {
        (2..=values.len()).find(|count| self.is_met(&values[..*count]))
    }
}

/// The values of seeds 1, 2 and so on, up to the first seed that is missing.
pub(crate) fn leading<T: Copy>(seeds: &BTreeMap<u32, T>) -> Vec<T> {
    let leading = seeds.iter().zip(1..).take_while(|((seed, _), place)| *seed == place);
    leading.map(|((_, value), _)| *value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim, by hand: the mean of 99 and 101 is 100 and the half width t(1) x sqrt(2) / sqrt(2) =
    /// 12.7; with a third value of 100 it is t(2) x 1 / sqrt(3) = 2.48, and with a fourth,
    /// 3.18 x 0.816 / 2 = 1.30. A missing value does not count, but its seed does.
    #[test]
    fn the_least_number_is_worked_out_by_hand() {
        let least = |share: &str, values: &[f64]| {
            let rule = Rule::parse(&format!("jain within {share} %")).unwrap();
            rule.least(values)
        };
        let four = [99.0, 101.0, 100.0, 100.0];
        assert_eq!(least("12.8", &four), Some(2));
        assert_eq!(least("12.6", &four), Some(3));
        assert_eq!(least("2.49", &four), Some(3));
        assert_eq!(least("2.47", &four), Some(4));
        assert_eq!(least("1.29", &four), None);
        let with_gap = [99.0, f64::NAN, 101.0, 100.0];
        assert_eq!(least("12.8", &with_gap), Some(3));
        assert_eq!(least("50", &[1.0, f64::NAN, f64::NAN]), None);
        assert_eq!(least("50", &[0.0, 0.0]), Some(2));
        assert_eq!(least("50", &[-1.0, 1.0]), None);
    }

    /// Claim: a rule has a measure and a share in per cent; any other text is refused.
    #[test]
    fn a_rule_is_read() {
        let rule = Rule::parse(" vc/a within b/x_ps within 2.5 % ").unwrap();
        assert_eq!((rule.measure(), rule.share), ("vc/a within b/x_ps", 0.025));
        for wrong in ["jain", "jain within 1", "jain within 0 %", "x within 101 %", "x within a %"]
        {
            assert!(Rule::parse(wrong).unwrap_err().contains(wrong), "{wrong}");
        }
    }
}
