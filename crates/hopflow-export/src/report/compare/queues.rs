//! Queues of switches and slow hosts under the controls of a comparison, and their memory.

use hopflow::compare::{Comparison, ControlMeasures, SwitchMeasures};
use hopflow_figures::digits;

use super::charts::charts;
use super::short;
use crate::report::parts::{ROWS, count, left_out, maybe_count};
use crate::report::{Block, Cell, Column, Part, Table};

/// Their charts and tables.
pub(super) fn queues(comparison: &Comparison) -> Vec<Block> {
    let (runs, word) = (&comparison.runs[..], comparison.counted_in());
    let parts: &[Part<(&ControlMeasures, &SwitchMeasures)>] = &[
        (Column::text("switch"), |(_, switch)| Cell::Code(switch.title())),
        (Column::text("control"), |(one, _)| short(one)),
        (Column::number("mean", word), |(_, switch)| Cell::Text(digits(switch.mean_packets))),
        (Column::number("p99", word), |(_, switch)| count(u64::from(switch.p99_packets))),
        (Column::number("max", word), |(_, switch)| count(u64::from(switch.max_packets))),
        (Column::number("needed", word), |(_, switch)| count(switch.needed_packets)),
        (Column::number("promised by credit", word), |(_, switch)| {
            maybe_count(switch.promised_packets)
        }),
    ];
    let switches = runs.first().map_or(0, |run| run.measures.switches.len());
    let measures = || runs.iter().map(|run| &run.measures);
    let rows =
        (0..switches).flat_map(|index| measures().map(move |one| (one, &one.switches[index])));
    let more = (switches * runs.len()).saturating_sub(ROWS);
    let mut blocks =
        charts(runs, |run| &run.queues, word, None, &|name| format!("Queue of {name}"));
    let note = format!(
        "p99: not exceeded for 99\u{202f}% of the time. {}",
        left_out(more, "switches.parquet")
    );
    let note = note.trim_end().to_owned();
    let in_bytes: Vec<_> = rows.clone().filter(|(_, switch)| switch.max_bytes.is_some()).collect();
    blocks.push(Block::Table(Table { note, ..Table::of(rows.take(ROWS), parts) }));
    if !in_bytes.is_empty() {
        blocks.push(Block::Table(memory(&in_bytes)));
    }
    blocks
}

/// The memory of switches whose bytes are counted.
fn memory(rows: &[(&ControlMeasures, &SwitchMeasures)]) -> Table {
    let column = |title: &str| Column::number(title, "B");
    let parts: [Part<(&ControlMeasures, &SwitchMeasures)>; 5] = [
        (Column::text("switch"), |(_, switch)| Cell::Code(switch.title())),
        (Column::text("control"), |(one, _)| short(one)),
        (column("most held"), |(_, switch)| maybe_count(switch.max_bytes)),
        (column("memory needed"), |(_, switch)| maybe_count(switch.needed_bytes)),
        (column("promised"), |(_, switch)| maybe_count(switch.promised_bytes)),
    ];
    let more = left_out(rows.len().saturating_sub(ROWS), "switches.parquet");
    let table = Table::of(rows.iter().copied().take(ROWS), &parts);
    Table { title: "Memory in bytes".to_owned(), note: more, ..table }
}
