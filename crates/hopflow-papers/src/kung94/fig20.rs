//! Figure 20: greedy VCs in opposite directions of one link; credit cells precede data.
//!
//! ```text
//! B = 1 - B / N2   so   B = N2 / (N2 + 1)
//! ```
//! Source: [KMCL94] 7.4.

use crate::observe::throughput;
use crate::{Chart, ChartLine, Experiment, Hop, Mark, Measured, Run, Runs, ScenarioText};

const FILE: &str = "fig20.toml";
const N2_5: &str = "fig20-n2-5.toml";
/// Start-up is over, in cell times.
const STEADY_FROM: f64 = 1_000.0;

/// Figure 20.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.fig20"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("kung94/fig20.toml");
    let n2_5 = base.variant(N2_5, &[("n2 = 10", "n2 = 5")]);
    vec![base, n2_5]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("kung94.fig20");
    for (file, n2) in [(FILE, 10), (N2_5, 5)] {
        let run = runs.one(file);
        let (east, west) = (run.hop("VC1", "A->B"), run.hop("VC2", "B->A"));
        // Credits for VC1 travel west with the data of VC2, and the other way round.
        shares(&mut measured, &format!("n2_{n2}.east"), &east, &west);
        shares(&mut measured, &format!("n2_{n2}.west"), &west, &east);
        measured.charts.push(chart(run, n2));
        for (line, of) in ["data", "credit"].into_iter().enumerate() {
            let claim = format!("n2_{n2}.east.{of}_share");
            measured.mark(Mark::new(format!("kung94-fig20-n2-{n2}"), claim).on(line));
        }
    }
    measured
}

fn shares(measured: &mut Measured, id: &str, data: &Hop<'_>, opposite: &Hop<'_>) {
    let end = data.end();
    let credits = opposite.credit_starts();
    let inside = credits.iter().filter(|&&t| STEADY_FROM <= t && t < end).count();
    let credit_share = inside as f64 / (end - STEADY_FROM);
    measured.claim(format!("{id}.data_share"), data.share(STEADY_FROM, end));
    measured.claim(format!("{id}.credit_share"), credit_share);
}

fn chart(run: &Run, n2: u32) -> Chart {
    let (east, west) = (run.hop("VC1", "A->B"), run.hop("VC2", "B->A"));
    let line = |name: &str, starts: &[f64]| {
        ChartLine::straight(name, throughput(starts, 25.0, 2.0 * STEADY_FROM))
    };
    Chart::new(format!("kung94-fig20-n2-{n2}"), format!("Figure 20: link from A to B, N2 = {n2}"))
        .caption("Credit cells take 1/(N2 + 1) of the link, data the rest.")
        .axes("time (cell times)", "share of the link, 25 cell times")
        .lines([
            line("data of VC1", &east.starts()),
            line("credits for VC2", &west.credit_starts()),
        ])
}
