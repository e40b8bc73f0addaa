//! External credit schemes, as flows and their hops name them.

use hopflow_control::credit::ExternalCredit;
use hopflow_control::external::MachineError;
use hopflow_network::{CreditScheme, HopControl, Machine};
use hopflow_scenario::{Code, Scenario, ScenarioFile};
use hopflow_units::SimTime;

/// A to B over S, with a loop of 208 cells from A to S.
const HEAD: &str = r#"version = 2
duration = "1 ms"
[[host]]
name = "A"
[[host]]
name = "B"
[[switch]]
name = "S"
[[link]]
between = ["A", "S"]
rate = "424 Mb/s"
delay = "103 us"
[[link]]
between = ["S", "B"]
rate = "424 Mb/s"
[[flow]]
name = "f"
route = ["A", "S", "B"]
"#;

struct Own;

impl ExternalCredit for Own {
    fn credit(&self) -> u32 {
        1
    }

    fn on_send(&mut self, _: SimTime) -> Result<(), MachineError> {
        Ok(())
    }

    fn on_credit(&mut self, _: SimTime, _: u32, _: u32) -> Result<(), MachineError> {
        Ok(())
    }

    fn on_freed(&mut self, _: SimTime, _: u32) -> Result<bool, MachineError> {
        Ok(true)
    }

    fn value(&mut self, _: SimTime, _: u32) -> Result<Option<u32>, MachineError> {
        Ok(Some(0))
    }
}

fn file(flow: &str) -> ScenarioFile {
    let machine = |name: &str, version| Machine::credit(name, version, |_| Ok(Own));
    let machines = vec![machine("other", 7), machine("own", 3)];
    ScenarioFile::new(format!("{HEAD}{flow}"), "own.toml").with_machines(machines)
}

fn read(flow: &str) -> Scenario {
    file(flow).read().unwrap_or_else(|wrong| panic!("{wrong}\n{flow}"))
}

/// The names of the machines of both hops; empty without one.
fn machines(scenario: &Scenario) -> Vec<&str> {
    let network = &scenario.network;
    let name = |control: HopControl| {
        control.external().map_or("", |place| &network.machines[usize::from(place)].name)
    };
    network.vcs[0].hops.iter().map(|hop| name(hop.control)).collect()
}

/// Claim: a flow names its machine for all hops; a hop may name another, or be of another kind.
/// What a hop leaves out is that of the flow. Machines that no hop has are not of the network.
#[test]
fn flows_and_hops_name_machines() {
    let control = "control = { kind = \"external\", machine = \"own\", n2 = 4, n3 = 999 }\n";
    let whole = read(control);
    assert_eq!(machines(&whole), ["own", "own"]);
    assert_eq!(whole.network.machines.len(), 1);
    let hop = |more: &str| format!("{control}[[flow.hop]]\nlink = [\"S\", \"B\"]\n{more}");
    let mixed = read(&hop("machine = \"other\""));
    assert_eq!(machines(&mixed), ["own", "other"]);
    assert_eq!(machines(&read(&hop("n2 = 5"))), ["own", "own"]);
    assert_eq!(machines(&read(&hop("kind = \"n23\""))), ["own", ""]);
    let one = "[[flow.hop]]\nlink = [\"S\", \"B\"]\nkind = \"external\"\nmachine = \"own\"";
    assert_eq!(machines(&read(one)), ["", "own"]);
    let HopControl::Credit(credit) = mixed.network.vcs[0].hops[1].control else { panic!("credit") };
    assert_eq!((credit.n2.0, credit.n3.0, credit.buffer().0), (4, 999, 1003));
    assert!(matches!(credit.scheme, CreditScheme::External(_)));
    let written = &mixed.resolved()["flows"][0]["hops"][0]["control"];
    assert_eq!((&written["machine"], &written["version"]), (&"own".into(), &3.into()));
}

/// Claim: what a machine needs is not known, so an N3 below the loop is no warning; that of N23 is.
#[test]
fn only_known_schemes_are_warned_of() {
    let warnings = |kind: &str| {
        let scenario = read(&format!("control = {{ kind = {kind}, n2 = 4, n3 = 9 }}"));
        scenario.warnings.iter().map(|item| item.code).collect::<Vec<Code>>()
    };
    assert_eq!(warnings("\"n23\""), [Code::BELOW_LOOP]);
    assert_eq!(warnings("\"external\", machine = \"own\""), []);
}

/// Claim: a missing or unknown machine is an error at its place, with those that are registered; so
/// is a key of other schemes.
#[test]
fn mistakes_of_machines() {
    let cases = [
        ("kind = \"external\"", Code::MISSING_KEY, "`machine` is missing in this control"),
        (
            "kind = \"external\", machine = \"owm\"",
            Code::UNKNOWN_MACHINE,
            "no external credit scheme `owm` is registered",
        ),
        (
            "kind = \"external\", machine = \"own\", e = \"continuous\"",
            Code::KEY_OF_OTHER_KIND,
            "`e` does not belong to the control `external`",
        ),
        (
            "kind = \"n23\", machine = \"own\"",
            Code::KEY_OF_OTHER_KIND,
            "`machine` does not belong to the control `n23`",
        ),
    ];
    for (control, code, message) in cases {
        let wrong = file(&format!("control = {{ {control} }}")).read().expect_err(control);
        let [item] = &wrong.items[..] else { panic!("{wrong}") };
        assert_eq!((item.code, item.message.as_str()), (code, message));
    }
    let unknown = file("control = { kind = \"external\", machine = \"owm\" }").read();
    assert!(unknown.expect_err("unknown").to_string().contains("did you mean `own`?"));
}
