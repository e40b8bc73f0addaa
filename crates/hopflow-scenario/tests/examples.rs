//! The worked examples: each passes the check without a warning, and means what it says.

use std::path::PathBuf;

use hopflow_network::{CreditScheme, CreditSpec, DirectionId, HopControl, VcSpec};
use hopflow_scenario::Scenario;
use hopflow_units::{Cells, Picos};

const EXAMPLES: [&str; 6] =
    ["figure-14", "gigabit-into-ten-megabit", "incast", "lost-credits", "multicast", "one-vc"];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn example(name: &str) -> Scenario {
    match Scenario::load(&folder().join(format!("{name}.toml"))) {
        Ok(scenario) => scenario,
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

fn credit(vc: &VcSpec, hop: usize) -> CreditSpec {
    match vc.hops[hop].control {
        HopControl::Credit(credit) => credit,
        HopControl::None => panic!("{} is not controlled on hop {hop}", vc.name),
    }
}

/// Claim: every example, and the template that `init` writes, passes the check in silence.
#[test]
fn examples_pass_without_a_warning() {
    for name in EXAMPLES {
        let scenario = example(name);
        assert_eq!(scenario.warnings, [], "{name}");
        assert!(scenario.title.is_some(), "{name} has a title");
    }
    let template = Scenario::from_toml(Scenario::template(), "template.toml");
    assert_eq!(template.map(|scenario| scenario.warnings), Ok(Vec::new()));
}

/// Claim [KMCL94] 7.2: figure 14 has a loop of 155 cell times, 681,585 ps each: 2 x 52,141,253
/// (76.5 cells, rounded up) + 2 x 681,585 = 105,645,676 ps; and N3 = 155, 113, 63.
#[test]
fn figure_14_is_as_in_the_paper() {
    let scenario = example("figure-14");
    let network = &scenario.network;
    let names: Vec<&str> = network.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["A1", "A2", "A3", "S", "B"]);
    assert_eq!(network.duration, Picos(20_000 * 681_585));
    for (vc, n3) in network.vcs.iter().zip([155, 113, 63]) {
        let credit = credit(vc, 0);
        assert_eq!(
            (credit.scheme, credit.n2, credit.n3),
            (CreditScheme::N23, Cells(10), Cells(n3))
        );
    }
    assert!((0..4).all(|link| network.loop_time(link) == Picos(105_645_676)));
    assert_eq!(scenario.record.queues, [3]);
    assert_eq!(scenario.record.throughput, [DirectionId::new(3, 0)]);
}

/// Claim [KMCL94] Eq. (3): 1 km at 1 Gb/s is a loop of 10 us + 2 x 0.424 us; at 10 Mb/s that is
/// 0.256 cells, so N3 = 1. On the slow link 30 is given. S1 holds 4000 / 53 = 75 whole cells.
#[test]
fn the_gigabit_example_sizes_each_link() {
    let network = example("gigabit-into-ten-megabit").network;
    let n3 = |vc: usize| [0, 1, 2].map(|hop| credit(&network.vcs[vc], hop).n3.0);
    assert_eq!(n3(0), [1, 30, 1]);
    assert_eq!(n3(1), [1, 26, 1]);
    assert_eq!(network.nodes[2].buffer, Some(Cells(75)));
}

/// Claim: shortest paths to five hosts share the first link and part at the switch.
#[test]
fn the_multicast_example_is_a_tree() {
    let network = example("multicast").network;
    let tree = &network.vcs[0];
    let parents: Vec<Option<usize>> = tree.hops.iter().map(|hop| hop.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(0), Some(0), Some(0), Some(0)]);
    assert_eq!(network.leaves(0).len(), 5);
    assert_eq!(network.vcs.len(), 6);
    assert_eq!(network.vcs[5].name, "burst5");
}

/// Claim: the same file gives the same resolved form, byte for byte; keys end in their units.
#[test]
fn the_resolved_form_is_stable() {
    let resolved = serde_json::to_string_pretty(&example("one-vc").resolved()).unwrap();
    assert_eq!(resolved, serde_json::to_string_pretty(&example("one-vc").resolved()).unwrap());
    insta::assert_snapshot!(resolved);
}

/// Claim: a warm-up is read from the file, in cells too, or set afterwards; it may be nothing.
/// Lengths are counted where they are asked for.
#[test]
fn a_warm_up_and_lengths_are_read() {
    let plain = example("one-vc");
    assert_eq!(plain.warm_up, Picos::ZERO);
    let text = r#"
version = 1
duration = "1 ms"
warm-up = "10 cells"
[[host]]
name = "A"
[[host]]
name = "B"
[[link]]
between = ["A", "B"]
rate = "424 Mb/s"
delay = "1 us"
[[flow]]
name = "VC1"
route = ["A", "B"]
source = { kind = "greedy" }
[record]
lengths = ["A->B"]
"#;
    let mut scenario = Scenario::from_toml(text, "a.toml").unwrap();
    assert_eq!(scenario.warm_up, Picos(10_000_000));
    let counted = scenario.network.links[0].directions.map(|d| d.count_lengths);
    assert_eq!(counted, [true, false]);
    assert_eq!(scenario.resolved()["record"]["lengths"], serde_json::json!(["A->B"]));
    assert_eq!(scenario.resolved()["warm_up_ps"], 10_000_000);
    scenario.set_warm_up("0 s").unwrap();
    assert_eq!(scenario.warm_up, Picos::ZERO);
    assert!(scenario.set_warm_up("3 km").is_err());
}

/// Claim: a duration set afterwards is read as in the file, and a wrong one is refused.
#[test]
fn a_duration_can_be_set_afterwards() {
    let mut scenario = example("one-vc");
    scenario.set_duration("3 ms").unwrap();
    assert_eq!(scenario.network.duration, Picos(3_000_000_000));
    scenario.set_duration("10 cells").unwrap();
    assert_eq!(scenario.network.duration, Picos(6_815_850));
    for wrong in ["3", "3 km", "-3 ms", "0 s", "1e30 s", "soon"] {
        assert!(scenario.set_duration(wrong).is_err(), "{wrong}");
    }
    // The links of this one have different cell times.
    assert!(example("gigabit-into-ten-megabit").set_duration("10 cells").is_err());
}
