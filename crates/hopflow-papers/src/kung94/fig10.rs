//! Figures 9 to 11: one VC that offers a third of the link, through one switch.
//!
//! The link carries what is offered, the switch never holds more than one cell, and a credit
//! worth N2 arrives just as the last one is used up. A larger N3 changes the credit values only.
//! Source: [KMCL94] 7.1.

use crate::observe::{extremes, least, mean, start_differences, throughput};
use crate::{Chart, ChartLine, CreditSeen, Experiment, Mark, Measured, Run, Runs, ScenarioText};

const FILE: &str = "fig10.toml";
const LARGER: &str = "fig10-n3-155.toml";
/// The first credits are over, in cell times.
const STEADY_FROM: f64 = 1_000.0;
const OUT: &str = "S->B";

/// Figures 9 to 11, and the part of section 7.1 that uses their run.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["kung94.fig10", "kung94.fig11"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("kung94/fig10.toml");
    let larger = base.variant(LARGER, &[("n3 = 51", "n3 = 155")]);
    vec![base, larger]
}

fn measure(runs: &Runs) -> Measured {
    let (run, larger) = (runs.one(FILE), runs.one(LARGER));
    let mut measured = Measured::of("kung94");
    carried(&mut measured, run);
    let differences = start_differences(run, larger) as f64;
    let change = mean_value(&steady_credits(larger)) - mean_value(&steady_credits(run));
    measured.claim("fig10.larger_n3.start_differences", differences);
    measured.claim("fig10.larger_n3.credit_change", change);
    credits(&mut measured, run);
    measured.charts = vec![throughput_chart(run), credit_chart(run)];
    measured.mark(Mark::new("kung94-fig10", "fig10.share"));
    for claim in ["effective_max", "count_before_credit"] {
        measured.mark(Mark::new("kung94-fig11", format!("fig11.{claim}")));
    }
    measured
}

/// Figure 10: what the link carries, and that nothing waits for credit.
fn carried(measured: &mut Measured, run: &Run) {
    let out = run.hop("VC", OUT);
    let end = out.end();
    measured.claim("fig10.share", out.share(STEADY_FROM, end));
    measured.claim("fig10.fill_max", extremes(&out.fills(), 0.0, end).1);
    measured.claim("fig10.no_credit", out.waited_for_credit());
}

fn steady_credits(run: &Run) -> Vec<CreditSeen> {
    let credits = run.hop("VC", OUT).credits();
    credits.into_iter().filter(|credit| credit.time >= STEADY_FROM).collect()
}

fn mean_value(credits: &[CreditSeen]) -> f64 {
    mean(credits.iter().map(|credit| f64::from(credit.value)))
}

/// Figure 11: when credits arrive, what they carry and what they are worth.
fn credits(measured: &mut Measured, run: &Run) {
    let credits = steady_credits(run);
    let counts = || credits.iter().map(|credit| f64::from(credit.count));
    let periods = credits.windows(2).map(|pair| pair[1].time - pair[0].time);
    let in_flight = credits.iter().map(|credit| f64::from(credit.value - credit.count));
    measured.claim("fig11.credit_carried", mean_value(&credits));
    measured.claim("fig11.credit_period", mean(periods));
    measured.claim("fig11.effective_min", least(counts()));
    measured.claim("fig11.effective_max", counts().fold(0.0, f64::max));
    measured.claim("fig11.in_flight", mean(in_flight));
    measured.claim("fig11.count_before_credit", mean(counts_before_credits(run)));
}

/// The credit count just before each credit: the one that the row before it left.
fn counts_before_credits(run: &Run) -> Vec<f64> {
    let hop = run.hop("VC", OUT);
    let counts = hop.credit_counts();
    let before = |credit: CreditSeen| {
        let index = counts.partition_point(|(time, _)| *time < credit.time);
        index.checked_sub(1).map(|index| counts[index].1)
    };
    steady_credits(run).into_iter().filter_map(before).collect()
}

fn throughput_chart(run: &Run) -> Chart {
    let out = run.hop("VC", OUT);
    let points = throughput(&out.starts(), 25.0, out.end());
    Chart::new("kung94-fig10", "Figure 10: offered load of 33 %")
        .caption("The desired third of the link is carried.")
        .axes("time (cell times)", "share of the link from the switch, 25 cell times")
        .lines([ChartLine::straight("VC", points)])
}

fn credit_chart(run: &Run) -> Chart {
    let shown = run.hop("VC", OUT).credit_counts().into_iter();
    let points = shown.filter(|(time, _)| *time < 2.0 * STEADY_FROM);
    Chart::new("kung94-fig11", "Figure 11: credit at the switch")
        .caption("Each credit arrives just before the last one is depleted.")
        .axes("time (cell times)", "credit count (cells)")
        .lines([ChartLine::steps("VC", points)])
}
