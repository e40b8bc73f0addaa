//! Every mistake has its code: a small scenario for each, and the table in `docs/errors.md`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use hopflow_scenario::{Code, Diagnostics, Scenario, Severity};

/// A scenario without fault: A1, A2 - S - B, loop of 8 cell times of 1 us.
const BASE: &str = r#"version = 1
duration = "1 ms"

[[host]]
name = "A1"
[[host]]
name = "A2"
[[switch]]
name = "S"
[[host]]
name = "B"

[[link]]
between = ["A1", "S"]
rate = "424 Mb/s"
delay = "3 us"
[[link]]
between = ["A2", "S"]
rate = "424 Mb/s"
delay = "3 us"
[[link]]
between = ["S", "B"]
rate = "424 Mb/s"
delay = "3 us"

[[flow]]
name = "f1"
route = ["A1", "S", "B"]
control = { kind = "n23", n2 = 10, n3 = 8 }
[[flow]]
name = "f2"
from = "A2"
to = "B"
"#;

/// The code, what is taken out of [`BASE`] (nothing: the end), and what is put in.
const CASES: &[(Code, &str, &str)] = &[
    (Code::SYNTAX, "version = 1", "version = = 1"),
    (Code::SYNTAX, "version = 1", "version = 1\nversion = 1"),
    (Code::UNREADABLE, "", "source = { kind = \"replay\", file = \"missing.csv\" }"),
    (Code::UNKNOWN_KEY, "delay =", "dealy ="),
    (Code::UNKNOWN_KEY, "n2 = 10", "n4 = 10"),
    (Code::UNKNOWN_KEY, "version = 1", "version = 1\n[defaults.link]\nbetween = [\"A1\", \"S\"]"),
    (Code::MISSING_KEY, "duration = \"1 ms\"", ""),
    (Code::MISSING_KEY, "rate = \"424 Mb/s\"", ""),
    (Code::MISSING_KEY, "from = \"A2\"\n", ""),
    (Code::MISSING_KEY, "route = [\"A1\", \"S\", \"B\"]", ""),
    (Code::MISSING_KEY, "", "[[event]]\nat = \"1 us\"\nfrom = \"S\"\nto = \"B\""),
    (Code::WRONG_TYPE, "name = \"S\"", "name = 5"),
    (Code::WRONG_TYPE, "n2 = 10", "n2 = \"10\""),
    (Code::WRONG_TYPE, "n2 = 10", "n2 = 10.0"),
    (Code::WRONG_TYPE, "[[switch]]", "[switch]"),
    (Code::VERSION, "version = 1", "version = 2"),
    (Code::UNKNOWN_CHOICE, "\"n23\"", "\"n32\""),
    (Code::KEY_OF_OTHER_KIND, "n2 = 10", "n1 = 10"),
    (Code::KEY_OF_OTHER_KIND, "", "source = { kind = \"greedy\", k = 3 }"),
    (Code::CONFLICT, "route =", "from = \"A1\"\nroute ="),
    (Code::NO_UNIT, "delay = \"3 us\"", "delay = 3"),
    (Code::NO_UNIT, "delay = \"3 us\"", "delay = \"3\""),
    (Code::WRONG_UNIT, "424 Mb/s", "424 Mbps"),
    (Code::WRONG_UNIT, "delay = \"3 us\"", "delay = \"3 Mb/s\""),
    (Code::NOT_A_NUMBER, "\"1 ms\"", "\"long\""),
    (Code::NOT_A_NUMBER, "delay = \"3 us\"", "delay = \"3\"\ncorrupt-data = nan"),
    (Code::OUT_OF_RANGE, "\"1 ms\"", "\"0 ms\""),
    (Code::OUT_OF_RANGE, "\"1 ms\"", "\"-1 ms\""),
    (Code::OUT_OF_RANGE, "\"1 ms\"", "\"1e400 s\""),
    (Code::OUT_OF_RANGE, "duration = \"1 ms\"", "duration = \"1 ms\"\nwarm-up = \"1 ms\""),
    (Code::OUT_OF_RANGE, "424 Mb/s", "0 b/s"),
    (Code::OUT_OF_RANGE, "n2 = 10", "n2 = 0"),
    (Code::OUT_OF_RANGE, "n2 = 10", "n2 = 99999999999999999999"),
    (Code::OUT_OF_RANGE, "delay = \"3 us\"", "delay = \"3 us\"\ncorrupt-data = 1.5"),
    (Code::OUT_OF_RANGE, "", "priority = 8"),
    (Code::MISSING_KEY, "name = \"S\"", "name = \"S\"\nscheduler = \"deficit-round-robin\""),
    (Code::MISSING_KEY, "name = \"S\"", "name = \"S\"\nscheduler = { frame = 3 }"),
    (Code::MISSING_KEY, "", "packet = { least = \"40 B\" }"),
    (Code::MISSING_KEY, "", "packet = {}"),
    (Code::MISSING_KEY, "", "reservation = { interval = \"1 s\" }"),
    (Code::MISSING_KEY, "", "source = { kind = \"train\", rate = \"9 packets/s\" }"),
    (Code::WRONG_TYPE, "", "packet = { sizes = [\"9 B\", \"8 B\"], weights = [1] }"),
    (Code::WRONG_TYPE, "name = \"S\"", "name = \"S\"\nscheduler = 3"),
    (Code::UNKNOWN_CHOICE, "name = \"S\"", "name = \"S\"\nscheduler = \"virtual-clok\""),
    (Code::UNKNOWN_CHOICE, "name = \"S\"", "name = \"S\"\nscheduler = { kind = \"wf3q\" }"),
    (Code::UNKNOWN_CHOICE, "name = \"S\"", "name = \"S\"\ndiscard = \"last\""),
    (
        Code::KEY_OF_OTHER_KIND,
        "name = \"S\"",
        "name = \"S\"\nscheduler = { kind = \"fifo\", quantum = \"53 B\" }",
    ),
    (
        Code::KEY_OF_OTHER_KIND,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\n\
         policing = { kind = \"token-bucket\", rate = \"9 kb/s\", burst = \"60 B\", room = 5 }",
    ),
    (Code::CONFLICT, "", "weight = 3\nreservation = { rate = \"10 packets/s\" }"),
    (Code::CONFLICT, "", "packet = { least = \"40 B\", sizes = [\"40 B\"] }"),
    (
        Code::CONFLICT,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\nmisbehaves = 5\nobeys = true",
    ),
    (
        Code::CONFLICT,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\nobeys = true\n\
         reservation = { rate = \"9 kb/s\" }\n\
         policing = { kind = \"gcra\", limit = \"0 s\", excess = \"low-priority\" }",
    ),
    (Code::WRONG_UNIT, "", "reservation = { rate = \"10 pps\" }"),
    (Code::WRONG_UNIT, "delay = \"3 us\"", "delay = \"3 packets\""),
    (
        Code::WRONG_UNIT,
        "name = \"S\"",
        "name = \"S\"\nscheduler = { kind = \"virtual-clock\", threshold = \"5 cells\" }",
    ),
    (Code::OUT_OF_RANGE, "", "reservation = { rate = \"0 b/s\" }"),
    (Code::OUT_OF_RANGE, "", "reservation = { rate = \"0 packets/s\" }"),
    (Code::OUT_OF_RANGE, "", "packet = \"0 B\""),
    (Code::OUT_OF_RANGE, "", "packet = \"53.5 B\""),
    (Code::OUT_OF_RANGE, "", "packet = \"2 MB\""),
    (Code::OUT_OF_RANGE, "", "packet = { sizes = [] }"),
    (Code::OUT_OF_RANGE, "", "packet = { least = \"41 B\", most = \"40 B\" }"),
    (Code::OUT_OF_RANGE, "", "weight = 0"),
    (
        Code::OUT_OF_RANGE,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\n\
         policing = { kind = \"leaky-bucket\", rate = \"9 kb/s\", room = 1000001 }",
    ),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"poisson\", rate = \"0 packets/s\" }"),
    (
        Code::OUT_OF_RANGE,
        "",
        "source = { kind = \"constant\", rate = \"50 Tb/s\" }\nmisbehaves = 3",
    ),
    (Code::OUT_OF_RANGE, "name = \"S\"", "name = \"S\"\nscheduler = { kind = \"tdm\", frame = 0 }"),
    (Code::WHOSE_CELLS, "\"1 ms\"", "\"20 cells\""),
    (Code::TOO_MUCH, "\"1 ms\"", "\"90 days\""),
    (
        Code::TOO_MUCH,
        "name = \"B\"",
        "name = \"B\"\n[[host]]\nname = \"C{}\"\ncount = 1000000000000",
    ),
    (
        Code::TOO_MUCH,
        "name = \"B\"",
        "name = \"B\"\n[[topology]]\nkind = \"fat-tree\"\nk = 1000000\nrate = \"1 Gb/s\"",
    ),
    (Code::TOO_MUCH, "delay = \"3 us\"", "delay = \"99 s\""),
    (Code::TOO_MUCH, "", "packet = \"1 B\"\n[defaults.link]\nprocessing = \"900 ms\""),
    (Code::DUPLICATE, "name = \"A2\"", "name = \"A1\""),
    (Code::DUPLICATE, "name = \"f2\"", "name = \"f1\""),
    (Code::BAD_NAME, "name = \"S\"", "name = \"S#1\""),
    (Code::BAD_NAME, "name = \"S\"", "name = \"\""),
    (Code::UNKNOWN_NAME, "to = \"B\"", "to = \"C\""),
    (Code::UNKNOWN_NAME, "", "[record]\ndelays = [\"f3\"]"),
    (Code::TEMPLATE, "name = \"A1\"", "name = \"A{}\""),
    (Code::TEMPLATE, "name = \"A1\"", "name = \"A1\"\ncount = 3"),
    (Code::SELF_LINK, "between = [\"A1\", \"S\"]", "between = [\"S\", \"S\"]"),
    (Code::NO_SUCH_LINK, "", "[record]\nthroughput = [\"A1->B\"]"),
    (Code::NO_SUCH_LINK, "", "[record]\nthroughput = [\"S->B#2\"]"),
    (Code::SHORT_ROUND_TRIP, "delay = \"3 us\"", "delay = \"3 us\"\nround-trip = \"7 us\""),
    (Code::UNCONNECTED, "between = [\"A2\", \"S\"]", "between = [\"A1\", \"S\"]"),
    (Code::NOT_A_PATH, "route = [\"A1\", \"S\", \"B\"]", "route = [\"A1\", \"B\"]"),
    (Code::NOT_A_PATH, "route = [\"A1\", \"S\", \"B\"]", "route = [\"A1\"]"),
    (Code::LOOP, "between = [\"A2\", \"S\"]", "between = [\"S\", \"T\"]"),
    (Code::SWITCH_AT_THE_END, "to = \"B\"", "to = \"S\""),
    (Code::SWITCH_AT_THE_END, "route = [\"A1\", \"S\", \"B\"]", "route = [\"A1\", \"S\"]"),
    (Code::HOST_IN_THE_MIDDLE, "route = [\"A1\", \"S\", \"B\"]", "route = [\"A1\", \"A2\", \"B\"]"),
    (Code::FLOW_TO_ITSELF, "to = \"B\"", "to = \"A2\""),
    (Code::FLOW_TO_ITSELF, "route = [\"A1\", \"S\", \"B\"]", "route = [\"A1\", \"S\", \"A1\"]"),
    (
        Code::NOT_A_TREE,
        "route = [\"A1\", \"S\", \"B\"]",
        "routes = [[\"A1\", \"S\", \"B\"], [\"A2\", \"S\", \"B\"]]",
    ),
    (
        Code::UNICAST_ONLY,
        "to = \"B\"",
        "to = [\"A1\", \"B\"]\ncontrol = { kind = \"window\", cells = 9 }",
    ),
    (Code::SMALL_N3, "n3 = 8", "n3 = 7, target = \"100 %\""),
    (Code::CREDIT_BITS, "n2 = 10, n3 = 8", "n2 = 100000000, n3 = 100000000"),
    (Code::SMALL_BUFFER, "name = \"S\"", "name = \"S\"\nbuffer = \"17 cells\""),
    (Code::HOP_NOT_CROSSED, "", "[[flow.hop]]\nlink = [\"A1\", \"S\"]"),
    (Code::BROKEN_CSV, "", "source = { kind = \"replay\", file = \"broken.csv\" }"),
    (Code::STOP_BEFORE_START, "", "start = \"2 us\"\nstop = \"2 us\""),
    (Code::NO_RATE, "", "misbehaves = 2"),
    (Code::NO_RATE, "", "misbehaves = 2\nsource = { kind = \"every-kth\", k = 3 }"),
    (Code::NO_RATE, "", "envelope = { packets = 10, interval = \"1 s\" }"),
    (Code::NO_RATE, "", "obeys = true\nreservation = { rate = \"9 kb/s\" }"),
    (
        Code::NO_RATE,
        "",
        "policing = { kind = \"token-bucket\", rate = \"9 kb/s\", burst = \"60 B\" }",
    ),
    (
        Code::PACKETS_DIFFER,
        "",
        "packet = { least = \"40 B\", most = \"60 B\" }\nreservation = { rate = \"9 packets/s\" }",
    ),
    (Code::ONLY_CELLS, "name = \"f1\"", "name = \"f1\"\npacket = \"54 B\""),
    (Code::BYTES_OF_PACKETS, "", "packet = \"60 B\"\n[defaults.switch]\nport-buffer = \"64 kB\""),
    (Code::SHORT_INTERVAL, "", "reservation = { rate = \"10 packets/s\", interval = \"99 ms\" }"),
    (
        Code::NO_RESERVATION,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\nenvelope = true",
    ),
    (Code::NO_RESERVATION, "", "source = { kind = \"poisson\", rate = \"9 kb/s\" }\nobeys = true"),
    (
        Code::NO_RESERVATION,
        "",
        "source = { kind = \"poisson\", rate = \"9 kb/s\" }\n\
         policing = { kind = \"token-bucket\" }",
    ),
    (Code::NO_RESERVATION, "", "[defaults.switch]\nscheduler = { kind = \"tdm\", frame = 10 }"),
    (Code::OVERBOOKED, "", "reservation = { rate = \"425 Mb/s\" }"),
    (Code::OVERBOOKED, "", "[defaults.flow]\nreservation = { rate = \"213 Mb/s\" }"),
    (
        Code::MIXED_SHARES,
        "",
        "reservation = { rate = \"9 kb/s\" }\n[defaults.switch]\nscheduler = \"wfq\"",
    ),
    (Code::SMALL_BURST, "", "reservation = { rate = \"9 kb/s\", burst = \"52 B\" }"),
    (
        Code::SMALL_QUANTUM,
        "",
        "[defaults.switch]\nscheduler = { kind = \"deficit-round-robin\", quantum = \"52 B\" }",
    ),
    (
        Code::SMALL_FRAME,
        "",
        "[defaults.flow]\nreservation = { rate = \"100 Mb/s\" }\n\
         [defaults.switch]\nscheduler = { kind = \"tdm\", frame = 1 }",
    ),
    (Code::NO_VICTIM, "", "[defaults.switch]\ndiscard = \"last-of-longest\""),
    (Code::NO_VICTIM, "", "[defaults.host]\ndiscard = \"last-of-own\"\nscheduler = \"fifo\""),
    (Code::UNKNOWN_CHOICE, "", "framing = \"aal3\""),
    (Code::UNKNOWN_CHOICE, "", "source = { kind = \"tcp\", variant = \"vegas\" }"),
    (Code::KEY_OF_OTHER_KIND, "", "source = { kind = \"nfs\", mss = \"512 B\" }"),
    (
        Code::KEY_OF_OTHER_KIND,
        "",
        "source = { kind = \"tcp\", acks = \"every-segment\", fast-tick = \"200 ms\" }",
    ),
    (
        Code::KEY_OF_OTHER_KIND,
        "",
        "source = { kind = \"tcp\", variant = \"cubic\", rttvar-factor = 2 }",
    ),
    (Code::CONFLICT, "", "source = { kind = \"tcp\", mss = \"512 B\", mtu = \"552 B\" }"),
    (Code::CONFLICT, "", "source = { kind = \"tcp\", tick = \"1 s\", granularity = \"1 ms\" }"),
    (Code::CONFLICT, "", "source = { kind = \"tcp\" }\npacket = \"1500 B\""),
    (Code::CONFLICT, "", "source = { kind = \"tcp\" }\nmisbehaves = 2"),
    (Code::CONFLICT, "", "source = { kind = \"tcp\" }\ncontrol = { kind = \"window\", cells = 9 }"),
    (Code::CONFLICT, "", "send-limit = \"15 MB/s\""),
    (Code::CONFLICT, "", "back = { priority = 3 }"),
    (Code::CONFLICT, "", "framing = \"aal5\"\npacket = \"1500 B\""),
    (
        Code::MISSING_KEY,
        "",
        "framing = \"aal5\"\nsource = { kind = \"constant\", rate = \"9 kb/s\" }",
    ),
    (Code::MISSING_KEY, "", "source = { kind = \"nfs\", think = \"until-epoch\" }"),
    (Code::MISSING_KEY, "", "source = { kind = \"nfs\", epochs = { join = 0.5 } }"),
    (Code::MISSING_KEY, "", "source = { kind = \"rpc-replay\", outstanding = 3 }"),
    (Code::MISSING_KEY, "name = \"S\"", "name = \"S\"\nframe-discard = { kind = \"early\" }"),
    (Code::UNKNOWN_KEY, "name = \"A1\"", "name = \"A1\"\nframe-discard = \"partial\""),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"tcp\", tick = \"1 ns\" }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"tcp\", rttvar-factor = 3 }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"tcp\", mtu = \"40 B\" }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"tcp\", transfer = \"0 B\" }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"tcp\", transfer = [] }"),
    (
        Code::OUT_OF_RANGE,
        "",
        "source = { kind = \"tcp\", transfer = [{ at = \"2 us\", bytes = \"1 B\" }, \
         { at = \"1 us\", bytes = \"1 B\" }] }",
    ),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"nfs\", mtu = \"575 B\" }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"nfs\", block = \"8193 B\" }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"nfs\", epochs = { gap = \"1 ps\" } }"),
    (Code::OUT_OF_RANGE, "", "source = { kind = \"nfs\", epochs = { gap = \"1 s\", join = 0 } }"),
    (
        Code::OUT_OF_RANGE,
        "name = \"S\"",
        "name = \"S\"\nbuffer = \"500 cells\"\n\
         frame-discard = { kind = \"early\", threshold = \"500 cells\" }",
    ),
    (Code::DUPLICATE, "name = \"f1\"", "name = \"f2.ack\"\nsource = { kind = \"tcp\" }"),
    (Code::UNICAST_ONLY, "to = \"B\"", "to = [\"A1\", \"B\"]\nsource = { kind = \"tcp\" }"),
    (Code::ONLY_CELLS, "", "source = { kind = \"tcp\" }\ncontrol = { kind = \"n23\" }"),
    (
        Code::BROKEN_CSV,
        "",
        "source = { kind = \"rpc-replay\", file = \"broken.csv\", outstanding = 3 }",
    ),
    (
        Code::SMALL_BURST,
        "",
        "framing = \"aal5\"\npacket = \"1500 B\"\n\
         source = { kind = \"constant\", rate = \"9 Mb/s\" }\n\
         reservation = { rate = \"9 Mb/s\" }\npolicing = { kind = \"token-bucket\" }",
    ),
    // 40 B in two cells: 161 Mb/s are 426.65 Mb/s of cells, 424 fit.
    (
        Code::ABOVE_LINK_RATE,
        "",
        "framing = \"aal5\"\npacket = \"40 B\"\n\
         source = { kind = \"constant\", rate = \"161 Mb/s\" }",
    ),
    (Code::MISSING_KEY, "name = \"S\"", "name = \"S\"\nframe-discard = \"early\""),
    (
        Code::LARGE_PACKET,
        "",
        "framing = \"aal5\"\nsource = { kind = \"tcp\", mtu = \"65535 B\", window = \"70 kB\" }",
    ),
    (
        Code::LARGE_PACKET,
        "",
        "framing = \"aal5\"\npacket = \"65528 B\"\n\
         source = { kind = \"constant\", rate = \"9 Mb/s\" }",
    ),
    (Code::WINDOW_OF_TCP, "", "source = { kind = \"tcp\", window = \"9139 B\" }"),
    (
        Code::WINDOW_OF_TCP,
        "",
        "source = { kind = \"tcp\", window = \"65536 B\", window-scale = 0 }",
    ),
    (Code::SMALL_HOST_BUFFER, "name = \"A2\"", "name = \"A2\"\nvc-buffer = \"191 cells\""),
    (
        Code::STARVATION,
        "n2 = 10, n3 = 8 }",
        "n2 = 1, n3 = 8 }\n[[flow]]\nname = \"back\"\nroute = [\"B\", \"S\", \"A1\"]",
    ),
    (Code::UNUSED_NODE, "name = \"B\"", "name = \"B\"\n[[host]]\nname = \"C\""),
    (Code::ABOVE_LINK_RATE, "", "source = { kind = \"constant\", rate = \"425 Mb/s\" }"),
    (Code::NEVER_HAPPENS, "", "start = \"1 ms\""),
    (Code::NEVER_HAPPENS, "", "[[event]]\nat = \"1 ms\"\nfrom = \"S\"\nto = \"B\"\nblocked = true"),
    (
        Code::OVERBOOKING,
        "",
        "reservation = { rate = \"425 Mb/s\" }\n[defaults.link]\nallow-overbooking = true",
    ),
    (Code::WEIGHT_IGNORED, "", "weight = 2\n[defaults.switch]\nscheduler = \"fifo\""),
    (Code::PRIORITY_IGNORED, "", "priority = 1\n[defaults.switch]\nscheduler = \"fifo\""),
];

fn read(text: &str) -> Result<Scenario, Diagnostics> {
    let files = |path: &str| match path {
        "broken.csv" => Ok(b"time_us\n1\n2\n1\n".to_vec()),
        _ => Err("no such file".to_owned()),
    };
    Scenario::from_toml_with(text, "case.toml", &files)
}

/// A case's text. Some need more than one change.
fn text_of((code, out, put): (Code, &str, &str)) -> String {
    let mut text = if out.is_empty() {
        format!("{BASE}{put}\n")
    } else {
        assert!(BASE.contains(out), "{out}");
        BASE.replacen(out, put, 1)
    };
    if code == Code::LOOP {
        // A ring of three switches, once around.
        text = text.replace(
            "name = \"S\"",
            "name = \"S\"\n[[switch]]\nname = \"T\"\n[[switch]]\nname = \"U\"",
        );
        let link = |a, b| format!("[[link]]\nbetween = [\"{a}\", \"{b}\"]\nrate = \"1 Gb/s\"\n");
        let links = link("T", "U") + &link("U", "S");
        text = text.replace("[[flow]]\nname = \"f1\"", &format!("{links}[[flow]]\nname = \"f1\""));
        text =
            text.replace("[\"A1\", \"S\", \"B\"]", "[\"A1\", \"S\", \"T\", \"U\", \"S\", \"B\"]");
        text = text.replace("from = \"A2\"", "from = \"A1\"");
    }
    if code == Code::SMALL_HOST_BUFFER {
        text += "framing = \"aal5\"\nsource = { kind = \"tcp\" }\n";
    }
    if code == Code::DUPLICATE && put.contains("tcp") {
        text = text.replace("control = { kind = \"n23\", n2 = 10, n3 = 8 }\n", "");
        text += "source = { kind = \"tcp\" }\n";
    }
    if code == Code::WHOSE_CELLS {
        text = text.replacen("424 Mb/s", "100 Mb/s", 1);
    }
    if code == Code::TOO_MUCH {
        // 90 days of 1 us are 7.8e12 cell times.
        text = text.replace("\"90 days\"", "\"7776000 s\"");
    }
    text
}

/// Claim: each mistake is told by its own code, in its own words and at a place in the text;
/// errors refuse the scenario, warnings do not.
#[test]
fn each_mistake_has_its_code() {
    assert_eq!(read(BASE).map(|scenario| scenario.warnings), Ok(Vec::new()));
    let mut chatty = Vec::new();
    for &case in CASES {
        let text = text_of(case);
        let (items, refused) = match read(&text) {
            Ok(scenario) => (scenario.warnings, false),
            Err(diagnostics) => (diagnostics.items, true),
        };
        let found = items.iter().find(|item| item.code == case.0);
        let Some(found) = found else { panic!("{case:?} gave {items:#?}") };
        assert_eq!(refused, found.severity == Severity::Error, "{case:?}");
        assert_eq!(refused, case.0 < Code::STARVATION, "{case:?}");
        assert!(!found.message.is_empty(), "{case:?}");
        assert!(text.get(found.labels[0].span.clone()).is_some(), "{case:?}");
        let others = items.iter().filter(|item| item.code != case.0 && refused).count();
        let told: Vec<&str> = items.iter().map(|item| item.message.as_str()).collect();
        if others > 1 {
            chatty.push(format!("{case:?} gave {told:#?}"));
        }
    }
    assert!(chatty.is_empty(), "one mistake, few errors: {}", chatty.join("\n"));
}

/// Claim: no code is without a case here and a row in `docs/errors.md`, and no row without a code.
#[test]
fn every_code_has_a_case_and_a_row() {
    let all: BTreeSet<Code> = Code::ALL.iter().map(|(code, _)| *code).collect();
    let cases: BTreeSet<Code> = CASES.iter().map(|(code, ..)| *code).collect();
    assert_eq!(cases, all);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    let page = std::fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| HF")).collect();
    let told: BTreeSet<String> = rows.iter().map(|row| row[2..8].to_owned()).collect();
    assert_eq!(told.len(), rows.len(), "a code has one row");
    assert_eq!(told, all.iter().map(Code::to_string).collect());
    for (code, meaning) in Code::ALL {
        let row = rows.iter().find(|row| row.contains(&code.to_string())).unwrap();
        assert!(row.contains(meaning), "{code}: {meaning}");
        assert_eq!(row.matches('|').count() - row.matches("\\|").count(), 5, "{row}");
    }
}

/// Claim: a message has the values, and a hint the way out.
#[test]
fn messages_have_values_and_a_way_out() {
    let shown = |out: &str, put: &str| read(&BASE.replacen(out, put, 1)).unwrap_err().to_string();
    let all = [
        shown("delay =", "dealy ="),
        shown("424 Mb/s", "424 Mbps"),
        shown("n3 = 8", "n3 = 7, target = \"100 %\""),
        shown(
            "name = \"S\"",
            "name = \"S\"
buffer = \"900 B\"",
        ),
        shown("to = \"B\"", "to = \"B1\""),
        shown(
            "delay = \"3 us\"",
            "delay = \"3 us\"
round-trip = \"7 us\"",
        ),
    ];
    insta::assert_snapshot!(all.join(
        "

"
    ));
}

/// Claim: several mistakes are told at once, in the order of the text.
#[test]
fn all_mistakes_are_told_at_once() {
    let text = BASE
        .replacen("delay = \"3 us\"", "delay = 3", 1)
        .replacen("n2 = 10", "n2 = 0", 1)
        .replacen("to = \"B\"", "to = \"C\"", 1);
    let items = read(&text).unwrap_err().items;
    let codes: Vec<Code> = items.iter().map(|item| item.code).collect();
    assert_eq!(codes, [Code::NO_UNIT, Code::OUT_OF_RANGE, Code::UNKNOWN_NAME]);
}

/// Claim: what is an error can be allowed where the key for it exists.
#[test]
fn what_is_allowed_passes() {
    for (out, put) in [
        ("n3 = 8", "n3 = 7, target = \"100 %\", allow-small-n3 = true"),
        (
            "delay = \"3 us\"",
            "delay = \"3 us\"\nround-trip = \"7 us\"\nallow-short-round-trip = true",
        ),
        ("name = \"S\"", "name = \"S\"\nbuffer = \"18 cells\""),
    ] {
        assert!(read(&BASE.replacen(out, put, 1)).is_ok(), "{put}");
    }
    let small = BASE
        .replacen("name = \"S\"", "name = \"S\"\nvc-buffer = \"17 cells\"", 1)
        .replacen("n3 = 8", "n3 = 8, allow-small-buffer = true", 1);
    assert!(read(&small).is_ok());
}

/// Claim: a scenario file that is not there, is a folder, or is not UTF-8 is an error, not a panic.
#[test]
fn a_file_that_cannot_be_read_is_told() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    for path in [folder.join("no-such.toml"), folder] {
        let diagnostics = Scenario::load(&path).unwrap_err();
        assert_eq!(diagnostics.items[0].code, Code::UNREADABLE);
        assert!(diagnostics.to_string().contains("cannot be read"));
    }
}
