//! Events: changes of a link direction on the timeline.

use std::collections::BTreeMap;
use std::ops::Range;

use hopflow_network::{
    Change, CreditsOf, DirectionId, EventSpec, FALSE_MOST, LaneKey, LanesSpec, VcSpec,
};
use hopflow_units::SimTime;

use crate::Code;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::event::{
    AT, BLOCKED, BY, CORRUPT_CREDITS, CORRUPT_DATA, CORRUPT_NEXT_CREDITS, FALSIFY_NEXT_CREDITS,
    FLOW, FROM, LANE, NAME, TO,
};
use crate::link::Links;
use crate::node::Nodes;
use crate::section::Section;
use crate::template;
use crate::value::Item;

/// What the keys of an event refer to.
struct Known<'a> {
    vcs: &'a [VcSpec],
    flows: &'a BTreeMap<String, usize>,
    /// The direction that changes, and the lanes of its reverse, where the data runs that credits
    /// here are about.
    direction: DirectionId,
    lanes: Option<LanesSpec>,
}

/// The names of events, and their places.
pub(crate) type Named = BTreeMap<String, Range<usize>>;

/// Adds the name of an event, if it has one: no two events have the same.
pub(crate) fn note_name(event: &Section<'_>, named: &mut Named, sink: &mut Sink) {
    let Some(item) = NAME.item(event) else { return };
    let text = item.text(sink);
    let Some(name) = text.and_then(|text| template::name(text, &item.span, None, sink)) else {
        return;
    };
    if let Some(first) = named.get(&name) {
        let message = format!("two events are named `{name}`");
        sink.error(Code::DUPLICATE, &item.span, message).label(first.clone(), "the first one");
        return;
    }
    named.insert(name, item.span);
}

/// The changes that one `[[event]]` makes.
pub(crate) fn read(
    event: &Section<'_>,
    nodes: &Nodes,
    links: &Links,
    vcs: &[VcSpec],
    flows: &BTreeMap<String, usize>,
    sink: &mut Sink,
) -> Option<Vec<EventSpec>> {
    let (from, to) = (FROM.read(event, &(), sink), TO.read(event, &(), sink));
    let at = AT.need(event, sink);
    let (from, to, _) = (from?, to?, at?);
    let direction = links.find([&from, &to], &TO.place(event), nodes, sink)?;
    let at = SimTime(AT.read(event, &links.cell_time(direction), sink)?.0);
    let lanes = links.shared[direction.link()][direction.reverse().side()].lanes;
    let changes = changes(event, &Known { vcs, flows, direction, lanes }, sink)?;
    if changes.is_empty() {
        let message = "this event changes nothing";
        let hint = "add `corrupt-data`, `corrupt-credits`, `corrupt-next-credits`, \
                    `falsify-next-credits` or `blocked`";
        sink.error(Code::MISSING_KEY, &event.span, message).hint(hint);
    }
    let (link, direction) = (direction.link(), direction.side());
    Some(changes.into_iter().map(|change| EventSpec { at, link, direction, change }).collect())
}

fn changes(event: &Section<'_>, known: &Known<'_>, sink: &mut Sink) -> Option<Vec<Change>> {
    let mut changes = Vec::new();
    changes.extend(CORRUPT_DATA.read(event, &(), sink)?.map(Change::CorruptData));
    changes.extend(CORRUPT_CREDITS.read(event, &(), sink)?.map(Change::CorruptCredits));
    let corrupted = CORRUPT_NEXT_CREDITS.read(event, &(), sink)?;
    let falsified = FALSIFY_NEXT_CREDITS.read(event, &(), sink)?;
    let (flow, lane) = (FLOW.item(event), LANE.item(event));
    if let (Some(flow), None, None) = (&flow, corrupted, falsified) {
        let message = "`flow` needs `corrupt-next-credits` or `falsify-next-credits`";
        let hint = "add one of them, or leave `flow` out";
        sink.error(Code::CONFLICT, &flow.span, message).hint(hint);
        return None;
    }
    for item in [BY.item(event), lane.clone()].into_iter().flatten() {
        if falsified.is_none() {
            let message = format!("`{}` needs `falsify-next-credits`", item.key);
            let hint = format!("add it, or leave `{}` out", item.key);
            sink.error(Code::CONFLICT, &item.span, message).hint(hint);
            return None;
        }
    }
    let credited = |item: Item<'_>| credited_vc(&item, known, sink).map(Some);
    let vc = flow.clone().map_or(Some(None), credited)?;
    changes.extend(corrupted.map(|count| Change::CorruptNextCredits { count, vc }));
    if let Some(count) = falsified {
        let error = error(event, sink)?;
        let of = match (vc, &lane) {
            (Some(_), Some(lane)) => {
                let message = "an event falsifies credits of a `flow` or of a `lane`, not of both";
                sink.error(Code::CONFLICT, &lane.span, message).hint("write two events");
                return None;
            }
            (_, Some(lane)) => CreditsOf::Lane(credited_lane(event, lane, known, sink)?),
            (Some(vc), None) => CreditsOf::Vc(vc),
            (None, None) => CreditsOf::AnyVc,
        };
        changes.push(Change::FalsifyNextCredits { count, error, of });
    }
    changes.extend(BLOCKED.read(event, &(), sink)?.map(Change::Blocked));
    Some(changes)
}

/// By how much credits are wrong.
fn error(event: &Section<'_>, sink: &mut Sink) -> Option<i32> {
    let item = BY.need(event, sink)?;
    let by = BY.read(event, &(), sink)??;
    if by.fract() != 0.0 || !(1.0..=f64::from(FALSE_MOST)).contains(&by.abs()) {
        let message = format!(
            "`by` is {by}, but must be a whole number from 1 to {FALSE_MOST}, or the same below 0"
        );
        sink.error(Code::OUT_OF_RANGE, &item.span, message);
        return None;
    }
    Some(by as i32)
}

/// The lane whose credits come by on this direction.
fn credited_lane(
    event: &Section<'_>,
    item: &Item<'_>,
    known: &Known<'_>,
    sink: &mut Sink,
) -> Option<u16> {
    let lane = LANE.read(event, &(), sink)?? as u8;
    let lanes = known.lanes.filter(|lanes| lanes.covers(lane));
    if lanes.is_none_or(|lanes| lanes.rule.promise().is_none()) {
        let message = format!("no credits of lane {lane} cross this link direction");
        sink.error(Code::HOP_NOT_CROSSED, &item.span, message)
            .hint("lane credits run against the data: swap `from` and `to`, or name another lane");
        return None;
    }
    if lanes.is_some_and(|lanes| lanes.per == LaneKey::Destination) {
        let message = "an event cannot falsify credits of lanes per destination";
        sink.error(Code::CONFLICT, &item.span, message)
            .hint("leave `per` of `lanes` out, or falsify the credits of a flow");
        return None;
    }
    Some(lane.into())
}

/// The VC that `item` names, whose credits must come by on this direction.
fn credited_vc(item: &Item<'_>, known: &Known<'_>, sink: &mut Sink) -> Option<usize> {
    let vc = crate::names::find_flow(item.text(sink)?, &item.span, known.flows, sink)?;
    let data = known.direction.reverse();
    if !known.vcs[vc].hops.iter().any(|hop| hop.direction_id() == data) {
        let name = &known.vcs[vc].name;
        let message = format!("credits of `{name}` never cross this link direction");
        sink.error(Code::HOP_NOT_CROSSED, &item.span, message)
            .hint("credits run against the data: swap `from` and `to`, or name another flow");
        return None;
    }
    Some(vc)
}
