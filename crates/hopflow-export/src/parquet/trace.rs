//! The trace: every recorded event, in numbered part files, and back.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hopflow::network::{CellKind, DirectionId, NetworkSpec, TraceEvent, TraceRow};
use hopflow::record::direction_names;
use hopflow::units::SimTime;
use parquet::arrow::ArrowWriter;

use super::rows::Value::{Name, Nothing, U32, U64};
use super::rows::{self, Rows, columns, push, reader};
use super::schema::TRACE;
use crate::ExportError;
use crate::directory::{RunDirectory, Sink};
use crate::error::io_cause;

/// Rows in a part file: a few tens of megabytes at most.
const PART_ROWS: usize = 1 << 23;
/// Rows turned into columns at once.
const BATCH: usize = 1 << 16;

const KINDS: [(CellKind, &str); 11] = [
    (CellKind::Data, "data"),
    (CellKind::Ack, "ack"),
    (CellKind::Credit, "credit"),
    (CellKind::Request, "request"),
    (CellKind::Loop, "loop"),
    (CellKind::LoopReply, "loop-reply"),
    (CellKind::SlowDown, "slow-down"),
    (CellKind::Pause, "pause"),
    (CellKind::LaneCredit, "lane-credit"),
    (CellKind::ForwardRm, "forward-rm"),
    (CellKind::BackwardRm, "backward-rm"),
];

const EVENTS: [(TraceEvent, &str); 6] = [
    (TraceEvent::Born, "born"),
    (TraceEvent::Arrived, "arrived"),
    (TraceEvent::Corrupted, "corrupted"),
    (TraceEvent::Dropped, "dropped"),
    (TraceEvent::Started, "started"),
    (TraceEvent::Left, "left"),
];

/// Names of VCs and link directions, by their index in the rows of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// VCs.
    pub vcs: Vec<String>,
    /// Link directions: name, sending node, receiving node.
    pub links: Vec<(String, String, String)>,
}

impl Names {
    /// The names in `network`.
    pub fn new(network: &NetworkSpec) -> Names {
        let node = |node: usize| network.nodes[node].name.clone();
        let links = direction_names(network).into_iter().enumerate().map(|(index, name)| {
            let id = DirectionId(index);
            (name, node(network.from_node(id)), node(network.to_node(id)))
        });
        Names {
            vcs: network.vcs.iter().map(|vc| vc.name.clone()).collect(),
            links: links.collect(),
        }
    }
}

/// Sequence numbers in a trace count modulo 2^28.
const SEQUENCE_MASK: u32 = (1 << 28) - 1;

/// Tells at which end of its link direction a row happened.
#[derive(Default)]
struct Ends {
    /// For each VC and link direction: the sequence number of the last data cell started.
    started: BTreeMap<(u32, u32), u32>,
}

impl Ends {
    /// Whether `row` happened at the receiving end. A cell that was dropped after it had started
    /// was dropped on arrival; one that had not was dropped by its source or given up.
    fn at_receiver(&mut self, row: &TraceRow) -> bool {
        let place = (row.vc, row.direction);
        match row.event {
            TraceEvent::Arrived | TraceEvent::Corrupted => true,
            TraceEvent::Dropped => self.started.get(&place).is_some_and(|&last| {
                last.wrapping_sub(row.value) & SEQUENCE_MASK <= SEQUENCE_MASK / 2
            }),
            TraceEvent::Started => {
                if row.kind == CellKind::Data {
                    self.started.insert(place, row.value);
                }
                false
            }
            TraceEvent::Born | TraceEvent::Left => false,
        }
    }
}

/// Writes a trace as it is made.
pub struct TraceWriter {
    names: Names,
    ends: Ends,
    part: usize,
    rows: usize,
    writer: Option<ArrowWriter<Box<dyn Sink>>>,
    part_rows: usize,
}

impl TraceWriter {
    /// A writer that makes no file before the first row.
    pub fn new(names: Names) -> TraceWriter {
        TraceWriter {
            names,
            ends: Ends::default(),
            part: 0,
            rows: 0,
            writer: None,
            part_rows: PART_ROWS,
        }
    }

    #[cfg(test)]
    pub(super) fn with_part_rows(names: Names, part_rows: usize) -> TraceWriter {
        TraceWriter { part_rows, ..TraceWriter::new(names) }
    }

    /// Adds rows to the parts in `directory`.
    pub fn write(
        &mut self,
        directory: &RunDirectory,
        rows: &[TraceRow],
    ) -> Result<(), ExportError> {
        let mut rest = rows;
        while !rest.is_empty() {
            let room = self.part_rows - self.rows;
            let (now, later) = rest.split_at(rest.len().min(room).min(BATCH));
            self.write_batch(directory, now)?;
            rest = later;
            if self.rows == self.part_rows {
                self.close(directory)?;
            }
        }
        Ok(())
    }

    /// Ends the part at hand. Without it that part cannot be read.
    pub fn close(&mut self, directory: &RunDirectory) -> Result<(), ExportError> {
        match self.writer.take() {
            None => Ok(()),
            Some(writer) => rows::close_writer(writer, directory, &file_name(self.part)),
        }
    }

    fn write_batch(
        &mut self,
        directory: &RunDirectory,
        batch: &[TraceRow],
    ) -> Result<(), ExportError> {
        let mut all = columns(&TRACE);
        for row in batch {
            let at_receiver = self.ends.at_receiver(row);
            push(&mut all, values(&self.names, row, at_receiver));
        }
        let batch_rows = batch.len();
        let batch = rows::batch(&TRACE, all);
        if self.writer.is_none() {
            self.part += 1;
            self.rows = 0;
            self.writer = Some(rows::new_writer(directory, &TRACE, &file_name(self.part))?);
        }
        let writer = self.writer.as_mut().expect("a part has just been opened");
        let written = writer.write(&batch).map_err(io_cause);
        written.map_err(|cause| directory.failed(&file_name(self.part), cause))?;
        self.rows += batch_rows;
        Ok(())
    }
}

fn file_name(part: usize) -> String {
    format!("trace-{part:05}.parquet")
}

fn values<'a>(names: &'a Names, row: &TraceRow, at_receiver: bool) -> [rows::Value<'a>; 11] {
    let (link, from, to) = &names.links[row.direction as usize];
    let kind = KINDS.iter().find(|k| k.0 == row.kind).expect("every kind has a word").1;
    let event = EVENTS.iter().find(|e| e.0 == row.event).expect("every event has a word").1;
    [
        U64(row.time.0),
        Name(if at_receiver { to } else { from }),
        Name(from),
        Name(to),
        Name(link),
        names.vcs.get(row.vc as usize).map_or(Nothing, |vc| Name(vc)),
        Name(kind),
        Name(event),
        U32(row.value),
        U32(row.fill),
        if row.credit == u32::MAX { Nothing } else { U32(row.credit) },
    ]
}

/// Which rows of a trace are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceSelection {
    /// Only these VCs, by name. `None`: all.
    pub vcs: Option<Vec<String>>,
    /// Only these link directions, by name. `None`: all.
    pub links: Option<Vec<String>>,
    /// Only from this instant on.
    pub from: SimTime,
    /// Only before this instant. `None`: to the end.
    pub to: Option<SimTime>,
}

impl TraceSelection {
    fn wants(&self, time: u64, vc: Option<&str>, link: &str) -> bool {
        let named = |list: &Option<Vec<String>>, name: Option<&str>| match (list, name) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(list), Some(name)) => list.iter().any(|one| one == name),
        };
        time >= self.from.0
            && self.to.is_none_or(|to| time < to.0)
            && named(&self.vcs, vc)
            && named(&self.links, Some(link))
    }
}

/// The rows of the trace in a run directory, in order, with the indices of `names`. A directory
/// without a trace gives none.
pub fn read_trace(
    directory: &Path,
    names: &Names,
    selection: &TraceSelection,
) -> Result<Vec<TraceRow>, ExportError> {
    let mut all = Vec::new();
    for path in parts(directory)? {
        let span = (selection.from.0, selection.to.map_or(u64::MAX, |to| to.0));
        for batch in reader(&path, &TRACE, Some(span))? {
            let rows = Rows(batch.map_err(|cause| ExportError::read(&path, cause))?);
            for index in 0..rows.len() {
                let (time, vc) = (rows.u64(0, index), rows.name(5, index));
                let link = rows.name(4, index).unwrap_or_default();
                if selection.wants(time.unwrap_or_default(), vc, link) {
                    let row = row(&rows, index, names);
                    all.push(row.ok_or_else(|| ExportError::read(&path, unknown(link, vc)))?);
                }
            }
        }
    }
    Ok(all)
}

fn unknown(link: &str, vc: Option<&str>) -> String {
    let vc = vc.unwrap_or("none");
    format!("a row on link `{link}` of VC `{vc}` does not belong to the run's scenario")
}

/// The part files, in order.
fn parts(directory: &Path) -> Result<Vec<PathBuf>, ExportError> {
    let failed = |cause| ExportError::read(directory, cause);
    let mut parts = Vec::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with("trace-") && name.ends_with(".parquet") {
            parts.push(path);
        }
    }
    parts.sort();
    Ok(parts)
}

fn row(rows: &Rows, index: usize, names: &Names) -> Option<TraceRow> {
    let link = rows.name(4, index)?;
    let vc = match rows.name(5, index) {
        None => u32::MAX,
        Some(vc) => names.vcs.iter().position(|name| name == vc)? as u32,
    };
    Some(TraceRow {
        time: SimTime(rows.u64(0, index)?),
        direction: names.links.iter().position(|l| l.0 == link)? as u32,
        vc,
        value: rows.u32(8, index)?,
        fill: rows.u32(9, index)?,
        credit: rows.u32(10, index).unwrap_or(u32::MAX),
        event: EVENTS.iter().find(|e| Some(e.1) == rows.name(7, index))?.0,
        kind: KINDS.iter().find(|k| Some(k.1) == rows.name(6, index))?.0,
    })
}
