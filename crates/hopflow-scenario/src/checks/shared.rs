//! Pools, pauses and lanes against the flows and nodes of their links.

use hopflow_network::{DirectionId, LaneRule, LanesSpec, NodeKind};
use hopflow_units::Bytes;

use super::direction;
use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;

/// Notes every error.
pub(super) fn check(built: &Built, sink: &mut Sink) {
    pools(built, sink);
    let network = &built.network;
    if network.links.iter().flat_map(|link| &link.directions).all(|d| d.lanes.is_none()) {
        return;
    }
    let (largest, branching) = (network.largest_of_lanes(), network.branching());
    for id in (0..network.direction_count()).map(DirectionId) {
        let Some(lanes) = network.direction(id).lanes else { continue };
        holds_a_packet(built, id, lanes, &largest[id.0], sink);
        if lanes.has_watchdog() {
            may_discard(built, id, branching[id.0], sink);
        }
    }
}

/// Every pool has a cell for each of its flows, and its node has room for it.
fn pools(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    for (index, flows) in network.pool_sizes().into_iter().enumerate() {
        let id = DirectionId(index);
        let Some(pool) = network.direction(id).pool else { continue };
        let told = built.links.shared[id.link()][id.side()].pool.as_ref();
        let span = told.map_or(&built.links.spans[id.link()], |pool| &pool.span);
        let memory = pool.memory.0;
        if memory < flows {
            let message = format!(
                "the pool of `{}` has {memory} cells, but {flows} flows under adaptive credit \
                 share it, each with a cell of its own",
                direction(network, id)
            );
            let hint = format!(
                "raise `memory` to \"{flows} cells\" or more; left out, it is 4 R + 2 N, which \
                 keeps the link full"
            );
            sink.error(Code::SMALL_POOL, span, message).hint(hint);
            continue;
        }
        let node = &network.nodes[network.to_node(id)];
        // A flow has at most M/2 - N cells and one more.
        let of_one = (memory / 2).saturating_sub(flows) + 1;
        let limits = [("buffer", node.buffer, memory), ("vc-buffer", node.vc_buffer, of_one)];
        let small = |(_, room, need): &(_, Option<hopflow_units::Cells>, u32)| {
            room.is_some_and(|room| room.0 < *need)
        };
        let allowed = told.is_some_and(|pool| pool.allow_small_buffer);
        let small = limits.into_iter().find(small).filter(|_| !allowed);
        let Some((key, room, need)) = small.filter(|_| node.kind == NodeKind::Switch) else {
            continue;
        };
        let message = format!(
            "the pool of `{}` lets {need} cells come, but the `{key}` of `{}` holds {}: cells \
             could be lost",
            direction(network, id),
            node.name,
            room.unwrap_or_default().0
        );
        let hint = format!(
            "raise `{key}` to \"{need} cells\", lower `pool.memory` of the link, or set \
             `allow-small-buffer = true` there"
        );
        sink.error(Code::SMALL_BUFFER, span, message).hint(hint);
    }
}

/// The credit for a packet never waits for more freed blocks than there are.
fn holds_a_packet(
    built: &Built,
    id: DirectionId,
    lanes: LanesSpec,
    largest: &[Bytes],
    sink: &mut Sink,
) {
    let LaneRule::Credit(spec) = lanes.rule else { return };
    let Some(lane) = lanes.lanes().max_by_key(|lane| largest[usize::from(*lane)]) else { return };
    let packet = largest[usize::from(lane)];
    let least = spec.blocks(packet) + u64::from(spec.update) - 1;
    if u64::from(spec.buffer) >= least {
        return;
    }
    let message = format!(
        "the buffer of lane {lane} of `{}` has {} blocks of {} B, but its largest packet of {} B \
         takes {} and a credit comes after {} freed: it could wait for ever",
        direction(&built.network, id),
        spec.buffer,
        spec.block.0,
        packet.0,
        spec.blocks(packet),
        spec.update
    );
    let hint = format!("raise `buffer` to {least} or more, or lower `update`");
    sink.error(Code::SMALL_LANE, &built.links.shared[id.link()][id.side()].span, message)
        .hint(hint);
}

/// A watchdog discards what waits at a switch, of flows that do not branch there.
fn may_discard(built: &Built, id: DirectionId, branching: Option<usize>, sink: &mut Sink) {
    let network = &built.network;
    let span = &built.links.shared[id.link()][id.side()].span;
    let port = direction(network, id);
    let node = &network.nodes[network.from_node(id)];
    let (message, hint) = if node.kind == NodeKind::Host {
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
        return;
    };
    sink.error(Code::NO_WATCHDOG, span, message).hint(hint);
}
