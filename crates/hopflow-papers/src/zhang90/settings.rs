//! What the paper does not state of its sources, over a stated range: trains and AI.

use super::network::{INTERVAL, INTERVALS, LENGTH, LENGTHS};
use hopflow_record::Estimate;

use crate::{Measured, ScenarioText};

/// Trains and AI of the base texts.
const BASE: (&str, &str) = ("2", "20");

/// The scenario of a test (`test2`) with other trains and another AI.
pub(super) fn file(test: &str, length: &str, interval: &str) -> String {
    format!("{test}-l{length}-ai{interval}.toml")
}

/// A setting in words.
pub(super) fn words(length: &str, interval: &str) -> String {
    format!("trains of {length}, AI = {interval} s")
}

/// Trains and AI of every setting.
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    LENGTHS.into_iter().flat_map(|l| INTERVALS.into_iter().map(move |i| (l, i)))
}

/// Trains and AI of every setting but that of the base.
pub(super) fn others() -> impl Iterator<Item = (&'static str, &'static str)> {
    all().filter(|setting| *setting != BASE)
}

/// The base of a test with one setting of trains and AI.
pub(super) fn scenario(
    base: &ScenarioText,
    test: &str,
    length: &str,
    interval: &str,
) -> ScenarioText {
    let edits = [
        (LENGTH, format!("length = {length}")),
        (INTERVAL, format!("interval = \"{interval} s\"")),
    ];
    base.variant(file(test, length, interval), &edits)
}

/// The base of a test with every other setting.
pub(super) fn scenarios(base: &ScenarioText, test: &str) -> Vec<ScenarioText> {
    others().map(|(length, interval)| scenario(base, test, length, interval)).collect()
}

/// The bands of all claims that were measured in each setting, which the list names in words.
pub(super) fn bands(measured: &mut Measured, settings: &[(String, Vec<(String, Estimate)>)]) {
    for (index, (id, _)) in settings[0].1.iter().enumerate() {
        let value =
            |(name, seen): &(String, Vec<(String, Estimate)>)| (name.clone(), seen[index].1);
        measured.band(id, settings.iter().map(value).collect());
    }
}
