//! Section 7.1: an uncongested VC gains no delay; after congestion the buffer bounds it.
//!
//! Source: [KMCL94] 7.1. The network of Figure 10, and the same with the output link held for
//! 1,000 cell times by traffic of high priority.

use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const CALM: (&str, &str) = ("fig10.toml", include_str!("../../../../papers/kung94/fig10.toml"));
const HELD: (&str, &str) = ("sec7.1.toml", include_str!("../../../../papers/kung94/sec7.1.toml"));

/// Section 7.1.
pub(super) struct Sec71;

impl Experiment for Sec71 {
    fn prefixes(&self) -> &'static [&'static str] {
        &["kung94.sec7.1"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        [CALM, HELD].map(|(file, text)| ScenarioText::new(file, text)).to_vec()
    }

    fn measure(&self, runs: &Runs) -> Measured {
        let mut measured = Measured::default();
        let mut claim = |id: &str, value| measured.claim(format!("kung94.sec7.1.{id}"), value);
        claim("extra_delay", longest(&waits(runs.one(CALM.0)), 0.0));
        let run = runs.one(HELD.0);
        let hog = run.hop("hog", "S->B").left();
        let cleared = hog.last().copied().unwrap_or(0.0);
        let waits = waits(run);
        let end = run.hop("VC", "S->B").cells(run.counters.now);
        claim("delay_after", longest(&waits, cleared));
        claim("delay_at_end", longest(&waits, 0.9 * end));
        let hop = &run.counters.vcs[run.vc("VC")].hops[1];
        claim("fill_max", f64::from(hop.fill_max_cells));
        measured.charts.push(chart(waits));
        measured
    }
}

/// When each cell reached the switch, and how long it waited there before it started.
fn waits(run: &Run) -> Vec<(f64, f64)> {
    let hop = run.hop("VC", "S->B");
    let arrivals = hop.arrivals();
    arrivals.into_iter().zip(hop.starts()).map(|(came, started)| (came, started - came)).collect()
}

/// The longest wait of the cells that came at `from` or later.
fn longest(waits: &[(f64, f64)], from: f64) -> f64 {
    waits.iter().filter(|(came, _)| *came >= from).fold(0.0, |most, (_, wait)| wait.max(most))
}

fn chart(waits: Vec<(f64, f64)>) -> Chart {
    Chart {
        id: "kung94-sec7-1".to_owned(),
        title: "Section 7.1: waiting at the switch during and after congestion".to_owned(),
        caption: "Other traffic holds the output link from 2,000 to 3,000 cell times.".to_owned(),
        x: "arrival at the switch (cell times)".to_owned(),
        y: "wait before the start (cell times)".to_owned(),
        lines: vec![ChartLine {
            name: "cells of the VC".to_owned(),
            step: false,
            points: waits.into_iter().filter(|(came, _)| *came < 6_000.0).collect(),
        }],
    }
}
