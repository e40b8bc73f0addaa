//! Ports that mark, as switches and links specify.

mod two_switches;

use hopflow_control::marking::{Length, MarkingRule, MarkingSpec, Moment};
use hopflow_network::DirectionId;
use hopflow_scenario::Scenario;
use two_switches::text;

const FLOW: &str = "[[flow]]\nname = \"f\"\nfrom = \"H\"\nto = \"G\"\n";

fn scenario(trunk: &str, switches: &str) -> Scenario {
    let text = text("1 ms", trunk, &format!("{FLOW}[defaults.switch]\n{switches}"));
    Scenario::from_toml(&text, "marking.toml").unwrap_or_else(|wrong| panic!("{wrong}\n{text}"))
}

/// Indexed by link direction, H-S, S-T, T-G.
fn marking(trunk: &str, switches: &str) -> [Option<MarkingSpec>; 6] {
    let network = scenario(trunk, switches).network;
    std::array::from_fn(|id| network.direction(DirectionId(id)).marking)
}

fn step(threshold: Length, moment: Moment) -> MarkingSpec {
    MarkingSpec { rule: MarkingRule::Step(threshold), moment }
}

/// Claim: the marking of a switch applies to all its ports, and to no port of a host. Packets are
/// counted as packets, and bytes as bytes, not as whole cells. A link takes precedence over its
/// switches, and "none" is no marking.
#[test]
fn ports_of_switches_mark() {
    let packets = Some(step(Length::Packets(65), Moment::Arrival));
    let switches = "marking = { kind = \"step\", threshold = \"65 packets\" }";
    assert_eq!(marking("", switches), [None, packets, packets, packets, packets, None]);
    let none = marking("marking = \"none\"", switches);
    assert_eq!(none, [None, packets, None, None, packets, None]);
    let trunk = "marking = { kind = \"step\", threshold = \"30.001 kB\", at = \"departure\" }";
    let bytes = Some(step(Length::Bytes(30_001), Moment::Departure));
    assert_eq!(marking(trunk, ""), [None, None, bytes, bytes, None, None]);
}

/// Claim: the resolved scenario has a marker for each port that has one, and no key for the others.
#[test]
fn markers_are_written_out() {
    let resolved =
        scenario("", "marking = { kind = \"step\", threshold = \"0 B\", at = \"departure\" }")
            .resolved();
    let first = &resolved["links"][0]["directions"];
    assert!(first[0].get("marking").is_none());
    let written = serde_json::json!({ "at": "departure", "kind": "step", "threshold_bytes": 0 });
    assert_eq!(first[1]["marking"], written);
}
