//! Figures 12 and 13: a greedy VC with N3 = R/3 sends in bursts.
//!
//! N23 to the letter, with D the credit loop of the hop:
//! ```text
//! share = m / (D + m - n0),   n0 = N3 + 1,   m = N2 ceil(n0 / N2)                  (1)
//! ```
//! The paper prints 39 %, its bound (N2 + N3) / R. The model gives that when E is evaluated
//! at every instant instead of as a credit arrives; a blocked link shows the price.
//! Source: [KMCL94] 7.1; (1) is derived in `docs/models/kung94.md`.

use crate::observe::{Burst, bursts, gaps, mean, throughput};
use crate::{Chart, ChartLine, CreditSeen, Experiment, Mark, Measured, Run, Runs, ScenarioText};

pub(super) const FILE: &str = "fig12.toml";
const LONE: &str = "fig12-lone.toml";
const CONTINUOUS: &str = "fig12-continuous.toml";
const LARGER: &str = "fig12-n3-155.toml";
const BLOCKED: &str = "fig12-blocked.toml";
const CONTINUOUS_BLOCKED: &str = "fig12-continuous-blocked.toml";

/// N2, N3 and R, in cells and cell times.
const N2: f64 = 10.0;
const N3: f64 = 51.0;
const R: f64 = 155.0;
/// The first bursts are over, in cell times.
const STEADY_FROM: f64 = 1_000.0;

/// The link after the switch is shut for ten R.
pub(super) const BLOCK: &str = r#"
[[event]]
at = "5000 cells"
from = "S"
to = "B"
blocked = true

[[event]]
at = "6550 cells"
from = "S"
to = "B"
blocked = false

[record]"#;

/// Figures 12 and 13.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["kung94.fig12", "kung94.fig13"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("kung94/fig12.toml");
    let continuous = base.variant(CONTINUOUS, &[("n3 = 51 }", "n3 = 51, e = \"continuous\" }")]);
    let block = [("\n[record]", BLOCK)];
    let blocked = [base.variant(BLOCKED, &block), continuous.variant(CONTINUOUS_BLOCKED, &block)];
    let larger = base.variant(LARGER, &[("n3 = 51", "n3 = 155")]);
    let lone = scenario!("kung94/fig12-lone.toml");
    [vec![base, lone, continuous, larger], blocked.to_vec()].concat()
}

fn measure(runs: &Runs) -> Measured {
    let (literal, lone) = (runs.one(FILE), runs.one(LONE));
    let continuous = runs.one(CONTINUOUS);
    let mut measured = Measured::of("kung94");
    law(&mut measured, "literal", literal, "A->S");
    law(&mut measured, "lone", lone, "A->B");
    shares(&mut measured, literal, continuous);
    smooth(&mut measured, runs.one(LARGER));
    overruns(&mut measured, "literal", runs.one(BLOCKED));
    overruns(&mut measured, "continuous", runs.one(CONTINUOUS_BLOCKED));
    restarts(&mut measured, literal, continuous);
    measured.charts = vec![
        throughput_chart(literal, continuous),
        credit_chart("literal", "N23 to the letter", literal),
        credit_chart("continuous", "E evaluated at every instant", continuous),
    ];
    for (line, id) in ["literal", "continuous"].into_iter().enumerate() {
        measured.mark(Mark::new("kung94-fig12", format!("fig12.{id}.share")).on(line));
    }
    measured
}

/// The bursts that a sender starts once the first are over.
fn steady_bursts(run: &Run, direction: &str) -> Vec<Burst> {
    let hop = run.hop("VC", direction);
    bursts(&hop.starts(), STEADY_FROM, hop.end())
}

/// Share of a link over whole bursts: all cells but those of the last burst, from the first
/// start of the first to the first start of the last.
fn share(bursts: &[Burst]) -> f64 {
    let (Some(first), Some((last, all))) = (bursts.first(), bursts.split_last()) else {
        return f64::NAN;
    };
    let cells: usize = all.iter().map(|burst| burst.cells).sum();
    cells as f64 / (last.start - first.start)
}

/// The share, the credit loop of the hop that limits it, and (1) with that loop.
fn law(measured: &mut Measured, id: &str, run: &Run, direction: &str) {
    let hop = run.hop("VC", direction);
    let share = share(&steady_bursts(run, direction));
    let starts = hop.starts();
    // Credit i is caused by the cell that completes the (i + 1)-th N2.
    let loops = hop.credits().into_iter().enumerate().map(|(i, credit)| {
        let cause = (i + 1) * N2 as usize - 1;
        credit.time - starts[cause]
    });
    let measured_loop = mean(loops);
    let n0 = N3 + 1.0;
    let m = N2 * (n0 / N2).ceil();
    measured.claim(format!("fig12.{id}.share"), share);
    measured.claim(format!("fig12.{id}.loop"), measured_loop);
    measured.claim(format!("fig12.{id}.law_error"), share - m / (measured_loop + m - n0));
}

fn shares(measured: &mut Measured, literal: &Run, continuous: &Run) {
    let bound = (N2 + N3) / R;
    let found = steady_bursts(literal, "S->B");
    let periods = found.windows(2).map(|pair| pair[1].start - pair[0].start);
    measured.claim("fig12.literal.over_bound", share(&found) - bound);
    measured.claim("fig12.literal.burst_cells", mean(found.iter().map(|b| b.cells as f64)));
    measured.claim("fig12.literal.burst_period", mean(periods));
    let share = share(&steady_bursts(continuous, "S->B"));
    measured.claim("fig12.continuous.share", share);
    measured.claim("fig12.continuous.over_bound", share - bound);
    let starts = continuous.hop("VC", "A->S").starts();
    measured.claim("fig12.continuous.cells_per_r", most_in_span(&starts, R));
}

/// The most of `times` in any span (t - span, t]; a time at the very edge is outside.
fn most_in_span(times: &[f64], span: f64) -> f64 {
    /// Far below a cell time, far above the rounding of instants.
    const EDGE: f64 = 1e-3;
    let since = |end: usize| times.partition_point(|t| *t < times[end] - span + EDGE);
    let most = (0..times.len()).map(|end| end + 1 - since(end)).max();
    most.unwrap_or(0) as f64
}

/// N3 = R: the full link rate without a pause.
fn smooth(measured: &mut Measured, run: &Run) {
    let hop = run.hop("VC", "S->B");
    let end = hop.end();
    let (_, longest) = gaps(&hop.starts(), STEADY_FROM, end);
    measured.claim("fig12.n3_155.share", hop.share(STEADY_FROM, end));
    measured.claim("fig12.n3_155.longest_gap", longest);
}

fn overruns(measured: &mut Measured, id: &str, run: &Run) {
    let cells: u64 =
        run.counters.vcs.iter().flat_map(|vc| &vc.hops).map(|h| h.overrun_packets).sum();
    measured.claim(format!("fig12.{id}.blocked_overruns"), cells as f64);
}

/// Credits that find the host silent: no start in the cell time and a half before.
fn silent_credits(run: &Run) -> Vec<CreditSeen> {
    let hop = run.hop("VC", "A->S");
    let starts = hop.starts();
    let silent = |credit: &CreditSeen| {
        let before = starts.partition_point(|start| *start < credit.time - 1e-3);
        before > 0 && credit.time - starts[before - 1] > 1.5 && credit.time >= STEADY_FROM
    };
    hop.credits().into_iter().filter(silent).collect()
}

/// Figure 13: what starts each burst.
fn restarts(measured: &mut Measured, literal: &Run, continuous: &Run) {
    let worth = |run: &Run| silent_credits(run).into_iter().map(|credit| f64::from(credit.count));
    measured.claim("fig13.literal.silent_effective", mean(worth(literal)));
    measured.claim("fig13.continuous.silent_effective", worth(continuous).sum::<f64>());
    let credits = literal.hop("VC", "A->S").credits();
    let started_by = |burst: &Burst| credits.iter().find(|c| (c.time - burst.start).abs() < 1e-3);
    let found = steady_bursts(literal, "A->S");
    let late = found.iter().filter(|burst| started_by(burst).is_none()).count();
    let weak = |burst: &&Burst| started_by(burst).is_some_and(|c| f64::from(c.count) < N2);
    measured.claim("fig13.literal.late_restarts", late as f64);
    let faltering = found.iter().filter(weak).count();
    measured.claim("fig13.literal.faltering_starts", faltering as f64);
    let short = |burst: &&Burst| (burst.cells as f64) < N2;
    let faltering = steady_bursts(continuous, "A->S").iter().filter(short).count();
    measured.claim("fig13.continuous.faltering_starts", faltering as f64);
}

fn throughput_chart(literal: &Run, continuous: &Run) -> Chart {
    let line = |name: &str, run: &Run| {
        let starts = run.hop("VC", "S->B").starts();
        ChartLine::straight(name, throughput(&starts, 25.0, 3.0 * STEADY_FROM))
    };
    Chart::new("kung94-fig12", "Figure 12: offered load of 100 % with N3 = R/3")
        .caption("Bursts and silence: 36.6 % by the letter, 39 % with E at every instant.")
        .axes("time (cell times)", "share of the link from the switch, 25 cell times")
        .lines([line("N23 to the letter", literal), line("E at every instant", continuous)])
}

fn credit_chart(id: &str, what: &str, run: &Run) -> Chart {
    let shown = run.hop("VC", "A->S").credit_counts().into_iter();
    let points = shown.filter(|(time, _)| *time < 2.0 * STEADY_FROM);
    Chart::new(format!("kung94-fig13-{id}"), format!("Figure 13: credit at host A, {what}"))
        .caption("Credit is depleted early in each round trip.")
        .axes("time (cell times)", "credit count (cells)")
        .lines([ChartLine::steps("VC", points)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three bursts of 60 every 164 cell times: 60/164, whatever comes before or after.
    #[test]
    fn share_is_over_whole_bursts() {
        let burst = |k: u32| Burst { start: 164.0 * f64::from(k), last: 0.0, cells: 60 };
        let found: Vec<_> = (0..3).map(burst).collect();
        assert!((share(&found) - 60.0 / 164.0).abs() < 1e-12);
        assert!(share(&[]).is_nan());
    }

    /// In (t - 10, t] of 0, 5, 10, 15: two; the cell exactly 10 ago is outside.
    #[test]
    fn span_excludes_its_far_edge() {
        assert!((most_in_span(&[0.0, 5.0, 10.0, 15.0], 10.0) - 2.0).abs() < 1e-12);
    }
}
