//! Shared buffers, pauses and lanes against the flows and nodes of their links.

use std::ops::Range;

use hopflow_network::{DirectionId, LanesSpec, Limit, NodeKind};
use hopflow_units::Bytes;

use crate::Code;
use crate::build::Built;
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
    for id in (0..network.direction_count()).map(DirectionId) {
        let Some(lanes) = network.direction(id).lanes else { continue };
        findings.extend(holds_a_packet(built, id, lanes, &largest[id.0]));
        if lanes.has_watchdog() {
            findings.extend(may_discard(built, id, branching[id.0]));
        }
    }
}

/// Every shared buffer has a cell for each of its flows, and its node has room for it.
fn buffers(built: &Built, findings: &mut Vec<Finding>) {
    let network = &built.network;
    for (index, flows) in network.sharing_counts().into_iter().enumerate() {
        let id = DirectionId(index);
        let Some(buffer) = network.direction(id).shared_buffer else { continue };
        let given = built.links.shared[id.link()][id.side()].buffer_keys.as_ref();
        let span = given.map_or(&built.links.spans[id.link()], |keys| &keys.span).clone();
        let memory = buffer.memory.0;
        if memory < flows {
            let message = format!(
                "the pool of `{}` has {memory} {}, but {flows} flows under adaptive credit share \
                 it, and each needs a cell of its own",
                direction(network, id),
                if memory == 1 { "cell" } else { "cells" }
            );
            let hint = format!(
                "raise `memory` to \"{flows} cells\" or more; left out, it is 4 R + 2 N, which \
                 keeps the link full"
            );
            findings.push(Finding { span, code: Code::SMALL_SHARED_BUFFER, message, hint });
            continue;
        }
        let node = &network.nodes[network.to_node(id)];
        // A flow has at most M/2 - N cells and one more.
        let of_one = (memory / 2).saturating_sub(flows) + 1;
        let drain = network.drain(network.to_node(id));
        let drain = drain.and_then(|drain| network.direction(drain).buffer);
        let limits = [
            (BUFFER.key, node.buffer, memory),
            (VC_BUFFER.key, node.vc_buffer, of_one),
            (RECEIVE_BUFFER.key, drain, memory),
        ];
        let takes = node.takes(Bytes::CELL);
        let small = |(_, room, need): &(_, Option<Limit>, u32)| {
            room.is_some_and(|room| room.packets_of(takes) < u64::from(*need))
        };
        let allowed = given.is_some_and(|keys| keys.allow_small_buffer);
        let small = limits.into_iter().find(small).filter(|_| !allowed);
        let Some((key, room, need)) = small.filter(|_| node.kind == NodeKind::Switch) else {
            continue;
        };
        let (holds, needed) = match room {
            Some(Limit::Bytes(room)) => {
                (format!("{} B", room.0), format!("{} B", u64::from(need) * takes.0))
            }
            Some(Limit::Packets(room)) => (room.0.to_string(), format!("{need} cells")),
            None => continue,
        };
        let message = format!(
            "the pool of `{}` grants {need} cells, but the `{}` of `{}` holds {holds}: cells could \
             be lost",
            direction(network, id),
            key.name,
            node.name,
        );
        let hint = format!(
            "raise `{}` to \"{needed}\", lower `pool.memory` of the link, or set \
             `allow-small-buffer = true` there",
            key.name
        );
        findings.push(Finding { span, code: Code::SMALL_BUFFER, message, hint });
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
    let lane = lanes.lanes().max_by_key(|lane| largest[usize::from(*lane)])?;
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
