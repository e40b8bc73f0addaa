//! The flows of every port that has a scheduler, in the form that the scheduler receives.
//!
//! Flows of a port are numbered by VC, the forward part before the ACK part.

use hopflow_control::scheduler::{FlowShare, SchedulerSpec};
use hopflow_units::Bytes;

use crate::{DirectionId, NetworkSpec, VcSpec};

/// For each link direction: its flows, none if the port is plain round robin.
pub fn port_flows(spec: &NetworkSpec) -> Vec<Vec<FlowShare>> {
    let inputs = inputs(spec);
    let mut flows = vec![Vec::new(); spec.direction_count()];
    let mut add = |out: DirectionId, from: Option<DirectionId>, vc: &VcSpec, largest: Bytes| {
        if spec.direction(out).scheduler != SchedulerSpec::RoundRobin {
            let input = from.map_or(u32::MAX, |direction| inputs[direction.0]);
            flows[out.0].push(share(vc, input, largest));
        }
    };
    for vc in &spec.vcs {
        for hop in &vc.hops {
            let from = hop.parent.map(|parent| vc.hops[parent].direction_id());
            add(hop.direction_id(), from, vc, vc.traffic.size.most());
        }
        if vc.has_way_back() {
            let back = vc.hops.iter().rev().map(|hop| hop.direction_id().reverse());
            let mut from = None;
            for direction in back {
                add(direction, from, vc, Bytes::CELL);
                from = Some(direction);
            }
        }
    }
    flows
}

/// For each link direction: the number of the input of its node, in the order of links.
fn inputs(spec: &NetworkSpec) -> Vec<u32> {
    let mut count = vec![0; spec.nodes.len()];
    let mut inputs = vec![0; spec.direction_count()];
    for out in (0..spec.direction_count()).map(DirectionId) {
        let node = spec.from_node(out);
        inputs[out.reverse().0] = count[node];
        count[node] += 1;
    }
    inputs
}

fn share(vc: &VcSpec, input: u32, largest: Bytes) -> FlowShare {
    let reserved = vc.reservation.map(|reservation| reservation.rate.bps());
    FlowShare {
        weight: reserved.unwrap_or(u64::from(vc.weight)),
        reservation: vc.reservation,
        class: vc.priority,
        input,
        largest,
    }
}
