//! Measures: the columns of a run, and their values.
//!
//! The columns are totals of the run, as in `hopflow compare`, and the quantities of VCs, link
//! directions and queues that patterns select, as `OF/NAME/QUANTITY`, such as
//! `vc/VC1/throughput_bps`. A `*` in a pattern matches any text. The network of the first point
//! determines the columns; a run that does not have a quantity has an empty cell.

use std::collections::BTreeMap;

use hopflow::RunResult;
use hopflow::compare::Totals;
use hopflow::network::NetworkSpec;
use hopflow::record::{Subject, direction_names, estimates};

/// The most columns that patterns select.
const MOST_COLUMNS: usize = 1_000;

/// Reads a total.
type Read = fn(&Totals, &RunResult) -> Option<f64>;

/// The totals, in order of the columns: name and meaning.
pub const TOTALS: [(&str, &str); 12] = [
    ("throughput_bps", "What all VCs deliver, in bits per second."),
    ("created_packets", "Packets that sources made."),
    ("lost_packets", "Packets lost because a buffer was full."),
    ("lost_share", "Their share of those made."),
    ("delay_mean_ps", "Mean delay of the packets delivered."),
    ("delay_p99_ps", "99 of 100 packets took no longer; at most 1/64 too high."),
    ("delay_max_ps", "Greatest delay."),
    ("jain", "Jain index of what VCs deliver, against their fair shares."),
    ("switch_max_packets", "The most packets that any switch held."),
    ("tcp_goodput_bps", "Data that arrives over TCP for the first time, in bits per second."),
    ("tcp_completion_ps", "When the last transfer was acknowledged; empty while one is not."),
    ("violations", "Properties that every run must keep and this one did not."),
];

const READ: [Read; TOTALS.len()] = [
    |of, _| Some(of.throughput_bps),
    |of, _| Some(of.created_packets as f64),
    |of, _| Some(of.lost_packets as f64),
    |of, _| Some(of.lost_share),
    |of, _| of.delay_mean_ps,
    |of, _| of.delay_p99_ps.map(|ps| ps as f64),
    |of, _| of.delay_max_ps.map(|ps| ps as f64),
    |of, _| of.jain,
    |of, _| Some(f64::from(of.switch_max_packets)),
    |of, _| of.tcp.as_ref().map(|tcp| tcp.goodput_bps),
    |of, _| of.tcp.as_ref()?.completion_ps.map(|ps| ps as f64),
    |_, run| Some((run.summary.violations.len() as u64 + run.summary.violations_left_out) as f64),
];

/// The columns of every run of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measures {
    /// The columns after the totals, which patterns selected.
    selected: Vec<String>,
}

impl Measures {
    /// The totals, and the quantities of `network` that `patterns` select, each column once. A
    /// pattern that selects no column is an error that lists similar names.
    pub fn select(network: &NetworkSpec, patterns: &[String]) -> Result<Measures, String> {
        let mut selected: Vec<String> = Vec::new();
        let names = if patterns.is_empty() { Vec::new() } else { names(network) };
        for pattern in patterns {
            if TOTALS.iter().any(|(name, _)| name == pattern) {
                continue;
            }
            let mut found = names.iter().filter(|name| matches(pattern, name)).peekable();
            if found.peek().is_none() {
                return Err(nothing(pattern, &names));
            }
            for name in found {
                if !selected.contains(name) {
                    selected.push(name.clone());
                }
            }
            if selected.len() > MOST_COLUMNS {
                return Err(format!(
                    "--measure `{pattern}`: {} columns, the most is {MOST_COLUMNS}: name fewer",
                    selected.len()
                ));
            }
        }
        Ok(Measures { selected })
    }

    /// The totals alone.
    pub fn totals() -> Measures {
        Measures { selected: Vec::new() }
    }

    /// The measures of a stored sweep.
    pub(crate) fn of_names(names: &[String]) -> Option<Measures> {
        let totals = TOTALS.iter().map(|(name, _)| *name);
        let known = names.len() >= TOTALS.len() && totals.eq(&names[..TOTALS.len()]);
        known.then(|| Measures { selected: names[TOTALS.len()..].to_vec() })
    }

    /// The names of the columns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let totals = TOTALS.iter().map(|(name, _)| *name);
        totals.chain(self.selected.iter().map(String::as_str))
    }

    /// The number of columns.
    pub fn count(&self) -> usize {
        TOTALS.len() + self.selected.len()
    }

    /// The index of a column.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.names().position(|known| known == name)
    }

    /// The meaning of a column.
    pub(crate) fn meaning(&self, column: usize) -> String {
        match TOTALS.get(column) {
            Some((_, meaning)) => (*meaning).to_owned(),
            None => format!("{}; see the results page.", self.selected[column - TOTALS.len()]),
        }
    }

    /// Whether series of throughput are needed.
    pub(crate) fn needs_series(&self) -> bool {
        self.selected.iter().any(|name| name.contains("/window_busy_share"))
    }

    /// The values of a run of `network` that kept its VCs; NaN without a value.
    pub fn of(&self, network: &NetworkSpec, result: &RunResult) -> Box<[f64]> {
        let totals = Totals::of(network, result);
        let mut values: Vec<Option<f64>> = READ.iter().map(|read| read(&totals, result)).collect();
        if !self.selected.is_empty() {
            let all = estimates(&[&result.summary]);
            let all: BTreeMap<String, f64> = all
                .iter()
                .map(|one| (named(one.of, &one.name, &one.quantity), one.estimate.mean))
                .collect();
            values.extend(self.selected.iter().map(|name| all.get(name).copied()));
        }
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        values.into_iter().map(|value| finite(value).unwrap_or(f64::NAN)).collect()
    }
}

fn named(of: Subject, name: &str, quantity: &str) -> String {
    format!("{}/{name}/{quantity}", of.word())
}

/// The names of all quantities that a run of the network may have.
fn names(network: &NetworkSpec) -> Vec<String> {
    let links = direction_names(network);
    let vcs: Vec<String> = network.vcs.iter().map(|vc| vc.name.clone()).collect();
    let of = |subject: Subject, names: &[String]| -> Vec<String> {
        let quantities = subject.quantities();
        let all = names.iter().flat_map(|name| quantities.iter().map(move |one| (name, one)));
        all.map(|(name, quantity)| named(subject, name, quantity)).collect()
    };
    let run = ["run".to_owned()];
    let parts = [(Subject::Vc, &vcs[..]), (Subject::Link, &links), (Subject::Queue, &links)];
    let parts = parts.into_iter().chain([(Subject::Run, &run[..])]);
    parts.flat_map(|(subject, names)| of(subject, names)).collect()
}

/// Whether a pattern, in which `*` is any text, matches the whole name.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

fn nothing(pattern: &str, names: &[String]) -> String {
    let totals = TOTALS.iter().map(|(name, _)| *name);
    let near = near(pattern, totals.chain(names.iter().map(String::as_str)));
    format!(
        "`{pattern}` matches no measure of the first point: did you mean {near}? A measure is a \
         total such as `throughput_bps`, or OF/NAME/QUANTITY, with `*` for any text"
    )
}

/// The three names that are most similar to a pattern.
pub(crate) fn near<'n>(pattern: &str, known: impl Iterator<Item = &'n str>) -> String {
    let likeness = |name: &str| strsim::jaro_winkler(pattern, name);
    let mut near: Vec<(f64, &str)> = known.map(|name| (likeness(name), name)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<String> = near.iter().take(3).map(|(_, name)| format!("`{name}`")).collect();
    near.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::SCENARIO;
    use hopflow::{RunOptions, Scenario, run};

    fn scenario() -> Scenario {
        Scenario::from_toml(SCENARIO, "a.toml").unwrap_or_else(|wrong| panic!("{wrong}"))
    }

    fn select(patterns: &[&str]) -> Result<Measures, String> {
        let patterns: Vec<String> = patterns.iter().map(|one| (*one).to_owned()).collect();
        Measures::select(&scenario().network, &patterns)
    }

    /// Claim: `*` matches any text, also the empty one; other characters match themselves.
    #[test]
    fn patterns_match_as_written() {
        let cases = [
            ("vc/*/x", "vc/a/b/x", true),
            ("vc/*/x", "vc/a/y", false),
            ("*", "anything", true),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*b*b", "abb", true),
            ("a*b*", "acbd", true),
            ("a.c", "abc", false),
        ];
        for (pattern, name, yes) in cases {
            assert_eq!(matches(pattern, name), yes, "{pattern} {name}");
        }
    }

    /// Claim: totals are first, a pattern adds the columns that it selects, each once and in order;
    /// the error of a pattern without a match lists similar names.
    #[test]
    fn columns_are_selected_once() {
        let patterns = ["vc/*/throughput_bps", "jain", "vc/VC1/t*", "link/S->B/busy_share"];
        let measures = select(&patterns).unwrap();
        let names: Vec<&str> = measures.names().skip(TOTALS.len()).collect();
        let expected = [
            "vc/VC1/throughput_bps",
            "vc/VC1/throughput_packets_per_second",
            "link/S->B/busy_share",
        ];
        assert_eq!(names, expected);
        let wrong = select(&["vc/VC1/thruput_bps"]).unwrap_err();
        assert!(wrong.contains("did you mean `vc/VC1/throughput_bps`"), "{wrong}");
        assert!(select(&["queue/*/nothing"]).is_err());
    }

    /// Claim: values are those of the run's summary, in which one VC is all VCs; a quantity that
    /// the run does not have is NaN.
    #[test]
    fn values_are_those_of_the_run() {
        let scenario = scenario();
        let measures = select(&["vc/VC1/throughput_bps", "queue/S->B/time_p99_packets"]).unwrap();
        let result = run(&scenario, &RunOptions::default()).unwrap();
        let values = measures.of(&scenario.network, &result);
        assert_eq!(values.len(), measures.count());
        let of = |name: &str| values[measures.place(name).unwrap()];
        let vc = &result.summary.vcs[0];
        let (total, own) = (of("throughput_bps"), of("vc/VC1/throughput_bps"));
        assert_eq!((total, own), (vc.throughput_bps, vc.throughput_bps));
        let (created, delay) = (of("created_packets"), of("delay_mean_ps"));
        assert_eq!((created, delay), (vc.created_packets as f64, vc.delay_ps.unwrap().mean));
        assert_eq!((of("violations"), of("lost_share")), (0.0, 0.0));
        assert!(of("tcp_goodput_bps").is_nan() && of("queue/S->B/time_p99_packets").is_nan());
    }
}
