//! External lane rules, as links name them.

use hopflow_control::external::MachineError;
use hopflow_control::lane::{ExternalLane, ExternalLaneSpec, Frame, LaneRule};
use hopflow_network::{LanesSpec, Machine};
use hopflow_scenario::{Code, Scenario, ScenarioFile};
use hopflow_units::{Bytes, SimTime};

const HEAD: &str = r#"version = 2
duration = "1 ms"
[[host]]
name = "A"
[[host]]
name = "B"
[[flow]]
name = "f"
from = "A"
to = "B"
packet = "1500 B"
[[link]]
between = ["A", "B"]
rate = "424 Mb/s"
delay = "103 us"
"#;

struct Own;

impl ExternalLane for Own {
    fn credit(&self) -> u32 {
        1
    }

    fn on_send(&mut self, _: SimTime, _: u32) -> Result<(), MachineError> {
        Ok(())
    }

    fn on_frame(&mut self, _: SimTime, _: u32) -> Result<(), MachineError> {
        Ok(())
    }

    fn on_freed(&mut self, _: SimTime, _: u32, _: u32) -> Result<bool, MachineError> {
        Ok(true)
    }

    fn frame(&mut self, _: SimTime, _: u32) -> Result<Option<Frame>, MachineError> {
        Ok(None)
    }
}

fn file(lanes: &str) -> ScenarioFile {
    let machine = |name: &str, version| Machine::lane_rule(name, version, |_| Ok(Own));
    let machines = vec![machine("other", 7), machine("own", 3)];
    ScenarioFile::new(format!("{HEAD}lanes = {lanes}"), "own.toml").with_machines(machines)
}

fn read(lanes: &str) -> Scenario {
    file(lanes).read().unwrap_or_else(|wrong| panic!("{wrong}\n{lanes}"))
}

/// Claim: a link names its machine, and declares priorities, block and buffer; the manifest has the
/// name and the version, and can be read. Machines that no link has are not of the network. What a
/// machine needs is not known, so a small buffer is no warning; that of lane credit is.
#[test]
fn links_name_machines() {
    let own = "{ kind = \"external\", machine = \"own\", priorities = [0, 2], block = \"100 B\", \
               buffer = 15 }";
    let scenario = read(own);
    let directions = &scenario.network.links[0].directions;
    let spec = ExternalLaneSpec { place: 0, block: Bytes(100), buffer: 15 };
    let lanes = LanesSpec::new(0b101, LaneRule::External(spec));
    assert_eq!(directions.each_ref().map(|direction| direction.lanes), [Some(lanes); 2]);
    assert_eq!(scenario.network.machines.len(), 1);
    assert_eq!(scenario.warnings, []);
    let written = scenario.resolved()["links"][0]["directions"][1]["lanes"].take();
    let expected = serde_json::json!({
        "kind": "external", "machine": "own", "version": 3, "priorities": [0, 2],
        "block_bytes": 100, "buffer_blocks": 15,
    });
    assert_eq!(written, expected);
    assert_eq!(serde_json::from_value::<LanesSpec>(written).expect("it can be read"), lanes);
    let small = read("{ priorities = [0], block = \"100 B\", buffer = 15, update = 1 }");
    assert_eq!(small.warnings.iter().map(|item| item.code).collect::<Vec<_>>(), [Code::BELOW_LOOP]);

    let two = read(&format!("[{own}, {}]", own.replace("\"own\"", "\"other\"")));
    let places = two.network.links[0].directions.each_ref();
    let places = places.map(|direction| direction.lanes.and_then(|lanes| lanes.rule.external()));
    assert_eq!(places, [Some(1), Some(0)]);
    assert_eq!(two.network.machines.iter().map(|machine| machine.version).sum::<u64>(), 10);
}

/// Claim: a missing or unknown machine is an error at its place, with those that are registered; so
/// are keys of other rules, a buffer below a packet, and a buffer that nothing can work out.
#[test]
fn mistakes_of_lane_machines() {
    let cases = [
        ("", Code::MISSING_KEY, "`machine` is missing in these lanes"),
        ("machine = \"owm\"", Code::UNKNOWN_MACHINE, "no external lane rule `owm` is registered"),
        (
            "machine = \"own\", refresh = \"1 ms\"",
            Code::KEY_OF_OTHER_KIND,
            "`refresh` does not belong to the lanes `external`",
        ),
        (
            "machine = \"own\", buffer = \"auto\"",
            Code::OUT_OF_RANGE,
            "`buffer` is auto, but must be a number: the loop of a rule of your own is not known",
        ),
        (
            "machine = \"own\", buffer = 23",
            Code::SMALL_LANE,
            "the buffer of lane 0 of `A->B` has 23 blocks of 64 B, but its largest packet \
             of 1500 B takes 24: it could wait for ever",
        ),
    ];
    for (more, code, message) in cases {
        let buffer = if more.contains("buffer") { "" } else { "buffer = 999, " };
        let more = if more.is_empty() { "" } else { &format!(", {more}") };
        let lanes = format!("{{ kind = \"external\", {buffer}priorities = [0]{more} }}");
        let wrong = file(&lanes).read().expect_err(&lanes);
        let [item] = &wrong.items[..] else { panic!("{wrong}") };
        assert_eq!((item.code, item.message.as_str()), (code, message), "{wrong}");
    }
    let wrong = file("{ kind = \"external\", machine = \"owm\", priorities = [0], buffer = 999 }");
    assert!(wrong.read().expect_err("unknown").to_string().contains("did you mean `own`?"));
    let built_in = "{ kind = \"cbfc\", machine = \"own\", priorities = [0], buffer = 999 }";
    let wrong = file(built_in).read().expect_err("a key of others");
    assert_eq!(wrong.items[0].message, "`machine` does not belong to the lanes `cbfc`");
}
