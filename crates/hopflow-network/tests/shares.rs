//! Shares of the flows of a port: numbers, inputs, weights, largest packets.

use hopflow_control::scheduler::{FlowShare, SchedulerSpec};
use hopflow_network::{HopControl, SizeLaw, SourceSpec, WindowSpec, port_flows};
use hopflow_testing::NetworkBuilder;
use hopflow_units::{Bytes, Cells};

/// Claim: on a line A - S - B with a windowed VC from A to B and a plain one back, the port
/// S->A serves the ACKs of the first before the data of the second; both come in by S's
/// second port, and ACKs are cells.
#[test]
fn flows_are_numbered_by_vc() {
    let mut network = NetworkBuilder::new(10);
    let [a, b] = ["A", "B"].map(|name| network.host(name));
    let s = network.switch("S");
    network.link(a, s, 0);
    network.link(s, b, 0);
    let plain = HopControl::None;
    let first = network.tree("first", &[(a, s), (s, b)], plain, SourceSpec::Greedy);
    let second = network.tree("second", &[(b, s), (s, a)], plain, SourceSpec::Greedy);
    let one = Cells::ONE;
    network.spec.vcs[first].window = Some(WindowSpec { cells: one, ack_every: one });
    network.spec.vcs[second].traffic.size = SizeLaw::Fixed(Bytes(250));
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
