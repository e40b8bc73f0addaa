//! Wider bands of Test-Two: its eighteen settings, see `settings.rs`, with ten seeds each.

use super::super::test1::with_lost;
use super::{free, same_air, settings, test_two};
use crate::{Bands, Runs, ScenarioText, Setting};

const SEEDS: u32 = 10;

/// The wider bands.
pub(super) const BANDS: Bands = Bands { scenarios, names, settings };

fn scenarios() -> Vec<ScenarioText> {
    let base = test_two().with_seeds(SEEDS);
    let (free, air) = (free(&base), same_air(&base));
    [base, air].into_iter().chain(free).collect()
}

fn names() -> Vec<String> {
    settings::all().into_iter().map(|(name, _)| name).collect()
}

fn settings(runs: &Runs) -> Vec<Setting> {
    let at = |(name, file): (String, String)| {
        let values = with_lost(runs.all(&file), settings::printed);
        Setting::of(name, "zhang90.test2", &file, values)
    };
    settings::all().into_iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: every setting of the bands is run with ten seeds, and nothing else.
    #[test]
    fn every_setting_has_ten_seeds() {
        let mut files: Vec<String> = scenarios().into_iter().map(|one| one.file).collect();
        let mut wanted: Vec<String> = settings::all().into_iter().map(|(_, file)| file).collect();
        files.sort();
        wanted.sort();
        assert_eq!(files, wanted);
        assert_eq!(files.len(), 18);
        assert!(scenarios().iter().all(|one| one.seeds == SEEDS));
    }
}
