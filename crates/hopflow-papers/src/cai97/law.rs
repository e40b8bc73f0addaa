//! The paper's conclusion as a law: the largest queue of the bottleneck over the feedback delay, a
//! line with the slope of the link without virtual sources, and flat with them. Source: [Cai97] 5.
//!
//! ```text
//! D = 2 x (satellite delay + 5 ms)        feedback delay of the bottleneck, s       (1)
//! Q = slope x D + intercept               least squares over all delays, cells      (2)
//! ```
//! A run ends after [`ROUNDS`] round trips: slow start has filled the slow link in at most 11.

use super::network::{bottleneck, file, most, variant};
use crate::observe::median;
use crate::{Chart, ChartLine, Experiment, Measured, Runs, ScenarioText};

/// Satellite delays in ms of configuration 2, and of configuration 1 beside it.
const DELAYS: [&[u32]; 2] = [&[25, 150, 275, 400], &[25, 75, 150, 275, 400]];
/// Averaging intervals in ms; of configuration 1 with virtual sources the middle one alone.
const INTERVALS: [u32; 3] = [5, 10, 15];
const ROUNDS: u32 = 18;
const BOTH: [bool; 2] = [false, true];

/// The law.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["cai97.law"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let mut all = Vec::new();
    for conf in [1, 2] {
        for virtual_source in BOTH {
            for delay in delays(conf) {
                let of = |ms: &u32| scenario(conf, virtual_source, *delay, *ms);
                all.extend(intervals(conf, virtual_source).iter().map(of));
            }
        }
    }
    all
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("cai97.law");
    let mut lines = Vec::new();
    for (conf, of) in [(2, ""), (1, "conf1.")] {
        for virtual_source in BOTH {
            let row = if virtual_source { "with" } else { "without" };
            let points = points(runs, conf, virtual_source);
            let (slope, correlation) = fit(&points);
            measured.claim(format!("{of}{row}.slope"), slope);
            match (conf, virtual_source) {
                (2, false) => measured.claim("without.correlation", correlation),
                (2, true) => {
                    let most = points.iter().map(|point| point.1).fold(0.0, f64::max);
                    measured.claim("with.most", most);
                }
                _ => {}
            }
            let name = format!("configuration {conf}, {row} VS/VD");
            lines.push(ChartLine::straight(name, points));
        }
    }
    measured.charts.push(
        Chart::new("cai97-law", "Queue of the bottleneck over its feedback delay")
            .caption(
                "Without VS/VD it is the delay times the rate of the link, 106 cells per ms; with \
                 VS/VD the previous loop is the same 10 ms at every delay.",
            )
            .axes("feedback delay (s)", "largest queue (cells)")
            .lines(lines),
    );
    measured
}

const fn delays(conf: u32) -> &'static [u32] {
    DELAYS[(conf - 1) as usize]
}

const fn intervals(conf: u32, virtual_source: bool) -> &'static [u32] {
    if conf == 1 && virtual_source { &[10] } else { &INTERVALS }
}

fn name(delay: u32, interval: u32) -> String {
    format!("satellite{delay}-{interval}")
}

fn scenario(conf: u32, virtual_source: bool, delay: u32, interval: u32) -> ScenarioText {
    let duration = format!("duration = \"{} ms\"", ROUNDS * 2 * (delay + 10));
    let satellite = format!("delay = \"{delay} ms\"");
    let edits = [("duration = \"15 s\"", &*duration), ("delay = \"275 ms\"", &*satellite)];
    variant(conf, virtual_source, interval, &name(delay, interval), &edits)
}

/// Eq. (1) and the median queue at each delay.
fn points(runs: &Runs, conf: u32, virtual_source: bool) -> Vec<(f64, f64)> {
    let point = |delay: &u32| {
        let of = |ms: &u32| {
            let run = runs.one(&file(conf, virtual_source, &name(*delay, *ms)));
            most(run, bottleneck(conf))
        };
        let feedback = f64::from(2 * (delay + 5)) / 1000.0;
        (feedback, median(intervals(conf, virtual_source).iter().map(of)))
    };
    delays(conf).iter().map(point).collect()
}

/// Slope of Eq. (2), and the correlation.
fn fit(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (at, value) in points {
        let (dx, dy) = (at - x, value - y);
        (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy);
    }
    (xy / xx, xy / (xx * yy).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1, 3, 5 at 0, 1, 2 are a line of slope 2. 0, 3, 0 at 0, 1, 2 have neither slope nor
    /// correlation.
    #[test]
    fn a_line_is_fitted() {
        let close = |(slope, correlation): (f64, f64), to: (f64, f64)| {
            (slope - to.0).abs() < 1e-12 && (correlation - to.1).abs() < 1e-12
        };
        assert!(close(fit(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]), (2.0, 1.0)));
        assert!(close(fit(&[(0.0, 0.0), (1.0, 3.0), (2.0, 0.0)]), (0.0, 0.0)));
    }
}
