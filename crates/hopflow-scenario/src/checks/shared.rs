//! Shared buffers, pauses and lanes against the flows and nodes of their links.

use std::ops::Range;

use hopflow_control::credit::Sharers;
use hopflow_network::{
    CreditSpec, DirectionId, LaneKey, LaneNumbers, LanesSpec, Limit, Load, NetworkSpec, NodeKind,
    VcSpec,
};
use hopflow_units::{Bytes, Cells};

use crate::Code;
use crate::build::Built;
use crate::credit_loop::amount;
use crate::diagnostic::Sink;
use crate::keys::network::{BUFFER, RECEIVE_BUFFER, VC_BUFFER};
use crate::naming::direction;

/// A mistake of one direction.
struct Finding {
    span: Range<usize>,
    code: Code,
    message: String,
    hint: String,
}

/// Reports every error; a mistake in many directions of one table is reported for the first.
pub(super) fn check(built: &Built, sink: &mut Sink) {
    let mut findings = Vec::new();
    buffers(built, &mut findings);
    lanes(built, &mut findings);
    while !findings.is_empty() {
        let (code, span) = (findings[0].code, findings[0].span.clone());
        let alike = |finding: &mut Finding| finding.code == code && finding.span == span;
        let alike: Vec<Finding> = findings.extract_if(.., alike).collect();
        let first = &alike[0];
        let message = match alike.len() {
            1 => first.message.clone(),
            count => format!("{} (and {} more alike)", first.message, count - 1),
        };
        sink.error(code, &span, message).hint(first.hint.clone());
    }
}

fn lanes(built: &Built, findings: &mut Vec<Finding>) {
    let network = &built.network;
    if network.links.iter().flat_map(|link| &link.directions).all(|d| d.lanes.is_none()) {
        return;
    }
    let (largest, branching) = (network.largest_of_lanes(), network.branching());
    let numbers = LaneNumbers::new(network);
    for id in (0..network.direction_count()).map(DirectionId) {
        let Some(lanes) = network.direction(id).lanes else { continue };
        findings.extend(holds_a_packet(built, id, lanes, &largest[id.0]));
        if lanes.per == LaneKey::Destination {
            findings.extend(ends_twice(built, id, lanes));
            findings.extend(too_many(built, id, &numbers));
        }
        if lanes.has_watchdog() {
            findings.extend(may_discard(built, id, branching[id.0]));
        }
    }
}

/// Every shared buffer has room for a packet of each of its flows, and its node has room for it.
fn buffers(built: &Built, findings: &mut Vec<Finding>) {
    let network = &built.network;
    let (all, sharers) = (network.sharing_hops(), network.sharers());
    for (index, members) in all.iter().enumerate() {
        let id = DirectionId(index);
        let Some(buffer) = network.direction(id).shared_buffer else { continue };
        let members = network.sharing(members);
        let given = built.links.shared[id.link()][id.side()].buffer_keys.as_ref();
        let span = given.map_or(&built.links.spans[id.link()], |keys| &keys.span).clone();
        let pool = Pool { network, id, memory: buffer.memory, sharers: sharers[index], members };
        let small = if buffer.memory < sharers[index].largest {
            Some(pool.without_a_packet(span))
        } else if given.is_some_and(|keys| keys.allow_small_buffer) {
            None
        } else {
            pool.beyond_node(span)
        };
        findings.extend(small);
    }
}

/// A buffer that flows share.
struct Pool<'b> {
    network: &'b NetworkSpec,
    id: DirectionId,
    memory: Cells,
    sharers: Sharers,
    members: Vec<(&'b VcSpec, CreditSpec)>,
}

impl Pool<'_> {
    fn unit(&self) -> Bytes {
        self.members.first().map_or(Bytes::CELL, |(_, credit)| credit.unit)
    }

    /// A number of units, in words: one cell is singular.
    fn amount(&self, units: u32) -> String {
        match (units, self.unit()) {
            (1, Bytes::CELL) => "1 cell".to_owned(),
            (units, unit) => amount(units, unit),
        }
    }

    /// The memory has no room for a packet of each flow.
    fn without_a_packet(&self, span: Range<usize>) -> Finding {
        let Sharers { count, largest } = self.sharers;
        let each = if self.unit() == Bytes::CELL {
            "a cell of its own".to_owned()
        } else {
            format!("its largest packet, together {}", self.amount(largest.0))
        };
        let message = format!(
            "the pool of `{}` has {}, but {count} flows under adaptive credit share it, and each \
             needs {each}",
            direction(self.network, self.id),
            self.amount(self.memory.0),
        );
        let raised = match self.unit() {
            Bytes::CELL => format!("{} cells", largest.0),
            unit => format!("{} B", u64::from(largest.0) * unit.0),
        };
        let hint = format!(
            "raise `memory` to \"{raised}\" or more; left out, it is {}, which keeps the \
             link full",
            if self.unit() == Bytes::CELL { "4 R + 2 N" } else { "4 R + 2 sum(l)" }
        );
        Finding { span, code: Code::SMALL_SHARED_BUFFER, message, hint }
    }

    /// The node at the end has less room than the memory.
    fn beyond_node(&self, span: Range<usize>) -> Option<Finding> {
        let Pool { network, id, memory, .. } = *self;
        let node = &network.nodes[network.to_node(id)];
        if node.kind != NodeKind::Switch {
            return None;
        }
        // A flow has at most M/2 - sum(l) and its largest packet.
        let of_one = |vc: &VcSpec, credit: &CreditSpec| {
            let largest = vc.packet_units(credit).largest();
            Sharers { count: 1, ..self.sharers }.first_share(memory, largest)
        };
        let drain = network.drain(network.to_node(id));
        let drain = drain.and_then(|drain| network.direction(drain).buffer);
        let limits = [
            (BUFFER.key, node.buffer, false),
            (VC_BUFFER.key, node.vc_buffer, true),
            (RECEIVE_BUFFER.key, drain, false),
        ];
        let small = limits.into_iter().find_map(|(key, limit, is_of_one)| {
            let limit = limit?;
            let need = |(vc, credit): &(&VcSpec, CreditSpec)| {
                let units = if is_of_one { of_one(vc, credit) } else { memory };
                (vc.fills(units, credit, node), units)
            };
            let needs = self.members.iter().map(need);
            let (need, units) = match limit {
                Limit::Packets(_) => needs.max_by_key(|(need, _)| need.packets),
                Limit::Bytes(_) => needs.max_by_key(|(need, _)| need.bytes),
            }?;
            (!limit.fits(Load::default(), need)).then_some((key.name, limit, need, units))
        });
        let (key, limit, need, units) = small?;
        let is_cells = self.unit() == Bytes::CELL;
        let (holds, needed) = match limit {
            Limit::Bytes(room) => (format!("{} B", room.0), format!("{} B", need.bytes)),
            Limit::Packets(room) if is_cells => (room.0.to_string(), units.to_string()),
            Limit::Packets(_) => (limit.to_string(), format!("{} packets", need.packets)),
        };
        let lost = if is_cells { "cells" } else { "packets" };
        let message = format!(
            "the pool of `{}` grants {}, but the `{key}` of `{}` holds {holds}: {lost} could be \
             lost",
            direction(network, id),
            amount(units.0, self.unit()),
            node.name,
        );
        let hint = format!(
            "raise `{key}` to \"{needed}\", lower `pool.memory` of the link, or set \
             `allow-small-buffer = true` there"
        );
        Some(Finding { span, code: Code::SMALL_BUFFER, message, hint })
    }
}

/// The credit for a packet never waits for more freed blocks than there are.
fn holds_a_packet(
    built: &Built,
    id: DirectionId,
    lanes: LanesSpec,
    largest: &[Bytes],
) -> Option<Finding> {
    let promise = lanes.rule.promise()?;
    let lane = lanes.each_priority().max_by_key(|lane| largest[usize::from(*lane)])?;
    let packet = largest[usize::from(lane)];
    let least = promise.least(packet);
    if u64::from(promise.buffer) >= least {
        return None;
    }
    let own = lanes.rule.external().is_some();
    let due = if own {
        String::new()
    } else {
        format!(" and a credit comes after {} freed", promise.update)
    };
    let message = format!(
        "the buffer of lane {lane} of `{}` has {} blocks of {} B, but its largest packet of {} B \
         takes {}{due}: it could wait for ever",
        direction(&built.network, id),
        promise.buffer,
        promise.block.0,
        packet.0,
        promise.blocks(packet)
    );
    let lower = if promise.update > 1 { ", or lower `update`" } else { "" };
    let hint = format!("raise `buffer` to {least} or more{lower}");
    let span = built.links.shared[id.link()][id.side()].size_span.clone();
    Some(Finding { span, code: Code::SMALL_LANE, message, hint })
}

/// A link direction has a number for each of its lanes.
fn too_many(built: &Built, id: DirectionId, numbers: &LaneNumbers) -> Option<Finding> {
    let most = LaneNumbers::MOST;
    let message = format!(
        "more than {most} destinations are behind `{}`, but a link has {most} lanes at most",
        direction(&built.network, id)
    );
    let hint = "leave `per` of `lanes` out on this link".to_owned();
    let span = built.links.shared[id.link()][id.side()].span.clone();
    numbers.overflows(id).then_some(Finding { span, code: Code::TOO_MUCH, message, hint })
}

/// A flow on a lane per destination has one destination.
fn ends_twice(built: &Built, id: DirectionId, lanes: LanesSpec) -> Option<Finding> {
    let network = &built.network;
    let crosses = |vc: &VcSpec| vc.hops.iter().any(|hop| hop.direction_id() == id);
    let branches = |vc: &VcSpec| vc.children().iter().any(|next| next.len() > 1);
    let on_lanes = |vc: &&VcSpec| lanes.covers(vc.priority) && crosses(vc) && branches(vc);
    let vc = network.vcs.iter().find(on_lanes)?;
    let message = format!(
        "the lanes of `{}` are per destination, but the multicast flow `{}` has several",
        direction(network, id),
        vc.name
    );
    let hint = "give the flow a priority that is not on `lanes`, or leave `per` out";
    let span = built.links.shared[id.link()][id.side()].span.clone();
    Some(Finding { span, code: Code::CONFLICT, message, hint: hint.to_owned() })
}

/// A watchdog discards packets that wait at a switch, if their flows do not branch there.
fn may_discard(built: &Built, id: DirectionId, branching: Option<usize>) -> Option<Finding> {
    let network = &built.network;
    let span = built.links.shared[id.link()][id.side()].watchdog_span.clone();
    let port = direction(network, id);
    let node = &network.nodes[network.from_node(id)];
    let (message, hint) = if network.is_host(network.from_node(id)) {
        let message = format!(
            "a watchdog cannot discard at `{port}`: it is a port of the host `{}`",
            node.name
        );
        let hint = "give this direction a table without `watchdog`: `pause = [{ ... }, { ... }]`, \
                    or `pause = { watchdog = ... }` on links between switches only";
        (message, hint)
    } else if let Some(vc) = branching {
        let message = format!(
            "a watchdog cannot discard at `{port}`: the multicast flow `{}` branches there",
            network.vcs[vc].name
        );
        (message, "leave `watchdog` out in this direction, or use one flow per receiver")
    } else {
        return None;
    };
    Some(Finding { span, code: Code::NO_WATCHDOG, message, hint: hint.to_owned() })
}
