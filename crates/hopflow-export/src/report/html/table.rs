//! A table as HTML. Of a long one, the first rows are shown, and the others on request.
//!
//! All rows are in one table, so that columns stay aligned and the page is complete without a
//! script: the style sheet hides the others while the line below them is closed (`.rest`, `.rows`).
//! Tables of verdicts are always shown whole: a verdict that is not seen is a claim not made.

use std::fmt::Write;

use hopflow_figures::escape;

use super::super::glossary::Words;
use super::super::{Cell, Table};
use super::{class, linked, prose};

/// The most letters of a first column that stays in sight while a narrow page is scrolled sideways.
const NARROW: usize = 18;

/// The rows of a long table that are shown at first, and the most of a table that is not long.
const SHOWN: usize = 10;
const SHORT: usize = 12;

pub(super) fn table(out: &mut String, table: &Table, words: &mut Words) {
    *out += "<div class=\"table\" role=\"region\" tabindex=\"0\"";
    let stays = if first_is_narrow(table) { " class=\"stay\"" } else { "" };
    let _ = write!(out, " aria-label=\"{}\"><table{stays}>", escape(&table.title));
    if !table.title.is_empty() {
        let _ = write!(out, "<caption>{}</caption>", prose(&table.title));
    }
    *out += "<thead><tr>";
    for column in &table.columns {
        let kind = if column.numeric { " class=\"n\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{kind}>{}", linked(&column.title, words));
        if !column.unit.is_empty() {
            let _ = write!(out, " <span class=\"unit\">{}</span>", escape(&column.unit));
        }
        *out += "</th>";
    }
    *out += "</tr></thead>\n<tbody>";
    let is_folded = is_long(table);
    for index in 0..table.rows.len() {
        if is_folded && index == SHOWN {
            *out += "</tbody>\n<tbody class=\"rest\">";
        }
        row(out, table, index);
    }
    *out += "</tbody></table></div>\n";
    if is_folded {
        let all = table.rows.len();
        let _ =
            writeln!(out, "<details class=\"rows\"><summary>All {all} rows</summary></details>");
    }
    if !table.note.is_empty() {
        let _ = writeln!(out, "<p class=\"remark\">{}</p>", linked(&table.note, words));
    }
}

/// Whether the first column has short names only, and no row a note across all columns.
fn first_is_narrow(table: &Table) -> bool {
    let is_short = |text: &str| text.chars().count() <= NARROW;
    let fits = |row: &Vec<Cell>| match row.first() {
        Some(Cell::Text(text) | Cell::Code(text)) => is_short(text),
        Some(Cell::Named(what, name)) => is_short(what) && is_short(name),
        Some(Cell::Verdict(_)) | None => false,
    };
    table.columns.len() > 2 && table.row_notes.is_empty() && table.rows.iter().all(fits)
}

/// Whether only the first rows are shown at first.
fn is_long(table: &Table) -> bool {
    let has_verdicts = || table.rows.iter().flatten().any(|cell| matches!(cell, Cell::Verdict(_)));
    table.rows.len() > SHORT && !has_verdicts()
}

fn row(out: &mut String, table: &Table, index: usize) {
    let note = table.row_notes.get(index).filter(|note| !note.is_empty());
    *out += if note.is_some() { "<tr class=\"noted\">" } else { "<tr>" };
    for (cell, column) in table.rows[index].iter().zip(&table.columns) {
        let kind = if column.numeric { " class=\"n\"" } else { "" };
        let _ = write!(out, "<td{kind}>{}</td>", cell_text(cell));
    }
    *out += "</tr>\n";
    if let Some(note) = note {
        let span = table.columns.len();
        let _ =
            writeln!(out, "<tr><td class=\"aside\" colspan=\"{span}\">{}</td></tr>", prose(note));
    }
}

fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => prose(text),
        Cell::Code(text) => code(text),
        Cell::Named(what, name) => format!("{}<br>{}", prose(what), code(name)),
        Cell::Verdict(verdict) => format!(
            "<span class=\"badge {}\"><span aria-hidden=\"true\">{}</span> {}</span>",
            class(*verdict),
            verdict.sign(),
            verdict.word()
        ),
    }
}

/// A name as code that may break after its dots and arrows only.
fn code(name: &str) -> String {
    let long = name.chars().count() > 14;
    let name = escape(name);
    let name = if long { name.replace('.', ".<wbr>").replace("-&gt;", "-&gt;<wbr>") } else { name };
    format!("<code class=\"name\">{name}</code>")
}
