//! Mistakes in the text itself, in nodes, links, routes and credit.

use hopflow_scenario::Code;

use super::Case;

pub(crate) const CASES: &[Case] = &[
    (Code::SYNTAX, "version = 2", "version = = 1"),
    (Code::SYNTAX, "version = 2", "version = 2\nversion = 1"),
    (Code::UNREADABLE, "", "source = { kind = \"replay\", file = \"missing.csv\" }"),
    (Code::UNKNOWN_KEY, "delay =", "dealy ="),
    (Code::UNKNOWN_KEY, "n2 = 10", "n4 = 10"),
    (Code::UNKNOWN_KEY, "version = 2", "version = 2\n[defaults.link]\nbetween = [\"A1\", \"S\"]"),
    (Code::MISSING_KEY, "duration = \"1 ms\"", ""),
    (Code::MISSING_KEY, "rate = \"424 Mb/s\"", ""),
    (Code::MISSING_KEY, "from = \"A2\"\n", ""),
    (Code::MISSING_KEY, "route = [\"A1\", \"S\", \"B\"]", ""),
    (Code::MISSING_KEY, "", "[[event]]\nat = \"1 us\"\nfrom = \"S\"\nto = \"B\""),
    (Code::WRONG_TYPE, "name = \"S\"", "name = 5"),
    (Code::WRONG_TYPE, "n2 = 10", "n2 = \"10\""),
    (Code::WRONG_TYPE, "n2 = 10", "n2 = 10.0"),
    (Code::WRONG_TYPE, "[[switch]]", "[switch]"),
    (Code::VERSION, "version = 2", "version = 3"),
    (Code::FORMER_FORMAT, "version = 2", "version = 1"),
    (Code::FORMER_FORMAT, "", "control = { kind = \"window\", cells = 9 }"),
    (Code::UNKNOWN_CHOICE, "\"n23\"", "\"n32\""),
    (Code::NOT_MODELLED, "\"n23\"", "\"dcqcn\""),
    (Code::NOT_MODELLED, "name = \"S\"", "name = \"S\"\ncut-through = true"),
    (Code::KEY_OF_OTHER_KIND, "n2 = 10", "n1 = 10"),
    (Code::KEY_OF_OTHER_KIND, "", "source = { kind = \"greedy\", k = 3 }"),
    (Code::CONFLICT, "route =", "from = \"A1\"\nroute ="),
    (Code::NO_UNIT, "delay = \"3 us\"", "delay = 3"),
    (Code::NO_UNIT, "delay = \"3 us\"", "delay = \"3\""),
    (Code::WRONG_UNIT, "424 Mb/s", "424 Mbps"),
    (Code::WRONG_UNIT, "delay = \"3 us\"", "delay = \"3 Mb/s\""),
    (Code::NOT_A_NUMBER, "\"1 ms\"", "\"long\""),
    (Code::NOT_A_NUMBER, "delay = \"3 us\"", "delay = \"3\"\ncorrupt-data = nan"),
    (Code::OUT_OF_RANGE, "n3 = 8", "n3 = 80, target = \"200 %\""),
    (Code::OUT_OF_RANGE, "\"1 ms\"", "\"0 ms\""),
    (Code::OUT_OF_RANGE, "\"1 ms\"", "\"-1 ms\""),
    (Code::OUT_OF_RANGE, "delay = \"3 us\"", "delay = \"0.0004 ns\""),
    (Code::OUT_OF_RANGE, "\"1 ms\"", "\"1e400 s\""),
    (Code::OUT_OF_RANGE, "duration = \"1 ms\"", "duration = \"1 ms\"\nwarm-up = \"1 ms\""),
    (Code::OUT_OF_RANGE, "424 Mb/s", "0 b/s"),
    (Code::OUT_OF_RANGE, "n2 = 10", "n2 = 0"),
    (Code::OUT_OF_RANGE, "n2 = 10", "n2 = 99999999999999999999"),
    (Code::OUT_OF_RANGE, "delay = \"3 us\"", "delay = \"3 us\"\ncorrupt-data = 1.5"),
    (Code::OUT_OF_RANGE, "", "priority = 8"),
    // 90 days of 1 us are 7.8e12 cell times.
    (Code::TOO_MUCH, "\"1 ms\"", "\"7776000 s\""),
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
    (Code::DUPLICATE, "name = \"A2\"", "name = \"A1\""),
    (Code::DUPLICATE, "name = \"f2\"", "name = \"f1\""),
    (Code::BAD_NAME, "name = \"S\"", "name = \"S#1\""),
    (Code::BAD_NAME, "name = \"S\"", "name = \"\""),
    // A control character, a zero-width space, a right-to-left override, a formula.
    (Code::BAD_NAME, "name = \"S\"", "name = \"S\\u0007\""),
    (Code::BAD_NAME, "name = \"S\"", "name = \"S\u{200b}1\""),
    (Code::BAD_NAME, "name = \"S\"", "name = \"S\u{202e}1\""),
    (Code::BAD_NAME, "name = \"S\"", "name = \"=S\""),
    (Code::BAD_NAME, "name = \"f2\"", "name = \"-f2\""),
    (Code::BAD_NAME, "version = 2", "version = 2\ntitle = \"a\\u001b[31m\""),
    (Code::BAD_NAME, "version = 2", "version = 2\nnotes = \"\\u009b31m\""),
    (Code::UNKNOWN_NAME, "to = \"B\"", "to = \"C\""),
    (Code::UNKNOWN_NAME, "", "[record]\ndelays = [\"f3\"]"),
    (Code::TEMPLATE, "name = \"A1\"", "name = \"A{}\""),
    (Code::TEMPLATE, "name = \"A1\"", "name = \"A1\"\ncount = 3"),
    (Code::SELF_LINK, "between = [\"A1\", \"S\"]", "between = [\"S\", \"S\"]"),
    (Code::NO_SUCH_LINK, "", "[record]\nthroughput = [\"A1->B\"]"),
    (Code::NO_SUCH_LINK, "", "[record]\nthroughput = [\"S->B#2\"]"),
    (Code::EMPTY_TRACE, "", "[record]\ntrace = { flows = [\"f1\"], links = [\"A2->S\"] }"),
    (Code::EMPTY_TRACE, "", "[record]\ntrace = { kinds = [\"ack\", \"pause\"] }"),
    (Code::SHORT_ROUND_TRIP, "delay = \"3 us\"", "delay = \"3 us\"\nround-trip = \"7 us\""),
    (Code::UNCONNECTED, "between = [\"A2\", \"S\"]", "between = [\"A1\", \"S\"]"),
    (Code::NOT_A_PATH, "route = [\"A1\", \"S\", \"B\"]", "route = [\"A1\", \"B\"]"),
    (Code::NOT_A_PATH, "route = [\"A1\", \"S\", \"B\"]", "route = [\"A1\"]"),
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
        "to = [\"A1\", \"B\"]\ncontrol = { kind = \"window\", packets = 9 }",
    ),
    (Code::SMALL_N3, "n3 = 8", "n3 = 7, target = \"100 %\""),
    (Code::CREDIT_BITS, "n2 = 10, n3 = 8", "n2 = 100000000, n3 = 100000000"),
    (Code::SMALL_BUFFER, "name = \"S\"", "name = \"S\"\nbuffer = \"17 cells\""),
    (Code::HOP_NOT_CROSSED, "", "[[flow.hop]]\nlink = [\"A1\", \"S\"]"),
    (Code::BROKEN_CSV, "", "source = { kind = \"replay\", file = \"broken.csv\" }"),
    (Code::STOP_BEFORE_START, "", "start = \"2 us\"\nstop = \"2 us\""),
    (
        Code::STARVATION,
        "n2 = 10, n3 = 8 }",
        "n2 = 1, n3 = 8 }\n[[flow]]\nname = \"back\"\nroute = [\"B\", \"S\", \"A1\"]",
    ),
    (Code::NO_D_MOD_K, "version = 2", "version = 2\nrouting = \"d-mod-k\""),
    (Code::UNEVEN_PATHS, "", COLLISION),
    (Code::UNUSED_NODE, "name = \"B\"", "name = \"B\"\n[[host]]\nname = \"C\""),
    (Code::ABOVE_LINK_RATE, "", "source = { kind = \"constant\", rate = \"425 Mb/s\" }"),
    (Code::NEVER_HAPPENS, "", "start = \"1 ms\""),
    (Code::NEVER_HAPPENS, "", "[[event]]\nat = \"1 ms\"\nfrom = \"S\"\nto = \"B\"\nblocked = true"),
];

/// Cases that need several changes, one after the other.
pub(crate) const SEVERAL: &[(Code, &[(&str, &str)])] = &[
    (Code::WHOSE_CELLS, &[("\"1 ms\"", "\"20 cells\""), ("424 Mb/s", "100 Mb/s")]),
    (Code::WHOSE_CELLS, &[("424 Mb/s", "100 Mb/s"), ("", "[record]\nwindow = \"1 cell\"")]),
    (
        Code::WHOSE_CELLS,
        &[("\"424 Mb/s\"", "[\"424 Mb/s\", \"100 Mb/s\"]\nround-trip = \"1 cell\"")],
    ),
    // A ring of three switches, once around.
    (
        Code::LOOP,
        &[
            ("name = \"S\"", "name = \"S\"\n[[switch]]\nname = \"T\"\n[[switch]]\nname = \"U\""),
            ("between = [\"A2\", \"S\"]", "between = [\"S\", \"T\"]"),
            (
                "[[flow]]",
                "[[link]]\nbetween = [\"T\", \"U\"]\nrate = \"1 Gb/s\"\n\
                 [[link]]\nbetween = [\"U\", \"S\"]\nrate = \"1 Gb/s\"\n[[flow]]",
            ),
            ("[\"A1\", \"S\", \"B\"]", "[\"A1\", \"S\", \"T\", \"U\", \"S\", \"B\"]"),
            ("from = \"A2\"", "from = \"A1\""),
        ],
    ),
];

/// Two flows and two parallel links; the names are such that both flows take one link.
const COLLISION: &str = r#"
[[topology]]
kind = "dumbbell"
prefix = "D"
hosts = 2
rate = "424 Mb/s"
[[link]]
between = ["DS1", "DS2"]
rate = "424 Mb/s"
[[flow]]
name = "twin{}"
count = 2
from = "DL{}"
to = "DR{}"
"#;
