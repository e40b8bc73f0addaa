//! Variants: one scenario under several controls.

use hopflow_control::lane::LaneRule;
use hopflow_control::rate::RateRule;
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_network::{CreditScheme, HopControl};
use hopflow_scenario::{
    AS_IS, BUILT_IN, Code, ControlError, Diagnostics, Scenario, ScenarioFile, known_as,
};

/// A and C to B over S; every link 424 Mb/s (a cell in 1 us) with a delay of 3 us, so a loop of
/// 2 x (3 + 1) = 8 cells. `fixed` is not controlled.
const BASE: &str = r#"version = 2
duration = "1 ms"
[defaults.link]
rate = "424 Mb/s"
delay = "3 us"
scheduler = "scfq"
[defaults.flow]
control = { kind = "n23", n2 = 4, n3 = 99 }
[[host]]
name = "A"
[[host]]
name = "B"
[[host]]
name = "C"
[[switch]]
name = "S"
scheduler = "sfq"
[[link]]
between = ["A", "S"]
[[link]]
between = ["S", "B"]
[[link]]
between = ["C", "S"]
controlled = false
[[flow]]
name = "free"
route = ["A", "S", "B"]
[[flow.hop]]
link = ["S", "B"]
kind = "cup"
[[flow]]
name = "fixed"
route = ["C", "S", "B"]
controlled = false
"#;

fn file(more: &str) -> ScenarioFile {
    ScenarioFile::new(format!("{BASE}{more}"), "base.toml")
}

fn under(more: &str, control: &str) -> Scenario {
    file(more).under(control).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn wrong(more: &str, control: &str) -> Diagnostics {
    match file(more).under(control) {
        Err(ControlError::Wrong(wrong)) => wrong,
        other => panic!("{other:?}"),
    }
}

/// N2 and N3 of a flow's hops, and their schemes; `None` without credit.
fn credit(scenario: &Scenario, flow: usize) -> Vec<Option<(CreditScheme, u32, u32)>> {
    let control = |control: &HopControl| match control {
        HopControl::None => None,
        HopControl::Credit(spec) => Some((spec.scheme, spec.n2.0, spec.n3.0)),
    };
    scenario.network.vcs[flow].hops.iter().map(|hop| control(&hop.control)).collect()
}

fn schedulers(scenario: &Scenario) -> Vec<[SchedulerSpec; 2]> {
    let links = scenario.network.links.iter();
    links.map(|link| [0, 1].map(|side| link.directions[side].scheduler.clone())).collect()
}

/// Claim: a control replaces the flow's own, that of `[defaults]` and that of its hops, as a whole:
/// nothing is merged. N3 of N23 is then the loop, 8 cells, and N2 the default, 10. A flow that is
/// not controlled stays the same.
#[test]
fn a_control_takes_the_place_of_all_others() {
    let n23 = |n2, n3| Some((CreditScheme::N23, n2, n3));
    let cup = Some((CreditScheme::Cup, 4, 99));
    let as_is = under("", AS_IS);
    assert_eq!(as_is, Scenario::from_toml(BASE, "base.toml").unwrap());
    assert_eq!(credit(&as_is, 0), [n23(4, 99), cup]);
    for (control, hop) in
        [("n23", n23(10, 8)), ("drop-tail", None), ("cup", Some((CreditScheme::Cup, 10, 8)))]
    {
        let scenario = under("", control);
        assert_eq!(credit(&scenario, 0), [hop, hop], "{control}");
        assert_eq!(credit(&scenario, 1), [n23(4, 99); 2], "{control}");
        assert_eq!(scenario.control.as_deref(), Some(control));
        assert_eq!(scenario.resolved()["control"], control);
    }
}

/// Claim: a scheduler of switches takes precedence over that of links at the switches' ends, but
/// not where the host sends, nor on a link whose variant names one.
#[test]
fn a_scheduler_of_switches_goes_before_that_of_links() {
    use SchedulerSpec::{Fifo, LeapForward, Scfq, Wfq};
    assert_eq!(schedulers(&under("", AS_IS)), [const { [Scfq, Scfq] }; 3]);
    // A-S, S-B, C-S: the second direction of the first and third leaves S.
    let fifo = schedulers(&under("", "fifo"));
    assert_eq!(fifo, [[Scfq, Fifo], [Fifo, Scfq], [Scfq, Fifo]]);
    let both = "[[variant]]\nname = \"both\"\nswitch = { scheduler = \"wfq\" }\n\
                link = { scheduler = [\"leap-forward\", \"fifo\"] }\n";
    let both = schedulers(&under(both, "both"));
    assert_eq!(both, [[LeapForward, Fifo], [LeapForward, Fifo], [Scfq, Wfq]]);
}

/// Claim: `none` is another name of `drop-tail`, which results use; a variant `none` of the file
/// takes precedence over it.
#[test]
fn none_is_another_name_of_drop_tail() {
    let [one, other] = ["none", "drop-tail"].map(|control| under("", control));
    assert_eq!(one, other);
    assert_eq!(one.control.as_deref(), Some("drop-tail"));
    assert_eq!(known_as("none", &[]), "drop-tail");
    let own = under("[[variant]]\nname = \"none\"\n", "none");
    assert_eq!(own.control.as_deref(), Some("none"));
    assert_eq!(known_as("none", &own.variants), "none");
}

/// Claim: variants of the file take precedence over built-in ones of the same name. They change any
/// key of a switch, also of the nodes of a topology, unless it is not controlled.
#[test]
fn variants_of_the_file_change_what_they_name() {
    let more = r#"
[[topology]]
kind = "star"
hosts = 2
prefix = "x"
rate = "1 Gb/s"
[[topology]]
kind = "star"
hosts = 2
prefix = "y"
rate = "1 Gb/s"
controlled = false
[[flow]]
name = "x"
from = "xH1"
to = "xH2"
[[flow]]
name = "y"
from = "yH1"
to = "yH2"
[[variant]]
name = "none"
title = "small buffers"
[variant.switch]
buffer = "200 cells"
[variant.flow]
control = { kind = "n23", n2 = 1, n3 = 2 }
"#;
    let scenario = under(more, "none");
    let room = |name: &str| {
        let node = scenario.network.nodes.iter().find(|node| node.name == name).unwrap();
        node.buffer.and_then(hopflow_network::Limit::packets).map(|cells| cells.0)
    };
    assert_eq!(credit(&scenario, 0), [Some((CreditScheme::N23, 1, 2)); 2]);
    assert_eq!(
        [room("S"), room("xS"), room("yS"), room("xH1")],
        [Some(200), Some(200), None, None]
    );
}

/// Claim: a built-in flow control replaces all others, also shared buffers, pauses and lanes.
#[test]
fn a_flow_control_is_alone() {
    let more = "pause = { priorities = [0], xoff = \"9 cells\" }\n";
    let paused = BASE.replace("scheduler = \"scfq\"\n", more);
    let lanes = |control: &str| {
        let scenario = ScenarioFile::new(paused.clone(), "base.toml").under(control);
        let scenario = scenario.unwrap_or_else(|wrong| panic!("{wrong}"));
        scenario.network.links[0].directions[0].lanes
    };
    let as_is = lanes(AS_IS);
    assert!(as_is.is_some());
    assert_eq!(lanes("fifo"), as_is);
    for control in ["drop-tail", "n23", "adaptive"] {
        assert_eq!(lanes(control), None, "{control}");
    }
    assert!(lanes("pfc").is_some_and(|pfc| Some(pfc) != as_is));
    assert!(lanes("lanes").is_some_and(|lanes| Some(lanes) != as_is));
}

/// Claim: every built-in control can be applied to some network.
#[test]
fn every_built_in_control_can_be_used() {
    let reserved = BASE
        .replace(
            "control = { kind = \"n23\", n2 = 4, n3 = 99 }",
            "reservation = { rate = \"9 Mb/s\" }",
        )
        .replace("[[flow.hop]]\nlink = [\"S\", \"B\"]\nkind = \"cup\"\n", "");
    for built_in in BUILT_IN {
        let file = ScenarioFile::new(reserved.clone(), "base.toml");
        let scenario = file.under(built_in.name);
        assert!(scenario.is_ok(), "{}: {}", built_in.name, scenario.unwrap_err());
    }
}

/// Claim: every credit scheme, rate rule and lane rule is a control, except a variation of N23 and
/// machines.
#[test]
fn every_flow_control_is_a_control() {
    let plain = BASE
        .replace("control = { kind = \"n23\", n2 = 4, n3 = 99 }\n", "")
        .replace("[[flow.hop]]\nlink = [\"S\", \"B\"]\nkind = \"cup\"\n", "");
    let mut found = Vec::new();
    for built_in in BUILT_IN {
        let file = ScenarioFile::new(plain.clone(), "base.toml");
        let network = file.under(built_in.name).expect("a control of every network").network;
        for hop in network.vcs.iter().flat_map(|vc| &vc.hops) {
            if let HopControl::Credit(credit) = hop.control {
                found.push(credit.scheme.facts().name);
            }
        }
        for side in network.links.iter().flat_map(|link| &link.directions) {
            found.extend(side.lanes.map(|lanes| lanes.rule.facts().name));
            let rule = side.rate_control.and_then(|control| control.rule);
            found.extend(rule.map(|rule| rule.facts().name));
        }
    }
    let schemes = CreditScheme::ALL.iter().map(|scheme| scheme.facts().name);
    let all = schemes.chain(RateRule::NAMES.iter().copied()).chain(LaneRule::NAMES.iter().copied());
    let missing: Vec<_> = all.filter(|name| !found.contains(name)).collect();
    assert_eq!(missing, ["n23-continuous", "external", "external", "external"]);
}

/// Claim: every scheduler is a control, except those that need slots for each flow, gates,
/// weights of priorities or a machine.
#[test]
fn every_scheduler_is_a_control() {
    let controls = BUILT_IN.iter().filter(|built_in| built_in.is_scheduler);
    let others = ["tdm", "schedule-based", "time-aware", "ets", "external"];
    let all = SchedulerSpec::NAMES.iter().filter(|name| !others.contains(name));
    assert!(controls.map(|built_in| &built_in.name).eq(all));
}

/// Claim: a mistake under a control is reported with the name of the control, and shown in its own
/// words; its places lie behind the text of the file.
#[test]
fn what_is_wrong_names_the_control() {
    let small = BASE.replace("scheduler = \"sfq\"", "buffer = \"17 cells\"");
    let small = small.replace("n2 = 4, n3 = 99", "n2 = 4, n3 = 9");
    let file = ScenarioFile::new(small.clone(), "base.toml");
    assert!(file.read().is_ok());
    let Err(ControlError::Wrong(wrong)) = file.under("n23") else { panic!("10 + 8 are above 17") };
    let [item] = wrong.items.as_slice() else { panic!("{wrong}") };
    assert_eq!(item.code, Code::SMALL_BUFFER);
    assert_eq!(wrong.source_name, "base.toml under `n23`");
    assert_eq!(&wrong.source[item.labels[0].span.clone()], "{ kind = \"n23\" }");
    assert!(item.labels[0].span.start > small.len());
    assert_eq!(wrong.source, file.text_under("n23"));
}

/// Claim: a mistake in a variant is reported whichever control is selected, also if none is. A name
/// that exists twice, or means something else, is an error.
#[test]
fn mistakes_in_variants_are_always_reported() {
    let cases = [
        ("[[variant]]\ntitle = \"?\"\n", Code::MISSING_KEY, "`name` is missing in this variant"),
        (
            "[[variant]]\nname = \"v\"\nflwo = {}\n",
            Code::UNKNOWN_KEY,
            "unknown key `flwo` in variant",
        ),
        (
            "[[variant]]\nname = \"v\"\nflow = { controll = 1 }\n",
            Code::UNKNOWN_KEY,
            "unknown key `controll` in variant.flow",
        ),
        (
            "[[variant]]\nname = \"v\"\nflow = { name = \"x\" }\n",
            Code::UNKNOWN_KEY,
            "unknown key `name` in variant.flow",
        ),
        ("[[variant]]\nname = \"v\"\nswitch = { buffer = 5 }\n", Code::NO_UNIT, "buffer"),
        (
            "[[variant]]\nname = \"v\"\n[[variant]]\nname = \"v\"\n",
            Code::DUPLICATE,
            "two variants are named `v`",
        ),
        ("[[variant]]\nname = \"as-is\"\n", Code::BAD_NAME, "the scenario as it stands"),
        ("[[variant]]\nname = \"a,b\"\n", Code::BAD_NAME, "comma"),
    ];
    for (more, code, says) in cases {
        for control in [AS_IS, "fifo"] {
            let found = wrong(more, control);
            let item = &found.items[0];
            assert_eq!(item.code, code, "{more}{found}");
            assert!(item.message.contains(says), "{found}");
        }
    }
}

/// Claim: an unknown name is reported with the nearest and with all known names.
#[test]
fn unknown_controls_name_the_nearest() {
    let error = file("[[variant]]\nname = \"mine\"\n").under("n32").unwrap_err();
    let ControlError::Unknown { nearest, known, .. } = &error else { panic!("{error}") };
    assert_eq!(nearest.as_deref(), Some("n23"));
    assert_eq!(&known[..4], ["mine", AS_IS, "drop-tail", "n23"]);
    let text = error.to_string();
    assert!(text.contains("no control is named `n32`: did you mean `n23`?"), "{text}");
    assert!(text.contains("virtual-clock"), "{text}");
}
