//! Schedulers: a kind, or a table, of a node or of a link.

use std::ops::Range;

use hopflow_control::scheduler::SchedulerSpec;

use crate::Code;
use crate::diagnostic::Sink;
use crate::keys::{self, SCHEDULER, SCHEDULER_KINDS};
use crate::machine;
use crate::section::Section;
use crate::value::Item;

/// A scheduler and where it was named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen {
    pub(crate) spec: SchedulerSpec,
    pub(crate) span: Range<usize>,
    /// Whether a variant names it, so that it takes precedence over what the scenario names.
    pub(crate) is_change: bool,
}

/// The scheduler of a node's ports: its own, or that of `[defaults]`. Round robin where none is
/// named, or where it is wrong.
pub(crate) fn of_node(section: &Section<'_>, sink: &mut Sink) -> Chosen {
    let chosen = section.get("scheduler").and_then(|item| chosen(section, &item, sink));
    Chosen { is_change: section.is_changed("scheduler"), ..chosen.unwrap_or_default() }
}

/// The schedulers of a link's two directions, where it names any.
pub(crate) fn of_link(section: &Section<'_>, sink: &mut Sink) -> [Option<Chosen>; 2] {
    let Some(item) = section.get("scheduler") else { return [None, None] };
    let is_change = section.is_changed("scheduler");
    let marked = |chosen: Option<Chosen>| chosen.map(|chosen| Chosen { is_change, ..chosen });
    if !item.value.is_array() {
        let both = marked(chosen(section, &item, sink));
        return [both.clone(), both];
    }
    match item.two(sink) {
        Some(ways) => ways.map(|way| marked(alone(&way, sink))),
        None => [None, None],
    }
}

/// What is under `scheduler`; a table has that of `[defaults]` behind it.
fn chosen(section: &Section<'_>, item: &Item<'_>, sink: &mut Sink) -> Option<Chosen> {
    if !item.value.is_table() {
        return alone(item, sink);
    }
    let table = section.table("scheduler", &SCHEDULER)?;
    let kind = table.kind(SCHEDULER_KINDS, sink)?;
    let spec = spec(kind, &table, sink)?;
    Some(Chosen { spec, span: item.span.clone(), is_change: false })
}

/// A kind or a table with nothing behind it.
fn alone(item: &Item<'_>, sink: &mut Sink) -> Option<Chosen> {
    let span = item.span.clone();
    let (kind, table) = if let Some(table) = item.value.as_table() {
        let table = Section::new(table, span.clone(), &SCHEDULER);
        (table.kind(SCHEDULER_KINDS, sink)?, table)
    } else {
        let kind = item.choice(SCHEDULER_KINDS, sink)?;
        says_enough(kind, item, sink)?;
        (kind, Section::empty(span.clone(), &SCHEDULER))
    };
    Some(Chosen { spec: spec(kind, &table, sink)?, span, is_change: false })
}

/// An error when the kind alone does not do.
fn says_enough(kind: &str, item: &Item<'_>, sink: &mut Sink) -> Option<()> {
    let Some(more) = SCHEDULER.such_as(kind) else { return Some(()) };
    let message = format!("the scheduler `{kind}` needs more than its name");
    let hint = format!("write `scheduler = {{ kind = \"{kind}\", {more} }}`");
    sink.error(Code::MISSING_KEY, &item.span, message).hint(hint);
    None
}

fn spec(kind: &str, table: &Section<'_>, sink: &mut Sink) -> Option<SchedulerSpec> {
    if kind == "external" {
        return machine::of_table("scheduler", table, sink).map(SchedulerSpec::External);
    }
    let read = keys::read_scheduler(kind, table, &(), sink)?;
    read.or_else(|| SchedulerSpec::without_parameters(kind))
}
