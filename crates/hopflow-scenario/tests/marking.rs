//! Ports that mark, as switches and links specify.

mod two_switches;

use hopflow_control::external::MachineError;
use hopflow_control::marking::{
    ExternalMarker, Length, MarkingRule, MarkingSpec, Moment, PacketAtPort,
};
use hopflow_network::{DirectionId, Machine};
use hopflow_scenario::{Scenario, ScenarioFile};
use two_switches::text;

const FLOW: &str = "[[flow]]\nname = \"f\"\nfrom = \"H\"\nto = \"G\"\n";

struct Never;

impl ExternalMarker for Never {
    fn marks(&mut self, _: &PacketAtPort) -> Result<bool, MachineError> {
        Ok(false)
    }
}

/// With the markers `a` and `b`.
fn scenario(trunk: &str, switches: &str) -> Scenario {
    let text = text("1 ms", trunk, &format!("{FLOW}[defaults.switch]\n{switches}"));
    let machines = ["a", "b"].map(|name| Machine::marker(name, 1, |_| Ok(Never)));
    let file = ScenarioFile::new(text.clone(), "marking.toml").with_machines(machines.to_vec());
    file.read().unwrap_or_else(|wrong| panic!("{wrong}\n{text}"))
}

/// Indexed by link direction, H-S, S-T, T-G.
fn marking(trunk: &str, switches: &str) -> [Option<MarkingSpec>; 6] {
    let network = scenario(trunk, switches).network;
    std::array::from_fn(|id| network.direction(DirectionId(id)).marking)
}

/// Claim: the marking of a switch applies to all its ports, and to no port of a host. A link takes
/// precedence over its switches, and "none" is no marking.
#[test]
fn ports_of_switches_mark() {
    let [a, b] = [(0, Moment::Arrival), (1, Moment::Departure)]
        .map(|(place, moment)| Some(MarkingSpec { rule: MarkingRule::External(place), moment }));
    let switches = "marking = { kind = \"external\", machine = \"a\" }";
    assert_eq!(marking("", switches), [None, a, a, a, a, None]);
    assert_eq!(marking("marking = \"none\"", switches), [None, a, None, None, a, None]);
    let trunk = "marking = { kind = \"external\", machine = \"b\", at = \"departure\" }";
    assert_eq!(marking(trunk, switches), [None, a, b, b, a, None]);
}

/// Claim: the resolved scenario has a marker for each port that has one, and no key for the others.
#[test]
fn markers_are_written_out() {
    let switches = "marking = { kind = \"external\", machine = \"a\", at = \"departure\" }";
    let resolved = scenario("", switches).resolved();
    let first = &resolved["links"][0]["directions"];
    assert!(first[0].get("marking").is_none());
    let written = &first[1]["marking"];
    assert_eq!((&written["kind"], &written["at"]), (&"external".into(), &"departure".into()));
}

/// Claim: packets are packets, and bytes are bytes, not whole cells; both are written with their
/// unit.
#[test]
fn a_threshold_is_in_packets_or_bytes() {
    for (threshold, length, key, written) in [
        ("65 packets", Length::Packets(65), "threshold_packets", 65),
        ("30.001 kB", Length::Bytes(30_001), "threshold_bytes", 30_001),
        ("0 B", Length::Bytes(0), "threshold_bytes", 0),
    ] {
        let switches = format!("marking = {{ kind = \"step\", threshold = \"{threshold}\" }}");
        let scenario = scenario("", &switches);
        let marking = scenario.network.direction(DirectionId(1)).marking;
        let rule = MarkingRule::Step(length);
        assert_eq!(marking, Some(MarkingSpec { rule, moment: Moment::Arrival }));
        let resolved = &scenario.resolved()["links"][0]["directions"][1]["marking"];
        let written = serde_json::json!({ "at": "arrival", "kind": "step", key: written });
        assert_eq!(*resolved, written);
    }
}
