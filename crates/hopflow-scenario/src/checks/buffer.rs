//! Full buffers: whether a node can push packets out, whether bytes are what it thinks, and
//! whether a host has room for a packet.

use hopflow_network::{DirectionId, Discard, HopSpec, NetworkSpec, SizeLaw, VcSpec};
use hopflow_units::Bytes;

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::network::{BUFFER, DISCARD, PORT_BUFFER, VC_BUFFER};
use crate::naming::{direction, flows};

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

/// Buffers count packets; bytes are only right where these are cells.
pub(super) fn bytes(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    let mut others = vec![Vec::new(); network.nodes.len()];
    for (index, vc) in network.vcs.iter().enumerate() {
        if vc.traffic.size == SizeLaw::CELL {
            continue;
        }
        for id in vc.hops.iter().map(HopSpec::direction_id) {
            for node in [network.from_node(id), network.to_node(id)] {
                if others[node].last() != Some(&index) {
                    others[node].push(index);
                }
            }
        }
    }
    for (node, vcs) in others.iter().enumerate().filter(|(_, vcs)| !vcs.is_empty()) {
        let Some(span) = &built.nodes.in_bytes[node] else { continue };
        let message = format!(
            "a buffer of `{}` is given in bytes, which count as cells of 53 B, but packets of \
             another size pass: {}",
            network.nodes[node].name,
            flows(network, vcs)
        );
        let sizes = vcs.iter().map(|vc| network.vcs[*vc].traffic.size.most());
        let largest = sizes.max().unwrap_or(Bytes::CELL);
        let spec = &network.nodes[node];
        let limits = [spec.buffer, spec.port_buffer, spec.vc_buffer];
        // With several limits it is not known which of them is in bytes.
        let packets = match limits.into_iter().flatten().collect::<Vec<_>>().as_slice() {
            [only] => u64::from(only.0) * Bytes::CELL.0 / largest.0,
            _ => 0,
        };
        let hint = match packets {
            0 => "buffers count packets of any size: write `\"100 packets\"`".to_owned(),
            _ => format!(
                "buffers count packets of any size: {packets} of the largest, {} B, fit; write \
                 `\"{packets} packets\"`",
                largest.0
            ),
        };
        sink.error(Code::BYTES_OF_PACKETS, span, message).hint(hint);
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
        let (units, _) = vc.wire_framing().units(bytes);
        let limits = [
            (BUFFER.key, node.buffer),
            (VC_BUFFER.key, node.vc_buffer),
            (PORT_BUFFER.key, node.port_buffer),
        ];
        let small =
            limits.into_iter().find_map(|(key, room)| Some((key, room.filter(|r| r.0 < units)?)));
        let Some((key, room)) = small else { continue };
        let message = format!(
            "a packet of `{}` has up to {bytes} B, {units} units on the wire, but the `{}` of \
             `{}` holds {}: it could never be sent",
            vc.name, key.name, node.name, room.0
        );
        let hint = format!("raise `{}` of the host to \"{units} packets\" or more", key.name);
        let place = built.nodes.origins.key(host, &key);
        let error = sink.error(Code::SMALL_HOST_BUFFER, place, message).hint(hint);
        error.label(built.vc_origins.name(index).clone(), "the flow");
    }
}
