//! Rate control of ports: a kind, or a table, of a switch or of a link.
//!
//! A settling time that is not given is filled in after all flows are read: the
//! longest FRTT of the port's flows, and Nrm cells of each of them at the rate of the link.

use std::ops::Range;

use hopflow_control::rate::{ExternalSpec, RateMistake, RateRule};
use hopflow_network::{DirectionId, NetworkSpec, RateSpec, Segment};
use hopflow_units::Picos;

use crate::Code;
use crate::described::{Reads, Words};
use crate::diagnostic::Sink;
use crate::keys::{self, RATE_CONTROL, RATE_KINDS, VS_VD, VirtualSource};
use crate::machine;
use crate::section::Section;
use crate::value::Item;

/// Rate control of a port as it was given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) spec: Option<RateSpec>,
    /// Where it was given.
    pub(crate) span: Range<usize>,
    /// Whether a variant gives it, so that it takes precedence over what the scenario gives.
    pub(crate) is_change: bool,
    /// Whether it was given for this direction alone.
    pub(crate) alone: bool,
    /// Whether the settling time is to be worked out.
    auto_settle: bool,
}

/// What the ports of a switch do: as it says, or as `[defaults]` does.
pub(crate) fn of_node(section: &Section<'_>, sink: &mut Sink) -> Told {
    let told = section.find("rate-control").and_then(|item| told(section, &item, sink));
    let is_change = section.find("rate-control").is_some() && section.is_changed("rate-control");
    Told { is_change, ..told.unwrap_or_default() }
}

/// What the ports at a link's two ends do, where the link says so.
pub(crate) fn of_link(section: &Section<'_>, sink: &mut Sink) -> [Option<Told>; 2] {
    let Some(item) = section.get("rate-control") else { return [None, None] };
    let is_change = section.is_changed("rate-control");
    if !item.value.is_array() {
        let both = told(section, &item, sink).map(|told| Told { is_change, ..told });
        return [both.clone(), both];
    }
    let marked = |told: Told| Told { is_change, alone: true, ..told };
    match item.two(sink) {
        Some(ways) => ways.map(|way| by_itself(&way, sink).map(marked)),
        None => [None, None],
    }
}

/// What is under `rate-control`; a table has that of `[defaults]` behind it.
fn told(section: &Section<'_>, item: &Item<'_>, sink: &mut Sink) -> Option<Told> {
    if !item.value.is_table() {
        return by_itself(item, sink);
    }
    let table = section.table("rate-control", &RATE_CONTROL)?;
    let kind = table.kind(RATE_KINDS, sink)?;
    of_table(kind, &table, sink)
}

/// A kind or a table with nothing behind it.
fn by_itself(item: &Item<'_>, sink: &mut Sink) -> Option<Told> {
    if let Some(table) = item.value.as_table() {
        let table = Section::new(table, item.span.clone(), &RATE_CONTROL);
        let kind = table.kind(RATE_KINDS, sink)?;
        return of_table(kind, &table, sink);
    }
    let kind = item.choice(RATE_KINDS, sink)?;
    let table = Section::empty(item.span.clone(), &RATE_CONTROL);
    if of_table(kind, &table, &mut Sink::new()).is_none() {
        let message = format!("the rate control `{kind}` needs more than its name");
        let more = RATE_CONTROL.such_as(kind).unwrap_or_default();
        let hint = format!("write `rate-control = {{ kind = \"{kind}\", {more} }}`");
        sink.error(Code::MISSING_KEY, &item.span, message).hint(hint);
        return None;
    }
    of_table(kind, &table, sink)
}

fn of_table(kind: &'static str, table: &Section<'_>, sink: &mut Sink) -> Option<Told> {
    let rule = match kind {
        "external" => machine::of_table("rate rule", table, sink)
            .map(|place| Some(RateRule::External(ExternalSpec { place }))),
        _ => keys::read_rate(kind, table, &(), sink),
    };
    let segment = segment(table, sink);
    let (rule, segment) = (rule?, segment?);
    for mistake in rule.iter().flat_map(RateRule::mistakes) {
        told_mistake(&mistake, table, sink);
    }
    if rule.is_none() && matches!(segment, Segment::Virtual(_)) {
        let span = table.get("vs-vd").map_or(table.span.clone(), |item| item.span);
        let message = "a virtual source has no algorithm here that tells it a rate";
        let hint = "choose a kind, such as `erica-plus`, or leave `vs-vd` out";
        sink.error(Code::NO_ALGORITHM, &span, message).hint(hint);
        return None;
    }
    let nothing = rule.is_none() && segment == Segment::Through;
    let settles = rule.is_some_and(|rule| rule.facts().settles);
    let auto_settle = settles && table.get("settle").is_none();
    let spec = (!nothing).then_some(RateSpec { rule, segment });
    Some(Told { spec, span: table.span.clone(), auto_settle, ..Told::default() })
}

fn told_mistake(mistake: &RateMistake, table: &Section<'_>, sink: &mut Sink) {
    let RateMistake { name, value, range } = mistake;
    let span = table.get(name).map_or(table.span.clone(), |item| item.span);
    let message = format!("`{name}` is {value}, but must be {range}");
    sink.error(Code::OUT_OF_RANGE, &span, message);
}

/// Whether loops end at the port.
fn segment(table: &Section<'_>, sink: &mut Sink) -> Option<Segment> {
    let wall = table.flag("wall", sink);
    let given = table.get("vs-vd").filter(|item| item.value.as_bool() != Some(false));
    let Some(item) = given else {
        return Some(if wall { Segment::Wall } else { Segment::Through });
    };
    if wall {
        let message = "`wall` and `vs-vd` do not go together: a loop ends at a virtual source";
        sink.error(Code::CONFLICT, &item.span, message).hint("keep one of them");
        return None;
    }
    let options = match item.value.as_table() {
        Some(options) => Section::new(options, item.span.clone(), &VS_VD),
        None => Section::empty(item.span.clone(), &VS_VD),
    };
    let (spec, is_allowed) = VirtualSource.read(&options, &(), sink)?;
    if !spec.is_stable() && !is_allowed {
        let (rate, input) = (spec.rate.word(), spec.input.word());
        let message = format!(
            "`rate = \"{rate}\"` with `input = \"{input}\"` allots more than there is: load and \
             rates are not those of one place, so neither shows the other's overload"
        );
        let hint = "write `rate = \"measured\", input = \"class\"` or `rate = \"previous\", \
                    input = \"vc\"`, the pairs that [Kalyanaraman97] found stable, or set \
                    `allow-over-allocation = true`";
        sink.error(Code::OVER_ALLOCATION, &item.span, message).hint(hint);
        return None;
    }
    Some(Segment::Virtual(spec))
}

/// Fills in what follows from all flows: settling times that are worked out. `told`: of both
/// directions of each link.
pub(crate) fn fill(network: &mut NetworkSpec, told: &[[Told; 2]]) {
    if !told.iter().flatten().any(|told| told.auto_settle) {
        return;
    }
    for (index, settle) in settling_times(network).into_iter().enumerate() {
        let id = DirectionId(index);
        if !told[id.link()][id.side()].auto_settle || settle == Picos::ZERO {
            continue;
        }
        let direction = &mut network.links[id.link()].directions[id.side()];
        if let Some(rule) = direction.rate_control.as_mut().and_then(|spec| spec.rule.as_mut()) {
            rule.set_settle(settle);
        }
    }
}

/// By direction: the longest FRTT of its flows, and Nrm cells of each of them at its rate. Zero
/// where no flow under `abr` crosses.
fn settling_times(network: &NetworkSpec) -> Vec<Picos> {
    let mut settle = vec![(0, 0); network.direction_count()];
    for vc in &network.vcs {
        let Some(abr) = &vc.rate else { continue };
        let loops = vc.hops.iter().map(|hop| network.loop_time(hop.link).0);
        let frtt = loops.fold(0, u64::saturating_add);
        for hop in &vc.hops {
            let id = hop.direction_id();
            let (longest, cells): &mut (u64, u64) = &mut settle[id.0];
            *longest = frtt.max(*longest);
            *cells = cells.saturating_add(network.cell_time(id).0.saturating_mul(abr.nrm.into()));
        }
    }
    settle.into_iter().map(|(longest, cells)| Picos(longest.saturating_add(cells))).collect()
}
