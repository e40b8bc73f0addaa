//! Parts that several reports have: what a table leaves out, counts, and the data dictionary.

use hopflow::record::{DelaySummary, Summary};
use hopflow::units::Picos;
use hopflow_figures::time_text;

use super::{Block, Cell, Section, Verdict};
use crate::chart::plain_number;
use crate::parquet::TableInfo;

/// The most rows of a table; the files have all.
pub(super) const ROWS: usize = 200;

/// What runs of several seeds cover: so long each, but for a warm-up.
pub(super) fn of_seeds(duration: Picos, warm_up: Picos, complete: bool) -> String {
    let warm_up = match warm_up {
        Picos(0) => String::new(),
        warm_up => format!(", after a warm-up of {warm_up}"),
    };
    let stopped = if complete { "" } else { " Stopped early: not all seeds were run." };
    format!("{duration} of simulated time{warm_up}; intervals of 95 % confidence.{stopped}")
}

pub(super) fn count(value: u64) -> Cell {
    Cell::Text(plain_number(value as f64, 0))
}

/// A number that may be unknown.
pub(super) fn maybe_count(value: Option<u64>) -> Cell {
    value.map_or_else(|| Cell::Text(dash()), count)
}

/// What stands for a number that there is not.
pub(super) fn dash() -> String {
    "\u{2013}".to_owned()
}

/// A span in ps.
pub(super) fn time(ps: Option<f64>) -> Cell {
    Cell::Text(ps.map_or_else(dash, time_text))
}

/// A whole number of ps.
pub(super) fn whole_time(ps: Option<u64>) -> Cell {
    time(ps.map(|ps| ps as f64))
}

pub(super) fn mean(delay: Option<DelaySummary>) -> Cell {
    time(delay.map(|delay| delay.mean))
}

pub(super) fn p99(delay: Option<DelaySummary>) -> Cell {
    whole_time(delay.map(|delay| delay.p99))
}

pub(super) fn max(delay: Option<DelaySummary>) -> Cell {
    whole_time(delay.map(|delay| delay.max))
}

/// The rows that a table leaves out; empty if there are none.
pub(super) fn left_out(more: usize, file: &str) -> String {
    if more == 0 { String::new() } else { format!("{more} more in `{file}`.") }
}

/// The section of broken properties, if there are any. `sums` say what they come to, and then all
/// properties are folded; without them the first ones are in sight.
pub(super) fn broken_properties(
    sums: Vec<Block>,
    texts: impl IntoIterator<Item = String>,
) -> Option<Section> {
    const IN_SIGHT: usize = 3;
    let mut each: Vec<Block> = texts.into_iter().map(Block::Alarm).collect();
    let count = each.len();
    if count == 0 {
        return None;
    }
    let has_sums = !sums.is_empty();
    let few = if count > IN_SIGHT + 1 { IN_SIGHT } else { count };
    let in_sight = if has_sums { 0 } else { few };
    each.truncate(ROWS);
    let folded = each.split_off(in_sight);
    let mut blocks: Vec<Block> = sums.into_iter().chain(each).collect();
    if !folded.is_empty() {
        let summary = match (has_sums, count) {
            (false, _) => format!("{} more broken properties", count - in_sight),
            (true, 1) => "The broken property".to_owned(),
            (true, _) => format!("The {count} broken properties"),
        };
        blocks.push(Block::Folded(summary, folded));
    }
    let part = Section::new("properties", "Broken properties", blocks);
    Some(Section { verdicts: vec![Verdict::Fails; count], ..part })
}

/// What is behind the first [`ROWS`] rows of `all`.
pub(super) fn more(all: usize, file: &str) -> String {
    rest(all, 0, "", file)
}

/// The same of VCs: those that a summary keeps are the worst.
pub(super) fn more_vcs(summary: &Summary, of: usize, file: &str) -> String {
    let all = summary.totals.as_ref().map_or(0, |all| all.vcs);
    let left_out = all.saturating_sub(summary.vcs.len() as u64);
    let which = "These are the VCs that lost most, then those with the longest delays. ";
    rest(of, left_out, which, file)
}

/// What is behind the first [`ROWS`] rows of `all`, and the `left_out` rows of which the summary
/// chose all of these as `which` says.
pub(super) fn rest(all: usize, left_out: u64, which: &str, file: &str) -> String {
    let more = all.saturating_sub(ROWS) as u64 + left_out;
    if more == 0 {
        return String::new();
    }
    let which = if left_out > 0 && all > 0 { which } else { "" };
    format!("{which}{} more in `{file}`.", plain_number(more as f64, 0))
}

/// What `text` says, then what is in each of `tables`, folded.
pub(super) fn tables_dictionary(text: &str, tables: &[&TableInfo]) -> Vec<Block> {
    let tables = tables.iter().map(|table| {
        let terms = table.columns.iter().map(|c| (c.name.to_owned(), c.meaning.to_owned()));
        let file = if table.name == "trace" { "trace-NNNNN" } else { table.name };
        let summary = format!("`{file}.parquet`: one row per {}", table.row);
        Block::Folded(summary, vec![Block::Dictionary(terms.collect())])
    });
    std::iter::once(Block::Text(text.to_owned())).chain(tables).collect()
}
