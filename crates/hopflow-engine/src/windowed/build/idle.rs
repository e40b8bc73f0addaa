//! Where ends of VCs are created when first used, see `state/idle.rs`.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_units::Bytes;

use crate::windowed::fifo::{FifoNodes, is_usual_vc};
use hopflow_network::traffic::MadeBy;
use hopflow_network::{DirectionId, HopControl, HopSpec, NetworkSpec, NodeKind};

/// For each node, whether ends are created when first used.
pub(super) fn idle_nodes(spec: &NetworkSpec, fifo_nodes: &FifoNodes) -> Vec<bool> {
    let mut idle = vec![true; spec.nodes.len()];
    let mut exclude = |nodes: [usize; 2]| nodes.into_iter().for_each(|node| idle[node] = false);
    for id in (0..spec.direction_count()).map(DirectionId) {
        let direction = spec.direction(id);
        if direction.lanes.is_some() || direction.shared_buffer.is_some() {
            exclude(spec.links[id.link()].ends);
        }
        let is_turned = direction.scheduler == SchedulerSpec::RoundRobin;
        if !is_turned || direction.rate_control.is_some() || direction.marking.is_some() {
            exclude([spec.from_node(id); 2]);
        }
    }
    for vc in &spec.vcs {
        let is_usual = is_usual_vc(spec, vc);
        let most = vc.traffic.size.most();
        for hop in vc.hops.iter().filter(|hop| !is_usual || !has_usual_credit(hop, most)) {
            exclude(spec.links[hop.link].ends);
        }
        let first = spec.from_node(vc.hops[0].direction_id());
        let is_host = spec.nodes[first].kind == NodeKind::Host;
        if vc.source.facts().made_by != MadeBy::Source || !is_host {
            exclude([first; 2]);
        }
    }
    (0..idle.len()).map(|node| idle[node] || fifo_nodes.is_fifo_only(node)).collect()
}

/// Whether credit, if there is any, names no instants, sends no requests, repeats nothing, shares
/// no cells, and counts packets of at most this size as one unit.
fn has_usual_credit(hop: &HopSpec, most: Bytes) -> bool {
    let HopControl::Credit(credit) = hop.control else { return true };
    let facts = credit.scheme.facts();
    let is_usual = !facts.names_instants && !facts.shares_buffer() && credit.per_cell == 1;
    let is_alone = credit.request_after.is_none() && credit.redundant_every.is_none();
    is_usual && is_alone && credit.packet_units(most).are_packets()
}
