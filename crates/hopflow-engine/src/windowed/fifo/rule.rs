//! Which nodes are FIFO-only. The description of the network alone decides.
//!
//! A FIFO-only node depends on its neighbors only through data packets that arrive, and they depend
//! on it only in the same way. So at a FIFO-only node, and on all its links, these conditions hold:
//!
//! * no buffer has a limit but at switches, which drop arriving packets: in bytes that no threshold
//!   moves, or in packets, of at least one; no memory has cells but at switches;
//! * packets are marked as they join, by the length of the queue alone: in packets, or in bytes
//!   where all packets of the port have one size;
//! * no host works, no frames are dropped, no lengths are counted;
//! * no link corrupts data, has lanes, a shared buffer or rate control, measures R, or has events
//!   on the timeline;
//! * every port serves its packets in order of arrival: FIFO, or any work-conserving order where
//!   one VC uses the port;
//! * every VC has one final host, arrives and leaves without credit, has no way back (window, rate
//!   control), does not ask for a reservation, bears no records, and crosses no port anywhere that
//!   sends messages back to its source;
//! * at a host, no VC has a connection or is cut into cells, and every source determines by itself
//!   when packets are due: none is greedy. A switch passes packets of any origin.
//!
//! Each unit that arrives is asserted to be uncorrupted data.

use hopflow_control::marking::{Length, MarkingSpec, Moment};
use hopflow_units::Bytes;

use super::bounds::Bounds;
use super::inputs::FEW_INPUTS;
use crate::windowed::state::crossing::{one_size, sizes};
use crate::windowed::state::windows::Windows;
use crate::windowed::wire::record::record_slots;
use hopflow_network::{
    DirectionId, DirectionSpec, Discard, FrameDiscardSpec, HopControl, HopSpec, Limit, NetworkSpec,
    NodeKind, NodeSpec, RoundTrip, VcSpec,
};

/// For each node, whether it is FIFO-only; `loads` are those of all directions, `takes` is that of
/// [`FifoNodes`].
fn fifo_only_nodes(spec: &NetworkSpec, loads: &[Load], takes: &[Option<Bytes>]) -> Vec<bool> {
    let can_be = |node: &NodeSpec| {
        let limits = [node.buffer, node.vc_buffer];
        limits.into_iter().all(|limit| is_kept(node, limit))
            && node.discard == Discard::Arriving
            && node.frame_discard == FrameDiscardSpec::None
            && node.work.is_none()
    };
    let counts_bytes = spec.counts_bytes();
    let nodes = spec.nodes.iter().zip(counts_bytes);
    let mut fifo_nodes: Vec<bool> =
        nodes.map(|(node, counts)| can_be(node) && (!counts || can_count(node))).collect();
    let mut exclude =
        |nodes: [usize; 2]| nodes.into_iter().for_each(|node| fifo_nodes[node] = false);
    for event in &spec.events {
        exclude(spec.links[event.link].ends);
    }
    for (id, load) in loads.iter().enumerate() {
        let id = DirectionId(id);
        let (direction, link) = (spec.direction(id), &spec.links[id.link()]);
        if !is_bare(direction) || link.round_trip == RoundTrip::Measured {
            exclude(link.ends);
        }
        let is_in_order = direction.scheduler.facts().in_order.holds(load.users);
        if direction.count_lengths || !is_in_order || bounds(spec, id, load, takes).is_none() {
            exclude([spec.from_node(id); 2]);
        }
    }
    for vc in &spec.vcs {
        let passes = only_passes(spec, vc);
        let is_plain = passes && !vc.carries_packets() && vc.source.external().is_none();
        for hop in &vc.hops {
            for node in spec.links[hop.link].ends {
                let is_fine = if is_host(spec, node) { is_plain } else { passes };
                fifo_nodes[node] &= is_fine && hop.control == HopControl::None;
            }
        }
        let source = spec.from_node(vc.hops[0].direction_id());
        if vc.source.is_greedy() || !is_host(spec, source) {
            fifo_nodes[source] = false;
        }
    }
    fifo_nodes
}

/// Whether a FIFO-only node can count bytes: a switch whose limits stay.
fn can_count(node: &NodeSpec) -> bool {
    node.kind == NodeKind::Switch && node.alpha.is_none()
}

fn is_host(spec: &NetworkSpec, node: usize) -> bool {
    spec.nodes[node].kind == NodeKind::Host
}

/// Whether a FIFO-only node can keep a limit, if there is one: at a switch, in bytes, or of a
/// packet or more.
fn is_kept(node: &NodeSpec, limit: Option<Limit>) -> bool {
    limit.is_none_or(|limit| {
        let is_none = limit.packets().is_some_and(|packets| packets.0 == 0);
        node.kind == NodeKind::Switch && !is_none
    })
}

/// The packets of a limit: also of one in bytes, where all packets take the same; `u32::MAX` of
/// any other, and without a limit.
fn packets_of(limit: Option<Limit>, takes: Option<Bytes>) -> u32 {
    // Eq. (4) of `bounds.rs`.
    let packets = match (limit, takes) {
        (Some(limit @ Limit::Bytes(_)), Some(takes)) => Some(limit.packets_of(takes)),
        (limit, _) => limit.and_then(Limit::packets).map(|packets| packets.0.into()),
    };
    packets.and_then(|packets| u32::try_from(packets).ok()).unwrap_or(u32::MAX)
}

/// For each node that counts bytes: what a packet takes, if all that leave take the same and every
/// limit has room for one.
fn equal_takes(spec: &NetworkSpec, loads: &[Load]) -> Vec<Option<Bytes>> {
    let counts_bytes = spec.counts_bytes();
    let mut takes = vec![None; spec.nodes.len()];
    let mut is_equal = counts_bytes.clone();
    for (id, load) in loads.iter().enumerate().filter(|(_, load)| load.users > 0) {
        let (id, node) = (DirectionId(id), spec.from_node(DirectionId(id)));
        if counts_bytes[node] {
            let here = load.one_size().map(|size| spec.nodes[node].takes(size));
            let most = spec.port_limit(id).and_then(Limit::bytes);
            let has_room = here.is_some_and(|here| most.is_none_or(|most| most >= here));
            is_equal[node] &= has_room && takes[node].is_none_or(|before| Some(before) == here);
            takes[node] = here;
        }
    }
    let known = |((takes, is_equal), node): ((Option<Bytes>, bool), &NodeSpec)| {
        let takes = takes.filter(|_| is_equal)?;
        let limits = [node.buffer, node.vc_buffer].into_iter().flatten();
        limits.filter_map(Limit::bytes).all(|most| most >= takes).then_some(takes)
    };
    takes.into_iter().zip(is_equal).zip(&*spec.nodes).map(known).collect()
}

/// The bounds of the port of a direction with this load, if a FIFO-only node can keep them.
fn bounds(
    spec: &NetworkSpec,
    id: DirectionId,
    load: &Load,
    takes: &[Option<Bytes>],
) -> Option<Bounds> {
    let (node, takes) = (&spec.nodes[spec.from_node(id)], takes[spec.from_node(id)]);
    let limit = spec.port_limit(id);
    if !is_kept(node, limit) {
        return None;
    }
    let marks_from = match spec.direction(id).marking {
        None => u32::MAX,
        Some(MarkingSpec { moment: Moment::Departure, .. }) => return None,
        Some(MarkingSpec { rule, .. }) => match rule.threshold()? {
            Length::Packets(packets) => packets,
            Length::Bytes(bytes) => {
                let packets = bytes.checked_div(load.one_size()?.0).unwrap_or(0);
                u32::try_from(packets).unwrap_or(u32::MAX)
            }
        },
    };
    let [limit, vc_limit, of_node] =
        [limit, node.vc_buffer, node.buffer].map(|limit| packets_of(limit, takes));
    let is_of_node = of_node < u32::MAX;
    Some(Bounds { limit, vc_limit, marks_from, is_of_node, marked: 0 })
}

/// Whether a direction carries only data, and delivers it uncorrupted.
fn is_bare(direction: &DirectionSpec) -> bool {
    direction.corrupt_data.is_zero()
        && direction.lanes.is_none()
        && direction.shared_buffer.is_none()
        && direction.rate_control.is_none()
}

/// Whether a VC only passes the switches on its way where no credit controls it: its packets go to
/// one final host and carry no records, and nothing comes back for it.
fn only_passes(spec: &NetworkSpec, vc: &VcSpec) -> bool {
    let is_path = vc.hops.iter().enumerate().all(|(i, hop)| hop.parent == i.checked_sub(1));
    let notifies = |hop: &HopSpec| spec.direction(hop.direction_id()).scheduler.facts().notifies;
    let answers = vc.has_way_back() || vc.signalled || vc.hops.iter().any(notifies);
    is_path && record_slots(vc) == 0 && !answers
}

/// Whether a general node may create the ends of a VC when they are first used, wherever no credit
/// controls it.
pub(crate) fn is_usual_vc(spec: &NetworkSpec, vc: &VcSpec) -> bool {
    let is_plain = !vc.carries_packets() && !vc.ecn_capable && vc.source.external().is_none();
    is_plain && only_passes(spec, vc)
}

/// What the VCs of a link direction carry.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    users: u32,
    /// The smallest and the largest packet, if a VC crosses the direction.
    sizes: Option<[Bytes; 2]>,
    /// Whether packets of one VC differ in size.
    differs: bool,
    /// Whether any packet is not a cell.
    has_packets: bool,
    /// Whether packets may have marks.
    has_marks: bool,
}

impl Load {
    /// The load of each direction.
    fn all(spec: &NetworkSpec) -> Vec<Load> {
        let mut loads = vec![Load::default(); spec.direction_count()];
        for vc in &spec.vcs {
            let ([least, most], one_size) = (sizes(vc), one_size(vc));
            for hop in &vc.hops {
                let load = &mut loads[hop.direction_id().0];
                load.users += 1;
                let [smaller, larger] = load.sizes.unwrap_or([least, most]);
                load.sizes = Some([least.min(smaller), most.max(larger)]);
                load.differs |= one_size.is_none();
                load.has_packets |= one_size != Some(Bytes::CELL);
                load.has_marks |= vc.ecn_capable || vc.framing.is_some();
            }
        }
        loads
    }

    /// The size of all packets, if they have one.
    fn one_size(&self) -> Option<Bytes> {
        let [least, most] = self.sizes.unwrap_or([Bytes::CELL; 2]);
        (least == most && !self.differs).then_some(least)
    }
}

/// The FIFO-only nodes of a network, and the consequences for its links.
pub(crate) struct FifoNodes {
    nodes: Vec<bool>,
    loads: Vec<Load>,
    /// For each node, the number of directions by which VCs arrive.
    inputs: Vec<usize>,
    /// For each node that counts bytes, what each packet takes, if all take the same: there it is
    /// enough to count packets.
    takes: Vec<Option<Bytes>>,
}

impl FifoNodes {
    pub(crate) fn new(spec: &NetworkSpec) -> FifoNodes {
        let loads = Load::all(spec);
        let mut inputs = vec![0; spec.nodes.len()];
        for (id, _) in loads.iter().enumerate().filter(|(_, load)| load.users > 0) {
            inputs[spec.to_node(DirectionId(id))] += 1;
        }
        let takes = equal_takes(spec, &loads);
        FifoNodes { nodes: fifo_only_nodes(spec, &loads, &takes), loads, inputs, takes }
    }

    /// Whether a VC crosses a direction.
    pub(super) fn carries(&self, id: DirectionId) -> bool {
        self.loads[id.0].users > 0
    }

    /// Whether a node reads the bells of its ports.
    pub(super) fn listens(&self, node: usize) -> bool {
        !self.is_fifo_only(node) || self.inputs[node] > FEW_INPUTS
    }

    /// Whether a node is FIFO-only.
    pub(crate) fn is_fifo_only(&self, node: usize) -> bool {
        self.nodes[node]
    }

    /// The bounds of the port of a direction that leaves a FIFO-only node.
    pub(super) fn bounds(&self, spec: &NetworkSpec, id: DirectionId) -> Bounds {
        bounds(spec, id, &self.loads[id.0], &self.takes).expect("the port of a FIFO-only node")
    }

    /// What each packet takes at a node that counts bytes, if all take the same.
    pub(super) fn takes(&self, node: usize) -> Option<Bytes> {
        self.takes[node]
    }

    /// The most packets at a FIFO-only node; `u32::MAX` without a limit.
    pub(super) fn limit(&self, spec: &NetworkSpec, node: usize) -> u32 {
        packets_of(spec.nodes[node].buffer, self.takes[node])
    }

    /// Whether the port of a direction that leaves a FIFO-only node sends sizes that are not a
    /// cell's.
    pub(super) fn sends_sizes(&self, spec: &NetworkSpec, id: DirectionId) -> bool {
        self.loads[id.0].differs || !self.is_fifo_only(spec.to_node(id))
    }

    /// Whether units that arrive by a direction may be followed by size records.
    pub(super) fn may_be_sized(&self, spec: &NetworkSpec, id: DirectionId) -> bool {
        let load = self.loads[id.0];
        let is_sized = load.differs || !self.is_fifo_only(spec.from_node(id));
        load.has_marks || load.has_packets && is_sized
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
        let Some([least, _]) = load.sizes else { return Some(0) };
        let units = windows.units_unread(spec, id, least);
        let tells = load.has_marks || load.has_packets && self.sends_sizes(spec, id);
        Some(if tells { 2 * units } else { units })
    }
}
