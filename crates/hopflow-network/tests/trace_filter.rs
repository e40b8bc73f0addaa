//! At which nodes rows can be made.

use hopflow_network::{HopControl, SourceSpec, TraceFilter, TracePart};
use hopflow_testing::NetworkBuilder;

/// Claim: A - S - B and C - S; a flow from A to B. Its rows are made at A, S and B; those of
/// C's link at C and S; those of the flow on C's link nowhere.
#[test]
fn nodes_are_the_ends_of_what_is_asked_for() {
    let mut network = NetworkBuilder::new(10);
    let [a, b, c] = ["A", "B", "C"].map(|name| network.host(name));
    let s = network.switch("S");
    for host in [a, b, c] {
        network.link(host, s, 1);
    }
    network.tree("vc", &[(a, s), (s, b)], HopControl::None, SourceSpec::Greedy);
    let at = |filter: TraceFilter| -> Vec<usize> {
        let nodes = filter.may_keep_at(&network.spec);
        (0..nodes.len()).filter(|node| nodes[*node]).collect()
    };
    let of_c = vec![false, false, false, false, true];
    let none = TraceFilter::none;
    assert_eq!(at(none()), []);
    assert_eq!(at(TraceFilter { vcs: vec![true], ..none() }), [a, b, s]);
    assert_eq!(at(TraceFilter { directions: of_c.clone(), ..none() }), [c, s]);
    let part = TracePart { directions: Some(of_c), ..TracePart::default() };
    assert_eq!(at(TraceFilter { part: Some(part.clone()), ..none() }), [c, s]);
    let part = TracePart { vcs: Some(vec![true]), ..part };
    assert_eq!(at(TraceFilter { part: Some(part), ..none() }), []);
}
