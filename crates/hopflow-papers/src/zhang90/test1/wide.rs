//! Wider bands of Test-One: fifteen settings of trains and AI, ten seeds each.

use hopflow_record::Estimate;

use super::super::measure::{everyone, lost, over};
use super::super::network::INTERVALS;
use super::super::settings;
use super::{printed, test_one};
use crate::{Bands, Run, Runs, ScenarioText, Setting};

/// Mean lengths of a train, in packets.
const LENGTHS: [&str; 5] = ["1.5", "1.75", "2", "3", "5"];
const SEEDS: u32 = 10;

/// The wider bands.
pub(super) const BANDS: Bands = Bands { scenarios, names, settings };

fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    LENGTHS.into_iter().flat_map(|length| INTERVALS.map(|interval| (length, interval)))
}

fn scenarios() -> Vec<ScenarioText> {
    let base = test_one().with_seeds(SEEDS);
    let at = |(length, interval)| settings::scenario(&base, "test1", length, interval);
    all().map(at).collect()
}

fn names() -> Vec<String> {
    all().map(|(length, interval)| settings::words(length, interval)).collect()
}

fn settings(runs: &Runs) -> Vec<Setting> {
    let at = |(length, interval): (&str, &str)| {
        let file = settings::file("test1", length, interval);
        let values = with_lost(runs.all(&file), printed);
        Setting::of(settings::words(length, interval), "zhang90.test1", &file, values)
    };
    all().map(at).collect()
}

/// What is printed of runs, and what they lost.
pub(in super::super) fn with_lost(
    runs: &[Run],
    printed: impl Fn(&[Run]) -> Vec<(String, Estimate)>,
) -> Vec<(String, Estimate)> {
    let mut values = printed(runs);
    values.push(("lost".to_owned(), over(runs, |run| lost(run, &everyone(run)))));
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: fifteen settings, each with its own trains and AI and ten seeds; twelve of them are
    /// those of the usual plan.
    #[test]
    fn settings_are_wider_than_the_plan() {
        let all = scenarios();
        assert_eq!(all.len(), 15);
        assert!(all.iter().all(|scenario| scenario.seeds == SEEDS));
        let usual = super::super::EXPERIMENT.scenarios();
        assert_eq!(all.iter().filter(|one| usual.contains(one)).count(), 12);
    }
}
