//! Backpressure through three switches to the host: a window of 64 segments finds room for 100
//! cells at each switch, and waits in the host for the rest. Source: [Kung97] 3.

use super::read::{busy, hop};
use crate::{Experiment, Measured, Runs, ScenarioText};

const FILE: &str = "backpressure.toml";
const LINKS: [&str; 4] = ["H1->S1", "S1->S2", "S2->S3", "S3->H2"];

/// Backpressure.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["creditnet.backpressure"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    vec![scenario!("creditnet/backpressure.toml")]
}

fn measure(runs: &Runs) -> Measured {
    let run = runs.one(FILE);
    let mut measured = Measured::of("creditnet.backpressure");
    let fills = LINKS.map(|link| hop(run, "TCP1", link));
    let end = run.counters.now.0 as f64;
    assert!(end > 0.0, "a run lasts");
    for (number, fill) in fills.iter().enumerate().skip(1) {
        measured.claim(format!("switch{number}.mean"), fill.fill_area as f64 / end);
        measured.claim(format!("switch{number}.most"), f64::from(fill.fill_max_packets));
    }
    measured.claim("host.mean", fills[0].fill_area as f64 / end);
    measured.claim("host.waits_for_credit", fills[0].no_credit.0 as f64 / end);
    measured.claim("lost", run.lost_packets() as f64);
    measured.claim("busy", busy(run, LINKS[3]));
    // The share of the time in which the last switch had no cell of the VC.
    measured.claim("starved", fills[3].no_cell.0 as f64 / end);
    measured
}
