//! What the paper does not state of its sources, over a stated range: trains and AI.

use super::network::{INTERVAL, INTERVALS, LENGTH, LENGTHS};
use crate::ScenarioText;

/// Trains and AI of the base texts.
const BASE: (&str, &str) = ("2", "20");

/// The scenario of a test (`test2`) with other trains and another AI.
pub(super) fn file(test: &str, length: &str, interval: &str) -> String {
    format!("{test}-l{length}-ai{interval}.toml")
}

/// Trains and AI of every setting but that of the base.
pub(super) fn others() -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = LENGTHS.into_iter().flat_map(|l| INTERVALS.into_iter().map(move |i| (l, i)));
    all.filter(|setting| *setting != BASE)
}

/// The base of a test with other trains and another AI.
pub(super) fn scenarios(base: &ScenarioText, test: &str) -> Vec<ScenarioText> {
    let of = |(length, interval): (&str, &str)| {
        let (trains, ai) = (format!("length = {length}"), format!("interval = \"{interval} s\""));
        let edits = [(LENGTH, trains.as_str()), (INTERVAL, ai.as_str())];
        base.variant(file(test, length, interval), &edits)
    };
    others().map(of).collect()
}
