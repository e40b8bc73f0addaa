//! What is printed of Test-Two, over all that the paper does not state: bands.
//!
//! Free are the length of trains and AI, as in Test-One, which links a flow crosses, and whether
//! all flows have one AI or one AIR. One of these is changed at a time: twelve settings of trains
//! and AI in the placement of `test2.toml`, five placements more, one AIR. The base and the one AIR
//! have enough seeds to decide a number, the others show how far it moves.

use hopflow_record::Estimate;

use super::super::measure::{effective, link_claims, over};
use super::super::settings::{self, others};
use super::{
    AIR, FILE, PLACEMENT_SEEDS, PLACEMENTS, PRINTED, PRINTED_MS, SEEDS, all_classes, classes,
};
use crate::observe::mean;
use crate::{Exhibit, Measured, Run, Runs, ScenarioText};

/// The base with other trains and another AI.
pub(super) fn scenarios(base: &ScenarioText) -> Vec<ScenarioText> {
    settings::scenarios(base, "test2")
}

/// What the paper prints, in one setting.
pub(super) fn printed(runs: &[Run]) -> Vec<(String, Estimate)> {
    let mut seen = Measured::default();
    link_claims(&mut seen, runs);
    seen.claim("effective", over(runs, effective));
    classes(&mut seen, runs);
    seen.values
}

/// Every setting in words, and its file.
pub(super) fn all() -> Vec<(String, String)> {
    let mut all = vec![("trains of 2, AI = 20 s".to_owned(), FILE.to_owned())];
    for (length, interval) in others() {
        let file = settings::file("test2", length, interval);
        all.push((settings::words(length, interval), file));
    }
    for (number, (file, ..)) in (2..).zip(PLACEMENTS) {
        all.push((format!("placement {number} of 6"), file.to_owned()));
    }
    all.push(("AIR = 200 packets".to_owned(), AIR.to_owned()));
    all
}

/// The bands.
pub(super) fn bands(measured: &mut Measured, runs: &Runs) {
    let all: Vec<_> =
        all().into_iter().map(|(name, file)| (name, printed(runs.all(&file)))).collect();
    settings::bands(measured, &all);
    measured.exhibits.push(exhibit(&all));
}

/// Mean difference of the thirteen classes from the printed table, in %, in each setting.
fn exhibit(all: &[(String, Vec<(String, Estimate)>)]) -> Exhibit {
    let row = |(name, seen): &(String, Vec<(String, Estimate)>)| {
        let off = |what: &str, printed: [&[f64]; 3]| {
            let of = |(links, rate, place): (usize, u64, usize)| {
                let id = format!("hops{links}.rate{rate}.{what}");
                let value =
                    seen.iter().find(|(one, _)| *one == id).map_or(f64::NAN, |one| one.1.mean);
                100.0 * (value / printed[links - 1][place] - 1.0).abs()
            };
            mean(all_classes().map(of))
        };
        (name.clone(), vec![off("throughput", PRINTED), off("waiting", PRINTED_MS)])
    };
    Exhibit::new("Test-Two: what the paper does not state")
        .note(format!(
            "Mean over the thirteen classes of how far each is from the printed one. \
             {PLACEMENT_SEEDS} seeds each, {SEEDS} of the first and the last."
        ))
        .columns("setting", [("throughput", "%"), ("waiting", "%")])
        .rows(all.iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::super::test_two;
    use super::*;

    /// Claim: eleven settings beside the base, each with its own trains and AI, and every flow of
    /// them in the same place.
    #[test]
    fn settings_change_trains_and_intervals_alone() {
        let base = test_two();
        let all = scenarios(&base);
        assert_eq!(all.len(), 11);
        for (scenario, (length, interval)) in all.iter().zip(others()) {
            let trains = format!("length = {length} }}");
            assert_eq!(scenario.text.matches(&trains).count(), 1, "{}", scenario.file);
            let ai = format!("interval = \"{interval} s\"");
            assert_eq!(scenario.text.matches(&ai).count(), 1, "{}", scenario.file);
            assert_eq!(scenario.text.matches("route = ").count(), 37);
        }
    }
}
