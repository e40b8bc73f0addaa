//! Section 7.1: no delay without congestion, a bounded one after it.
//!
//! The VC of Figure 9 waits for nothing at the switch. When the link behind it has been shut for a
//! while, a cell that comes later waits for no more than the N2 + N3 cells that the switch may
//! hold, and for none once the backlog of the host has gone.
//! Source: [KMCL94] 7.1.

use crate::observe::extremes;
use crate::{Chart, ChartLine, Experiment, Hop, Measured, Runs, ScenarioText};

const FREE: &str = "fig10.toml";
const SHUT: &str = "sec7.1.toml";
const OUT: &str = "S->B";
/// When the link behind the switch opens again, in cell times.
const OPEN_AT: f64 = 5_165.0;

/// Section 7.1, but for Figures 9 to 13.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.sec7.1"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    vec![scenario!("kung94/fig10.toml"), scenario!("kung94/sec7.1.toml")]
}

fn measure(runs: &Runs) -> Measured {
    let (free, shut) = (runs.one(FREE), runs.one(SHUT));
    let (calm, hop) = (free.hop("VC", OUT), shut.hop("VC", OUT));
    let end = hop.end();
    let mut measured = Measured::of("kung94.sec7.1");
    measured.claim("extra_delay", longest(&waits(&calm), 0.0));
    measured.claim("delay_after", longest(&waits(&hop), OPEN_AT));
    measured.claim("delay_at_end", longest(&waits(&hop), 0.9 * end));
    measured.claim("fill_max", extremes(&hop.fills(), 0.0, end).1);
    measured.charts = vec![chart(&hop)];
    measured
}

/// For each cell: (arrival at the switch, wait until its first bit leaves), in cell times.
fn waits(hop: &Hop<'_>) -> Vec<(f64, f64)> {
    hop.held().into_iter().map(|(came, held)| (came, held - 1.0)).collect()
}

/// The longest wait of the cells that came at `from` or later; not a number when none came.
fn longest(waits: &[(f64, f64)], from: f64) -> f64 {
    waits.iter().filter(|wait| wait.0 >= from).map(|wait| wait.1).fold(f64::NAN, f64::max)
}

fn chart(hop: &Hop<'_>) -> Chart {
    Chart::new("kung94-sec7-1", "Section 7.1: delay at the switch before, in and after congestion")
        .caption("The link is shut from 5,000 to 5,165; after that no wait exceeds N2 + N3 = 61.")
        .axes("arrival at the switch (cell times)", "wait for the first bit to leave (cell times)")
        .lines([ChartLine::straight("VC", waits(hop))])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell that came before the span does not count, one at its edge does.
    #[test]
    fn longest_begins_at_its_edge() {
        let waits = [(1.0, 9.0), (2.0, 3.0), (5.0, 1.0)];
        assert!((longest(&waits, 2.0) - 3.0).abs() < 1e-12);
        assert!(longest(&waits, 6.0).is_nan());
    }
}
