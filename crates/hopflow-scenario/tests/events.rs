//! False credits and shared credit cells in a file: the network that results, and mistakes.

use hopflow_network::{Change, CreditsOf, HopControl, NetworkSpec};
use hopflow_scenario::Scenario;

/// A - S - B under `control`, with lane credits of priority 0 and an event from S to A with these
/// keys.
fn scenario(control: &str, event: &str) -> Result<NetworkSpec, String> {
    let text = format!(
        "version = 2\nduration = \"1 ms\"\n\
         [[host]]\nname = \"A\"\n[[switch]]\nname = \"S\"\n[[host]]\nname = \"B\"\n\
         [[link]]\nbetween = [\"A\", \"S\"]\nrate = \"10 Gb/s\"\ndelay = \"1 us\"\n\
         lanes = {{ kind = \"credit\", priorities = [0], buffer = \"auto\" }}\n\
         [[link]]\nbetween = [\"S\", \"B\"]\nrate = \"10 Gb/s\"\ndelay = \"1 us\"\n\
         [[flow]]\nname = \"VC\"\nroute = [\"A\", \"S\", \"B\"]\ncontrol = {{ {control} }}\n\
         [[event]]\nat = \"5 us\"\nfrom = \"S\"\nto = \"A\"\n{event}\n"
    );
    let read = Scenario::from_toml(&text, "events.toml");
    read.map(|scenario| scenario.network).map_err(|wrong| wrong.to_string())
}

/// The changes of the events; `falsify-next-credits = 3` and these keys.
fn falsified(keys: &str) -> Result<Vec<Change>, String> {
    let event = format!("falsify-next-credits = 3\n{keys}");
    let network = scenario("kind = \"n23\"", &event)?;
    Ok(network.events.iter().map(|event| event.change).collect())
}

/// Claim: errors go both ways, and are about the credits of any flow, of one, or of a lane.
#[test]
fn false_credits_are_read() {
    let change = |error, of| Ok(vec![Change::FalsifyNextCredits { count: 3, error, of }]);
    assert_eq!(falsified("by = 25"), change(25, CreditsOf::AnyVc));
    assert_eq!(falsified("by = -16777215\nflow = \"VC\""), change(-16_777_215, CreditsOf::Vc(0)));
    assert_eq!(falsified("by = 1\nlane = 0"), change(1, CreditsOf::Lane(0)));
}

/// Claim: each mistake is one error that names its values and the way out.
#[test]
fn mistakes_in_false_credits_are_reported() {
    for (keys, message) in [
        ("", "`by`"),
        ("by = 0", "`by` is 0, but must be a whole number"),
        ("by = 2.5", "`by` is 2.5, but must be a whole"),
        ("by = 16777216", "`by` is 16777216, but must be"),
        ("by = 1\nlane = 3", "no credits of lane 3 cross this link"),
        ("by = 1\nlane = 0\nflow = \"VC\"", "of a `flow` or of a `lane`, not of both"),
    ] {
        let wrong = falsified(keys).unwrap_err();
        assert!(wrong.contains(message), "{keys}: {wrong}");
    }
    for (event, message) in [
        ("blocked = true\nby = 3", "`by` needs `falsify-next-credits`"),
        ("corrupt-next-credits = 1\nlane = 0", "`lane` needs `falsify-next-credits`"),
        ("blocked = true\nflow = \"VC\"", "`flow` needs `corrupt-next-credits` or"),
        ("", "this event changes nothing"),
    ] {
        let wrong = scenario("kind = \"n23\"", event).unwrap_err();
        assert!(wrong.contains(message), "{event}: {wrong}");
    }
}

/// Claim: credits share cells where the receiver counts N2; the default is one.
#[test]
fn credits_per_cell_is_read() {
    let event = "blocked = true";
    let of = |control: &str| {
        let network = scenario(control, event).unwrap();
        let HopControl::Credit(credit) = network.vcs[0].hops[1].control else {
            panic!("{control} is credit")
        };
        credit.per_cell
    };
    assert_eq!(of("kind = \"n23\""), 1);
    for kind in ["n23", "n123", "n123+", "cup", "additive"] {
        assert_eq!(of(&format!("kind = \"{kind}\", credits-per-cell = 6")), 6);
    }
    for (control, message) in [
        ("kind = \"n23\", credits-per-cell = 7", "7"),
        ("kind = \"adaptive\", credits-per-cell = 2", "credits-per-cell"),
    ] {
        let wrong = scenario(control, event).unwrap_err();
        assert!(wrong.contains(message), "{wrong}");
    }
}
