//! Lengths of a queue: mean, deviation and percentiles, over time and as arrivals saw them.
//!
//! ```text
//! over time     weight of a length = time for which the queue had it                     (1)
//! by arrivals   weight of a length = packets at whose arrival the queue reached it       (2)
//! ```
//! An arriving packet counts itself. Poisson arrivals see time averages, so their mean (2) is one
//! more than (1); packets that arrive in bursts find longer queues.

use hopflow_network::QueueLengths;

use super::{LengthSummary, LengthsSummary};

/// The most lengths whose shares are listed.
const LISTED: usize = 1_000;

pub(super) fn lengths_summary(lengths: &QueueLengths) -> LengthsSummary {
    LengthsSummary {
        time: weighed(lengths.time.iter().map(|span| span.0)),
        arrivals: weighed(lengths.arrivals.iter().copied()),
    }
}

/// The lengths 0, 1, ... with these weights.
pub(crate) fn weighed(weights: impl Iterator<Item = u64> + Clone) -> Option<LengthSummary> {
    let all: u128 = weights.clone().map(u128::from).sum();
    if all == 0 {
        return None;
    }
    let total = all as f64;
    let lengths = || weights.clone().enumerate().map(|(length, w)| (length as f64, w as f64));
    let mean = lengths().map(|(length, weight)| length * weight).sum::<f64>() / total;
    let squares = lengths().map(|(length, w)| (length - mean) * (length - mean) * w).sum::<f64>();
    let quantile = |hundredths: u128| {
        let mut seen = 0;
        let reached = |weight: u64| {
            seen += u128::from(weight);
            seen * 100 >= hundredths * all
        };
        weights.clone().position(reached).unwrap_or(0) as u32
    };
    let max = weights.clone().enumerate().filter(|(_, weight)| *weight > 0).last();
    let max = max.map_or(0, |(length, _)| length);
    let min = weights.clone().position(|weight| weight > 0).unwrap_or(0);
    let listed = if max < LISTED { max + 1 } else { 0 };
    Some(LengthSummary {
        mean_packets: mean,
        deviation_packets: (squares / total).sqrt(),
        min_packets: Some(min as u32),
        p50_packets: quantile(50),
        p90_packets: quantile(90),
        p99_packets: quantile(99),
        max_packets: max as u32,
        shares: weights.take(listed).map(|weight| weight as f64 / total).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: length 0 for half of the time, 1 for 0.4 and 3 for 0.1: mean 0.7, variance
    /// 0.5 x 0.49 + 0.4 x 0.09 + 0.1 x 5.29 = 0.81. A share of exactly one half is reached at 0,
    /// nine tenths at 1, 99 of 100 at 3.
    #[test]
    fn lengths_are_weighed() {
        let found = weighed([5, 4, 0, 1, 0].into_iter()).unwrap();
        assert!((found.mean_packets - 0.7).abs() < 1e-12);
        assert!((found.deviation_packets - 0.9).abs() < 1e-12);
        assert_eq!(found.min_packets, Some(0));
        assert_eq!(weighed([0, 0, 7].into_iter()).unwrap().min_packets, Some(2));
        assert_eq!((found.p50_packets, found.p90_packets, found.p99_packets), (0, 1, 3));
        assert_eq!((found.max_packets, found.shares), (3, vec![0.5, 0.4, 0.0, 0.1]));
        assert_eq!(weighed([0, 0].into_iter()), None);
    }

    /// Claim: up to a thousand lengths are listed, more are not.
    #[test]
    fn lengths_of_long_queues_are_not_listed() {
        let listed = |max: usize| {
            let weights = (0..=max).map(|length| u64::from(length == max));
            weighed(weights).unwrap().shares.len()
        };
        assert_eq!((listed(999), listed(1_000)), (1_000, 0));
    }
}
