//! Which ends of VCs and which nodes have lanes.

use crate::embed::lane::{Intakes, LaneTimer};
use crate::windowed::state::lane::LaneAt;
use crate::windowed::state::node::Node;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::timers::Timer;
use hopflow_network::{DirectionId, LaneNumbers, NetworkSpec, NodeKind};

/// Tells the ends of VCs which lane they are on, and sets the first timers.
pub(super) fn join_lanes(numbers: &LaneNumbers, node: &mut Node) {
    node.limits.has_lanes = node.ports.iter().any(|port| port.lanes.is_some());
    if !node.limits.has_lanes {
        return;
    }
    node.limits.is_special = true;
    for (index, VcSender { queue, circuit }) in node.senders.iter_mut().enumerate() {
        let port = &mut node.ports[queue.port as usize];
        let Some(lanes) = &mut port.lanes else { continue };
        let id = DirectionId(port.direction as usize);
        if let Some(lane) = numbers.of_vc(id, circuit.vc as usize, circuit.is_ack) {
            circuit.lane = lane;
            queue.set_shut(lanes.gates.as_ref().is_some_and(|gates| gates.is_shut(lane)));
            lanes.senders[usize::from(lane)].push(index as u32);
        }
    }
    for receiver in &mut node.receivers {
        let id = DirectionId(node.ports[receiver.port as usize].direction as usize).reverse();
        if let Some(lane) = numbers.of_vc(id, receiver.vc as usize, receiver.is_ack) {
            receiver.lane = lane;
        }
    }
    for (index, port) in (0_u32..).zip(&node.ports) {
        for (lane, at) in port.intakes().into_iter().flat_map(Intakes::first_timers) {
            node.timers.set(at.0, Timer::Lane(LaneTimer::Renewal, LaneAt { port: index, lane }));
        }
    }
}

/// By node, whether packets there may be refused for their lanes.
pub(super) fn nodes_with_lanes(spec: &NetworkSpec) -> Vec<bool> {
    let mut with_lanes = vec![false; spec.nodes.len()];
    for id in (0..spec.direction_count()).map(DirectionId) {
        for node in [spec.from_node(id), spec.to_node(id)] {
            with_lanes[node] |=
                spec.direction(id).lanes.is_some() && spec.nodes[node].kind == NodeKind::Switch;
        }
    }
    with_lanes
}
