//! Backpressure through three switches to the host: a window of 64 segments finds room for 100
//! cells at each switch, and waits in the host for the rest. Source: [Kung97] 3.

use hopflow_network::DirectionId;

use super::read::{busy, hop, seconds};
use crate::{Experiment, Measured, Run, Runs, ScenarioText};

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
    for (number, fill) in fills.iter().enumerate().skip(1) {
        let mean = fill.fill_area as f64 / end;
        measured.claim(format!("switch{number}.mean"), mean);
        let most = f64::from(fill.fill_max_packets);
        measured.claim(format!("switch{number}.most"), most);
    }
    measured.claim("host.mean", fills[0].fill_area as f64 / end);
    let waits = fills[0].no_credit.0 as f64 / end;
    measured.claim("host.waits_for_credit", waits);
    measured.claim("lost", run.lost_packets() as f64);
    measured.claim("busy", busy(run, LINKS[3]));
    measured.claim("starved", starved(run));
    measured
}

/// The share of the time in which the last switch had no cell of the VC.
fn starved(run: &Run) -> f64 {
    assert!(seconds(run) > 0.0, "a run lasts");
    let last: DirectionId = run.direction(LINKS[3]);
    let vc = run.vc("TCP1");
    let hops = &run.network.vcs[vc].hops;
    let index = hops.iter().position(|hop| hop.direction_id() == last).expect("it crosses it");
    run.counters.vcs[vc].hops[index].no_cell.0 as f64 / run.counters.now.0 as f64
}
