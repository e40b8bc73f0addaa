//! `hopflow size --preset`: public values beside those of the law.

use hopflow::size::PublicRow;
use serde_json::json;

use super::keyed::{Keyed, Keys};
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

pub(super) fn keyed(rows: &[PublicRow]) -> Keyed {
    let keys: Keys<'_, PublicRow> = &[
        ("source", |row| json!(row.source)),
        ("terms", |row| json!(row.terms)),
        ("public_amount", |row| json!(row.value)),
        ("law_amount", |row| json!(row.ours)),
        ("unit", |row| json!(row.unit)),
        ("equal", |row| json!(row.is_equal())),
        ("why", |row| json!(row.why)),
    ];
    Keyed::new(keys, rows)
}
