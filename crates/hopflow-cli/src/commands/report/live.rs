//! The section of a report about a run of real hosts: from `live.json` beside it.

use std::path::Path;

use hopflow_export::report::{Block, Cell, Column, Section, Table};
use hopflow_scenario::regular;
use serde::Deserialize;

use crate::output;

/// What the section shows of `live.json`; docs/emulate.md has all of it.
#[derive(Deserialize)]
struct Live {
    evidence: Evidence,
    #[serde(default)]
    connections: Vec<Reading>,
}

#[derive(Deserialize)]
struct Evidence {
    seconds: f64,
    late: Late,
    skipped_ns: u64,
    host_lost_packets: u64,
    disturbed: Vec<String>,
}

#[derive(Deserialize)]
struct Late {
    packets: u64,
    p50_ns: u64,
    p99_ns: u64,
    p999_ns: u64,
    max_ns: u64,
}

#[derive(Deserialize)]
struct Reading {
    name: String,
    read_bps: f64,
}

/// The section of the run in a directory; `None`: its hosts were not real.
pub(super) fn section(folder: &Path) -> Option<Section> {
    let text = regular::read_text(&folder.join("live.json")).ok()?;
    let Live { evidence, connections } = serde_json::from_str(&text).ok()?;
    let seconds = output::number(evidence.seconds, 3);
    let mut blocks = vec![Block::Text(format!(
        "The hosts at the ends of connections were real: Linux sent their packets, at the instants \
         in `sent.csv`, in {seconds} s of real time. All numbers of this page are of the network, \
         simulated with these packets; `live.json` has how late they came to their hosts."
    ))];
    let disturbed = evidence.disturbed.iter();
    blocks.extend(disturbed.map(|why| Block::Note(format!("Disturbed: {why}."))));
    if !evidence.disturbed.is_empty() {
        let what = "What was sent, lost and simulated is true. The times and rates that real hosts \
                    saw are those of a busy machine: run it again.";
        blocks.push(Block::Note(what.to_owned()));
    }
    blocks.push(Block::Table(lateness(&evidence)));
    if !connections.is_empty() {
        blocks.push(Block::Table(readings(&connections)));
    }
    Some(Section::new("live", "Real hosts", blocks))
}

fn lateness(evidence: &Evidence) -> Table {
    let us = |ns: u64| Cell::Text(output::number(ns as f64 / 1e3, 1));
    let Late { packets, p50_ns, p99_ns, p999_ns, max_ns } = evidence.late;
    let times = ["median", "99 %", "99.9 %", "most"].map(|head| Column::number(head, "us"));
    let mut columns = vec![Column::number("packets", "")];
    columns.extend(times);
    columns.push(Column::number("skipped", "us"));
    columns.push(Column::number("lost by hosts", "packets"));
    let mut row = vec![Cell::Text(packets.to_string())];
    row.extend([p50_ns, p99_ns, p999_ns, max_ns, evidence.skipped_ns].map(us));
    row.push(Cell::Text(evidence.host_lost_packets.to_string()));
    let note = "After the instant at which its last bit came, in the simulation. Packets that \
                hosts lost in their own devices are not losses of the network.";
    Table {
        title: "How late packets were written to their host".to_owned(),
        columns,
        rows: vec![row],
        note: note.to_owned(),
        ..Table::default()
    }
}

fn readings(connections: &[Reading]) -> Table {
    let row = |one: &Reading| {
        vec![Cell::Code(one.name.clone()), Cell::Text(output::number(one.read_bps / 1e6, 3))]
    };
    Table {
        title: "Bulk data that the program of the second host has read".to_owned(),
        columns: vec![Column::text("connection"), Column::number("rate", "Mb/s")],
        rows: connections.iter().map(row).collect(),
        ..Table::default()
    }
}
