//! The network of [Zhang90] 3.1 and its layouts of flows, as scenarios to start from.
//!
//! ```text
//! H1 - S1 ===== S2 ===== S3 ===== S4 - H4     === 400 kb/s, 5 ms;  - 10 Mb/s, 1 ms
//!               |        |                    each switch holds 100 packets of 250 bytes
//!               H2       H3
//! ```
//! The paper's "Link 12" joins switches 2 and 3: [`LINK_12`]. Its Figure 2 is lost, so where the
//! hosts are is our choice; at 10 Mb/s they do not count. A variant of a layout is made with
//! [`ScenarioText::variant`] and the fragments below, each of which stands in the base text.

use crate::ScenarioText;

/// Both directions of the paper's Link 12, in its order: from switch 2, from switch 3.
pub const LINK_12: [&str; 2] = ["S2->S3", "S3->S2"];
/// How many links between switches a flow crosses, in words.
pub const LINKS: [&str; 3] = ["one link", "two links", "three links"];
/// One packet on a link between switches, in ms.
pub const PACKET_MS: f64 = 5.0;

/// The scheduler of all switches. See [`scheduler`].
pub const SCHEDULER: &str = "scheduler = \"virtual-clock\"";
/// Which packet goes when a switch is full.
pub const DISCARD: &str = "discard = \"last-of-longest\"";
/// The envelope of all sources.
pub const ENVELOPE: &str = "envelope = true";
/// AI of all flows (and of their envelopes).
pub const INTERVAL: &str = "interval = \"20 s\"";
/// Mean length of a train, in packets.
pub const LENGTH: &str = "length = 2";
/// What the paper does not state, in the tests on its network: mean lengths of a train, in packets.
pub const LENGTHS: [&str; 4] = ["1.5", "2", "3", "5"];
/// Likewise: AI, in s.
pub const INTERVALS: [&str; 3] = ["10", "20", "50"];
/// The source of all flows whose rate is 10 packets/s.
pub const SOURCE: &str = "source = { kind = \"train\", rate = \"10 packets/s\", length = 2 }";

/// Test-One: 60 flows of 10 packets/s, `F1` to `F60`; 18 on each direction between switches.
/// Flows 1-24 cross one link between switches, 25-48 two, 49-60 three. 600 s after 20 s.
pub fn test_one() -> ScenarioText {
    scenario!("zhang90/test1.toml")
}

/// Test-Two: 37 flows of 5 to 50 packets/s, `F1` to `F37`, placed so that 170 packets/s are
/// reserved on each direction. Flows 1-17 cross one link, 18-34 two, 35-37 three.
pub fn test_two() -> ScenarioText {
    scenario!("zhang90/test2.toml")
}

/// Test-Three: Test-One with every 6th flow at five times its rate and deaf. 300 s after 20 s.
pub fn test_three() -> ScenarioText {
    scenario!("zhang90/test3.toml")
}

/// The base under another name, with another scheduler at all switches: the value of the key as
/// TOML, such as `"fifo"` with its quotes. Anything but VirtualClock drops what arrives at a
/// full switch.
#[must_use]
pub fn scheduler(base: &ScenarioText, file: impl Into<String>, toml: &str) -> ScenarioText {
    let scheduler = format!("scheduler = {toml}");
    base.variant(file, &[(SCHEDULER, &*scheduler), (DISCARD, "discard = \"arriving\"")])
}

/// The base with this rate of all flows instead of 10 packets/s, no envelope, and 300 s of 320.
pub(super) fn unbounded(base: &ScenarioText, file: String, rate: &str) -> ScenarioText {
    let edits = [
        (ENVELOPE, "envelope = false"),
        ("\"10 packets/s\"", &format!("\"{rate} packets/s\"")),
        ("\"620 s\"", "\"320 s\""),
    ];
    base.variant(file, &edits)
}

/// For tests: reserved packets/s on each direction between switches, by the flows' routes.
#[cfg(test)]
pub(super) fn loads(text: &ScenarioText) -> Vec<(String, u64)> {
    let scenario =
        hopflow_scenario::Scenario::from_toml(&text.text, &text.file).expect("it passes its check");
    let network = &scenario.network;
    let names = hopflow_record::direction_names(network);
    let mut loads: Vec<(String, u64)> = Vec::new();
    for (index, name) in names.into_iter().enumerate().filter(|(_, n)| !n.contains('H')) {
        let crosses =
            |vc: &&hopflow_network::VcSpec| vc.hops.iter().any(|hop| hop.direction_id().0 == index);
        let rate = |vc: &hopflow_network::VcSpec| {
            vc.reservation.map_or(0, |reservation| reservation.rate.bps() / 2_000)
        };
        loads.push((name, network.vcs.iter().filter(crosses).map(rate).sum()));
    }
    loads
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim [Zhang90] 3.2: 18 flows on each link in Test-One (and Three), 60 in all: 24, 24
    /// and 12 over one, two and three links. Test-Two: 580 packets/s in all, evenly placed.
    #[test]
    fn layouts_load_every_direction_alike() {
        for (text, load) in [(test_one(), 180), (test_two(), 170), (test_three(), 180)] {
            let loads = loads(&text);
            assert_eq!(loads.len(), 6);
            assert!(loads.iter().all(|(_, packets)| *packets == load), "{loads:?}");
        }
    }

    /// Every fragment to vary stands in the base.
    #[test]
    fn fragments_stand_in_the_base() {
        let base = test_one();
        for fragment in [SCHEDULER, DISCARD, ENVELOPE, INTERVAL, LENGTH, SOURCE] {
            assert_eq!(base.text.matches(fragment).count(), 1, "{fragment}");
        }
    }
}
