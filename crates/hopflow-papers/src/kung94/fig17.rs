//! Figures 17 to 19: four greedy VCs at two switches.
//!
//! VC1 crosses both. At first it takes half of the link between them; as its buffer at switch 2
//! fills to 103 cells, credits slow it to a third, and VC2 takes two thirds.
//! Source: [KMCL94] 7.3.

use crate::observe::{extremes, mean, sliding_share, throughput, time_mean};
use crate::{Chart, ChartLine, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const FILE: &str = "fig17.toml";
/// Convergence takes about 1,000 cell times.
const STEADY_FROM: f64 = 3_000.0;
/// The link between the switches is in use from 77.5 on; VC1 is not slowed before about 700.
const FIRST: (f64, f64) = (150.0, 550.0);
/// The period of the steady state in cell times.
const CREDIT_PERIOD: f64 = 30.0;
const MIDDLE: &str = "S1->S2";
const OUT: &str = "S2->B";
const SHARING: [(&str, &str); 3] = [("vc1", "VC1"), ("vc3", "VC3"), ("vc4", "VC4")];

/// Figures 17 to 19.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["kung94.fig17", "kung94.fig18", "kung94.fig19"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    vec![scenario!("kung94/fig17.toml")]
}

fn measure(runs: &Runs) -> Measured {
    let run = runs.one(FILE);
    let mut measured = Measured::of("kung94");
    second_switch(&mut measured, run);
    middle_link(&mut measured, run);
    measured.claim("fig17.lost_cells", run.lost_packets() as f64);
    measured.charts = vec![throughput_chart(run), queue_chart(run)];
    for (line, id) in ["vc1", "vc2"].into_iter().enumerate() {
        measured.mark(Mark::new("kung94-fig18", format!("fig18.{id}.share")).on(line));
    }
    for claim in ["fig19.vc1.fill_min", "fig19.vc1.fill_max"] {
        let mark = Mark::new("kung94-fig19", claim).on(0);
        measured.mark(mark.between(STEADY_FROM, f64::INFINITY));
    }
    measured
}

/// Shares, queues and delays at switch 2.
fn second_switch(measured: &mut Measured, run: &Run) {
    let end = run.hop("VC1", OUT).end();
    let mut held = Vec::new();
    for (id, name) in SHARING {
        let out = run.hop(name, OUT);
        let fills = out.fills();
        let (low, high) = extremes(&fills, STEADY_FROM, end);
        measured.claim(format!("fig17.{id}.share"), out.share(STEADY_FROM, end));
        measured.claim(format!("fig17.{id}.fill_over_100"), low);
        let late = out.held().into_iter().filter(|(came, _)| *came >= STEADY_FROM);
        held.push((time_mean(&fills, STEADY_FROM, end), mean(late.map(|(_, held)| held))));
        if id == "vc1" {
            measured.claim("fig19.vc1.fill_min", low);
            measured.claim("fig19.vc1.fill_max", high);
            measured.claim("fig19.vc1.swing", high - low);
            let (low, high) = extremes(&out.waiting(), STEADY_FROM, end);
            measured.claim("fig19.waiting.fill_min", low);
            measured.claim("fig19.waiting.fill_max", high);
            measured.claim("fig19.waiting.swing", high - low);
        } else {
            let (queue, delay) = held[held.len() - 1];
            measured.claim(format!("fig19.{id}.fill_above_vc1"), queue - held[0].0);
            measured.claim(format!("fig19.{id}.delay_over_vc1"), delay / held[0].1);
        }
    }
}

/// Shares of the link between the switches, at first and in the end.
fn middle_link(measured: &mut Measured, run: &Run) {
    let end = run.hop("VC1", OUT).end();
    for (id, name) in [("vc1", "VC1"), ("vc2", "VC2")] {
        let hop = run.hop(name, MIDDLE);
        measured.claim(format!("fig18.{id}.first_share"), hop.share(FIRST.0, FIRST.1));
        measured.claim(format!("fig18.{id}.share"), hop.share(STEADY_FROM, end));
    }
    measured.claim("fig18.converge", convergence(&run.hop("VC1", MIDDLE).starts(), end));
}

/// From the first start until the share over one credit period stays within 0.05 of a third.
fn convergence(starts: &[f64], end: f64) -> f64 {
    let Some(first) = starts.first() else { return f64::NAN };
    let half = CREDIT_PERIOD / 2.0;
    let shares = sliding_share(starts, CREDIT_PERIOD, first + half, end - half);
    let off = shares.iter().rev().find(|(_, share)| (share - 1.0 / 3.0).abs() > 0.05);
    off.map_or(0.0, |(centre, _)| centre + half - first)
}

fn throughput_chart(run: &Run) -> Chart {
    let line = |name: &str| {
        ChartLine::straight(name, throughput(&run.hop(name, MIDDLE).starts(), 25.0, STEADY_FROM))
    };
    Chart::new("kung94-fig18", "Figure 18: VC1 and VC2 leaving switch 1")
        .caption("VC1 drops to 1/3 and VC2 takes the remaining 2/3.")
        .axes("time (cell times)", "share of the link between the switches, 25 cell times")
        .lines([line("VC1"), line("VC2")])
}

fn queue_chart(run: &Run) -> Chart {
    let line = |(_, name): &(&str, &str)| ChartLine::steps(*name, run.hop(name, OUT).fills());
    Chart::new("kung94-fig19", "Figure 19: cells held by switch 2")
        .caption("VC1 has a lower end of 104 and swings by 4; VC3 and VC4 swing by 7.")
        .axes("time (cell times)", "cells of the VC")
        .lines(SHARING.iter().map(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every other cell time up to 600, then every third: the last window of 30 that is off has
    /// 12 cells or more (0.4), so it still reaches back before 600.
    #[test]
    fn convergence_is_the_end_of_the_last_window_that_is_off() {
        let fast = (0..300).map(|k| 2.0 * f64::from(k));
        let slow = (0..1000).map(|k| 600.0 + 3.0 * f64::from(k));
        let time = convergence(&fast.chain(slow).collect::<Vec<_>>(), 3_600.0);
        assert!((600.0..=630.0).contains(&time), "{time}");
    }
}
