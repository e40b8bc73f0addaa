//! Section 6: overbooking. Many VCs may each be as fast as their own link, though the link that
//! they share cannot carry them all at once.
//!
//! ```text
//! sum of B_VC > B_link                                                           (4)
//! ```
//! A contract for the peak rate of each VC admits floor(B_link / B_VC) of them. Source: [KMCL94] 6.
//! The 1 megabyte for 1,000 VCs of 100 Mb/s on 1 km is Figure 6's.

use hopflow_network::HopControl;
use hopflow_scenario::Scenario;
use hopflow_units::Bytes;

use crate::observe::throughput;
use crate::{Chart, ChartLine, Experiment, Hop, Measured, Run, Runs, ScenarioText};

const MANY: &str = "sec6.toml";
const STEP: &str = "sec6-step.toml";
const N2: usize = 10;

/// Section 6.
pub(super) const EXPERIMENT: Experiment = Experiment::new(&["kung94.sec6"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    vec![scenario!("kung94/sec6.toml"), scenario!("kung94/sec6-step.toml")]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("kung94.sec6");
    many(&mut measured, runs.one(MANY));
    measured.claim("contract.admitted", admitted() as f64);
    let step = runs.one(STEP);
    steps(&mut measured, step);
    measured.charts.push(chart(step));
    measured
}

fn many(measured: &mut Measured, run: &Run) {
    let network = &run.network;
    let out = run.direction("S->B");
    let peaks =
        network.vcs.iter().map(|vc| network.direction(vc.hops[0].direction_id()).rate.bps());
    let link = network.direction(out).rate.bps();
    measured.claim("overbooking", peaks.sum::<u64>() as f64 / link as f64);
    let promised = network.vcs.iter().map(|vc| match vc.hops[0].control {
        HopControl::Credit(credit) => u64::from(credit.buffer().0),
        HopControl::None => 0,
    });
    let bytes = |cells: u64| (cells * Bytes::CELL.0) as f64;
    measured.claim("memory", bytes(promised.sum()));
    let held = run.counters.nodes[run.node("S")].buffered_max_packets;
    measured.claim("peak_memory", bytes(u64::from(held)));
    // Start-up is over when the first cell can be at the switch.
    let first = network.latency(network.vcs[0].hops[0].direction_id());
    let after = run.counters.now.0 - first.0;
    measured.claim("link_busy", run.counters.directions[out.0].busy.0 as f64 / after as f64);
    measured.claim("lost_cells", run.lost_packets() as f64);
}

/// How many of the VCs a contract for the peak rate of each admits: reservations of VirtualClock on
/// the shared link. One more is refused.
fn admitted() -> usize {
    const CREDIT: &str = "control = { kind = \"n23\", n2 = 10, n3 = 4, allow-small-n3 = true }";
    const CONTRACT: &str = "reservation = { rate = \"100 Mb/s\" }";
    const SWITCH: &str = "[[switch]]\nname = \"S\"\n";
    let reserved = format!("{SWITCH}scheduler = \"virtual-clock\"\n");
    let is_admitted = |count: &usize| {
        let count = format!("count = {count}\n");
        let edits = [(CREDIT, CONTRACT), (SWITCH, &*reserved), ("count = 1000\n", &*count)];
        let text = scenario!("kung94/sec6.toml").variant("sec6-contract.toml", &edits);
        Scenario::from_toml(&text.text, &text.file).is_ok()
    };
    (1..=20).take_while(is_admitted).count()
}

/// Instants of `hop` in microseconds.
fn micros(run: &Run, direction: &str, times: &[f64]) -> Vec<f64> {
    let cell = run.network.cell_time(run.direction(direction)).0 as f64 / 1e6;
    times.iter().map(|time| time * cell).collect()
}

fn steps(measured: &mut Measured, run: &Run) {
    let vc = run.hop("VC", "A->S");
    let starts = micros(run, "A->S", &vc.starts());
    let hog = micros(run, "S->B", &run.hop("hog", "S->B").starts());
    let (taken, left) = (hog[0], hog[hog.len() - 1]);
    let stopped = starts.iter().filter(|&&t| t < left).fold(taken, |last, &t| last.max(t));
    measured.claim("give_way", stopped - taken);
    let cell = run.network.cell_time(run.direction("A->S")).0 as f64 / 1e6;
    let later: Vec<f64> = starts.iter().copied().filter(|t| *t > left).collect();
    let full = |window: &&[f64]| window[N2 - 1] - window[0] < (N2 as f64 - 0.5) * cell;
    let risen = later.windows(N2).find(full).map_or(f64::INFINITY, |window| window[N2 - 1]);
    measured.claim("rise", risen - left);
    measured.claim("peak_share", share_from(&vc, risen / cell));
}

/// The share of its own link that the VC has from `from` (in cell times) on.
fn share_from(hop: &Hop<'_>, from: f64) -> f64 {
    let end = hop.starts().last().copied().unwrap_or(from);
    hop.share(from, end)
}

fn chart(run: &Run) -> Chart {
    let cell = run.network.cell_time(run.direction("A->S")).0 as f64 / 1e9;
    let vc = run.hop("VC", "A->S");
    let end = vc.end();
    let points = throughput(&vc.starts(), 25.0, end);
    Chart::new("kung94-sec6", "Section 6: a VC gives way to other traffic and rises again")
        .caption("Traffic of high priority holds the output link from 5 ms to 10 ms.")
        .axes("time (ms)", "share of the VC's own link, 25 cell times")
        .lines([ChartLine::straight(
            "VC at its host",
            points.into_iter().map(|(time, share)| (time * cell, share)),
        )])
}
