//! The wider bands that are kept: `papers/bands`, written by `reproduce --bands`, each file with
//! the commit of the program that wrote it.
//!
//! `cargo xtask readme bands` writes them again. They are as old as their commits say: what changed
//! since is not in them.

use crate::{BandFile, BandRow};

/// The files of `papers/bands`, by the names of their experiments.
macro_rules! kept {
    ($($name:literal),*) => {
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"), "/../../papers/bands/", $name, ".csv"
        )))),*];
    };
}

kept!("zhang90.test1", "zhang90.test2", "zhang90.test3", "roberts96.fig1", "cai97.table1");

/// Every file that is kept, with the experiment whose it is. Panics when one is damaged, which the
/// tests would have found.
pub fn kept() -> Vec<(&'static str, BandFile)> {
    let read = |(name, text): &(&'static str, &str)| match BandFile::read(text) {
        Ok(file) => (*name, file),
        Err(wrong) => panic!("papers/bands/{name}.csv: {wrong}"),
    };
    FILES.iter().map(read).collect()
}

/// The rows of all of them.
pub fn kept_rows() -> Vec<BandRow> {
    kept().into_iter().flat_map(|(_, file)| file.rows).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Kind, papers};

    /// Claim: a kept file has every setting of the bands of its experiment and no other; every row
    /// is on a printed number that the paper has, by a claim on it, from a scenario of the bands
    /// with all of its seeds; interval and verdict follow from what was measured. It names the
    /// commit of the program, and the command.
    #[test]
    fn what_is_kept_exists() {
        let papers = papers();
        for (name, file) in kept() {
            let mut all = papers.iter().flat_map(|paper| {
                paper.experiments.iter().map(move |experiment| (paper, experiment))
            });
            let (paper, one) = all.find(|(_, one)| one.id() == name).expect("its experiment");
            let bands = one.bands().expect("it has bands");
            let (_, commit) = file.program.split_once(", commit ").expect("its commit");
            assert!(commit.len() >= 7 && commit.chars().all(|one| one.is_ascii_hexdigit()));
            assert_eq!(file.command, format!("hopflow reproduce {name} --bands"));
            let found: BTreeSet<&str> = file.rows.iter().map(|row| row.setting.as_str()).collect();
            let names = (bands.names)();
            assert_eq!(found, names.iter().map(String::as_str).collect(), "{name}");
            let scenarios = (bands.scenarios)();
            for row in &file.rows {
                assert!(row.is_worked_out(), "{row:?}");
                let scenario = scenarios.iter().find(|one| one.file == row.scenario);
                assert_eq!(scenario.map(|one| u64::from(one.seeds)), Some(row.seeds), "{row:?}");
                let claim = paper.claims.iter().find(|claim| claim.id == row.claim).unwrap();
                assert_eq!(claim.kind, Kind::Printed, "{row:?}");
                let of = (claim.place.as_str(), claim.number());
                assert_eq!(of, (row.place.as_str(), row.number.as_str()));
                let mut primary = paper.primary.iter();
                let number = primary.find(|one| (one.place.as_str(), one.number.as_str()) == of);
                assert_eq!(number.map(|one| one.printed), Some(row.printed), "{row:?}");
            }
        }
    }
}
