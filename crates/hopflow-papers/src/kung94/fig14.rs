//! Figures 14 to 16: three greedy VCs with different N3 share one output link of a switch.
//!
//! Each gets a third; a cell of VC n waits three times as long as there are cells of VC n held;
//! in steady state VC n has N3 - R/3 cells held, and up to 10 x 2/3 more within a credit period.
//! Source: [KMCL94] 7.2, and the equilibrium of 7.3.

use hopflow_units::{Picos, Rate};

use super::fig6::n3;
use crate::observe::{bursts, extremes, gaps, least, mean, swing, throughput, time_mean};
use crate::{Chart, ChartLine, Experiment, Hop, Mark, Measured, Run, Runs, ScenarioText};

const FILE: &str = "fig14.toml";

/// The transient is over well before; in cell times.
const STEADY_FROM: f64 = 2_000.0;
/// The first peak is over by then (165 cells back to back, and one R).
const FIRST_PEAK_BY: f64 = 400.0;
/// N2 / (1/3): the period of the steady state in cell times.
const CREDIT_PERIOD: f64 = 30.0;
/// Name of the VC in ids, name in the scenario, link in, share of the link targeted in percent.
const VCS: [(&str, &str, &str, u64); 3] =
    [("vc1", "VC1", "A1->S", 100), ("vc2", "VC2", "A2->S", 72), ("vc3", "VC3", "A3->S", 40)];
/// The shared link.
const OUT: &str = "S->B";

/// Figures 14 to 16.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["kung94.fig14", "kung94.fig15", "kung94.fig16"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    vec![scenario!("kung94/fig14.toml")]
}

fn measure(runs: &Runs) -> Measured {
    let run = runs.one(FILE);
    let mut measured = Measured::of("kung94");
    let mut means = Vec::new();
    for (id, name, _, percent) in VCS {
        let out = run.hop(name, OUT);
        let end = out.end();
        let fills = out.fills();
        shares_and_fills(&mut measured, id, &out, &fills, end);
        measured.claim(format!("fig14.{id}.n3"), printed_rule(percent));
        let average = time_mean(&fills, STEADY_FROM, end);
        let held = out.held().into_iter().filter(|(came, _)| *came >= STEADY_FROM);
        let delay = mean(held.map(|(_, held)| held));
        measured.claim(format!("fig16.{id}.delay_over_queue"), delay / average);
        means.push(average);
    }
    measured.claim("fig14.lost_cells", run.lost_packets() as f64);
    measured.claim("fig16.vc1_above_vc2", means[0] - means[1]);
    measured.claim("fig16.vc2_above_vc3", means[1] - means[2]);
    burst_in_smooth_out(&mut measured, run);
    let caption = "Figure 14: the network. Each of the three VCs is greedy.";
    measured.network = Some((caption.to_owned(), run.network.clone()));
    measured.charts = vec![throughput_chart(run), queue_chart(run)];
    marks(&mut measured);
    measured
}

/// N3 by Eq. (3) for a percentage of a link with R = 155 cell times.
fn printed_rule(percent: u64) -> f64 {
    // At 424 Mb/s a cell takes one microsecond, so that R is a whole number of picoseconds.
    let target = Rate::from_bps(4_240_000 * percent).expect("no share is zero");
    n3(Picos(155_000_000), target) as f64
}

fn shares_and_fills(
    measured: &mut Measured,
    id: &str,
    out: &Hop<'_>,
    fills: &[(f64, f64)],
    end: f64,
) {
    let (low, high) = extremes(fills, STEADY_FROM, end);
    let (_, first_peak) = extremes(fills, 0.0, FIRST_PEAK_BY);
    measured.claim(format!("fig14.{id}.share"), out.share(STEADY_FROM, end));
    measured.claim(format!("fig14.{id}.first_peak"), first_peak);
    measured.claim(format!("fig14.{id}.fill_min"), low);
    measured.claim(format!("fig14.{id}.fill_max"), high);
    measured.claim(format!("fig16.{id}.swing"), swing(fills, STEADY_FROM, end, CREDIT_PERIOD));
}

/// Figure 15: VC1 comes in bursts of N2 and leaves as one cell in three cell times.
fn burst_in_smooth_out(measured: &mut Measured, run: &Run) {
    let (inwards, out) = (run.hop("VC1", "A1->S"), run.hop("VC1", OUT));
    let end = out.end();
    let bursts = bursts(&inwards.arrivals(), STEADY_FROM, end);
    let sizes = || bursts.iter().map(|burst| burst.cells as f64);
    let starts: Vec<f64> = bursts.iter().map(|burst| burst.start).collect();
    let periods = starts.windows(2).map(|pair| pair[1] - pair[0]);
    let (closest, farthest) = gaps(&out.starts(), STEADY_FROM, end);
    measured.claim("fig15.vc1.burst_cells_min", least(sizes()));
    measured.claim("fig15.vc1.burst_cells_max", sizes().fold(0.0, f64::max));
    measured.claim("fig15.vc1.burst_period", mean(periods));
    measured.claim("fig15.vc1.departure_gap_min", closest);
    measured.claim("fig15.vc1.departure_gap_max", farthest);
    measured.claim("fig15.vc1.share_in", inwards.share(STEADY_FROM, end));
}

fn marks(measured: &mut Measured) {
    measured.mark(Mark::new("kung94-fig15", "fig15.vc1.share_in").on(1));
    for (line, (id, ..)) in VCS.into_iter().enumerate() {
        let mark = |what: &str| Mark::new("kung94-fig16", format!("fig14.{id}.{what}")).on(line);
        // The least and the greatest value have one range.
        measured.mark(mark("fill_max").between(STEADY_FROM, f64::INFINITY));
        measured.mark(mark("first_peak").between(0.0, FIRST_PEAK_BY));
    }
}

fn throughput_chart(run: &Run) -> Chart {
    let (inwards, out) = (run.hop("VC1", "A1->S"), run.hop("VC1", OUT));
    let end = out.end();
    let line = |name: &str, times: &[f64]| ChartLine::straight(name, throughput(times, 25.0, end));
    Chart::new("kung94-fig15", "Figure 15: VC1 arriving at and leaving the switch")
        .caption("Input is bursty, output is smooth; both are 1/3 of the link.")
        .axes("time (cell times)", "share of the link, 25 cell times")
        .lines([line("arriving", &inwards.arrivals()), line("leaving", &out.starts())])
}

fn queue_chart(run: &Run) -> Chart {
    let line = |(_, name, _, _): &(&str, &str, &str, u64)| {
        ChartLine::steps(*name, run.hop(name, OUT).fills())
    };
    Chart::new("kung94-fig16", "Figure 16: cells held by the switch")
        .caption("The queue grows with N3: about N3 - R/3, and up to 7 more.")
        .axes("time (cell times)", "cells of the VC")
        .lines(VCS.iter().map(line))
}
