//! Which ends of VCs and which nodes have lanes.

use crate::embed::lane::{Intakes, LaneTimer};
use crate::windowed::state::lane::lane_index;
use crate::windowed::state::node::Node;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::timers::Timer;
use hopflow_network::{DirectionId, NetworkSpec, NodeKind};

/// Tells the ends of VCs which lane they are on, and sets the first timers.
pub(super) fn join_lanes(spec: &NetworkSpec, node: &mut Node) {
    node.limits.has_lanes = node.ports.iter().any(|port| port.lanes.is_some());
    node.limits.is_special |= node.limits.has_lanes;
    for (index, VcSender { queue, .. }) in node.senders.iter_mut().enumerate() {
        let Some(lanes) = &mut node.ports[queue.port as usize].lanes else { continue };
        let Some(gates) = &lanes.gates else { continue };
        if gates.covers(queue.priority) {
            queue.set_shut(gates.is_shut(queue.priority));
            lanes.senders[queue.priority as usize].push(index as u32);
        }
    }
    for receiver in &mut node.receivers {
        let priority = spec.vcs[receiver.vc as usize].priority;
        let intakes = node.ports[receiver.port as usize].intakes();
        if intakes.is_some_and(|intakes| intakes.covers(priority)) {
            receiver.lane = priority;
        }
    }
    for (index, port) in (0_u32..).zip(&node.ports) {
        for (lane, at) in port.intakes().into_iter().flat_map(Intakes::first_timers) {
            node.timers.set(at.0, Timer::Lane(LaneTimer::Renewal, lane_index(index, lane)));
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
