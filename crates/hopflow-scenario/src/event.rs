//! Events: changes of a link direction on the timeline.

use std::collections::BTreeMap;

use hopflow_network::{Change, DirectionId, EventSpec, VcSpec};
use hopflow_units::SimTime;

use crate::Code;
use crate::described::Reads;
use crate::diagnostic::Sink;
use crate::keys::event::{
    AT, BLOCKED, CORRUPT_CREDITS, CORRUPT_DATA, CORRUPT_NEXT_CREDITS, FLOW, FROM, TO,
};
use crate::link::Links;
use crate::node::Nodes;
use crate::section::Section;
use crate::value::Item;

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
    let changes = changes(event, direction, vcs, flows, sink)?;
    if changes.is_empty() {
        let message = "this event changes nothing";
        let hint = "add `corrupt-data`, `corrupt-credits`, `corrupt-next-credits` or `blocked`";
        sink.error(Code::MISSING_KEY, &event.span, message).hint(hint);
    }
    let (link, direction) = (direction.link(), direction.side());
    Some(changes.into_iter().map(|change| EventSpec { at, link, direction, change }).collect())
}

fn changes(
    event: &Section<'_>,
    direction: DirectionId,
    vcs: &[VcSpec],
    flows: &BTreeMap<String, usize>,
    sink: &mut Sink,
) -> Option<Vec<Change>> {
    let mut changes = Vec::new();
    changes.extend(CORRUPT_DATA.read(event, &(), sink)?.map(Change::CorruptData));
    changes.extend(CORRUPT_CREDITS.read(event, &(), sink)?.map(Change::CorruptCredits));
    let (next, flow) = (CORRUPT_NEXT_CREDITS.read(event, &(), sink)?, FLOW.item(event));
    if let (Some(flow), None) = (&flow, next) {
        let message = "`flow` goes with `corrupt-next-credits` only";
        sink.error(Code::CONFLICT, &flow.span, message);
        return None;
    }
    if let Some(count) = next {
        let credited = |item: Item<'_>| credited_vc(&item, direction, vcs, flows, sink).map(Some);
        let vc = flow.map_or(Some(None), credited)?;
        changes.push(Change::CorruptNextCredits { count, vc });
    }
    changes.extend(BLOCKED.read(event, &(), sink)?.map(Change::Blocked));
    Some(changes)
}

/// The VC that `item` names, whose credits must come by on this direction.
fn credited_vc(
    item: &Item<'_>,
    direction: DirectionId,
    vcs: &[VcSpec],
    flows: &BTreeMap<String, usize>,
    sink: &mut Sink,
) -> Option<usize> {
    let vc = crate::names::find_flow(item.text(sink)?, &item.span, flows, sink)?;
    let data = direction.reverse();
    if !vcs[vc].hops.iter().any(|hop| hop.direction_id() == data) {
        let name = &vcs[vc].name;
        let message = format!("credits of `{name}` never come by here");
        sink.error(Code::HOP_NOT_CROSSED, &item.span, message)
            .hint("credits run against the data: swap `from` and `to`, or name another flow");
        return None;
    }
    Some(vc)
}
