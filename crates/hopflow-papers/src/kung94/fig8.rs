//! Figures 7 and 8: a greedy N23 VC takes what a video VC of higher priority leaves.
//!
//! Equilibrium at service share r: R (1 - r) cells held; a jump from r1 to r2 drains at most
//! R (r2 - r1) of them before the sender reacts, so the buffer never runs dry.
//! Source: [KMCL94] 6; the period of the video is not printed, so three are run.

use std::collections::BTreeSet;

use crate::observe::{extremes, mean, sliding_share, throughput};
use crate::{Chart, ChartLine, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const FILE: &str = "fig08.toml";
/// Other halves of the video's period: file and id, as the scenario writes it.
const OTHERS: [(&str, &str, &str); 2] =
    [("fig08-half500.toml", "half500", "500"), ("fig08-half2000.toml", "half2000", "2000")];

/// Start-up is over; in cell times.
const STEADY_FROM: f64 = 1_000.0;
/// How long each rate of the video lasts in the base scenario.
const HALF: f64 = 1_000.0;
/// From the video's host to the output link: one cell and the delay.
const ARRIVES_AFTER: f64 = 77.5;
/// The window of the paper's averages.
const WINDOW: f64 = 25.0;
const OUT: &str = "S->B";

/// Figures 7 and 8.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.fig8"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("kung94/fig08.toml");
    let other = |(file, _, half): &(&str, &str, &str)| {
        let new = format!("half-period = \"{half} cells\"");
        base.variant(*file, &[("half-period = \"1000 cells\"", &new)])
    };
    let others: Vec<_> = OTHERS.iter().map(other).collect();
    [vec![base], others].concat()
}

fn measure(runs: &Runs) -> Measured {
    let run = runs.one(FILE);
    let mut measured = Measured::of("kung94.fig8");
    shares(&mut measured, run);
    buffer(&mut measured, run);
    lags(&mut measured, run);
    for (file, id, _) in OTHERS {
        let run = runs.one(file);
        let (low, high) = fill_extremes(run, STEADY_FROM);
        measured.claim(format!("{id}.idle_windows"), idle_windows(run) as f64);
        measured.claim(format!("{id}.fill_peak"), high);
        measured.claim(format!("{id}.fill_min"), low);
    }
    measured.charts = vec![throughput_chart(run), queue_chart(run)];
    for (line, id) in ["vc1", "vc2"].into_iter().enumerate() {
        for half in ["low", "high"] {
            measured.mark(Mark::new("kung94-fig8", format!("{id}.{half}_share")).on(line));
        }
    }
    for claim in ["vc2.fill_peak", "vc2.fill_min"] {
        measured.mark(Mark::new("kung94-fig8-queue", claim).between(STEADY_FROM, f64::INFINITY));
    }
    measured
}

/// The end of the run in cell times.
fn end_of(run: &Run) -> f64 {
    run.hop("VC2", OUT).end()
}

/// Shares of the output link in the low and in the high halves, start-up left out.
fn shares(measured: &mut Measured, run: &Run) {
    let end = end_of(run);
    for (id, name) in [("vc1", "VC1"), ("vc2", "VC2")] {
        let starts = run.hop(name, OUT).starts();
        let mut halves = [Vec::new(), Vec::new()];
        for index in 2.. {
            let from = ARRIVES_AFTER + HALF * f64::from(index);
            if from + HALF > end {
                break;
            }
            let inside = starts.iter().filter(|&&t| from <= t && t < from + HALF).count();
            halves[index as usize % 2].push(inside as f64 / HALF);
        }
        let [first, second] = halves.map(mean);
        // The video begins with its low half.
        let (low, high) = if id == "vc1" { (first, second) } else { (second, first) };
        measured.claim(format!("{id}.low_share"), low);
        measured.claim(format!("{id}.high_share"), high);
    }
    measured.claim("idle_windows", idle_windows(run) as f64);
}

/// Windows of 25 cell times after start-up in which the output link was idle for a moment.
fn idle_windows(run: &Run) -> usize {
    let mut starts = [run.hop("VC1", OUT).starts(), run.hop("VC2", OUT).starts()].concat();
    starts.retain(|start| *start >= STEADY_FROM);
    starts.sort_by(f64::total_cmp);
    let mut windows = BTreeSet::new();
    for pair in starts.windows(2).filter(|pair| pair[1] - pair[0] > 1.001) {
        let (first, last) = ((pair[0] + 1.0) / WINDOW, pair[1] / WINDOW);
        windows.extend(first as u64..=last as u64);
    }
    windows.len()
}

fn fill_extremes(run: &Run, from: f64) -> (f64, f64) {
    extremes(&run.hop("VC2", OUT).fills(), from, end_of(run))
}

fn buffer(measured: &mut Measured, run: &Run) {
    let (low, high) = fill_extremes(run, STEADY_FROM);
    let fills = run.hop("VC2", OUT).fills();
    let empty = fills.iter().filter(|(time, fill)| *time >= STEADY_FROM && *fill < 0.5);
    measured.claim("vc2.fill_bound", fill_extremes(run, 0.0).1);
    measured.claim("vc2.fill_peak", high);
    measured.claim("vc2.fill_min", low);
    measured.claim("vc2.empty_instants", empty.count() as f64);
}

/// How long after each change of VC1 the share of VC2 crosses the half-way level.
fn lags(measured: &mut Measured, run: &Run) {
    let end = end_of(run) - WINDOW;
    let video = sliding_share(&run.hop("VC1", OUT).starts(), WINDOW, STEADY_FROM, end);
    let output = sliding_share(&run.hop("VC2", OUT).starts(), WINDOW, STEADY_FROM, end);
    let input = sliding_share(&run.hop("VC2", "A->S").arrivals(), WINDOW, STEADY_FROM, end);
    measured.claim("vc2.lag_at_output", mean_lag(&video, &output));
    measured.claim("vc2.lag_at_input", mean_lag(&video, &input));
}

/// The mean over all changes of `video` through 0.38 of the time until `other` is beyond 0.62
/// on the opposite side. Not a number when there are none.
fn mean_lag(video: &[(f64, f64)], other: &[(f64, f64)]) -> f64 {
    let changes = video.windows(2).filter(|pair| (pair[0].1 > 0.38) != (pair[1].1 > 0.38));
    let lag = |pair: &[(f64, f64)]| {
        let (time, video_is_high) = (pair[1].0, pair[1].1 > 0.38);
        let from = other.iter().filter(|point| point.0 >= time - WINDOW);
        let crossed = from.skip_while(|point| (point.1 > 0.62) == video_is_high).map(|p| p.0);
        // Searched from one window earlier: a crossing before the video's is a negative lag.
        crossed.map(|crossed| crossed - time).next()
    };
    mean(changes.filter_map(lag))
}

fn throughput_chart(run: &Run) -> Chart {
    let end = end_of(run);
    let line = |name: &str| {
        ChartLine::straight(name, throughput(&run.hop(name, OUT).starts(), WINDOW, end))
    };
    Chart::new("kung94-fig8", "Figure 8: the greedy VC takes up what is left over")
        .caption("The shares sum to 100 %: the link is fully used.")
        .axes("time (cell times)", "share of the output link, 25 cell times")
        .lines([line("VC1"), line("VC2")])
}

fn queue_chart(run: &Run) -> Chart {
    let points = run.hop("VC2", OUT).fills();
    Chart::new("kung94-fig8-queue", "Section 6: cells of VC2 held by the switch")
        .caption("Never more than N2 + N3 = 165, and never none.")
        .axes("time (cell times)", "cells of VC2")
        .lines([ChartLine::steps("VC2", points)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The video rises at 100 and falls at 200; the other falls 10 later and rises 30 later.
    #[test]
    fn lag_is_the_mean_over_both_changes() {
        let square = |rise: u32, fall: u32, low: f64, high: f64| -> Vec<(f64, f64)> {
            let value = |t: u32| if (rise..fall).contains(&t) { high } else { low };
            (0..300).map(|t| (f64::from(t), value(t))).collect()
        };
        let video = square(100, 200, 0.1, 0.66);
        let other = square(110, 230, 0.9, 0.34);
        assert!((mean_lag(&video, &other) - 20.0).abs() < 1e-9);
        assert!(mean_lag(&video, &square(100, 200, 0.9, 0.34)).abs() < 1e-9);
    }
}
