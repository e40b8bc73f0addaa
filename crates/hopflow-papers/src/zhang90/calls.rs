//! Calls: flows that are set up and torn down in a run, with admission (2.1 and 3).
//!
//! The paper simulates flows that exist for the whole run. Here calls ask for one of ten circuits
//! of a link; the share that is refused is compared with Erlang's formula, [Erlang17].

use hopflow_network::counters::HopCounters;

use super::measure::over;
use crate::{Experiment, Measured, Run, Runs, ScenarioText};

const SEEDS: u32 = 10;
const FIVE: &str = "calls.toml";
const TEN: &str = "calls-a10.toml";
const TWENTY: &str = "calls-a20.toml";

/// The experiment.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["zhang90.calls"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let five = scenario!("zhang90/calls.toml").with_seeds(SEEDS);
    let other = |file: &str, every: &str, duration: &str, load: &str| {
        let edits = [
            ("every = \"400 ms\"", format!("every = \"{every}\"")),
            ("\"1240 s\"", format!("\"{duration}\"")),
            (
                "average every 400 ms, and last 2 s: 5 erlang",
                format!("average every {every}: {load}"),
            ),
            ("1.84 %", "a part".to_owned()),
        ];
        five.variant(file, &edits)
    };
    let ten = other(TEN, "200 ms", "640 s", "10 erlang");
    let twenty = other(TWENTY, "100 ms", "340 s", "20 erlang");
    vec![five, ten, twenty]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.calls");
    for (load, file) in [("a5", FIVE), ("a10", TEN), ("a20", TWENTY)] {
        measured.claim(format!("{load}.blocked"), over(runs.all(file), blocked));
    }
    let ten = runs.all(TEN);
    let least = ten.iter().map(shortest_set_up).fold(f64::INFINITY, f64::min);
    measured.claim("a10.set_up_least", least);
    let most = ten.iter().map(most_reserved).fold(0.0, f64::max);
    measured.claim("a10.most_reserved", most);
    measured.claim("a10.half_admitted", ten.iter().map(half_admitted).sum::<f64>());
    measured
}

/// The calls refused, of those answered after the warm-up.
fn blocked(run: &Run) -> f64 {
    let totals = run.summary.totals.as_ref();
    totals.and_then(|totals| totals.blocked_share).unwrap_or(f64::NAN)
}

/// The shortest time from a set-up to its answer, of admitted calls, in ms.
fn shortest_set_up(run: &Run) -> f64 {
    let set_ups = run.counters.vcs.iter().map(|vc| &vc.set_up);
    let admitted = set_ups.filter(|set_up| set_up.admitted > 0);
    admitted.map(|set_up| set_up.took.0 as f64 / 1e9).fold(f64::INFINITY, f64::min)
}

/// The most that was reserved at once on the link with the circuits, over its rate.
fn most_reserved(run: &Run) -> f64 {
    let id = run.direction("S1->S2");
    let most = run.counters.directions[id.0].reserved_max_bps;
    most as f64 / run.network.direction(id).rate.bps() as f64
}

/// Calls that were refused, and hold a hop or have sent a packet.
fn half_admitted(run: &Run) -> f64 {
    let refused = run.counters.vcs.iter().filter(|vc| vc.set_up.refused > 0);
    let is_half = |hop: &HopCounters| hop.is_reserved;
    refused.filter(|vc| vc.created_packets > 0 || vc.hops.iter().any(is_half)).count() as f64
}
