//! Section 6: overbooking. Many VCs may each be as fast as their own link, though the link that
//! they share cannot carry them all at once.
//!
//! ```text
//! sum of B_VC > B_link                                                           (4)
//! ```
//! Source: [KMCL94] 6. The 1 megabyte for 1,000 VCs of 100 Mb/s on 1 km is Figure 6's.

use hopflow_network::HopControl;
use hopflow_units::Bytes;

use crate::observe::throughput;
use crate::{Chart, ChartLine, Experiment, Hop, Measured, Run, Runs, ScenarioText};

const MANY: (&str, &str) = ("sec6.toml", include_str!("../../../../papers/kung94/sec6.toml"));
const STEP: (&str, &str) =
    ("sec6-step.toml", include_str!("../../../../papers/kung94/sec6-step.toml"));
const N2: usize = 10;

/// Section 6.
pub(super) struct Sec6;

impl Experiment for Sec6 {
    fn prefixes(&self) -> &'static [&'static str] {
        &["kung94.sec6"]
    }

    fn scenarios(&self) -> Vec<ScenarioText> {
        [MANY, STEP].map(|(file, text)| ScenarioText::new(file, text)).to_vec()
    }

    fn measure(&self, runs: &Runs) -> Measured {
        let mut measured = Measured::default();
        many(&mut measured, runs.one(MANY.0));
        let step = runs.one(STEP.0);
        steps(&mut measured, step);
        measured.charts.push(chart(step));
        measured
    }
}

fn claim(measured: &mut Measured, id: &str, value: f64) {
    measured.claim(format!("kung94.sec6.{id}"), value);
}

fn many(measured: &mut Measured, run: &Run) {
    let network = &run.network;
    let out = run.direction("S->B");
    let peaks =
        network.vcs.iter().map(|vc| network.direction(vc.hops[0].direction_id()).rate.bps());
    let link = network.direction(out).rate.bps();
    claim(measured, "overbooking", peaks.sum::<u64>() as f64 / link as f64);
    let promised = network.vcs.iter().map(|vc| match vc.hops[0].control {
        HopControl::Credit(credit) => u64::from(credit.buffer().0),
        HopControl::None => 0,
    });
    let bytes = |cells: u64| (cells * Bytes::CELL.0) as f64;
    claim(measured, "memory", bytes(promised.sum()));
    let held = run.counters.nodes[run.node("S")].buffered_max_packets;
    claim(measured, "peak_memory", bytes(u64::from(held)));
    // Start-up is over when the first cell can be at the switch.
    let first = network.latency(network.vcs[0].hops[0].direction_id());
    let after = run.counters.now.0 - first.0;
    claim(measured, "link_busy", run.counters.directions[out.0].busy.0 as f64 / after as f64);
    claim(measured, "lost_cells", run.lost_packets() as f64);
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
    claim(measured, "give_way", stopped - taken);
    let cell = run.network.cell_time(run.direction("A->S")).0 as f64 / 1e6;
    let later: Vec<f64> = starts.iter().copied().filter(|t| *t > left).collect();
    let full = |window: &&[f64]| window[N2 - 1] - window[0] < (N2 as f64 - 0.5) * cell;
    let risen = later.windows(N2).find(full).map_or(f64::INFINITY, |window| window[N2 - 1]);
    claim(measured, "rise", risen - left);
    claim(measured, "peak_share", share_from(&vc, risen / cell));
}

/// The share of its own link that the VC has from `from` (in cell times) on.
fn share_from(hop: &Hop<'_>, from: f64) -> f64 {
    let end = hop.starts().last().copied().unwrap_or(from);
    hop.share(from, end)
}

fn chart(run: &Run) -> Chart {
    let cell = run.network.cell_time(run.direction("A->S")).0 as f64 / 1e9;
    let vc = run.hop("VC", "A->S");
    let end = vc.cells(run.counters.now);
    let points = throughput(&vc.starts(), 25.0, end);
    Chart {
        id: "kung94-sec6".to_owned(),
        title: "Section 6: a VC gives way to other traffic and rises again".to_owned(),
        caption: "Traffic of high priority holds the output link from 5 ms to 10 ms.".to_owned(),
        x: "time (ms)".to_owned(),
        y: "share of the VC's own link, 25 cell times".to_owned(),
        lines: vec![ChartLine {
            name: "VC at its host".to_owned(),
            step: false,
            points: points.into_iter().map(|(time, share)| (time * cell, share)).collect(),
        }],
    }
}
