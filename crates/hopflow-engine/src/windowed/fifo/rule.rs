//! Which nodes are FIFO-only. The description of the network alone decides.
//!
//! A FIFO-only node depends on its neighbors only through data packets that arrive, and they depend
//! on it only in the same way. So at a FIFO-only node, and on all its links, these conditions hold:
//!
//! * no buffer has a limit but that of each port of a switch, of at least one packet, which drops
//!   arriving packets;
//! * no host works, no frames are dropped, no lengths are counted, no packets marked;
//! * no link corrupts data, has lanes, a shared buffer or rate control, measures R, or has events
//!   on the timeline;
//! * every port serves its packets in order of arrival: FIFO, or any work-conserving order where
//!   one VC uses the port;
//! * every VC has one final host, arrives and leaves without credit, has no way back (window, rate
//!   control) and no connection, does not ask for a reservation, bears no marks and no records, is
//!   not cut into cells, and crosses no port anywhere that sends messages back to its source;
//! * every source determines by itself when packets are due: none is greedy.
//!
//! Each unit that arrives is asserted to be uncorrupted data.

use hopflow_units::{Bytes, Cells};

use super::inputs::FEW_INPUTS;
use crate::windowed::state::windows::Windows;
use crate::windowed::wire::record::record_slots;
use hopflow_network::{
    DirectionId, DirectionSpec, Discard, FrameDiscardSpec, HopControl, HopSpec, NetworkSpec,
    NodeKind, NodeSpec, RoundTrip, VcSpec,
};

/// For each node, whether it is FIFO-only.
fn fifo_only_nodes(spec: &NetworkSpec) -> Vec<bool> {
    let is_unlimited = |node: &NodeSpec| {
        node.buffer.is_none()
            && node.vc_buffer.is_none()
            && node.discard == Discard::Arriving
            && node.frame_discard == FrameDiscardSpec::None
            && node.work.is_none()
    };
    let mut fifo_nodes: Vec<bool> = spec.nodes.iter().map(is_unlimited).collect();
    let mut exclude =
        |nodes: [usize; 2]| nodes.into_iter().for_each(|node| fifo_nodes[node] = false);
    for event in &spec.events {
        exclude(spec.links[event.link].ends);
    }
    let mut users = vec![0_u32; spec.direction_count()];
    for hop in spec.vcs.iter().flat_map(|vc| &vc.hops) {
        users[hop.direction_id().0] += 1;
    }
    for id in (0..spec.direction_count()).map(DirectionId) {
        let (direction, link) = (spec.direction(id), &spec.links[id.link()]);
        if !is_bare(direction) || link.round_trip == RoundTrip::Measured {
            exclude(link.ends);
        }
        let is_at_switch = spec.nodes[spec.from_node(id)].kind == NodeKind::Switch;
        let takes_limit = |limit: Cells| is_at_switch && limit > Cells::ZERO;
        if !spec.port_limit(id).is_none_or(takes_limit) {
            exclude([spec.from_node(id); 2]);
        }
        let watches = direction.count_lengths || direction.marking.is_some();
        if watches || !direction.scheduler.facts().in_order.holds(users[id.0]) {
            exclude([spec.from_node(id); 2]);
        }
    }
    for vc in &spec.vcs {
        let is_fifo_only = is_fifo_only_vc(spec, vc);
        for hop in &vc.hops {
            if !is_fifo_only || hop.control != HopControl::None {
                exclude(spec.links[hop.link].ends);
            }
        }
        let source = spec.from_node(vc.hops[0].direction_id());
        if vc.source.is_greedy() || spec.nodes[source].kind != NodeKind::Host {
            exclude([source; 2]);
        }
    }
    fifo_nodes
}

/// Whether a direction carries only data, and delivers it uncorrupted.
fn is_bare(direction: &DirectionSpec) -> bool {
    direction.corrupt_data.is_zero()
        && direction.lanes.is_none()
        && direction.shared_buffer.is_none()
        && direction.rate_control.is_none()
}

/// Whether a VC meets the conditions wherever no credit controls it.
pub(crate) fn is_fifo_only_vc(spec: &NetworkSpec, vc: &VcSpec) -> bool {
    let is_path = vc.hops.iter().enumerate().all(|(i, hop)| hop.parent == i.checked_sub(1));
    let is_bare = record_slots(vc) == 0 && !vc.ecn_capable;
    is_path && is_bare && vc.source.external().is_none() && !answers(spec, vc)
}

/// Whether any unit beside credit may be sent back along the path of a VC.
fn answers(spec: &NetworkSpec, vc: &VcSpec) -> bool {
    let notifies = |hop: &HopSpec| spec.direction(hop.direction_id()).scheduler.facts().notifies;
    vc.has_way_back() || vc.signalled || vc.carries_packets() || vc.hops.iter().any(notifies)
}

/// The sizes of the packets that the VCs of a link direction carry.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    /// The smallest packet, if a VC crosses the direction.
    least: Option<Bytes>,
    /// Whether packets of one VC differ in size.
    differs: bool,
    /// Whether any packet is not a cell.
    has_packets: bool,
}

/// The FIFO-only nodes of a network, and the consequences for its links.
pub(crate) struct FifoNodes {
    nodes: Vec<bool>,
    loads: Vec<Load>,
    /// For each node, the number of directions by which VCs arrive.
    inputs: Vec<usize>,
}

impl FifoNodes {
    pub(crate) fn new(spec: &NetworkSpec) -> FifoNodes {
        let mut loads = vec![Load::default(); spec.direction_count()];
        for vc in &spec.vcs {
            let size = &vc.traffic.size;
            let (least, fixed) = (size.least(), size.fixed());
            for hop in &vc.hops {
                let load = &mut loads[hop.direction_id().0];
                load.least = Some(load.least.map_or(least, |known| known.min(least)));
                load.differs |= fixed.is_none();
                load.has_packets |= fixed != Some(Bytes::CELL);
            }
        }
        let mut inputs = vec![0; spec.nodes.len()];
        for (id, _) in loads.iter().enumerate().filter(|(_, load)| load.least.is_some()) {
            inputs[spec.to_node(DirectionId(id))] += 1;
        }
        FifoNodes { nodes: fifo_only_nodes(spec), loads, inputs }
    }

    /// Whether a VC crosses a direction.
    pub(super) fn carries(&self, id: DirectionId) -> bool {
        self.loads[id.0].least.is_some()
    }

    /// Whether a node reads the bells of its ports.
    pub(super) fn listens(&self, node: usize) -> bool {
        !self.is_fifo_only(node) || self.inputs[node] > FEW_INPUTS
    }

    /// Whether a node is FIFO-only.
    pub(crate) fn is_fifo_only(&self, node: usize) -> bool {
        self.nodes[node]
    }

    /// Whether the port of a direction that leaves a FIFO-only node sends sizes that are not a
    /// cell's.
    pub(super) fn sends_sizes(&self, spec: &NetworkSpec, id: DirectionId) -> bool {
        self.loads[id.0].differs || !self.is_fifo_only(spec.to_node(id))
    }

    /// Whether units that arrive by a direction may be followed by size records.
    pub(super) fn may_be_sized(&self, spec: &NetworkSpec, id: DirectionId) -> bool {
        let load = self.loads[id.0];
        load.has_packets && (load.differs || !self.is_fifo_only(spec.from_node(id)))
    }

    /// The words of the ring of a direction: for all units that can be unread at once, and their
    /// size records; `None` where a general node sends.
    pub(crate) fn room(
        &self,
        spec: &NetworkSpec,
        windows: &Windows,
        id: DirectionId,
    ) -> Option<usize> {
        if !self.is_fifo_only(spec.from_node(id)) {
            return None;
        }
        let load = self.loads[id.0];
        let Some(least) = load.least else { return Some(0) };
        let units = windows.units_unread(spec, id, least);
        let tells = load.has_packets && self.sends_sizes(spec, id);
        Some(if tells { 2 * units } else { units })
    }
}
