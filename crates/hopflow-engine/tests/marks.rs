//! Ports that mark, by hand. Links carry a cell in one microsecond.

use hopflow_control::marking::{Length, MarkingRule, MarkingSpec, Moment};
use hopflow_engine::{ReferenceEngine, WindowedEngine};
use hopflow_network::{Engine, HopControl, NetworkSpec, TraceFilter};
use hopflow_testing::{NetworkBuilder, above, burst};
use hopflow_units::SimTime;

/// Two hosts send five cells each to a third at once, through a switch that marks at the port to
/// it.
fn two_into_one(threshold: Length, moment: Moment, capable: [bool; 2]) -> NetworkSpec {
    let mut network = NetworkBuilder::new(30);
    let [a, b, c] = ["A", "B", "C"].map(|name| network.host(name));
    let switch = network.switch("S");
    for host in [a, b, c] {
        network.link(host, switch, 1);
    }
    for (host, capable) in [a, b].into_iter().zip(capable) {
        let route = [host, switch, c];
        let vc = network.vc(&format!("from {host}"), &route, HopControl::None, burst(5));
        network.spec.vcs[vc].ecn_capable = capable;
    }
    let marking = MarkingSpec { rule: MarkingRule::External(0), moment };
    network.spec.links[2].directions[1].marking = Some(marking);
    network.spec.machines = vec![above(threshold)].into();
    network.spec
}

/// The number of marks of that port, in both engines.
fn marks(threshold: Length, moment: Moment, capable: [bool; 2]) -> u64 {
    let spec = two_into_one(threshold, moment, capable);
    let mut engines: [Box<dyn Engine>; 2] = [
        Box::new(ReferenceEngine::new(&spec, TraceFilter::none())),
        Box::new(WindowedEngine::new(&spec, TraceFilter::none(), 1)),
    ];
    let marks = engines.each_mut().map(|engine| {
        engine.run_until(SimTime(spec.duration.0));
        let marks = engine.counters().directions.iter().map(|way| way.marked_packets).sum();
        assert_eq!(engine.counters().directions[5].marked_packets, marks);
        marks
    });
    assert_eq!(marks[0], marks[1]);
    marks[0]
}

/// Claim [Alizadeh10] 3.1: two cells arrive in each microsecond and one leaves, so cells find 1, 2;
/// 2, 3; 3, 4; 4, 5; 5, 6 at the port, including themselves and the one in transmission: five are
/// above 3. Those of A find 1 to 5, so two of them are; those of B 2 to 6. A threshold in bytes
/// gives the same.
#[test]
fn a_cell_counts_itself_as_it_arrives() {
    for length in [Length::Packets(3), Length::Bytes(3 * 53)] {
        let marked = [[true; 2], [true, false], [false, true], [false; 2]]
            .map(|capable| marks(length, Moment::Arrival, capable));
        assert_eq!(marked, [5, 2, 3, 0]);
    }
    assert_eq!(marks(Length::Bytes(3 * 53 - 1), Moment::Arrival, [true; 2]), 7);
}

/// Claim: at their starts cells leave 1, 2, 3, 4, 5, 4, 3, 2, 1, 0 behind: three leave more than 3.
#[test]
fn a_cell_does_not_count_itself_as_it_leaves() {
    for length in [Length::Packets(3), Length::Bytes(3 * 53)] {
        assert_eq!(marks(length, Moment::Departure, [true; 2]), 3);
    }
}
