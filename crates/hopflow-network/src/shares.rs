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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::NetworkBuilder;
    use crate::{SourceSpec, WindowSpec};
    use hopflow_units::Cells;

    /// Claim: on a line A - S - B with a windowed VC from A to B and a plain one back, the port
    /// S->A serves the ACKs of the first before the data of the second; both arrive by S's second
    /// port, and ACKs are cells.
    #[test]
    fn flows_are_numbered_by_vc() {
        let mut network = NetworkBuilder::new(10);
        let [a, b] = ["A", "B"].map(|name| network.host(name));
        let s = network.switch("S");
        network.link(a, s, 0);
        network.link(s, b, 0);
        let plain = crate::HopControl::None;
        let first = network.tree("first", &[(a, s), (s, b)], plain, SourceSpec::Greedy);
        let second = network.tree("second", &[(b, s), (s, a)], plain, SourceSpec::Greedy);
        let one = Cells::ONE;
        network.spec.vcs[first].window = Some(WindowSpec { cells: one, ack_every: one });
        network.spec.vcs[second].traffic.size = crate::SizeLaw::Fixed(Bytes(250));
        network.spec.vcs[second].weight = 3;
        for link in &mut network.spec.links {
            for direction in &mut link.directions {
                direction.scheduler = SchedulerSpec::Fifo;
            }
        }
        let flows = port_flows(&network.spec);
        let seen = |port: &Vec<FlowShare>| -> Vec<(u64, u32, u64)> {
            port.iter().map(|flow| (flow.weight, flow.input, flow.largest.0)).collect()
        };
        let none = u32::MAX;
        let expected: Vec<Vec<(u64, u32, u64)>> = vec![
            vec![(1, none, 53)],
            vec![(1, 1, 53), (3, 1, 250)],
            vec![(1, 0, 53)],
            vec![(1, none, 53), (3, none, 250)],
        ];
        assert_eq!(flows.iter().map(seen).collect::<Vec<_>>(), expected);
    }
}
