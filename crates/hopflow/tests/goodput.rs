//! Goodput is no more than what arrived in the same interval, whatever was held above a hole as the
//! interval began.

use hopflow::network::{NetworkSpec, ProtocolSpec};
use hopflow::record::Summary;
use hopflow::units::Picos;
use hopflow::{RunOptions, Scenario, run};
use hopflow_testing::{random_network, random_usual_network, with_ends};

/// CUBIC over a geostationary satellite, behind a queue that is smaller than the loop.
const GEO: &str = r#"
version = 2
duration = "30 s"
[[host]]
name = "A"
[[host]]
name = "B"
[[switch]]
name = "S"
port-buffer = "200 packets"
[[link]]
between = ["A", "S"]
rate = "1 Gb/s"
[[link]]
between = ["S", "B"]
rate = "20 Mb/s"
delay = "250 ms"
[[flow]]
name = "f"
route = ["A", "S", "B"]
source = { kind = "tcp", variant = "cubic", window = "4 MB" }
"#;

fn read(text: &str) -> Scenario {
    Scenario::from_toml(text, "goodput.toml").unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The goodput of a connection, and what arrived of it, in bits per second.
fn goodput_and_delivered(summary: &Summary, network: &NetworkSpec) -> Vec<(f64, f64)> {
    let tcp = network.connections.iter().zip(&summary.connections);
    let tcp = tcp.filter(|(one, _)| matches!(one.protocol, ProtocolSpec::Tcp(_)));
    let rates = tcp.map(|(one, found)| {
        let frames = summary.vcs[one.forward].frames.as_ref().expect("a connection has frames");
        (found.tcp.as_ref().expect("it is TCP").goodput_bps, frames.throughput_bps)
    });
    rates.collect()
}

/// Claim: goodput is never above what arrived in the same interval. CUBIC over 250 ms and a queue
/// that is smaller than the loop loses packets; data that is held above a hole as the warm-up ends
/// was delivered to the application later, though it had arrived before. For warm-ups of 5 to 24 s
/// the goodput keeps below the arrivals; what was given to the application does not, for some.
#[test]
fn goodput_is_at_most_what_arrived() {
    let scenario = read(GEO);
    let mut later = 0;
    for seconds in 5..25 {
        let warm_up = Some(Picos(seconds * Picos::PER_SECOND));
        let duration = Some(Picos((seconds + 1) * Picos::PER_SECOND));
        let options = RunOptions { warm_up, duration, ..RunOptions::default() };
        let result = run(&scenario, &options).expect("it runs");
        let summary = &result.summary;
        for (goodput, delivered) in goodput_and_delivered(summary, &scenario.network) {
            assert!(goodput <= delivered, "{seconds} s: {goodput} > {delivered}");
            let given = summary.connections[0].tcp.as_ref().unwrap().delivered_bytes * 8;
            later += u32::from(given as f64 > delivered);
        }
    }
    assert!(later > 0, "no hole was open as a warm-up ended");
}

/// Claim: the same in random networks with TCP, after a warm-up of any part of the run.
#[test]
fn goodput_is_at_most_what_arrived_in_random_networks() {
    let mut checked = 0;
    for seed in 0..2_000 {
        let network = if seed % 2 == 0 { random_network(seed) } else { random_usual_network(seed) };
        let network = with_ends(network, seed);
        if network.connections.is_empty() {
            continue;
        }
        let mut scenario = read("version = 2\nduration = \"1 s\"\n[[host]]\nname = \"A\"\n");
        scenario.warm_up = Picos(network.duration.0 / 10 * (seed % 10));
        scenario.network = network;
        let result = run(&scenario, &RunOptions::default()).expect("it runs");
        for (goodput, delivered) in goodput_and_delivered(&result.summary, &scenario.network) {
            assert!(goodput <= delivered, "seed {seed}: {goodput} > {delivered}");
            checked += u32::from(goodput > 0.0);
        }
    }
    assert!(checked > 40, "{checked}");
}
