//! What nodes promise to senders, of their memory: the credit of VCs and of lanes.

use std::collections::BTreeMap;

use hopflow_network::{CreditLanes, DirectionId, HopControl, Limit, Load, NetworkSpec, NodeKind};
use hopflow_units::Bytes;

/// The memory of a node that is promised to senders: the credit of each hop, the memory of each
/// shared buffer once, with the packets that fill most, the buffer of each lane.
pub(super) fn promised(network: &NetworkSpec, node: usize) -> Option<Load> {
    let here = &network.nodes[node];
    let mut shared: BTreeMap<DirectionId, Load> = BTreeMap::new();
    let mut own = Vec::new();
    for (vc, hop) in network.vcs.iter().flat_map(|vc| vc.hops.iter().map(move |hop| (vc, hop))) {
        let HopControl::Credit(credit) = hop.control else { continue };
        let units = network.promised_buffer(hop);
        let units = units.filter(|_| network.to_node(hop.direction_id()) == node);
        let Some(units) = units else { continue };
        let promised = vc.fills(units, &credit, here);
        if hop.shared_credit().is_some() {
            let known = shared.entry(hop.direction_id()).or_default();
            *known = known.most(promised);
        } else {
            own.push(promised);
        }
    }
    let lanes = CreditLanes::new(network);
    let of_lanes = lanes.used().filter(|(id, ..)| network.to_node(*id) == node);
    let of_lanes = of_lanes.filter_map(|(id, lane, promise)| {
        let smallest = lanes.smallest(id, lane)?.size;
        let packets = u64::from(promise.buffer) / promise.blocks(smallest);
        Some(Load { packets, bytes: lanes.memory(id, lane, promise) })
    });
    own.into_iter().chain(shared.into_values()).chain(of_lanes).reduce(Load::and)
}

/// A switch or slow host whose credits promise more than its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverPromised<'a> {
    /// The node.
    pub node: &'a str,
    /// What is promised, in the unit of the limit.
    pub promised: u64,
    /// The limit.
    pub room: Limit,
    /// What its lanes promise in bytes, and their smallest packet, for a message. `None`: no lane
    /// leads to it, or the limit is in bytes.
    pub counted: Option<String>,
}

/// Switches and slow hosts whose credits promise more than their memory.
pub fn over_promised(network: &NetworkSpec) -> Vec<OverPromised<'_>> {
    let lanes = CreditLanes::new(network);
    let nodes = network.nodes.iter().enumerate();
    let switches = nodes.filter(|(_, node)| node.kind == NodeKind::Switch);
    let over = switches.filter_map(|(index, node)| {
        let rooms = [node.buffer, network.receive_buffer(index)].into_iter().flatten();
        let promised = promised(network, index)?;
        // The tightest limit: of two in different units, that which is exceeded most.
        let over = rooms.filter_map(|room| {
            let (amount, most) = (promised.in_unit_of(room), room.packets_of(Bytes(1)));
            (amount > most).then_some((amount as f64 / most.max(1) as f64, amount, room))
        });
        let (_, promised, room) = over.max_by(|one, other| one.0.total_cmp(&other.0))?;
        let counted = room.packets().and_then(|_| counted(network, &lanes, index));
        Some(OverPromised { node: &node.name, promised, room, counted })
    });
    over.collect()
}

/// What the lanes into a node promise in bytes, and their smallest packet.
fn counted(network: &NetworkSpec, lanes: &CreditLanes<'_>, node: usize) -> Option<String> {
    let into = || lanes.used().filter(|(id, ..)| network.to_node(*id) == node);
    let smallest = into().filter_map(|(id, lane, _)| lanes.smallest(id, lane)).min()?;
    let bytes = into().map(|(_, _, promise)| u64::from(promise.buffer) * promise.block.0).sum();
    Some(smallest.note(network, bytes))
}
