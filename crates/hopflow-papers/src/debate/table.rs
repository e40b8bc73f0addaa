//! The table that the debate never had, and L2's way to its share.

use hopflow::compare::{Comparison, ControlMeasures, ControlRun};

use super::read::{Numbers, Read};
use crate::exhibit::Value;
use crate::{Chart, ChartLine, Exhibit};

/// What a control is called.
pub(super) fn name(run: &ControlRun) -> String {
    run.measures.title.clone().unwrap_or_else(|| run.measures.control.clone())
}

/// What a network is called.
pub(super) fn place(id: &str) -> &'static str {
    if id == "lan" { "LAN" } else { "WAN" }
}

/// One row for each control.
pub(super) fn table(id: &str, comparison: &Comparison, read: &Read) -> Exhibit {
    let promised = |measures: &ControlMeasures| {
        measures.switches.iter().filter_map(|switch| switch.promised_packets).max()
    };
    let values: [Value<'_, (Numbers, &ControlMeasures)>; 8] = [
        ("used", "", &|(numbers, _)| numbers.used),
        ("lost", "%", &|(_, measures)| 100.0 * measures.lost_share),
        ("Jain index", "", &|(numbers, _)| numbers.jain),
        ("long / others", "", &|(numbers, _)| numbers.beatdown),
        ("needed", "cells", &|(_, measures)| measures.needed_packets as f64),
        ("promised", "cells", &|(_, measures)| {
            promised(measures).map_or(f64::NAN, |cells| cells as f64)
        }),
        ("delay, 99 %", "ms", &|(_, measures)| {
            measures.delay_p99_ps.map_or(f64::NAN, |ps| ps as f64 / 1e9)
        }),
        ("ramp-up", "ms", &|(numbers, _)| numbers.rampup),
    ];
    let rows = comparison.runs.iter().map(|run| (name(run), (read.numbers(run), &run.measures)));
    Exhibit::new(format!("The debate in a {}", place(id)))
        .note(
            "Used, Jain index and long / others are of the last two fifths of the run, the rest of \
             all of it. Needed: the most that a switch holds when it has room for everything. \
             Promised: what credits promise of a switch. Ramp-up: from L2's start until all rates \
             have settled.",
        )
        .of("control", &values, rows)
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
