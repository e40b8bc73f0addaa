//! A VBR burst at higher priority, a newcomer, and a LAN. Source: [Cai97] 1, 3, 4.
//!
//! ```text
//! most = (previous loop + 2 averaging intervals) x (input rate - output rate)       (1)
//! ```
//! In (1) one interval may have begun before the burst, so that only the second shows all of it.
//! Both runs have greedy sources; the queues are those from shortly before the burst on.

use std::ops::Range;

use hopflow_record::{Quantity, Series};
use hopflow_units::SimTime;

use super::network::{VIRTUAL, most, variant};
use crate::{Chart, ChartLine, Experiment, Measured, Run, Runs, ScenarioText};

const VBR: &str = "vbr.toml";
const NEWCOMER: &str = "newcomer.toml";
const VBR_WITHOUT: &str = "vbr-without.toml";
const NEWCOMER_WITHOUT: &str = "newcomer-without.toml";
const LAN: [&str; 2] = ["lan.toml", "lan-without.toml"];

/// Cells per second of the slow link, and what VBR leaves of it.
const SLOW: f64 = 45e6 / 424.0;
const LEFT: f64 = 15.0 / 155.52;
/// The previous loop of switch 3, in seconds.
const LOOP: f64 = 0.01;
/// When the burst and the newcomer begin.
const FROM: SimTime = SimTime(4_000_000_000_000);
/// How far from a fifth a VC may be.
const FAIR: f64 = 0.1;

/// Bursts, response and LANs.
pub(super) const EXPERIMENT: Experiment =
    Experiment::new(&["cai97.vbr", "cai97.response", "cai97.lan"], scenarios, measure);

fn scenarios() -> Vec<ScenarioText> {
    let vbr = scenario!("cai97/vbr.toml");
    let newcomer = scenario!("cai97/newcomer.toml");
    let short = [
        ("duration = \"15 s\"", "duration = \"3 s\""),
        ("delay = \"275 ms\"", "delay = \"5 us\""),
        ("delay = \"5 ms\"", "delay = \"5 us\""),
    ];
    let lan = |virtual_source: bool, file: &str| {
        let text = variant(1, virtual_source, 5, "lan", &short).text;
        ScenarioText::new(file, text)
    };
    vec![
        vbr.variant(VBR_WITHOUT, &[(VIRTUAL, "")]),
        vbr,
        newcomer.variant(NEWCOMER_WITHOUT, &[(VIRTUAL, "")]),
        newcomer,
        lan(true, LAN[0]),
        lan(false, LAN[1]),
    ]
}

fn measure(runs: &Runs) -> Measured {
    let mut measured = Measured::of("cai97");
    burst(&mut measured, runs);
    response(&mut measured, runs);
    let delivered = LAN.map(|file| delivered(runs.one(file)));
    measured.claim("lan.use", delivered[0] / delivered[1]);
    let queues = LAN.map(|file| most(runs.one(file), "SW2"));
    measured.claim("lan.queue", queues[0] / queues[1]);
    measured.charts = vec![burst_chart(runs), newcomer_chart(runs)];
    measured
}

/// Data cells of all VCs under rate control that came to their end.
pub(super) fn delivered(run: &Run) -> f64 {
    let vcs = run.network.vcs.iter().zip(&run.counters.vcs);
    let rated = vcs.filter(|(spec, _)| spec.rate.is_some());
    rated.flat_map(|(_, seen)| &seen.leaves).map(|leaf| leaf.delivered_packets as f64).sum()
}

/// The most cells of a switch since the warm-up.
fn most_since(run: &Run, switch: &str) -> f64 {
    run.summary.node(switch).map_or(f64::NAN, |one| f64::from(one.max_packets))
}

fn burst(measured: &mut Measured, runs: &Runs) {
    let (with, without) = (runs.one(VBR), runs.one(VBR_WITHOUT));
    let (kept, long) = (most_since(with, "SW3"), most_since(without, "SW3"));
    measured.claim("vbr.sw3", kept);
    measured.claim("vbr.sw2", most_since(with, "SW2"));
    measured.claim("vbr.without", long);
    measured.claim("vbr.fewer", long / kept);
    measured.claim("vbr.own_bound", kept / (LOOP * SLOW));
    measured.claim("vbr.lost", (with.lost_packets() + without.lost_packets()) as f64);
}

fn response(measured: &mut Measured, runs: &Runs) {
    let [with, without] = [VBR, VBR_WITHOUT].map(|file| answered(runs.one(file)));
    measured.claim("response.with", with);
    measured.claim("response.without", without);
    measured.claim("response.shorter", without - with);
    let [with, without] = [NEWCOMER, NEWCOMER_WITHOUT].map(|file| converged(runs.one(file)));
    measured.claim("response.converges", without - with);
}

/// The throughput of data on a link, of all VCs or of one, as shares of its rate. Panics when it
/// was not recorded.
fn throughput<'r>(run: &'r Run, link: &str, vc: Option<&str>) -> &'r Series {
    let quantity = if vc.is_some() { Quantity::VcThroughput } else { Quantity::Throughput };
    let wanted = |series: &&Series| {
        series.quantity == quantity
            && series.link.as_deref() == Some(link)
            && series.vc.as_deref() == vc
    };
    let found = run.series.iter().find(wanted);
    found.unwrap_or_else(|| panic!("the scenario records no throughput of {vc:?} on {link}"))
}

fn millis(from: SimTime, to: Option<SimTime>) -> f64 {
    to.map_or(f64::INFINITY, |to| to.since(from).as_secs_f64() * 1000.0)
}

/// From the start of the burst to the first window in which switch 3 gets no more than is left, in
/// ms, that window included.
fn answered(run: &Run) -> f64 {
    let series = throughput(run, "SW2->SW3", None);
    let mut windows = series.points.windows(2).filter(|pair| pair[0].time >= FROM);
    let found = windows.find(|pair| pair[0].value <= LEFT);
    millis(FROM, found.map(|pair| pair[1].time))
}

/// From the newcomer's first window on the slow link to the window from which all have a fifth, in
/// ms.
fn converged(run: &Run) -> f64 {
    let vcs: Vec<&Series> =
        (1..=5).map(|vc| throughput(run, "SW3->SW4", Some(&format!("VC{vc}")))).collect();
    let newcomer = vcs[4].points.iter().position(|point| point.value > 0.0);
    let Some(first) = newcomer else { return f64::INFINITY };
    let windows = vcs.iter().map(|series| series.points.len()).min().unwrap_or(0);
    let is_fair = |window: usize| {
        let shares = vcs.iter().map(|series| series.points[window].value);
        let all: f64 = shares.clone().sum();
        shares.clone().all(|share| (share * 5.0 / all - 1.0).abs() <= FAIR)
    };
    // The last window may be cut short.
    let last_unfair = (first..windows - 1).rev().find(|window| !is_fair(*window));
    let settled = last_unfair.map_or(first, |window| window + 1);
    let settled = vcs[4].points.get(settled).filter(|_| settled + 1 < windows);
    millis(vcs[4].points[first].time, settled.map(|point| point.time))
}

fn points(series: &Series, span: &Range<SimTime>, scale: f64) -> Vec<(f64, f64)> {
    let inside = series.points.iter().filter(|point| span.contains(&point.time));
    inside.map(|point| (point.time.0 as f64 / 1e12, point.value * scale)).collect()
}

fn burst_chart(runs: &Runs) -> Chart {
    let span = SimTime(3_900_000_000_000)..SimTime(5_000_000_000_000);
    let line = |name: &str, file: &str| {
        ChartLine::steps(name, points(throughput(runs.one(file), "SW2->SW3", None), &span, 155.52))
    };
    Chart::new("cai97-vbr", "Arrivals at switch 3 as a VBR burst takes 30 of its 45 Mb/s")
        .caption(
            "With VS/VD the switch before it answers after a loop of 10 ms, without it the \
             sources, after 560 ms.",
        )
        .axes("time (s)", "Mb/s on SW2->SW3")
        .lines([line("with VS/VD", VBR), line("without VS/VD", VBR_WITHOUT)])
}

fn newcomer_chart(runs: &Runs) -> Chart {
    let span = FROM..SimTime(8_000_000_000_000);
    let line = |name: &str, file: &str, vc: &str| {
        ChartLine::steps(
            name,
            points(throughput(runs.one(file), "SW3->SW4", Some(vc)), &span, 45.0),
        )
    };
    Chart::new("cai97-newcomer", "A fifth VC comes to the slow link")
        .caption("A fifth of it is 9 Mb/s of cells, less the RM cells.")
        .axes("time (s)", "Mb/s on SW3->SW4")
        .lines([
            line("VC1 with VS/VD", NEWCOMER, "VC1"),
            line("VC5 with VS/VD", NEWCOMER, "VC5"),
            line("VC1 without", NEWCOMER_WITHOUT, "VC1"),
            line("VC5 without", NEWCOMER_WITHOUT, "VC5"),
        ])
}
