//! The ends of every range together: the least rates with the largest packets, the greatest with
//! the smallest, at every scheduler, through every policer.

use hopflow_network::{DirectionId, Engine, TraceFilter, WindowedEngine};
use hopflow_scenario::Scenario;
use hopflow_units::SimTime;

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
        r#"version = 1
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

/// The first hundred packet times; the scenario may also be refused, with a code.
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

/// Claim: whatever is allowed alone is allowed together: clocks, tags and buckets that run past
/// the range of time stand still there.
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
