//! Section 4.3: a larger N3 lets a VC send at a proportionally higher bandwidth.
//!
//! ```text
//! N3 / R <= share <= (N2 + N3) / R,  and 1 from N3 = R on                           (1)
//! ```
//! The greedy VC of Figure 12 under several N3. Between the bounds the share rises in steps of N2
//! (`fig12.rs`, Eq. (1)), so proportional is the slope of a line through all.
//! Source: [KMCL94] 4.3 and 7.1.

use super::fig12::FILE;
use crate::observe::{greatest, least};
use crate::{Chart, ChartLine, Experiment, Measured, Runs, ScenarioText};

/// N3 in cells; the last two are R and 1.2 R.
const SIZES: [u32; 9] = [16, 31, 51, 76, 101, 126, 146, 155, 186];
/// N2 in cells and R in cell times.
const N2: f64 = 10.0;
const R: f64 = 155.0;
/// The first bursts are over, in cell times.
const STEADY_FROM: f64 = 1_000.0;

/// Section 4.3.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.sec4.3"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("kung94/fig12.toml");
    let of = |n3: u32| base.variant(file(n3), &[("n3 = 51", &format!("n3 = {n3}"))]);
    SIZES.map(of).to_vec()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("kung94.sec4.3");
    let shares: Vec<(f64, f64)> = SIZES
        .iter()
        .map(|n3| {
            let hop = runs.one(&file(*n3)).hop("VC", "S->B");
            (f64::from(*n3), hop.share(STEADY_FROM, hop.end()))
        })
        .collect();
    let below: Vec<(f64, f64)> = shares.iter().copied().filter(|(n3, _)| *n3 < R).collect();
    let above = shares.iter().filter(|(n3, _)| *n3 >= R).map(|(_, share)| *share);
    let spare = least(below.iter().map(|(n3, share)| share - n3 / R));
    let over = below.iter().map(|(n3, share)| share - (N2 + n3) / R);
    let limited = below.iter().map(|(_, share)| *share).fold(0.0, f64::max);
    measured.claim("above_target", spare);
    measured.claim("over_bound", greatest(over));
    measured.claim("slope", slope(&below));
    measured.claim("limited", limited);
    measured.claim("full", least(above));
    measured.charts = vec![chart(shares)];
    measured
}

fn file(n3: u32) -> String {
    if n3 == 51 { FILE.to_owned() } else { format!("fig12-n3-{n3}.toml") }
}

/// The slope of the line of least squares of the share over N3 / R.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let sum = |of: fn(f64, f64) -> f64| points.iter().map(|(n3, y)| of(n3 / R, *y)).sum::<f64>();
    let (x, y) = (sum(|x, _| x), sum(|_, y| y));
    (count * sum(|x, y| x * y) - x * y) / (count * sum(|x, _| x * x) - x * x)
}

fn chart(shares: Vec<(f64, f64)>) -> Chart {
    let target = SIZES.iter().map(|n3| (f64::from(*n3), (f64::from(*n3) / R).min(1.0)));
    Chart::new("kung94-sec4-3", "Section 4.3: a greedy VC over N3")
        .caption("The share of the link is above N3 / R, and all of it from N3 = R on.")
        .axes("N3 (cells)", "share of the link")
        .lines([ChartLine::straight("measured", shares), ChartLine::straight("N3 / R", target)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y = .1 + 2 x at x = 0, 1, 2 has the slope 2; one point 3 higher at the end adds 1.5.
    #[test]
    fn slope_of_a_line() {
        let line = [(0.0, 0.1), (R, 2.1), (2.0 * R, 4.1)];
        assert!((slope(&line) - 2.0).abs() < 1e-9);
        let bent = [(0.0, 0.1), (R, 2.1), (2.0 * R, 7.1)];
        assert!((slope(&bent) - 3.5).abs() < 1e-9);
    }
}
