//! Schedulers: a kind, or a table, of a node or of a link.

use std::ops::Range;

use hopflow_control::scheduler::{
    Gate, GateList, MeterCheck, SchedulerSpec, StampClock, VirtualClockSpec,
};
use hopflow_units::{Bytes, Picos};

use crate::Code;
use crate::diagnostic::Sink;
use crate::keys::{GATE, LARGEST_FRAME, MOST_GATES, SCHEDULER, SCHEDULER_KINDS};
use crate::machine;
use crate::priorities::priorities;
use crate::section::Section;
use crate::value::Item;

/// The largest quantum.
const LARGEST_QUANTUM: Bytes = Bytes(1_000_000_000);

/// A scheduler and where it was named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen {
    pub(crate) spec: SchedulerSpec,
    pub(crate) span: Range<usize>,
    /// Whether a variant names it, so that it goes before what the scenario itself names.
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
    let more = match kind {
        "deficit-round-robin" => "quantum = \"1500 B\"",
        "tdm" => "frame = 20",
        "schedule-based" => "frame = 20, window = 10",
        "time-aware" => "gates = [{ for = \"20 us\", open = [0] }]",
        "external" => "machine = \"NAME\"",
        _ => return Some(()),
    };
    let message = format!("the scheduler `{kind}` needs more than its name");
    let hint = format!("write `scheduler = {{ kind = \"{kind}\", {more} }}`");
    sink.error(Code::MISSING_KEY, &item.span, message).hint(hint);
    None
}

fn spec(kind: &str, table: &Section<'_>, sink: &mut Sink) -> Option<SchedulerSpec> {
    let count = |key, most: u32, sink: &mut Sink| {
        table.need(key, sink)?.count(0, u64::from(most), sink).map(|count| count as u32)
    };
    Some(match kind {
        "deficit-round-robin" => {
            let quantum = table.need("quantum", sink)?.bytes(Bytes(1), LARGEST_QUANTUM, sink)?;
            SchedulerSpec::DeficitRoundRobin { quantum }
        }
        "virtual-clock" => SchedulerSpec::VirtualClock(virtual_clock(table, sink)?),
        "tdm" => {
            SchedulerSpec::Tdm { frame: count("frame", LARGEST_FRAME, sink).filter(|f| *f > 0)? }
        }
        "schedule-based" => {
            let frame = count("frame", LARGEST_FRAME, sink).filter(|frame| *frame > 0);
            let window = count("window", u32::MAX, sink);
            SchedulerSpec::ScheduleBased { frame: frame?, window: window? }
        }
        "ats" => SchedulerSpec::Ats { max_residence: time(table, "max-residence", sink).ok()? },
        "time-aware" => SchedulerSpec::TimeAware(gates(table, sink)?),
        "external" => {
            let item = table.need("machine", sink)?;
            SchedulerSpec::External(machine::named("scheduler", &item, sink)?)
        }
        _ => SchedulerSpec::without_parameters(kind).expect("those with parameters are above"),
    })
}

fn gates(table: &Section<'_>, sink: &mut Sink) -> Option<GateList> {
    let item = table.need("gates", sink)?;
    let offset = match table.get("offset") {
        Some(item) => item.time(true, sink)?,
        None => Picos::ZERO,
    };
    let list = item.list(sink)?;
    if list.is_empty() || list.len() > MOST_GATES {
        let message = format!("`gates` has {} gates, not 1 to {MOST_GATES}", list.len());
        let hint =
            "write `gates = [{ for = \"20 us\", open = [0] }, { for = \"980 us\", open = [1] }]`";
        sink.error(Code::OUT_OF_RANGE, &item.span, message).hint(hint);
        return None;
    }
    let gate = |one: &Item<'_>| {
        let section = Section::new(one.value.as_table()?, one.span.clone(), &GATE);
        let span = section.need("for", sink)?.time(false, sink);
        let open = priorities(&section.need("open", sink)?, sink);
        Some(Gate { span: span?, open: open? })
    };
    let gates: Option<Vec<Gate>> = list.iter().map(gate).collect();
    let gates = GateList { offset, gates: gates?.into() };
    if gates.cycle().is_none() {
        let message = "the spans of `gates` add up to more than 2^62 ps (53 days)";
        let hint =
            "a gate that opens all priorities for the length of the run is no gate: leave it out";
        sink.error(Code::TOO_MUCH, &item.span, message).hint(hint);
        return None;
    }
    Some(gates)
}

fn virtual_clock(table: &Section<'_>, sink: &mut Sink) -> Option<VirtualClockSpec> {
    let stamp = match table.get("stamp") {
        Some(item) if item.choice(&["aux", "meter"], sink)? == "meter" => StampClock::Meter,
        _ => StampClock::Auxiliary,
    };
    let check = match table.get("check") {
        Some(item) if item.value.as_str() != Some("every-air") => {
            MeterCheck::Every(item.time(false, sink)?)
        }
        _ => MeterCheck::EveryAir,
    };
    let messages = match table.get("messages") {
        Some(item) => item.flag(sink)?,
        None => true,
    };
    let delete_after = match table.get("delete-after") {
        Some(item) if item.value.as_str() == Some("never") => None,
        Some(item) => Some(item.count(0, u64::from(u32::MAX), sink)? as u32),
        // A source that gets no message cannot heed one: then deletion must be asked for.
        None => VirtualClockSpec::default().delete_after.filter(|_| messages),
    };
    let threshold = time(table, "threshold", sink).ok()?;
    let refuse_ahead = time(table, "refuse-ahead", sink).ok()?;
    Some(VirtualClockSpec { stamp, check, threshold, messages, delete_after, refuse_ahead })
}

/// A time that may be left out; an error when it is wrong, which is told.
fn time(table: &Section<'_>, key: &'static str, sink: &mut Sink) -> Result<Option<Picos>, ()> {
    table.get(key).map(|item| item.time(false, sink).ok_or(())).transpose()
}
