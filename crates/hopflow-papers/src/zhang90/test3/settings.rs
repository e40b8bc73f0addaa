//! Normal flows in Test-Three over all that the paper does not state: bands.
//!
//! Free are the length of trains and AI, as in Test-One: twelve settings, of all flows. Beside them
//! the lengths of the trains of the misbehaving flows alone, see `trains.rs`.

use hopflow_record::Estimate;

use super::super::settings::{self, others};
use super::{FILE, rates, trains, waits};
use crate::{Measured, Run, Runs, ScenarioText};

const SEEDS: u32 = 10;
/// The base with other trains and another AI of all flows.
pub(super) fn scenarios(base: &ScenarioText) -> Vec<ScenarioText> {
    let all = settings::scenarios(base, "test3").into_iter();
    all.map(|scenario| scenario.with_seeds(SEEDS)).collect()
}

/// Every setting in words, and its file.
pub(super) fn all() -> Vec<(String, String)> {
    let mut all = vec![("trains of 2, AI = 20 s".to_owned(), FILE.to_owned())];
    for (length, interval) in others() {
        let file = settings::file("test3", length, interval);
        all.push((settings::words(length, interval), file));
    }
    for (length, file) in trains::files() {
        all.push((format!("misbehaving trains of {length}"), file));
    }
    all
}

/// Throughput and waiting of normal flows, by links crossed, over all settings.
pub(super) fn bands(measured: &mut Measured, runs: &Runs) {
    let settings: Vec<_> = all().into_iter().map(|(name, file)| (name, runs.all(&file))).collect();
    let mut band = |id: &str, of: &dyn Fn(&[Run]) -> Estimate| {
        let value = |(name, runs): &(String, &[Run])| (name.clone(), of(runs));
        measured.band(id, settings.iter().map(value).collect());
    };
    for links in 1..=3 {
        band(&format!("hops{links}.throughput"), &|runs| rates(runs, links));
        band(&format!("hops{links}.waiting"), &|runs| waits(runs, links));
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_three;
    use super::*;

    /// Claim: eleven settings beside the base, and the misbehaving flows have the trains of all.
    #[test]
    fn settings_change_trains_and_intervals_of_all() {
        let all = scenarios(&test_three());
        assert_eq!(all.len(), 11);
        for (scenario, (length, interval)) in all.iter().zip(others()) {
            let trains = format!("length = {length} }}");
            assert_eq!(scenario.text.matches(&trains).count(), 1, "{}", scenario.file);
            let ai = format!("interval = \"{interval} s\"");
            assert_eq!(scenario.text.matches(&ai).count(), 1, "{}", scenario.file);
            assert_eq!(scenario.text.matches("misbehaves = 5").count(), 10);
        }
    }
}
