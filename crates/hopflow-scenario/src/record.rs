//! What is recorded: the `[record]` table.

use std::ops::Range;

use hopflow_network::DirectionId;
use hopflow_record::RecordSpec;
use hopflow_units::Picos;

use crate::Code;
use crate::described::ReadIn;
use crate::diagnostic::Sink;
use crate::keys::Key;
use crate::keys::record::{CREDITS, DELAYS, QUEUES, RATES, THROUGHPUT, WINDOW};
use crate::keys::run::{CellOfRun, OfRun};
use crate::names::{Names, find_flow};
use crate::naming::short;
use crate::section::Section;
use crate::trace;

/// Reads `[record]`. `cell_time`: that of `duration`.
pub(crate) fn read(
    section: &Section<'_>,
    names: Names<'_>,
    cell_time: CellOfRun,
    duration: Option<Picos>,
    sink: &mut Sink,
) -> RecordSpec {
    let throughput = directions(section, &THROUGHPUT, names, sink);
    let credits = directions(section, &CREDITS, names, sink);
    let node =
        |text: &str, span: &Range<usize>, sink: &mut Sink| names.nodes.find(text, span, sink);
    let queues = listed(section, &QUEUES, names.nodes.specs.len(), node, sink);
    let flow =
        |text: &str, span: &Range<usize>, sink: &mut Sink| find_flow(text, span, names.flows, sink);
    let rates = listed(section, &RATES, names.flows.len(), flow, sink);
    let delays = listed(section, &DELAYS, names.flows.len(), flow, sink);
    RecordSpec {
        window: window(section, cell_time, sink),
        throughput,
        queues,
        credits,
        rates,
        delays,
        trace: trace::read(section, names, cell_time, duration, sink),
    }
}

/// The link directions that a key lists.
pub(crate) fn directions(
    section: &Section<'_>,
    key: &Key,
    names: Names<'_>,
    sink: &mut Sink,
) -> Vec<DirectionId> {
    let find = |text: &str, span: &Range<usize>, sink: &mut Sink| {
        names.direction(text, span, sink).map(|id| id.0)
    };
    let indices = listed(section, key, 2 * names.links.specs.len(), find, sink);
    indices.into_iter().map(DirectionId).collect()
}

/// Indices of what a key lists: all for `true`, none for `false` or nothing; each once.
fn listed(
    section: &Section<'_>,
    key: &Key,
    all: usize,
    find: impl Fn(&str, &Range<usize>, &mut Sink) -> Option<usize>,
    sink: &mut Sink,
) -> Vec<usize> {
    let Some(item) = section.get(key) else {
        return Vec::new();
    };
    match item.value.as_bool() {
        Some(true) => return (0..all).collect(),
        Some(false) => return Vec::new(),
        None => {}
    }
    let mut indices: Vec<usize> = Vec::new();
    for (text, span) in item.names(sink).unwrap_or_default() {
        let Some(index) = find(text, &span, sink) else {
            continue;
        };
        if indices.contains(&index) {
            let message = format!("`{}` is named twice in `{}`", short(text), key.name);
            sink.error(Code::DUPLICATE, &span, message);
        }
        indices.push(index);
    }
    indices
}

fn window(section: &Section<'_>, cell_time: CellOfRun, sink: &mut Sink) -> Option<Picos> {
    let item = section.get(&WINDOW)?;
    // The default, in the cell times of each link.
    if item.text(sink)?.split_whitespace().eq(["25", "cells"]) {
        return None;
    }
    OfRun::<false>::read(&item, &cell_time, sink)
}
