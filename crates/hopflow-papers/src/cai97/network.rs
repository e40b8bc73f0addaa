//! The three configurations of [Cai97], and what all experiments read off their runs.
//!
//! ```text
//! queue of a switch = the most cells it ever held, of all VCs together             (1)
//! single queue      = the most that one VC ever had there: its per-VC queue, and
//!                     what it has in the class queue                                (2)
//! ```
//! Without virtual sources a port has one queue for all VCs, so the paper's column is (1); with
//! them the paper takes the largest of several, and both are shown.

use crate::{Run, ScenarioText};

/// Averaging intervals in ms: the paper states none.
pub(super) const INTERVALS: [u32; 7] = [3, 5, 8, 10, 12, 15, 20];
/// The sources.
pub(super) const SOURCES: [&str; 5] = ["S1", "S2", "S3", "S4", "S5"];

/// The text that sets the averaging interval.
const INTERVAL: &str = "interval = \"10 ms\"";
/// The text that makes ports of switches virtual sources, with the rate of a VC between two of its
/// RM cells (option c).
pub(super) const VIRTUAL: &str = ", vs-vd = true, vc-rate = \"ccr\"";

/// A configuration of the paper, 1 to 3, as the paper has it but for the interval: 10 ms.
pub(super) fn base(conf: u32) -> ScenarioText {
    match conf {
        1 => scenario!("cai97/conf1.toml"),
        2 => scenario!("cai97/conf2.toml"),
        _ => base(2).variant("conf3.toml", &[("\"5.0 ms\"", "\"10 ms\"")]),
    }
}

/// A file for a variant of a configuration, `without` virtual sources or with them.
pub(super) fn file(conf: u32, virtual_source: bool, of: &str) -> String {
    let row = if virtual_source { "" } else { "without-" };
    format!("conf{conf}-{row}{of}.toml")
}

/// A configuration with an interval in ms, and other edits.
pub(super) fn variant(
    conf: u32,
    virtual_source: bool,
    interval: u32,
    of: &str,
    edits: &[(&str, &str)],
) -> ScenarioText {
    let interval = format!("interval = \"{interval} ms\" ");
    let mut all = vec![(INTERVAL, interval.trim_end())];
    if !virtual_source {
        all.push((VIRTUAL, ""));
    }
    all.extend(edits);
    base(conf).variant(file(conf, virtual_source, of), &all)
}

/// Eq. (1), in cells.
pub(super) fn most(run: &Run, switch: &str) -> f64 {
    f64::from(run.counters.nodes[run.node(switch)].buffered_max_packets)
}

/// Eq. (2), in cells.
pub(super) fn most_of_one(run: &Run, switch: &str) -> f64 {
    let node = run.node(switch);
    let vcs = run.network.vcs.iter().zip(&run.counters.vcs);
    let here = vcs.filter(|(spec, _)| spec.rate.is_some()).flat_map(|(spec, counters)| {
        spec.hops.iter().zip(&counters.hops).filter_map(|(hop, seen)| {
            (run.network.from_node(hop.direction_id()) == node).then_some(seen.fill_max_packets)
        })
    });
    f64::from(here.max().unwrap_or(0))
}

/// The switches in order.
pub(super) fn switches(run: &Run) -> Vec<String> {
    let nodes = run.network.nodes.iter().map(|node| node.name.clone());
    nodes.filter(|name| name.starts_with("SW")).collect()
}

/// The switch before the slow link.
pub(super) const fn bottleneck(conf: u32) -> &'static str {
    if conf == 1 { "SW2" } else { "SW3" }
}

/// The slow link.
pub(super) const fn slow_link(conf: u32) -> &'static str {
    if conf == 1 { "SW2->SW3" } else { "SW3->SW4" }
}

/// The largest queue of any source, in cells.
pub(super) fn fullest_source(run: &Run) -> f64 {
    SOURCES.iter().map(|source| most(run, source)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Configuration 3 is configuration 2 but for its third link; a row without virtual sources
    /// has none, and both rows have the same interval.
    #[test]
    fn configurations_differ_where_the_paper_says() {
        let differing = |one: &str, other: &str| {
            let pairs = one.lines().zip(other.lines());
            pairs.filter(|(one, other)| one != other).count()
        };
        assert_eq!(differing(&base(2).text, &base(3).text), 1);
        let [with, without] = [true, false].map(|row| variant(2, row, 3, "3", &[]));
        assert_eq!((&*with.file, &*without.file), ("conf2-3.toml", "conf2-without-3.toml"));
        assert_eq!(differing(&with.text, &without.text), 1);
        assert!(with.text.contains("vs-vd = true") && !without.text.contains("vs-vd = true"));
        assert!([&with, &without].iter().all(|row| row.text.contains("interval = \"3 ms\"")));
    }
}
