//! Wider bands of Test-Three: trains and AI of all flows, trains of the misbehaving ones, and no
//! deletion; of each setting all that is printed of the link, of all flows and of normal ones.

use hopflow_record::Estimate;

use super::super::measure::{effective, link_claims, over};
use super::{DEAF, NO_DELETION, SCHEDULER, bad_lost, rates, settings, test_three, trains, waits};
use crate::{Bands, Measured, Run, Runs, ScenarioText, Setting};

const SEEDS: u32 = 10;

/// The wider bands.
pub(super) const BANDS: Bands = Bands { scenarios, names, settings };

fn all() -> Vec<(String, String)> {
    let kept = ("no messages, no deletion".to_owned(), NO_DELETION.to_owned());
    settings::all().into_iter().chain([kept]).collect()
}

fn scenarios() -> Vec<ScenarioText> {
    let base = test_three().with_seeds(SEEDS);
    let kept = base.variant(NO_DELETION, &[(SCHEDULER, DEAF)]);
    let others = settings::scenarios(&base).into_iter().chain(trains::scenarios(&base));
    [base.clone(), kept].into_iter().chain(others).collect()
}

fn names() -> Vec<String> {
    all().into_iter().map(|(name, _)| name).collect()
}

fn printed(runs: &[Run]) -> Vec<(String, Estimate)> {
    let mut seen = Measured::default();
    link_claims(&mut seen, runs);
    seen.claim("effective", over(runs, effective));
    seen.claim("lost", bad_lost(runs));
    for links in 1..=3 {
        seen.claim(format!("hops{links}.throughput"), rates(runs, links));
        seen.claim(format!("hops{links}.waiting"), waits(runs, links));
    }
    seen.values
}

fn settings(runs: &Runs) -> Vec<Setting> {
    let at = |(name, file): (String, String)| {
        Setting::of(name, "zhang90.test3", &file, printed(runs.all(&file)))
    };
    all().into_iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: every setting is run with ten seeds, and nothing else.
    #[test]
    fn every_setting_has_ten_seeds() {
        let mut files: Vec<String> = scenarios().into_iter().map(|one| one.file).collect();
        let mut wanted: Vec<String> = all().into_iter().map(|(_, file)| file).collect();
        files.sort();
        wanted.sort();
        assert_eq!(files, wanted);
        assert_eq!(files.len(), 17);
        assert!(scenarios().iter().all(|one| one.seeds == SEEDS));
    }
}
