//! Names of link directions, which results print and streams of corruption begin with.

use hopflow_testing::NetworkBuilder;

/// Claim: a direction is `FROM->TO`; of several links between two nodes the second has `#2` in both
/// directions, whichever end is named first.
#[test]
fn parallel_links_are_numbered() {
    let mut network = NetworkBuilder::new(10);
    let [a, b] = ["A", "B"].map(|name| network.host(name));
    let s = network.switch("S");
    for [from, to] in [[a, s], [s, b], [s, a], [a, s]] {
        network.link(from, to, 0);
    }
    let names: Vec<String> = network.spec.direction_names().collect();
    let numbered = ["S->A#2", "A->S#2", "A->S#3", "S->A#3"];
    assert_eq!(names, [["A->S", "S->A", "S->B", "B->S"], numbered].concat());
}
