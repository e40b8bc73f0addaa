//! Events: changes of a link direction on the timeline.

use std::collections::BTreeMap;

use hopflow_network::{Change, DirectionId, EventSpec, VcSpec};
use hopflow_units::SimTime;

use crate::Code;
use crate::diagnostic::Sink;
use crate::link::Links;
use crate::node::Nodes;
use crate::section::Section;

/// The changes that one `[[event]]` makes.
pub(crate) fn read(
    event: &Section<'_>,
    nodes: &Nodes,
    links: &Links,
    vcs: &[VcSpec],
    flows: &BTreeMap<String, usize>,
    sink: &mut Sink,
) -> Option<Vec<EventSpec>> {
    let from = event.need("from", sink);
    let to = event.need("to", sink);
    let at = event.need("at", sink);
    let (from, to, at) = (from?, to?, at?);
    let names = [from.text(sink)?, to.text(sink)?];
    let direction = links.find(names, &to.span, nodes, sink)?;
    let at = SimTime(at.span(links.cell_time(direction), true, sink)?.0);
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
    if let Some(item) = event.get("corrupt-data") {
        changes.push(Change::CorruptData(item.probability(sink)?));
    }
    if let Some(item) = event.get("corrupt-credits") {
        changes.push(Change::CorruptCredits(item.probability(sink)?));
    }
    let next = event.get("corrupt-next-credits");
    if let Some(flow) = event.get("flow").filter(|_| next.is_none()) {
        let message = "`flow` goes with `corrupt-next-credits` only";
        sink.error(Code::CONFLICT, &flow.span, message);
        return None;
    }
    if let Some(item) = next {
        let count = item.count(1, u64::from(u32::MAX), sink)? as u32;
        let vc = event
            .or("flow", None, |_| credited_vc(event, direction, vcs, flows, sink).map(Some))?;
        changes.push(Change::CorruptNextCredits { count, vc });
    }
    if let Some(item) = event.get("blocked") {
        changes.push(Change::Blocked(item.flag(sink)?));
    }
    Some(changes)
}

/// The VC of `flow`, whose credits must come by on this direction.
fn credited_vc(
    event: &Section<'_>,
    direction: DirectionId,
    vcs: &[VcSpec],
    flows: &BTreeMap<String, usize>,
    sink: &mut Sink,
) -> Option<usize> {
    let item = event.get("flow")?;
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
