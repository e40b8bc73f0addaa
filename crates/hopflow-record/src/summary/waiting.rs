//! Waiting: the time of packets in queues, without their own transmission on every link.
//!
//! ```text
//! waiting = delay - delay on an idle path                                                (1)
//! ```
//! Packets of one size have one delay on an idle path, so their mean and greatest waiting are
//! those of the delay minus a constant, and the deviation is that of the delay. If sizes differ,
//! the waiting of every packet was measured.

use hopflow_network::DelayHistogram;

use super::{DelaySummary, WaitingSummary};

/// The summary of a delay.
pub(super) fn delay_summary(delay: &DelayHistogram) -> Option<DelaySummary> {
    Some(DelaySummary {
        min: delay.min_ps()?,
        mean: delay.mean_ps()?,
        sum: Some(delay.sum_ps()),
        deviation: delay.deviation_ps(),
        p99: delay.quantile_ps(0.99)?,
        max: delay.max_ps()?,
    })
}

/// The waiting of several final hosts together: for each its measured times, and the constant to
/// subtract from them, in ps. Eq. (1).
pub(super) fn waiting_summary(parts: &[(&DelayHistogram, u64)]) -> Option<WaitingSummary> {
    let parts: Vec<_> = parts.iter().filter(|(measured, _)| measured.count() > 0).collect();
    let count: u64 = parts.iter().map(|(measured, _)| measured.count()).sum();
    if count == 0 {
        return None;
    }
    let all = count as f64;
    let moments = parts.iter().map(|(measured, idle)| {
        let mean = measured.mean_ps().unwrap_or(0.0) - *idle as f64;
        (measured.count() as f64 / all, mean.max(0.0), measured.deviation_ps())
    });
    let mean: f64 = moments.clone().map(|(share, mean, _)| share * mean).sum();
    let variance = moments.map(|(share, part, deviation)| {
        deviation.map(|deviation| share * (deviation * deviation + (part - mean) * (part - mean)))
    });
    Some(WaitingSummary {
        mean,
        deviation: variance.sum::<Option<f64>>().map(f64::sqrt),
        p99: quantile(&parts, 0.99, count),
        max: parts
            .iter()
            .map(|(measured, idle)| measured.max_ps().unwrap_or(0).saturating_sub(*idle))
            .max()
            .unwrap_or(0),
    })
}

/// The least waiting that a share of at least `quantile` does not exceed, in ps, rounded up to
/// the end of its bucket of delays.
fn quantile(parts: &[&(&DelayHistogram, u64)], quantile: f64, count: u64) -> u64 {
    let mut values: Vec<(u64, u64)> = Vec::new();
    for (measured, idle) in parts {
        let most = measured.max_ps().unwrap_or(0);
        let buckets = measured.buckets();
        values.extend(buckets.map(|(_, to, n)| (to.min(most).saturating_sub(*idle), n)));
    }
    values.sort_unstable();
    let rank = ((quantile * count as f64).ceil() as u64).max(1);
    let mut seen = 0;
    let found = values.iter().find(|(_, n)| {
        seen += n;
        seen >= rank
    });
    found.or(values.last()).map_or(0, |(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(delays: &[u64]) -> DelayHistogram {
        let mut histogram = DelayHistogram::default();
        for delay in delays {
            histogram.record(*delay);
        }
        histogram
    }

    /// Claim: delays 10, 10, 14 on a path of 10 are waiting 0, 0, 4: mean 4/3, variance 32/9.
    #[test]
    fn waiting_is_delay_less_a_constant() {
        let waiting = waiting_summary(&[(&histogram(&[10, 10, 14]), 10)]).unwrap();
        assert!((waiting.mean - 4.0 / 3.0).abs() < 1e-12);
        assert!((waiting.deviation.unwrap() - (32.0_f64 / 9.0).sqrt()).abs() < 1e-12);
        assert_eq!((waiting.p99, waiting.max), (4, 4));
        assert_eq!(waiting_summary(&[(&histogram(&[]), 10)]), None);
    }

    /// Claim: two final hosts, at distances 10 and 30, with delays 12 and 30, 30, 30: the waiting
    /// 2, 0, 0, 0 has mean 1/2 and variance 3/4.
    #[test]
    fn final_hosts_are_taken_together() {
        let (near, far) = (histogram(&[12]), histogram(&[30, 30, 30]));
        let waiting = waiting_summary(&[(&near, 10), (&far, 30)]).unwrap();
        assert!((waiting.mean - 0.5).abs() < 1e-12);
        assert!((waiting.deviation.unwrap() - 0.75_f64.sqrt()).abs() < 1e-12);
        assert_eq!((waiting.p99, waiting.max), (2, 2));
    }
}
