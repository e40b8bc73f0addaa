//! Codepoints of flows: which priority they are, by default and by a map; what goes wrong.

use hopflow_scenario::Scenario;

mod one_switch;

/// A - S - B at 1 Mb/s; `top`: keys of the whole file, `end`: keys of the only flow, then tables.
fn text(top: &str, end: &str) -> String {
    let text = one_switch::text("1 s", ["1 Mb/s"; 2], end);
    text.replacen("version = 2\n", &format!("version = 2\n{top}\n"), 1)
}

/// The priorities of its VCs.
fn priorities(top: &str, end: &str) -> Vec<u8> {
    let text = text(top, end);
    let read = Scenario::from_toml(&text, "dscp.toml").unwrap_or_else(|w| panic!("{text}\n{w}"));
    read.network.vcs.iter().map(|vc| vc.priority).collect()
}

fn wrong(top: &str, end: &str) -> String {
    Scenario::from_toml(&text(top, end), "dscp.toml").expect_err("refused").to_string()
}

/// Claim ([RFC2474]), by hand: the first three bits of 0 to 63 are 0 to 7, and a larger class
/// selector is more urgent: priority 7 less these bits. A name is its number.
#[test]
fn a_class_selector_is_a_priority() {
    for (dscp, priority) in [
        ("0", 7),
        ("7", 7),
        ("8", 6),
        ("46", 2),
        ("48", 1),
        ("63", 0),
        ("\"EF\"", 2),
        ("\"AF41\"", 3),
        ("\"CS6\"", 1),
        ("\"BE\"", 7),
        ("\"LE\"", 7),
        ("\"VOICE-ADMIT\"", 2),
    ] {
        assert_eq!(priorities("", &format!("dscp = {dscp}")), [priority], "{dscp}");
    }
    assert_eq!(priorities("", ""), [0]);
}

/// Claim: a map changes the codepoints that it names, and no others.
#[test]
fn a_map_changes_what_it_names() {
    let map = "dscp-map = [{ dscp = [\"EF\", 5], priority = 0 }, { dscp = [3], priority = 6 }]";
    for (dscp, priority) in [("46", 0), ("5", 0), ("\"AF31\"", 4), ("3", 6), ("4", 7)] {
        assert_eq!(priorities(map, &format!("dscp = {dscp}")), [priority], "{dscp}");
    }
}

/// Claim: what the flow has itself holds before what `[defaults.flow]` has; the VC back of a
/// connection has the priority of the VC there, or one by its own table.
#[test]
fn the_nearest_of_both_keys_holds() {
    assert_eq!(priorities("", "dscp = 46\n[defaults.flow]\npriority = 4"), [2]);
    assert_eq!(priorities("", "priority = 4\n[defaults.flow]\ndscp = 46"), [4]);
    assert_eq!(priorities("", "[defaults.flow]\ndscp = 46"), [2]);
    let tcp = "source = { kind = \"tcp\", variant = \"newreno\", mtu = \"1500 B\", \
               window = \"64 kB\" }\ndscp = 46\n";
    let of_tcp = |back: &str| priorities("", &format!("{tcp}{back}"));
    assert_eq!(of_tcp(""), [2, 2]);
    assert_eq!(of_tcp("back = { dscp = \"CS7\" }"), [2, 0]);
    assert_eq!(of_tcp("back = { priority = 1 }"), [2, 1]);
}

/// Claim: both keys at one place are an error, and so is a codepoint that is none or that the map
/// names twice.
#[test]
fn mistakes_have_their_place_and_a_way_out() {
    let both = wrong("", "dscp = 46\npriority = 2");
    assert!(both.contains("`priority` and `dscp` exclude each other"), "{both}");
    assert!(both.contains("keep one of them"), "{both}");
    let back = wrong("", "dscp = 64");
    assert!(back.contains("64") && back.contains("63"), "{back}");
    let word = wrong("", "dscp = \"AF44\"");
    assert!(word.contains("`dscp` cannot be `AF44`"), "{word}");
    let twice = "dscp-map = [{ dscp = [\"EF\"], priority = 0 }, { dscp = [46], priority = 1 }]";
    let twice = wrong(twice, "dscp = 46");
    assert!(twice.contains("`dscp-map` names the codepoint 46 twice"), "{twice}");
}
