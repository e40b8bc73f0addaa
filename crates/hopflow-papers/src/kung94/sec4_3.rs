//! Section 4.3: a larger N3 lets a VC send at a proportionally higher bandwidth.
//!
//! ```text
//! N3 / R <= share <= (N2 + N3) / R,  and 1 from N3 = R on                           (1)
//! ```
//! The greedy VC of Figure 12 under several N3. Between the bounds the share rises in steps of N2
//! (`fig12.rs`, Eq. (1)), so proportional is the slope of a line through all.
//! Source: [KMCL94] 4.3 and 7.1.

use super::fig12::{FILE, TEXT};
use crate::{Chart, ChartLine, Experiment, Measured, Runs, ScenarioText};

/// N3 in cells; the last two are R and 1.2 R.
const SIZES: [u32; 9] = [16, 31, 51, 76, 101, 126, 146, 155, 186];
/// N2 in cells and R in cell times.
const N2: f64 = 10.0;
const R: f64 = 155.0;
/// The first bursts are over, in cell times.
const STEADY_FROM: f64 = 1_000.0;

/// Section 4.3.
pub(super) struct Sec43;

impl Experiment for Sec43 {
    fn prefixes(&self) -> &'static [&'static str] {
        &["kung94.sec4.3"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        let base = ScenarioText::new(FILE, TEXT);
        let of = |n3: u32| base.variant(file(n3), &[("n3 = 51", &format!("n3 = {n3}"))]);
        SIZES.map(of).to_vec()
    }

    fn measure(&self, runs: &Runs) -> Measured {
        let mut measured = Measured::default();
        let shares: Vec<(f64, f64)> = SIZES
            .iter()
            .map(|n3| {
                let hop = runs.one(&file(*n3)).hop("VC", "S->B");
                let end = hop.cells(runs.one(&file(*n3)).counters.now);
                (f64::from(*n3), hop.share(STEADY_FROM, end))
            })
            .collect();
        let below: Vec<(f64, f64)> = shares.iter().copied().filter(|(n3, _)| *n3 < R).collect();
        let above = shares.iter().filter(|(n3, _)| *n3 >= R).map(|(_, share)| *share);
        let spare = below.iter().map(|(n3, share)| share - n3 / R).fold(f64::INFINITY, f64::min);
        let over = below.iter().map(|(n3, share)| share - (N2 + n3) / R);
        let limited = below.iter().map(|(_, share)| *share).fold(0.0, f64::max);
        measured.claim("kung94.sec4.3.above_target", spare);
        measured.claim("kung94.sec4.3.over_bound", over.fold(f64::NEG_INFINITY, f64::max));
        measured.claim("kung94.sec4.3.slope", slope(&below));
        measured.claim("kung94.sec4.3.limited", limited);
        measured.claim("kung94.sec4.3.full", above.fold(f64::INFINITY, f64::min));
        measured.charts = vec![chart(shares)];
        measured
    }
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
    let line = |name: &str, points| ChartLine { name: name.to_owned(), step: false, points };
    let target = SIZES.iter().map(|n3| (f64::from(*n3), (f64::from(*n3) / R).min(1.0))).collect();
    Chart {
        id: "kung94-sec4-3".to_owned(),
        title: "Section 4.3: a greedy VC over N3".to_owned(),
        caption: "The share of the link is above N3 / R, and all of it from N3 = R on.".to_owned(),
        x: "N3 (cells)".to_owned(),
        y: "share of the link".to_owned(),
        lines: vec![line("measured", shares), line("N3 / R", target)],
    }
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
