//! The table that the debate never had, and L2's way to its share.

use hopflow::compare::{Comparison, ControlRun};

use super::read::Read;
use crate::{Chart, ChartLine, Exhibit};

/// What a control is called.
fn name(run: &ControlRun) -> String {
    run.measures.title.clone().unwrap_or_else(|| run.measures.control.clone())
}

fn place(id: &str) -> &'static str {
    if id == "lan" { "LAN" } else { "WAN" }
}

/// One row for each control.
pub(super) fn table(id: &str, comparison: &Comparison, read: &Read) -> Exhibit {
    let row = |run: &ControlRun| {
        let (numbers, measures) = (read.numbers(run), &run.measures);
        let promised = measures.switches.iter().filter_map(|switch| switch.promised_packets).max();
        let delay = measures.delay_p99_ps.map_or(f64::NAN, |ps| ps as f64 / 1e9);
        let values = vec![
            numbers.used,
            100.0 * measures.lost_share,
            numbers.jain,
            numbers.beatdown,
            measures.needed_packets as f64,
            promised.map_or(f64::NAN, |cells| cells as f64),
            delay,
            numbers.rampup,
        ];
        (name(run), values)
    };
    Exhibit::new(format!("The debate in a {}", place(id)))
        .note(
            "Used, Jain index and long / others are of the last two fifths of the run, the rest of \
             all of it. Needed: the most that a switch holds when it has room for everything. \
             Promised: what credits promise of a switch. Ramp-up: from L2's start until all rates \
             have settled.",
        )
        .columns(
            "control",
            [
                ("used", ""),
                ("lost", "%"),
                ("Jain index", ""),
                ("long / others", ""),
                ("needed", "cells"),
                ("promised", "cells"),
                ("delay, 99 %", "ms"),
                ("ramp-up", "ms"),
            ],
        )
        .rows(comparison.runs.iter().map(row))
}

/// L2's rate over time.
pub(super) fn chart(id: &str, comparison: &Comparison) -> Chart {
    let line = |run: &ControlRun| {
        let curve = run.rates.iter().find(|curve| curve.name == "L2");
        let points = curve.map_or_else(Vec::new, |curve| {
            let part = curve.part.0 as f64 / 1e9;
            let at = |(index, rate): (usize, &f64)| ((index as f64 + 0.5) * part, rate / 1e6);
            curve.values.iter().enumerate().map(at).collect()
        });
        ChartLine::straight(name(run), points)
    };
    Chart::new(format!("debate-{id}"), format!("The last VC comes, in a {}", place(id)))
        .caption("L2 crosses three links; a sixth of a link, 25.9 Mb/s, is its share.")
        .axes("time (ms)", "rate of L2 (Mb/s)")
        .lines(comparison.runs.iter().map(line))
}
