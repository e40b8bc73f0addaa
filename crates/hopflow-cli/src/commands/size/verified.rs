//! `hopflow size --verify`: the runs of the network that confirms a size.

use hopflow::size::{TrialRun, Verified};
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::keyed::Keyed;
use crate::output::{Columns, Table, cell, percent};

/// A run, and what it belongs to.
type Row<'a> = (&'a TrialRun, &'a Verified);

fn rows(all: &[Verified]) -> impl Iterator<Item = Row<'_>> {
    all.iter().flat_map(|one| one.runs.iter().map(move |run| (run, one)))
}

pub(super) fn table(all: &[Verified]) -> Table {
    let columns: Columns<Row<'_>> = &[
        ("run", |(run, _)| run.of.to_owned()),
        ("#size", |(run, _)| cell(run.size)),
        ("unit", |(_, one)| one.unit.to_owned()),
        ("#link busy", |(run, _)| percent(run.busy)),
        ("#idle", |(run, _)| run.idle.to_string()),
        ("#lost packets", |(run, _)| cell(run.dropped)),
        ("result", result),
    ];
    Table::of(columns, rows(all))
}

fn result((run, one): &Row<'_>) -> String {
    let word = match (one.by_loss, run.is_enough) {
        (true, true) => "no loss",
        (true, false) => "loses packets",
        (false, true) => "full rate",
        (false, false) => "waits",
    };
    word.to_owned()
}

/// A run that confirms a size, or does not.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct VerifiedRun<'a> {
    /// Which size it has.
    run: &'static str,
    /// The size.
    size: u64,
    /// Its unit.
    unit: &'static str,
    /// The share of the time after two loops that the link was busy.
    busy: f64,
    /// The time that the link was idle.
    idle_ps: u64,
    /// Packets that were dropped.
    dropped_packets: u64,
    /// Whether the size was enough in this run.
    enough: bool,
    /// Whether the size by the law was enough.
    confirmed: bool,
    /// The least size that was enough.
    least: u64,
    /// What the runs show.
    verdict: &'a str,
}

pub(super) fn keyed(all: &[Verified]) -> Keyed {
    Keyed::of(rows(all).map(|(run, one)| VerifiedRun {
        run: run.of,
        size: run.size,
        unit: one.unit,
        busy: run.busy,
        idle_ps: run.idle.0,
        dropped_packets: run.dropped,
        enough: run.is_enough,
        confirmed: one.is_confirmed,
        least: one.least,
        verdict: &one.verdict,
    }))
}
