//! Section 5: traffic that is burstier gets the same delay at a lower utilization.
//!
//! Test-One with trains of burstiness b: packets of a train are 1 / (b AR) apart, trains are
//! further apart by as much, so that the mean rate stays. For each b the rate of all flows
//! is varied; the utilization at which the mean waiting is that of b = 2 at a load of .86 is
//! found between the two runs around it, on a straight line.
//!
//! Source: [Zhang90] 5: "with the traffic burstiness degree increased from two to eight, the
//! network can maintain the same queueing delay by a modest decrease in the channel utilization".
//! Differs: sources keep no envelope, whose least gap is that of b = 2.

use super::measure::{everyone, link_12, over, waiting};
use super::network::{LENGTH, test_one, unbounded};
use crate::{Chart, ChartLine, Measured, Runs, ScenarioText};

const BURSTINESS: [u32; 3] = [2, 4, 8];
/// Rates of the flows in packets/s; 18 of them share 200 packets/s.
pub(super) const RATES: [&str; 4] = ["6.5", "7.5", "8.5", "9.5"];
pub(super) const SEEDS: u32 = 4;

pub(super) fn file(burstiness: u32, rate: &str) -> String {
    format!("pattern-burstiness{burstiness}-{rate}.toml")
}

/// Every burstiness with every rate.
pub(super) fn scenarios() -> Vec<ScenarioText> {
    let base = test_one().with_seeds(SEEDS);
    let variant = |burstiness: u32, rate: &str| {
        let length = format!("{LENGTH}, burstiness = {burstiness}");
        unbounded(&base.variant("", &[(LENGTH, length)]), file(burstiness, rate), rate)
    };
    let of = |burstiness| RATES.map(|rate| variant(burstiness, rate));
    BURSTINESS.into_iter().flat_map(of).collect()
}

/// The claims `pattern.burstiness.*`.
pub(super) fn measure(measured: &mut Measured, runs: &Runs) {
    let curves = BURSTINESS.map(|burstiness| curve_of(runs, |rate| file(burstiness, rate)));
    let (load, wait) = *curves[0].last().expect("four rates");
    let mut claim = |id: &str, value: f64| {
        measured.claim(format!("burstiness.{id}"), value);
    };
    claim("b2.util", load);
    claim("b2.wait", wait);
    let mut before = load;
    for (burstiness, curve) in BURSTINESS.iter().zip(&curves).skip(1) {
        let same = crossing(curve, wait).unwrap_or(f64::NAN);
        claim(&format!("b{burstiness}.decrease"), load - same);
        claim(&format!("b{burstiness}.below_the_last"), before - same);
        before = same;
    }
    measured.charts.push(chart(&curves));
}

/// (utilization, mean waiting of all packets in ms) by rate.
pub(super) fn curve_of(runs: &Runs, file: impl Fn(&str) -> String) -> Vec<(f64, f64)> {
    let point = |rate: &str| {
        let runs = runs.all(&file(rate));
        let wait = over(runs, |run| waiting(run, &everyone(run)).mean_ms).mean;
        (over(runs, |run| link_12(run, |link| link.busy)).mean, wait)
    };
    RATES.map(point).to_vec()
}

/// Where a rising curve comes to `height`, between two of its points.
fn crossing(curve: &[(f64, f64)], height: f64) -> Option<f64> {
    let around = curve.windows(2).find(|pair| pair[0].1 <= height && height <= pair[1].1)?;
    let [(left, low), (right, high)] = [around[0], around[1]];
    Some(left + (right - left) * (height - low) / (high - low))
}

fn chart(curves: &[Vec<(f64, f64)>; 3]) -> Chart {
    let line = |(burstiness, points): (&u32, &Vec<(f64, f64)>)| {
        ChartLine::straight(format!("burstiness {burstiness}"), points.clone())
    };
    Chart::new("zhang90-pattern-burstiness", "Section 5: the same delay costs utilization")
        .caption("Trains of mean length 2 without an envelope, Test-One's flows.")
        .axes("utilization of Link 12", "mean waiting of all packets (ms)")
        .lines(BURSTINESS.iter().zip(curves).map(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 3 lies halfway between 2 at .6 and 4 at .8; nothing of the curve is above 9.
    #[test]
    fn crossing_is_on_the_line() {
        let curve = [(0.5, 1.0), (0.6, 2.0), (0.8, 4.0)];
        assert!((crossing(&curve, 3.0).unwrap() - 0.7).abs() < 1e-12);
        assert_eq!(crossing(&curve, 9.0), None);
    }
}
