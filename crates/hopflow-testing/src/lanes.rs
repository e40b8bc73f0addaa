//! Lanes in tests: thresholds in cells, lanes on all links, and a ring of switches that can stand
//! still.

use hopflow_control::lane::PauseSpec;
use hopflow_units::Bytes;

use super::NetworkBuilder;
use hopflow_network::{HopControl, NetworkSpec, SourceSpec};
use hopflow_network::{LaneRule, LanesSpec};

/// PFC that pauses at `xoff` cells and resumes at `xon`, without headroom or watchdog.
pub fn pause(xoff: u64, xon: u64) -> PauseSpec {
    let cells = |count| Bytes(Bytes::CELL.0 * count);
    PauseSpec { xoff: cells(xoff), xon: cells(xon), quanta: 1_000, room: None, watchdog: None }
}

/// The network with all priorities of all links under `rule`.
pub fn with_lanes(mut spec: NetworkSpec, rule: LaneRule) -> NetworkSpec {
    for direction in spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.lanes = Some(LanesSpec { priorities: 0xFF, rule });
    }
    spec
}

/// Three switches in a ring, for 5,000 cell times; the greedy VC from each host goes on over two
/// links of the ring. For its first 50 cell times each link of the ring carries the VC of its own
/// host alone, so that the buffer behind it fills with cells that have to cross the next link.
/// Links 0 to 2 are of the hosts, 3 to 5 go round.
pub fn ring(control: HopControl) -> NetworkSpec {
    let mut network = NetworkBuilder::new(5_000);
    let hosts: Vec<usize> = (1..=3).map(|n| network.host(&format!("H{n}"))).collect();
    let switches: Vec<usize> = (1..=3).map(|n| network.switch(&format!("S{n}"))).collect();
    for n in 0..3 {
        network.link(hosts[n], switches[n], 2);
    }
    for n in 0..3 {
        network.link(switches[n], switches[(n + 1) % 3], 50);
    }
    for n in 0..3 {
        let (next, last) = ((n + 1) % 3, (n + 2) % 3);
        let route = [hosts[n], switches[n], switches[next], switches[last], hosts[last]];
        network.vc(&format!("VC{}", n + 1), &route, control, SourceSpec::Greedy);
    }
    network.spec
}
