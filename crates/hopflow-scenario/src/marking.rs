//! Ports that mark: `marking` of a switch or of a link.

use std::ops::Range;

use hopflow_control::marking::{Length, MarkingRule, MarkingSpec, Moment};
use serde_json::{Value, json};

use crate::diagnostic::Sink;
use crate::keys::{MARKING, MOMENTS};
use crate::section::Section;

/// What a port marks, as it was told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) spec: Option<MarkingSpec>,
    /// Where it was told.
    pub(crate) span: Range<usize>,
    /// Whether a variant tells it, so that it goes before what the scenario itself tells.
    pub(crate) is_change: bool,
}

/// What a switch or a link says of it, if it does.
pub(crate) fn read(section: &Section<'_>, sink: &mut Sink) -> Option<Told> {
    let item = section.find("marking")?;
    let is_change = section.is_changed("marking");
    if !item.value.is_table() {
        return Some(Told { spec: None, span: item.span, is_change });
    }
    let table = section.table("marking", &MARKING)?;
    let spec = spec(&table, sink);
    Some(Told { spec, span: table.span.clone(), is_change })
}

fn spec(table: &Section<'_>, sink: &mut Sink) -> Option<MarkingSpec> {
    // One kind, of one parameter.
    table.kind(MarkingRule::NAMES, sink)?;
    let threshold = table.need("threshold", sink)?.queue_length(sink)?;
    let moment = match table.get("at") {
        Some(item) if item.choice(MOMENTS, sink)? == "departure" => Moment::Departure,
        _ => Moment::Arrival,
    };
    Some(MarkingSpec { rule: MarkingRule::Step(threshold), moment })
}

/// Written out.
pub(crate) fn written(spec: MarkingSpec) -> Value {
    let MarkingRule::Step(threshold) = spec.rule;
    let (key, length) = match threshold {
        Length::Packets(packets) => ("threshold_packets", u64::from(packets)),
        Length::Bytes(bytes) => ("threshold_bytes", bytes),
    };
    let at = match spec.moment {
        Moment::Arrival => "arrival",
        Moment::Departure => "departure",
    };
    json!({ "at": at, "kind": spec.rule.name(), key: length })
}
