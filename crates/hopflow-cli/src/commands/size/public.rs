//! `hopflow size --preset`: public values beside those of the law.

use hopflow::size::PublicRow;
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::keyed::Keyed;
use crate::output::{Columns, Table, cell};

pub(super) fn table(rows: &[PublicRow]) -> Table {
    let columns: Columns<PublicRow> = &[
        ("source", |row| row.source.to_owned()),
        ("for", |row| row.terms.clone()),
        ("#public", |row| cell(row.value)),
        ("#by the law", |row| cell(row.ours)),
        ("unit", |row| row.unit.to_owned()),
        ("equal", difference),
    ];
    Table::of(columns, rows)
}

/// `yes`, or by how much the public value is more or less.
fn difference(row: &PublicRow) -> String {
    match (row.value, row.ours) {
        (value, ours) if value > ours => format!("no, {} more", value - ours),
        (value, ours) if value < ours => format!("no, {} less", ours - value),
        _ => "yes".to_owned(),
    }
}

/// Why public values differ, each reason once.
pub(super) fn notes(rows: &[PublicRow]) -> Vec<String> {
    let differ = rows.iter().filter(|row| !row.is_equal());
    let mut notes: Vec<String> = Vec::new();
    for row in differ {
        let note = format!("{}, {}: {}.", row.source, row.terms, row.why);
        if !notes.iter().any(|one| one.ends_with(&format!(": {}.", row.why))) {
            notes.push(note);
        }
    }
    notes
}

/// A public value beside that of the law.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct PublicValue<'a> {
    /// Where it is published.
    source: &'static str,
    /// For which terms.
    terms: &'a str,
    /// The public value.
    public_amount: u64,
    /// The result of the law.
    law_amount: u64,
    /// The unit of both.
    unit: &'static str,
    /// Whether they are equal.
    equal: bool,
    /// Why they differ; empty if they do not.
    why: &'a str,
}

pub(super) fn keyed(rows: &[PublicRow]) -> Keyed {
    Keyed::of(rows.iter().map(|row| PublicValue {
        source: row.source,
        terms: &row.terms,
        public_amount: row.value,
        law_amount: row.ours,
        unit: row.unit,
        equal: row.is_equal(),
        why: &row.why,
    }))
}
