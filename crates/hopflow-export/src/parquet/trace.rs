//! The trace: every recorded event, in numbered part files, and back.

mod codes;
mod group;
#[cfg(test)]
mod tests;
mod writer;

use std::fs;
use std::path::{Path, PathBuf};

use hopflow::network::{CellKind, DirectionId, NetworkSpec, TraceEvent, TraceRow};
use hopflow::record::direction_names;
use hopflow::units::SimTime;

use super::reader::{Rows, reader};
use super::schema::TRACE;
use crate::ExportError;
#[cfg(test)]
pub(super) use writer::Cut;
pub use writer::TraceWriter;

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

fn file_name(part: usize) -> String {
    format!("trace-{part:05}.parquet")
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
            let rows = batch?;
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
    let direction = names.links.iter().position(|l| l.0 == link)?;
    Some(TraceRow {
        time: SimTime(rows.u64(0, index)?),
        direction: direction as u32,
        vc,
        value: rows.u32(8, index)?,
        fill: rows.u32(9, index)?,
        credit: rows.u32(10, index).unwrap_or(u32::MAX),
        event: TraceEvent::of(rows.name(7, index)?)?,
        kind: CellKind::of(rows.name(6, index)?)?,
        at_receiver: rows.name(1, index)? == names.links[direction].2,
    })
}
