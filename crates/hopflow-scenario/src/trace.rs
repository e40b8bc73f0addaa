//! Which rows of a trace are kept: `trace` of `[record]`, and of the command line.
//!
//! `true` is every row, a list is every row of the flows and links in it, and a table is what meets
//! all of its keys.

mod empty;

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_network::{CellKind, NetworkSpec, TraceFilter, TracePart};
use hopflow_units::{Picos, SimTime};

use crate::Code;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::form::{check_table, toml};
use crate::keys::record::{FLOWS, FROM, KINDS, LINKS, RECORD, TO, TRACE_KEY};
use crate::keys::run::CellOfRun;
use crate::link::Links;
use crate::names::{Names, find_flow};
use crate::node::Nodes;
use crate::run_time::common_cell_time;
use crate::section::Section;
use crate::value::Item;
pub(crate) use empty::why_empty;

/// What the command line asks of the trace; empty: everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceChoice {
    /// Names of flows.
    pub flows: Vec<String>,
    /// Links, `S->B` or `S<->B`.
    pub links: Vec<String>,
    /// Kinds of units, such as `data`.
    pub kinds: Vec<String>,
    /// From when on, `1 ms`.
    pub from: Option<String>,
    /// Until when, exclusive.
    pub to: Option<String>,
}

impl TraceChoice {
    /// As it would stand in a scenario.
    pub(crate) fn text(&self) -> String {
        let word = |text: &String| toml::Value::String(text.clone()).to_string();
        let list = |key: &str, texts: &[String]| {
            let words: Vec<String> = texts.iter().map(word).collect();
            (!texts.is_empty()).then(|| format!("{key} = [{}]", words.join(", ")))
        };
        let one = |key: &str, text: &Option<String>| {
            text.as_ref().map(|text| format!("{key} = {}", word(text)))
        };
        let keys = [
            list("flows", &self.flows),
            list("links", &self.links),
            list("kinds", &self.kinds),
            one("from", &self.from),
            one("to", &self.to),
        ];
        let keys: Vec<String> = keys.into_iter().flatten().collect();
        if keys.is_empty() {
            return "trace = true".to_owned();
        }
        format!("trace = {{ {} }}", keys.join(", "))
    }
}

/// Reads `trace` of a table `[record]`. `cell_time`: that of `duration`; `duration`: where
/// the run ends, if that is known.
pub(crate) fn read(
    section: &Section<'_>,
    names: Names<'_>,
    cell_time: CellOfRun,
    duration: Option<Picos>,
    sink: &mut Sink,
) -> TraceFilter {
    let (vcs, directions) = (names.flows.len(), 2 * names.links.specs.len());
    let Some(item) = section.get(&TRACE_KEY) else {
        return TraceFilter::none();
    };
    match item.value.as_bool() {
        Some(true) => return TraceFilter::all(vcs, directions),
        Some(false) => return TraceFilter::none(),
        None => {}
    }
    if let Some(section) = Section::of_item(&item, &TRACE_KEY) {
        let part = Some(part(&section, names, cell_time, duration, sink));
        return TraceFilter { part, ..TraceFilter::none() };
    }
    let Marks { vcs, directions } = marked(&item, |text| text.contains("->"), names, sink);
    TraceFilter { vcs, directions, part: None }
}

/// The flows and link directions that a list names.
struct Marks {
    vcs: Vec<bool>,
    directions: Vec<bool>,
}

/// What `item` lists; `is_link`: whether a text names a link.
fn marked(item: &Item<'_>, is_link: fn(&str) -> bool, names: Names<'_>, sink: &mut Sink) -> Marks {
    let mut vcs = vec![false; names.flows.len()];
    let mut directions = vec![false; 2 * names.links.specs.len()];
    for (text, span) in item.names(sink).unwrap_or_default() {
        if is_link(text) {
            mark_link(text, &span, names, &mut directions, sink);
        } else if let Some(vc) = find_flow(text, &span, names.flows, sink) {
            vcs[vc] = true;
        }
    }
    Marks { vcs, directions }
}

/// Reads the table, whose keys have been checked.
fn part(
    section: &Section<'_>,
    names: Names<'_>,
    cell_time: CellOfRun,
    duration: Option<Picos>,
    sink: &mut Sink,
) -> TracePart {
    let mut part = TracePart::default();
    let flows = section.get(&FLOWS);
    part.vcs = flows.map(|item| marked(&item, |_| false, names, sink).vcs);
    let links = section.get(&LINKS);
    part.directions = links.map(|item| marked(&item, |_| true, names, sink).directions);
    if let Some(kinds) = KINDS.read(section, &(), sink).flatten() {
        part.kinds = CellKind::ALL.map(|kind| kinds.contains(&kind));
    }
    span(section, cell_time, duration, &mut part, sink);
    part
}

/// The span of time, which must hold something.
fn span(
    section: &Section<'_>,
    cell_time: CellOfRun,
    duration: Option<Picos>,
    part: &mut TracePart,
    sink: &mut Sink,
) {
    let start = FROM.read(section, &cell_time, sink).unwrap_or_default();
    let end = TO.read(section, &cell_time, sink).flatten();
    part.from = SimTime(start.0);
    part.to = end.map_or(SimTime::NEVER, |end| SimTime(end.0));
    if let Some(end) = end.filter(|end| *end <= start) {
        let message = format!(
            "the trace would be empty: it ends at {end}, not after its start \
                               at {start}"
        );
        let hint = "raise `to` above `from`, or leave it out to record to the end of the run";
        sink.error(Code::OUT_OF_RANGE, &TO.place(section), message).hint(hint);
    } else if let Some(duration) = duration.filter(|duration| start >= *duration) {
        let message = format!(
            "the trace would be empty: it starts at {start}, but the run ends \
                               at {duration}"
        );
        let hint = "lower `from`, or give the run a longer `duration`";
        sink.error(Code::OUT_OF_RANGE, &FROM.place(section), message).hint(hint);
    }
}

/// Marks a link direction, `S->B`, or both of a link, `S<->B`.
fn mark_link(
    text: &str,
    span: &Range<usize>,
    names: Names<'_>,
    directions: &mut [bool],
    sink: &mut Sink,
) {
    let one_way = text.replacen("<->", "->", 1);
    let both = one_way != text;
    if let Some(id) = names.direction(&one_way, span, sink) {
        directions[id.0] = true;
        directions[id.reverse().0] |= both;
    }
}

/// Reads what a choice asks for in `network`.
pub(crate) fn chosen(text: &str, network: &NetworkSpec, sink: &mut Sink) -> Option<TraceFilter> {
    let root = toml(text, sink)?;
    check_table(root.get_ref(), &RECORD, None, sink);
    let nodes = Nodes::named(&network.nodes);
    let links = Links::joined(&network.links);
    let flows: BTreeMap<String, usize> =
        network.vcs.iter().map(|vc| vc.name.clone()).zip(0..).collect();
    let names = Names { nodes: &nodes, links: &links, flows: &flows };
    let section = Section::new(root.get_ref(), 0..text.len(), &RECORD);
    let cell_time = Ok(common_cell_time(network));
    let filter = read(&section, names, cell_time, Some(network.duration), sink);
    if let (false, Some([message, hint])) = (sink.has_errors(), why_empty(&filter, network)) {
        sink.error(Code::EMPTY_TRACE, &(0..text.len()), message).hint(hint);
    }
    Some(filter)
}
