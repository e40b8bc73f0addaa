//! What is recorded: the `[record]` table.

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_network::DirectionId;
use hopflow_record::RecordSpec;
use hopflow_units::Picos;

use crate::Code;
use crate::diagnostic::Sink;
use crate::link::Links;
use crate::naming::short;
use crate::node::Nodes;
use crate::section::Section;
use crate::trace;
use crate::value::nearest;

/// Names that `[record]` may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'m> {
    pub(crate) nodes: &'m Nodes,
    pub(crate) links: &'m Links,
    pub(crate) flows: &'m BTreeMap<String, usize>,
}

/// Reads `[record]`. `cell_time`: that of `duration`, if it can be told.
pub(crate) fn read(
    section: &Section<'_>,
    names: Names<'_>,
    cell_time: Option<Picos>,
    duration: Option<Picos>,
    sink: &mut Sink,
) -> RecordSpec {
    let directions = 2 * names.links.specs.len();
    let direction = |text: &str, span: &Range<usize>, sink: &mut Sink| {
        names.direction(text, span, sink).map(|id| id.0)
    };
    let throughput = listed(section, "throughput", directions, direction, sink);
    let credits = listed(section, "credits", directions, direction, sink);
    let node =
        |text: &str, span: &Range<usize>, sink: &mut Sink| names.nodes.find(text, span, sink);
    let queues = listed(section, "queues", names.nodes.specs.len(), node, sink);
    let flow =
        |text: &str, span: &Range<usize>, sink: &mut Sink| find_flow(text, span, names.flows, sink);
    let rates = listed(section, "rates", names.flows.len(), flow, sink);
    let delays = listed(section, "delays", names.flows.len(), flow, sink);
    RecordSpec {
        window: window(section, cell_time, sink),
        throughput: throughput.into_iter().map(DirectionId).collect(),
        queues,
        credits: credits.into_iter().map(DirectionId).collect(),
        rates,
        delays,
        trace: trace::read(section, names, cell_time, duration, sink),
    }
}

/// The link directions whose queue's lengths are counted, by index.
pub(crate) fn lengths(section: &Section<'_>, names: Names<'_>, sink: &mut Sink) -> Vec<usize> {
    let direction = |text: &str, span: &Range<usize>, sink: &mut Sink| {
        names.direction(text, span, sink).map(|id| id.0)
    };
    listed(section, "lengths", 2 * names.links.specs.len(), direction, sink)
}

/// Indices of what a key lists: all for `true`, none for `false` or nothing; each once.
fn listed(
    section: &Section<'_>,
    key: &'static str,
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
            let message = format!("`{}` is named twice in `{key}`", short(text));
            sink.error(Code::DUPLICATE, &span, message);
        }
        indices.push(index);
    }
    indices
}

fn window(section: &Section<'_>, cell_time: Option<Picos>, sink: &mut Sink) -> Option<Picos> {
    let item = section.get("window")?;
    let text = item.text(sink)?;
    // The default, told in the cell times of each link.
    if text.split_whitespace().eq(["25", "cells"]) {
        return None;
    }
    if text.trim_end().ends_with("cells") && cell_time.is_none() {
        whose_cells(&item.span, "window", sink);
        return None;
    }
    item.span(cell_time.unwrap_or(Picos(1)), false, sink)
}

/// A time in cells, but of no link in particular.
pub(crate) fn whose_cells(span: &Range<usize>, key: &str, sink: &mut Sink) {
    let message = format!("`{key}` is in cells, but cell times of the links differ");
    let hint = "give it as a time, or add `cell-time-of = [\"A\", \"S\"]`";
    sink.error(Code::WHOSE_CELLS, span, message).hint(hint);
}

impl Names<'_> {
    /// A direction written `"A->B"` or `"A->B#2"`.
    pub(crate) fn direction(
        &self,
        text: &str,
        span: &Range<usize>,
        sink: &mut Sink,
    ) -> Option<DirectionId> {
        let Some((from, to)) = text.split_once("->") else {
            let message = format!("`{}` is no link direction", short(text));
            sink.error(Code::NO_SUCH_LINK, span, message).hint("write `\"FROM->TO\"`");
            return None;
        };
        self.links.find([from.trim(), to.trim()], span, self.nodes, sink)
    }
}

/// The flow of this name.
pub(crate) fn find_flow(
    name: &str,
    span: &Range<usize>,
    flows: &BTreeMap<String, usize>,
    sink: &mut Sink,
) -> Option<usize> {
    let found = flows.get(name).copied();
    if found.is_none() {
        let message = format!("no flow is named `{}`", short(name));
        let error = sink.error(Code::UNKNOWN_NAME, span, message);
        if let Some(near) = nearest(name, flows.keys().map(String::as_str)) {
            error.hint(format!("did you mean `{near}`?"));
        }
    }
    found
}
