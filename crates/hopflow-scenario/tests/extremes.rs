//! The ends of every range together: the lowest rates with the largest packets, the highest with
//! the smallest, at every scheduler, through every policer; and the ends of the ranges of
//! connections.

use hopflow_engine::WindowedEngine;
use hopflow_network::{DirectionId, Engine, TraceFilter};
use hopflow_scenario::Scenario;
use hopflow_units::SimTime;
use proptest::prelude::*;
use proptest::sample::select;

mod one_switch;

const SCHEDULERS: &[&str] = &[
    "\"round-robin\"",
    "\"fifo\"",
    "\"strict-priority\"",
    "\"weighted-round-robin\"",
    "{ kind = \"deficit-round-robin\", quantum = \"1048576 B\" }",
    "\"wfq\"",
    "\"wf2q\"",
    "\"leap-forward\"",
    "\"scfq\"",
    "\"sfq\"",
    "{ kind = \"virtual-clock\", delete-after = \"never\" }",
    "{ kind = \"virtual-clock\", stamp = \"meter\", delete-after = \"never\" }",
    "{ kind = \"virtual-clock\", refuse-ahead = \"100 days\", check = \"1 ps\" }",
    "{ kind = \"tdm\", frame = 100000 }",
    "{ kind = \"schedule-based\", frame = 100000, window = 4294967295 }",
    "{ kind = \"ats\", max-residence = \"8640000 s\" }",
    "\"ats\"",
    "\"cbs\"",
];

const RESERVATIONS: &[&str] = &[
    "weight = 1000000000",
    "reservation = { rate = \"1 b/s\" }",
    "reservation = { rate = \"1 b/s\", interval = \"8640000 s\", priority = \"8640000 s\" }",
    "reservation = { rate = \"99 Gb/s\", interval = \"8640000 s\" }",
    "reservation = { rate = \"100 Tb/s\" }",
    "reservation = { rate = \"1 b/s\", burst = \"1000 GB\" }",
];

const POLICING: &[&str] = &[
    "",
    "policing = { kind = \"leaky-bucket\", rate = \"1 b/s\", room = 9 }",
    "policing = { kind = \"gcra\", rate = \"1 b/s\", limit = \"8640000 s\" }",
    "policing = { kind = \"gcra\", rate = \"1 b/s\", limit = \"8640000 s\", excess = \"delay\", \
     room = 9 }",
    "policing = { kind = \"token-bucket\", rate = \"1 b/s\", burst = \"1000 GB\" }",
    "policing = { kind = \"token-bucket\", rate = \"1 b/s\", burst = \"2 MB\", \
     excess = \"delay\", room = 9 }",
];

fn text(scheduler: &str, [reservation, policing, packet]: [&str; 3]) -> String {
    format!(
        r#"version = 2
duration = "1 s"
[[host]]
name = "A"
[[host]]
name = "B"
[[link]]
between = ["A", "B"]
rate = "100 Gb/s"
delay = "1 us"
allow-overbooking = true
scheduler = {scheduler}
[[flow]]
name = "f"
route = ["A", "B"]
source = {{ kind = "constant", rate = "60 Gb/s" }}
{packet}
{policing}
{reservation}
"#
    )
}

/// Runs the first hundred packet times, unless the scenario is refused with a code.
fn run(text: &str) {
    let network = match Scenario::from_toml(text, "extreme.toml") {
        Ok(scenario) => scenario.network,
        Err(refused) => return assert!(refused.to_string().contains("error[HF00"), "{refused}"),
    };
    let time = network.transmit_time(DirectionId(0), network.vcs[0].traffic.size.most());
    let mut engine = WindowedEngine::new(&network, TraceFilter::default(), 1);
    engine.run_until(SimTime(100 * time.0));
    engine.counters();
}

/// Claim: values that are allowed alone are allowed together: clocks, tags and buckets saturate at
/// the end of the range of time.
#[test]
fn the_ends_of_all_ranges_run_together() {
    for scheduler in SCHEDULERS {
        for reservation in RESERVATIONS {
            for policing in POLICING {
                for packet in ["packet = \"1 B\"", "packet = \"1048576 B\""] {
                    let text = text(scheduler, [reservation, policing, packet]);
                    let ran = std::panic::catch_unwind(|| run(&text));
                    assert!(ran.is_ok(), "{text}");
                }
            }
        }
    }
}

/// Claim: a backlog of thousands of years at the slowest port is scheduled to the end of the
/// longest run: tags saturate at the end of their range.
#[test]
fn a_backlog_of_thousands_of_years_is_scheduled() {
    let flow = |name: &str, offered: &str, reserved: &str| {
        format!(
            "[[flow]]\nname = \"{name}\"\nroute = [\"A\", \"S\", \"B\"]\n\
             packet = \"524288 B\"\nsource = {{ kind = \"constant\", rate = \"{offered}\" }}\n\
             reservation = {{ rate = \"{reserved}\" }}\n"
        )
    };
    for scheduler in SCHEDULERS {
        let end = format!(
            "source = {{ kind = \"constant\", rate = \"1 b/s\" }}\n\
             reservation = {{ rate = \"1 b/s\" }}\n[defaults.link]\n\
             allow-overbooking = true\nscheduler = {scheduler}\n{}{}",
            flow("g", "10 b/s", "1 b/s"),
            flow("h", "20 kb/s", "99 b/s")
        );
        take_or_refuse(&one_switch::text("8640000 s", ["40 Mb/s", "1 b/s"], &end));
    }
}

/// Spans of clocks and time-outs: the shortest, the usual and the longest.
const SPANS: &[&str] = &["1 us", "500 ms", "4295 s", "8640000 s"];

/// Keys of TCP with the ends of their ranges.
const TCP: &[(&str, &[&str])] = &[
    (
        "variant",
        &["reno-without-fast-retransmit", "reno", "newreno", "newreno-ecn", "cubic", "dctcp"],
    ),
    ("mss", &["1 B", "65495 B"]),
    ("header", &["1 B", "120 B"]),
    ("window", &["1 B", "65495 B", "1073725440 B"]),
    ("tick", SPANS),
    ("granularity", SPANS),
    ("min-rto", SPANS),
    ("rttvar-factor", &["2", "4"]),
    ("acks", &["every-segment", "window-moves", "every-second"]),
    ("fast-tick", SPANS),
    ("ack-delay", SPANS),
    ("initial-window", &["1", "64"]),
    ("nagle", &["true", "false"]),
    ("transfer", &["1 B", "1000000000000000000 B"]),
    ("first-sequence", &["0", "4294967295"]),
];

/// Keys of NFS with the ends of their ranges; but a million READs at once would take long.
const NFS: &[(&str, &[&str])] = &[
    ("mtu", &["576 B", "65535 B"]),
    ("tick", SPANS),
    ("first-timeout", SPANS),
    ("service", &["0 s", "1 ps", "8640000 s"]),
    ("size-median", &["1 B", "2147483647 B"]),
    ("size-sigma", &["0", "1", "1000"]),
    ("block", &["1 B", "8192 B"]),
    ("read-ahead", &["1", "1000"]),
    ("start-window", &["0 s", "1 ps", "8640000 s"]),
    ("think", &["0 s", "1 ps", "8640000 s"]),
    ("files", &["1", "9223372036854775807"]),
];

/// Keys of a pause, of lanes and of a shared buffer with the ends of their ranges.
const PAUSE: &[(&str, &[&str])] = &[
    ("xoff", &["1 B", "2 cells", "1000000000000 B"]),
    ("xon", &["0 B", "1 B", "1 cells"]),
    ("quanta", &["1", "65535"]),
    ("room", &["auto", "1 B", "100 cells", "1000000000000 B"]),
    ("watchdog", &["1 ps", "1 us", "8640000 s"]),
    ("poll", &["0 s", "1 us", "8640000 s"]),
    ("restore", &["1 ps", "1 us", "8640000 s"]),
    ("action", &["drop", "forward"]),
];
const LANES: &[(&str, &[&str])] = &[
    ("block", &["1 B", "64 B", "1048576 B"]),
    ("buffer", &["1", "53", "16777215"]),
    ("update", &["1", "53", "16777215"]),
    ("refresh", &["1 ps", "1 us", "8640000 s"]),
];
const SHARED_BUFFER: &[(&str, &[&str])] = &[
    ("memory", &["1 cells", "100 cells", "134217727 cells", "4294967295 packets"]),
    ("interval", &["1 ps", "1 us", "8640000 s"]),
];

/// Some of these keys, as they follow the first key of a table.
fn some(keys: &'static [(&str, &[&str])], weight: f64) -> impl Strategy<Value = String> {
    let chosen = keys.iter().map(move |(key, values)| {
        let value = proptest::option::weighted(weight, select(*values));
        value.prop_map(move |value| value.map(|value| (*key, value)))
    });
    chosen.collect::<Vec<_>>().prop_map(move |keys| {
        let written = keys.into_iter().flatten().map(|(key, value)| {
            let is_bare = value.parse::<u64>().is_ok() || matches!(value, "true" | "false");
            if is_bare { format!(", {key} = {value}") } else { format!(", {key} = \"{value}\"") }
        });
        written.collect()
    })
}

/// What links share, with some of its keys.
fn shared() -> impl Strategy<Value = String> {
    prop_oneof![
        some(PAUSE, 0.7).prop_map(|keys| format!("pause = {{ priorities = [0, 7]{keys} }}")),
        some(LANES, 0.9).prop_map(|keys| format!("lanes = {{ priorities = [0, 7]{keys} }}")),
        some(SHARED_BUFFER, 0.6)
            .prop_map(|keys| format!("pool = {{ allow-small-buffer = true{keys} }}")),
    ]
}

fn run_all(scenario: &Scenario) {
    let mut engine = WindowedEngine::new(&scenario.network, TraceFilter::none(), 1);
    engine.run_until(SimTime(scenario.network.duration.0));
    engine.counters();
}

/// Runs a scenario unless it is refused with a code.
fn take_or_refuse(text: &str) {
    match Scenario::from_toml(text, "extreme.toml") {
        Ok(scenario) => run_all(&scenario),
        Err(refused) => assert!(refused.to_string().contains("error[HF00"), "{refused}"),
    }
}

/// Claim: links of nearly the maximum length run to the end of the longest run, under any control;
/// longer ones are refused.
#[test]
fn the_longest_links_run_as_long_as_can_be() {
    let greedy = "source = { kind = \"greedy\" }";
    let with = |control: &str| format!("{greedy}\ncontrol = {{ kind = {control} }}");
    let flows = [
        (greedy.to_owned(), "pause = { priorities = [0], xoff = \"1 cells\" }"),
        (with("\"n23\", n2 = 1, n3 = 1"), ""),
        (
            with("\"adaptive\", n2 = 1"),
            "pool = { memory = \"10 cells\", allow-small-buffer = true }",
        ),
        (with("\"window\", cells = 10"), ""),
        (with("\"abr\""), ""),
        ("packet = \"9000 B\"".to_owned(), ""),
        ("source = { kind = \"tcp\", variant = \"reno\" }".to_owned(), ""),
    ];
    let far = ["delay = \"4200000 s\"", "delay = \"1 s\"\nprocessing = \"4200000 s\""];
    for ((flow, link), far) in flows.iter().flat_map(|flow| far.map(|far| (flow, far))) {
        let end = format!("{flow}\n[defaults.link]\n{link}\n{far}");
        let text = one_switch::text("8640000 s", ["1 b/s"; 2], &end);
        let scenario = Scenario::from_toml(&text, "far.toml");
        run_all(&scenario.unwrap_or_else(|refused| panic!("{refused}")));
    }
    for far in ["delay = \"4320000 s\"", "delay = \"1 s\"\nprocessing = \"4320000 s\""] {
        let end = format!("{greedy}\n[defaults.link]\n{far}");
        let text = one_switch::text("8640000 s", ["1 b/s"; 2], &end);
        assert!(Scenario::from_toml(&text, "far.toml").is_err(), "{far}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Claim: connections with the ends of any ranges are refused with a code, or run: for 1,000
    /// of the shortest ticks, in which the fastest link carries 125 kB.
    #[test]
    fn connections_at_the_ends_of_ranges_run(
        (kind, keys) in prop_oneof![
            some(TCP, 0.3).prop_map(|keys| ("tcp", keys)),
            some(NFS, 0.3).prop_map(|keys| ("nfs", keys)),
        ],
        rate in select(vec!["1 b/s", "1 Mb/s", "1 Gb/s"]),
        framing in select(vec!["", "framing = \"aal5\""]),
    ) {
        let end = format!("source = {{ kind = \"{kind}\"{keys} }}\n{framing}");
        take_or_refuse(&one_switch::text("1 ms", [rate; 2], &end));
    }

    /// Claim: the same holds for pauses, lanes and shared buffers.
    #[test]
    fn shared_control_at_the_ends_of_ranges_runs(
        shared in shared(),
        rates in [select(vec!["1 b/s", "1 Mb/s", "1 Gb/s"]), select(vec!["1 b/s", "1 Gb/s"])],
        end in select(vec![
            "source = { kind = \"greedy\" }\ncontrol = { kind = \"adaptive\", n2 = 1 }",
            "source = { kind = \"greedy\" }\npacket = \"1 B\"",
            "source = { kind = \"greedy\" }\npacket = \"1048576 B\"",
            "source = { kind = \"tcp\", variant = \"reno\" }",
        ]),
    ) {
        let end = format!("{end}\n[defaults.link]\n{shared}");
        take_or_refuse(&one_switch::text("1 ms", rates, &end));
    }
}
