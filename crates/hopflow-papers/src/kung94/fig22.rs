//! Figures 22 to 24: a multicast VC against a bursty unicast VC at each of its branches.
//!
//! A cell is held once, until its last branch has sent it. Every branch sends in order, so what
//! the switch holds of the VC is what its slowest branch still has to send: the peak is the
//! greatest of the branches' peaks. With N23 it is at most N2 + N3; the total forwarded is the
//! same. Statistical claims are over 8 seeds; the captions give the confidence intervals.
//! Source: [KMCL94] 2, 8.2.

use hopflow_record::Estimate;

use crate::observe::{deviation, mean, throughput};
use crate::{Chart, ChartLine, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const FILE: &str = "fig22.toml";
const FREE: &str = "fig22-uncontrolled.toml";
const LONG: &str = "fig22-bursts60.toml";
const LONG_FREE: &str = "fig22-bursts60-uncontrolled.toml";
const WIDE: &str = "fig22-branches15.toml";
const WIDE_FREE: &str = "fig22-branches15-uncontrolled.toml";
const WIDE_LARGER: &str = "fig22-branches15-n3-310.toml";
const SHORT_WIDE: &str = "fig22-branches15-bursts30.toml";
const SHORT_WIDE_FREE: &str = "fig22-branches15-bursts30-uncontrolled.toml";
const BLOCKED: &str = "fig22-blocked.toml";
const GIVE_UP: &str = "fig22-blocked-give-up.toml";

const SEEDS: u32 = 10;
/// The pipe has filled, in cell times: the cut before the smoothness is read.
const STEADY_FROM: f64 = 1_000.0;
const NO_CONTROL: (&str, &str) =
    ("control = { kind = \"n23\", n2 = 10, n3 = 155 }", "control = { kind = \"none\" }");
const QUIET: (&str, &str) = ("[record]\ntrace = [\"S->B1\"]\n", "");
/// How long the runs with a blocked branch last, in cell times.
const BLOCKED_RUN: f64 = 40_000.0;
const BLOCK: &str = r#"[[event]]
at = "10000 cells"
from = "S"
to = "B1"
blocked = true

[record]
trace = ["tree"]"#;

/// Figures 22, 23 and 24.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["kung94.fig22", "kung94.fig23", "kung94.fig24"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let one = scenario!("kung94/fig22.toml");
    let base = one.clone().with_seeds(SEEDS);
    let free = base.variant(FREE, &[NO_CONTROL]);
    let bursts = [
        ("mean = 30 }", "mean = 60 }"),
        ("\"60 cells\"", "\"120 cells\""),
        ("\"30 cells\"", "\"60 cells\""),
    ];
    let long = base.variant(LONG, &bursts).variant(LONG, &[QUIET]);
    let long_free = long.variant(LONG_FREE, &[NO_CONTROL]);
    let to: Vec<String> = (1..=15).map(|k| format!("\"B{k}\"")).collect();
    let to = format!("to = [{}]", to.join(", "));
    let five = "to = [\"B1\", \"B2\", \"B3\", \"B4\", \"B5\"]";
    let branches = [("count = 5", "count = 15"), (five, to.as_str())];
    let wide = long.variant(WIDE, &branches);
    let wide_free = wide.variant(WIDE_FREE, &[NO_CONTROL]);
    let short_wide = base.variant(SHORT_WIDE, &branches).variant(SHORT_WIDE, &[QUIET]);
    let short_wide_free = short_wide.variant(SHORT_WIDE_FREE, &[NO_CONTROL]);
    let larger = wide.variant(WIDE_LARGER, &[("n3 = 155", "n3 = 310")]);
    let shut = [("200000", "40000"), ("[record]\ntrace = [\"S->B1\"]", BLOCK)];
    let blocked = one.variant(BLOCKED, &shut);
    let time_out = "priority = 1\nmulticast = { give-up-after = \"1000 cells\" }";
    let give_up = blocked.variant(GIVE_UP, &[("priority = 1", time_out)]);
    let wides = [wide, wide_free, larger, short_wide, short_wide_free];
    [base, free, long, long_free].into_iter().chain(wides).chain([blocked, give_up]).collect()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("kung94");
    let (with, without) = (runs.all(FILE), runs.all(FREE));
    peaks(&mut measured, "fig23", with, without);
    peaks(&mut measured, "fig23.bursts60", runs.all(LONG), runs.all(LONG_FREE));
    totals(&mut measured, with, without);
    branches15(&mut measured, runs);
    blocked(&mut measured, "blocked", runs.one(BLOCKED));
    give_up(&mut measured, runs.one(GIVE_UP));
    measured.charts = vec![peak_chart(with, without), total_chart(with, without)];
    measured.mark(Mark::new("kung94-fig23", "fig23.controlled.peak").on(0));
    measured
}

/// The most cells of the multicast VC that the switch held.
fn peak(run: &Run) -> f64 {
    let hops = &run.counters.vcs[run.vc("tree")].hops;
    f64::from(hops[1..].iter().map(|hop| hop.fill_max_packets).max().unwrap_or(0))
}

/// Cells forwarded per branch and cell time, over the whole run.
fn share(run: &Run) -> f64 {
    let hops = &run.counters.vcs[run.vc("tree")].hops;
    let spans = run.hop("tree", "S->B1").end();
    mean(hops[1..].iter().map(|hop| hop.sent_packets as f64)) / spans
}

/// One value per seed, from the runs of two scenarios with the same seed.
fn pairs(one: &[Run], other: &[Run], value: impl Fn(&Run, &Run) -> f64) -> Vec<f64> {
    one.iter().zip(other).map(|(one, other)| value(one, other)).collect()
}

/// The values of the runs of a scenario, one for each seed.
fn over(runs: &[Run], value: impl Fn(&Run) -> f64) -> Estimate {
    Estimate::of(runs.iter().map(value)).expect("every scenario has seeds")
}

/// Mean and half the width of the 95 % confidence interval.
fn interval(values: Vec<f64>) -> (f64, f64) {
    let estimate = Estimate::of(values).expect("every scenario has seeds");
    (estimate.mean, estimate.half_width.unwrap_or(f64::NAN))
}

fn peaks(measured: &mut Measured, id: &str, with: &[Run], without: &[Run]) {
    let greatest = with.iter().map(peak).fold(0.0, f64::max);
    let ratios = pairs(with, without, |with, without| peak(without) / peak(with));
    measured.claim(format!("{id}.controlled.peak"), greatest);
    measured.claim(format!("{id}.peak_ratio"), mean(ratios));
}

/// Figure 24: the totals agree, the curves stay close, the output is smoother.
fn totals(measured: &mut Measured, with: &[Run], without: &[Run]) {
    let differences = pairs(with, without, |with, without| share(with) / share(without) - 1.0);
    let gaps = pairs(with, without, |with, without| largest_gap(&starts(with), &starts(without)));
    let rougher = pairs(with, without, |with, without| roughness(without) - roughness(with));
    measured.claim("fig24.controlled.share", over(with, share));
    measured.claim("fig24.uncontrolled.share", over(without, share));
    measured.claim("fig24.total_difference", mean(differences));
    measured.claim("fig24.largest_gap", mean(gaps));
    measured.claim("fig24.smoother", mean(rougher));
}

fn starts(run: &Run) -> Vec<f64> {
    run.hop("tree", "S->B1").starts()
}

/// The greatest difference of the numbers of cells started up to any instant.
fn largest_gap(one: &[f64], other: &[f64]) -> f64 {
    let behind = |ahead: &[f64], late: &[f64]| {
        let gap = |(sent, time): (usize, &f64)| {
            (sent + 1).saturating_sub(late.partition_point(|t| t <= time))
        };
        ahead.iter().enumerate().map(gap).max().unwrap_or(0)
    };
    behind(one, other).max(behind(other, one)) as f64
}

/// Standard deviation of the 25-cell throughput of a branch.
fn roughness(run: &Run) -> f64 {
    let end = run.hop("tree", "S->B1").end();
    let points = throughput(&starts(run), 25.0, end);
    let steady = points.into_iter().filter(|point| point.0 >= STEADY_FROM);
    deviation(&steady.map(|point| point.1).collect::<Vec<_>>())
}

fn branches15(measured: &mut Measured, runs: &Runs) {
    let (wide, free, larger) = (runs.all(WIDE), runs.all(WIDE_FREE), runs.all(WIDE_LARGER));
    let below = |run: &[Run], target: &[Run]| mean(pairs(run, target, |r, t| share(t) - share(r)));
    let greatest = larger.iter().map(peak).fold(0.0, f64::max);
    measured.claim("fig22.branches15.shortfall", below(wide, free));
    let short = below(runs.all(SHORT_WIDE), runs.all(SHORT_WIDE_FREE));
    measured.claim("fig22.branches15.bursts30.shortfall", short);
    measured.claim("fig22.branches15.gain_by_n3", below(wide, larger));
    measured.claim("fig22.branches15.shortfall_n3_310", below(larger, free));
    measured.claim("fig22.branches15.peak_n3_310", greatest);
}

/// Share of the open branches in the second half of a run in which that of B1 is blocked.
fn others_share(run: &Run) -> f64 {
    let branch = |k: u32| run.hop("tree", &format!("S->B{k}"));
    mean((2..=5).map(|k| branch(k).share(BLOCKED_RUN / 2.0, BLOCKED_RUN)))
}

fn blocked(measured: &mut Measured, id: &str, run: &Run) {
    measured.claim(format!("fig22.{id}.others_share"), others_share(run));
    measured.claim(format!("fig22.{id}.lost_cells"), run.lost_packets() as f64);
    measured.claim(format!("fig22.{id}.peak"), peak(run));
}

fn give_up(measured: &mut Measured, run: &Run) {
    let closed = run.direction("S->B1");
    let vc = run.vc("tree");
    let branches = || run.network.vcs[vc].hops.iter().zip(&run.counters.vcs[vc].hops).skip(1);
    let lost = |wanted: bool| -> u64 {
        let chosen = branches().filter(|(hop, _)| (hop.direction_id() == closed) == wanted);
        chosen.map(|(_, c)| c.given_up_packets + c.dropped_packets).sum()
    };
    measured.claim("fig22.give_up.others_share", others_share(run));
    measured.claim("fig22.give_up.others_lost", lost(false) as f64);
    measured.claim("fig22.give_up.blocked_lost", lost(true) as f64);
}

fn peak_chart(with: &[Run], without: &[Run]) -> Chart {
    let (middle, half) = interval(pairs(with, without, |w, o| peak(o) / peak(w)));
    let line = |name: &str, runs: &[Run]| {
        ChartLine::straight(name, runs.iter().map(|run| (run.seed as f64, peak(run))))
    };
    Chart::new("kung94-fig23", "Figure 23: peak buffer of the multicast VC")
        .caption(format!(
            "Without control {middle:.2} +- {half:.2} times as much (95 %, {SEEDS} seeds)."
        ))
        .axes("seed", "most cells held by the switch in 200,000 cell times")
        .lines([line("with control", with), line("without control", without)])
}

fn total_chart(with: &[Run], without: &[Run]) -> Chart {
    /// Cells from one point of the cumulative curve to the next.
    const EVERY: usize = 500;
    let (middle, half) = interval(pairs(with, without, |w, o| share(w) / share(o) - 1.0));
    let line = |name: &str, runs: &[Run]| {
        ChartLine::straight(
            name,
            starts(&runs[0])
                .iter()
                .enumerate()
                .step_by(EVERY)
                .map(|(sent, time)| (*time, (sent + 1) as f64)),
        )
    };
    Chart::new("kung94-fig24", "Figure 24: cells forwarded by the multicast VC")
        .caption(format!(
            "Totals with control differ by {:.2} % +- {:.2} % (95 %, {SEEDS} seeds); seed 1 shown.",
            100.0 * middle,
            100.0 * half
        ))
        .axes("time (cell times)", "cells forwarded to B1")
        .lines([line("with control", with), line("without control", without)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 2 the one has sent 3 and the other 1: a gap of 2, from either side.
    #[test]
    fn gap_is_between_counts() {
        let (one, other) = ([0.0, 1.0, 2.0], [0.0, 3.0, 4.0]);
        assert!((largest_gap(&one, &other) - 2.0).abs() < 1e-12);
        assert!((largest_gap(&other, &one) - 2.0).abs() < 1e-12);
    }
}
