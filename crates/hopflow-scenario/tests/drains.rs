//! Slow hosts in a file: the network that results, and mistakes.

use hopflow_network::{Change, NodeKind};
use hopflow_scenario::Scenario;
use hopflow_units::Cells;

/// A and C behind S, B beside it; B has `host` and, with `two`, a second link.
fn scenario(host: &str, two: bool) -> Result<Scenario, String> {
    let second = if two { "[[link]]\nbetween = [\"B\", \"S\"]\n" } else { "" };
    let text = format!(
        "version = 2\nduration = \"100 cells\"\n[defaults.link]\nrate = \"10 Gb/s\"\n\
         [[host]]\nname = \"A\"\n[[host]]\nname = \"B\"\n{host}\n[[host]]\nname = \"C\"\n\
         [[switch]]\nname = \"S\"\n[[link]]\nbetween = [\"A\", \"S\"]\n\
         [[link]]\nbetween = [\"B\", \"S\"]\n[[link]]\nbetween = [\"C\", \"S\"]\n{second}\
         [[flow]]\nname = \"there\"\nroute = [\"A\", \"S\", \"B\"]\n\
         control = {{ kind = \"n23\", n2 = 10, n3 = 90 }}\n\
         [[flow]]\nname = \"back\"\nfrom = \"B\"\nto = [\"A\", \"C\"]\n\
         [[flow]]\nname = \"both\"\nfrom = \"A\"\nto = [\"B\", \"C\"]\n"
    );
    Scenario::from_toml(&text, "slow.toml").map_err(|wrong| wrong.to_string())
}

/// Claim: a slow host keeps its number and its links, and gets one more of each after all others of
/// the file. Only flows to it continue to its application, without control there.
#[test]
fn a_slow_host_has_an_application() {
    let network = scenario("drain = \"25 %\"\nreceive-buffer = \"200 cells\"", false).unwrap();
    let network = network.network;
    let names: Vec<&str> = network.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["A", "B", "C", "S", "B application"]);
    assert_eq!((network.nodes[1].kind, network.nodes[1].drain), (NodeKind::Switch, Some(3)));
    assert!(network.is_host(1) && network.is_drain(3) && !network.is_drain(1));
    let drain = network.direction(network.drain(1).unwrap());
    assert_eq!((drain.rate.bps(), drain.buffer), (2_500_000_000, Some(Cells(200).into())));
    let back = network.direction(network.drain(1).unwrap().reverse());
    assert_eq!((back.rate.bps(), back.buffer), (10_000_000_000, None));
    let links = |vc: usize| network.vcs[vc].hops.iter().map(|hop| hop.link).collect::<Vec<_>>();
    assert_eq!((links(0), links(1), links(2)), (vec![0, 1, 3], vec![1, 0, 2], vec![0, 1, 2, 3]));
    assert_eq!(network.vcs[2].hops[3].parent, Some(1));
    assert_eq!(network.vcs[0].hops[2].control, hopflow_network::HopControl::None);
}

/// Claim: stops shut the drain, in order of time. Without `drain` it is as fast as the link.
#[test]
fn stalls_shut_the_drain() {
    let stalls = "stall = [{ at = \"3 us\", for = \"1 us\" }, { at = \"1 us\", for = \"1 us\" }]";
    let network = scenario(stalls, false).unwrap().network;
    let drain = network.drain(1).unwrap();
    assert_eq!(network.direction(drain).rate.bps(), 10_000_000_000);
    let events = network.events.iter().map(|event| {
        assert_eq!((event.link, event.direction), (drain.link(), drain.side()));
        (event.at.0, event.change)
    });
    let shut = |at, shut| (at, Change::Blocked(shut));
    let wanted = [
        shut(1_000_000, true),
        shut(2_000_000, false),
        shut(3_000_000, true),
        shut(4_000_000, false),
    ];
    assert_eq!(events.collect::<Vec<_>>(), wanted);
}

/// Claim: a stop that begins as another ends continues it; a stop that begins at the end of the run
/// is a warning.
#[test]
fn stops_go_on_or_never_come() {
    let stalls = "stall = [{ at = \"3 us\", for = \"1 us\" }, { at = \"2 us\", for = \"1 us\" }]";
    let events = scenario(stalls, false).unwrap().network.events.clone();
    let shut = |event: &hopflow_network::EventSpec| (event.at.0, event.change);
    let wanted = [(2_000_000, Change::Blocked(true)), (4_000_000, Change::Blocked(false))];
    assert_eq!(events.iter().map(shut).collect::<Vec<_>>(), wanted);
    let late = |at: &str| {
        let stall = format!("stall = {{ at = \"{at}\", for = \"1 us\" }}");
        let warnings = scenario(&stall, false).unwrap().warnings;
        warnings.iter().filter(|one| one.code == hopflow_scenario::Code::NEVER_HAPPENS).count()
    };
    assert_eq!([late("4 us"), late("5 us")], [0, 1]);
}

/// Claim: each mistake is reported with its values and a way out.
#[test]
fn mistakes_are_reported() {
    let said = |host: &str, two: bool, parts: &[&str]| {
        let wrong = scenario(host, two).unwrap_err();
        for part in parts {
            assert!(wrong.contains(part), "{wrong}");
        }
    };
    said("drain = \"101 %\"", false, &["more than 0 % and at most 100 %"]);
    said("drain = \"0 %\"", false, &["more than 0 % and at most 100 %"]);
    said("drain = \"5 ms\"", false, &["`drain`"]);
    let share = "the drain of `B` is a share of the rate of its link, but it has 2 links";
    said("drain = \"50 %\"", true, &[share, "drain = \"10 Gb/s\""]);
    said("receive-buffer = \"100 cells\"", true, &[share]);
    said("stall = { at = \"1 us\" }", false, &["`for` is missing"]);
    let stalls = "stall = [{ at = \"1 us\", for = \"2 us\" }, { at = \"2 us\", for = \"2 us\" }]";
    said(stalls, false, &["stops at 2 us, but resumes only at 3 us", "merge the two stops"]);
    let small = "N1 + N2 + N3 is 100 cells, but the receive buffer of `B` holds 99 cells";
    said("receive-buffer = \"99 cells\"", false, &[small, "raise `receive-buffer` to 100 cells"]);
    assert!(scenario("drain = \"1 Gb/s\"", true).is_ok());
}

/// Claim: the application of a slow host cannot be an end of a flow: the error names the host, and
/// no invariant is broken.
#[test]
fn a_flow_ends_at_the_host_and_not_at_its_application() {
    let text = r#"version = 2
duration = "2 ms"
[defaults.link]
rate = "10 Gb/s"
delay = "1 us"
[defaults.switch]
buffer = "1280 cells"
[[link]]
between = ["A", "S"]
[[link]]
between = ["V", "S"]
[[link]]
between = ["S", "B"]
[[link]]
between = ["S", "W"]
[[host]]
name = "A"
[[host]]
name = "V"
[[host]]
name = "W"
[[switch]]
name = "S"
[[host]]
name = "B"
drain = "25 %"
receive-buffer = "100 cells"

[[flow]]
name = "a"
from = "A"
to = "B application"
source = { kind = "greedy" }
"#;
    for (out, put) in [
        ("to = \"B application\"", "to = \"B application\""),
        ("from = \"A\"\nto = \"B application\"", "from = \"B application\"\nto = \"A\""),
    ] {
        let wrong = Scenario::from_toml(&text.replace(out, put), "slow.toml").unwrap_err();
        let shown = wrong.to_string();
        assert!(shown.contains("`B application` is the application of a slow host"), "{shown}");
        assert!(shown.contains("write `B`"), "{shown}");
    }
}
