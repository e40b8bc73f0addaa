//! `hopflow size --verify`: the runs of the network that confirms a size.

use hopflow::size::{TrialRun, Verified};
use serde_json::json;

use super::keyed::{Keyed, Keys};
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

pub(super) fn keyed(all: &[Verified]) -> Keyed {
    let keys: Keys<'_, Row<'_>> = &[
        ("run", |(run, _)| json!(run.of)),
        ("size", |(run, _)| json!(run.size)),
        ("unit", |(_, one)| json!(one.unit)),
        ("busy", |(run, _)| json!(run.busy)),
        ("idle_ps", |(run, _)| json!(run.idle.0)),
        ("dropped_packets", |(run, _)| json!(run.dropped)),
        ("enough", |(run, _)| json!(run.is_enough)),
        ("confirmed", |(_, one)| json!(one.is_confirmed)),
        ("least", |(_, one)| json!(one.least)),
        ("verdict", |(_, one)| json!(one.verdict)),
    ];
    Keyed::new(keys, rows(all))
}
