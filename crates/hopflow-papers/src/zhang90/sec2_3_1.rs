//! Section 2.3.1: the first version lets a flow that was idle jump the queue; auxVC does not.
//!
//! ```text
//! first version   stamp = VirtualClock, behind real time by the idle time: all of a burst goes
//!                 before whatever comes now                                              (1)
//! final version   stamp = auxVC >= real time + Vtick: the n-th packet of a burst precedes what
//!                 comes now with Vtick' only if  n Vtick < Vtick'                        (2)
//! ```
//! A burst of 100 packets meets twelve flows at their rate. Under (1) they wait until it is over,
//! 500 ms; under (2) they hardly notice, and the burst waits 1.2 s for what they leave.
//! The flow keeps to its reservation in every AI: nothing could be held against it.
//! Source: [Zhang90] 2.3.1.

use super::network::PACKET_MS;
use super::passed::{Passed, passed, worst_ms};
use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

/// The stamp, its name in claims, its file.
const VERSIONS: [(&str, &str, &str); 2] = [
    ("meter", "first_version", "sec2.3.1-first-version.toml"),
    ("aux", "final_version", "sec2.3.1.toml"),
];
/// The second burst comes at 19.98 s: the first finds a clock that has just been started.
const SECOND_MS: f64 = 19_900.0;

/// Section 2.3.1.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["zhang90.sec2.3.1"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let base = scenario!("zhang90/sec2.3.1.toml");
    let variant = |(stamp, _, file): (&str, &str, &str)| {
        base.variant(file, &[("stamp = \"aux\"", &format!("stamp = \"{stamp}\""))])
    };
    VERSIONS.map(variant).to_vec()
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("zhang90.sec2.3.1");
    for (_, id, file) in VERSIONS {
        let run = runs.one(file);
        let packets = second(run);
        let (burst, others): (Vec<&Passed>, Vec<&Passed>) = packets.iter().partition(|p| p.vc == 0);
        measured.claim(format!("{id}.others_wait_most"), worst_ms(others.iter().copied()));
        measured.claim(format!("{id}.burst_waits_most"), worst_ms(burst.iter().copied()));
        measured.claim(format!("{id}.jumped"), jumped(&burst, &others));
        let messages = run.counters.vcs[0].hops.iter().map(|hop| hop.slow_down_messages);
        measured.claim(format!("{id}.messages"), messages.sum::<u64>() as f64);
    }
    measured.charts.push(chart(runs));
    measured
}

/// The packets that arrived at the switch from just before the second burst on.
fn second(run: &Run) -> Vec<Passed> {
    let mut packets = passed(run, "S->B");
    packets.retain(|p| p.came_ms() >= SECOND_MS);
    packets
}

/// Packets of the burst that started before the first packet of the next batch, though that had
/// come.
fn jumped(burst: &[&Passed], others: &[&Passed]) -> f64 {
    let last = burst.iter().map(|p| p.came).max().expect("the burst has come");
    let batch = others.iter().filter(|p| p.came > last).min_by_key(|p| p.came);
    let batch = batch.expect("another batch comes");
    let before = |p: &&&Passed| p.started < batch.started && p.started >= batch.came;
    burst.iter().filter(before).count() as f64
}

fn chart(runs: &Runs) -> Chart {
    let line = |(_, name, file): &(&str, &str, &str)| {
        let packets = second(runs.one(file));
        let others = packets.iter().filter(|p| p.vc != 0);
        let mut points: Vec<(f64, f64)> =
            others.map(|p| (p.came_ms() / 1e3, p.waited_ms() / PACKET_MS)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        ChartLine::straight(name.replace('_', " "), points)
    };
    Chart::new("zhang90-sec2-3-1", "Section 2.3.1: a burst of 100 packets after an idle time")
        .caption("What it does to twelve flows at their rate; it comes at 19.98 s.")
        .axes("arrival of a packet of the other flows (s)", "its waiting (packet times)")
        .lines(VERSIONS.iter().map(line))
}
