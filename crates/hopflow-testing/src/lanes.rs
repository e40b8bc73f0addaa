//! Lanes in tests: thresholds in cells, lanes on all links, and a ring of switches that can
//! deadlock.

use hopflow_control::lane::{CbfcSpec, PauseSpec, Watching};
use hopflow_units::{Bytes, Picos};

use super::NetworkBuilder;
use hopflow_network::{HopControl, NetworkSpec, SourceSpec};
use hopflow_network::{LaneKey, LaneRule, LanesSpec};

/// PFC that pauses at `xoff` cells and resumes at `xon`, without headroom or watchdog.
pub fn pause(xoff: u64, xon: u64) -> PauseSpec {
    let cells = |count| Bytes(Bytes::CELL.0 * count);
    PauseSpec {
        xoff: cells(xoff),
        xon: cells(xon),
        quanta: 1_000,
        room: None,
        watchdog: None,
        watching: Watching::IDEAL,
    }
}

/// The network with all priorities of all links under `rule`.
pub fn with_lanes(mut spec: NetworkSpec, rule: LaneRule) -> NetworkSpec {
    for direction in spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.lanes = Some(LanesSpec::new(0xFF, rule));
    }
    spec
}

/// The network with its lanes under credit per destination.
pub fn per_destination(mut spec: NetworkSpec) -> NetworkSpec {
    let directions = spec.links.iter_mut().flat_map(|link| &mut link.directions);
    for lanes in directions.filter_map(|direction| direction.lanes.as_mut()) {
        if lanes.rule.promise().is_some() {
            lanes.per = LaneKey::Destination;
        }
    }
    spec
}

/// The network with CBFC on all lanes under credit, other times and overheads on each.
pub fn with_cbfc(mut spec: NetworkSpec) -> NetworkSpec {
    let directions = spec.links.iter_mut().flat_map(|link| &mut link.directions);
    let lanes = directions.filter_map(|direction| direction.lanes.as_mut());
    for (lanes, number) in lanes.zip(1_u64..) {
        let LaneRule::Credit(lane) = lanes.rule else { continue };
        let min_spacing = Picos(700_000 * (number % 7) + 1_000_000 * (number % 2) + 1);
        lanes.rule = LaneRule::Cbfc(CbfcSpec {
            block: lane.block,
            overhead: [0, 16, 127][number as usize % 3],
            // Another block of 53 B or more for each 53 bytes of overhead.
            buffer: lane.buffer + 3,
            min_spacing,
            max_spacing: Picos(min_spacing.0 * (1 + number % 5)),
            cc_timer: lane.refresh.unwrap_or(Picos(5_000_000 * (number % 11) + 3_000_000)),
        });
    }
    spec
}

/// Three switches in a ring, for 5,000 cell times; the greedy VC from each host continues over two
/// links of the ring. For its first 50 cell times each link of the ring carries only the VC of its
/// own host, so that the buffer behind it fills with cells that have to cross the next link. Links
/// 0 to 2 connect the hosts, 3 to 5 form the ring.
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
