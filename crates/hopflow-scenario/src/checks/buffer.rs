//! Full buffers: whether a node can push packets out, and whether it has room for a packet.

use std::collections::BTreeSet;

use hopflow_network::{DirectionId, Discard, Limit, Load, NetworkSpec, VcSpec};
use hopflow_units::Bytes;

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::network::{BUFFER, DISCARD, PORT_BUFFER, RECEIVE_BUFFER, VC_BUFFER};
use crate::keys::reserve::RESERVE;
use crate::naming::direction;

/// Nodes that are to push packets out, but cannot. Reports for each the first port and the first
/// flow that forbid it.
pub(super) fn pushed_out(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let pushes = |node: &usize| network.nodes[*node].discard != Discard::Arriving;
    if !(0..network.nodes.len()).any(|node| pushes(&node)) {
        return;
    }
    let mut reported = vec![false; network.nodes.len()];
    for id in (0..network.direction_count()).map(DirectionId) {
        let node = network.from_node(id);
        let scheduler = &network.direction(id).scheduler;
        let facts = scheduler.facts();
        if !facts.finds_victims && pushes(&node) && !reported[node] {
            reported[node] = true;
            let verb = if scheduler.external().is_some() { "has" } else { "is" };
            let reason = format!("its port `{}` {verb} {}", direction(network, id), facts.words);
            let hint = "choose another scheduler, such as `fifo`, or `discard = \"arriving\"`";
            no_victim(built, node, &reason, hint, sink);
        }
    }
    let mut reported = vec![false; network.nodes.len()];
    for vc in &network.vcs {
        let start = Some(network.from_node(vc.hops[0].direction_id())).filter(pushes);
        let start = start.filter(|_| vc.source.is_greedy() || vc.window.is_some());
        if let Some(node) = start.filter(|node| !reported[*node]) {
            reported[node] = true;
            let reason = format!("the source of `{}` there is greedy or has a window", vc.name);
            let hint = "leave `discard` out at this host, or choose another source";
            no_victim(built, node, &reason, hint, sink);
        }
        for node in branching(network, vc).into_iter().filter(pushes) {
            if !reported[node] {
                reported[node] = true;
                let reason = format!("the multicast flow `{}` branches there", vc.name);
                no_victim(built, node, &reason, "use one flow per receiver", sink);
            }
        }
    }
}

fn no_victim(built: &Built, node: usize, reason: &str, hint: &str, sink: &mut Sink) {
    let name = &built.network.nodes[node].name;
    let message = format!("`{name}` cannot push packets out: {reason}");
    sink.error(Code::NO_VICTIM, built.nodes.origins.key(node, &DISCARD.key), message).hint(hint);
}

/// Where a VC has more than one hop on.
fn branching(network: &NetworkSpec, vc: &VcSpec) -> Vec<usize> {
    let joints = vc.hops.iter().zip(vc.children()).filter(|(_, children)| children.len() > 1);
    joints.map(|(hop, _)| network.to_node(hop.direction_id())).collect()
}

/// Limits in bytes that are less than a packet that passes takes: it could never be accepted.
pub(super) fn holds_each(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let counted = network.counts_bytes();
    let mut reported = BTreeSet::new();
    for vc in &network.vcs {
        for hop in &vc.hops {
            let id = hop.direction_id();
            let (index, is_first) = (network.from_node(id), hop.parent.is_none());
            // A greedy source sends whatever its host holds; other rules judge whole packets there.
            let is_exempt = is_first && (vc.source.is_greedy() || vc.carries_packets());
            if !counted[index] || is_exempt {
                continue;
            }
            let node = &network.nodes[index];
            let is_drain = network.drain(index) == Some(id);
            let of_port = if is_drain { RECEIVE_BUFFER.key } else { PORT_BUFFER.key };
            let limits = [
                (BUFFER.key, node.buffer),
                (VC_BUFFER.key, node.vc_buffer),
                (of_port, network.port_limit(id)),
            ];
            let size = vc.traffic.size.most();
            let takes = node.takes(size);
            for (key, limit) in limits {
                let small = limit.and_then(Limit::bytes).filter(|limit| *limit < takes);
                let Some(limit) = small.filter(|_| reported.insert((index, key.name))) else {
                    continue;
                };
                let message = format!(
                    "the `{}` of `{}` is {} B, but a packet of `{}` of {} B takes {} B there: it \
                     could never be accepted",
                    key.name, node.name, limit.0, vc.name, size.0, takes.0
                );
                let hint = format!("raise `{}` to \"{} B\" or more", key.name, takes.0);
                let place = built.nodes.origins.key(index, &key);
                sink.error(Code::SMALL_MEMORY, place, message).hint(hint);
            }
        }
    }
}

/// Reserves of class queues that take more than the buffer.
pub(super) fn holds_reserves(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    for (index, node) in network.nodes.iter().enumerate().filter(|(_, n)| !n.reserve.is_none()) {
        let outputs = network.outputs(index);
        let buffer = node.buffer.and_then(Limit::bytes).unwrap_or_default();
        let needed = node.reserve.at_all(outputs);
        if needed.is_some_and(|needed| needed <= buffer) {
            continue;
        }
        let each: u64 = node.reserve.0.iter().map(|bytes| bytes.0).sum();
        let message = format!(
            "the reserves of `{}` take more than its `buffer` of {} B: {each} B at each of \
             {outputs} outputs",
            node.name, buffer.0
        );
        let hint = match needed {
            Some(needed) => format!(
                "raise `buffer` to more than \"{} B\", as the rest is shared, or lower `reserve`",
                needed.0
            ),
            None => "lower `reserve`".to_owned(),
        };
        let place = built.nodes.origins.key(index, &RESERVE.key);
        sink.error(Code::SMALL_MEMORY, place, message).hint(hint);
    }
}

/// A host that makes whole packets has room for the largest of them.
pub(super) fn holds_a_packet(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let packets = network.vcs.iter().zip(0..).filter(|(vc, _)| vc.carries_packets());
    for (vc, index) in packets {
        let host = network.from_node(vc.hops[0].direction_id());
        let node = &network.nodes[host];
        let bytes = vc.source_size().most();
        let bytes = u32::try_from(bytes.0).expect("a packet has at most 2^20 bytes");
        let (units, each) = vc.wire_framing().units(bytes);
        let load = node.load_of(Bytes(each.into())).times(units.into());
        let limits = [
            (BUFFER.key, node.buffer),
            (VC_BUFFER.key, node.vc_buffer),
            (PORT_BUFFER.key, node.port_buffer),
        ];
        let small = limits.into_iter().find_map(|(key, room)| {
            Some((key, room.filter(|room| !room.fits(Load::default(), load))?))
        });
        let Some((key, room)) = small else { continue };
        let (holds, needed) = match room {
            Limit::Packets(room) => (room.0.to_string(), format!("{units} packets")),
            Limit::Bytes(room) => (format!("{} B", room.0), format!("{} B", load.bytes)),
        };
        let message = format!(
            "a packet of `{}` has up to {bytes} B, {units} units on the wire, but the `{}` of \
             `{}` holds {holds}: it could never be sent",
            vc.name, key.name, node.name
        );
        let hint = format!("raise `{}` of the host to \"{needed}\" or more", key.name);
        let place = built.nodes.origins.key(host, &key);
        let error = sink.error(Code::SMALL_HOST_BUFFER, place, message).hint(hint);
        error.label(built.vc_origins.name(index).clone(), "the flow");
    }
}
