//! A paper: what its claims are, and which experiments measure them.

use crate::{Claim, ClaimResult, Experiment, Kind, Primary, load_claims, load_primary};

/// A paper: its claims and the experiments that measure them.
pub struct Paper {
    /// The key in `docs/references.md` and the first part of every claim id, such as `kung94`.
    pub key: &'static str,
    /// Its claims, in the order of the files.
    pub claims: Vec<Claim>,
    /// The primary readings of the numbers that it prints, in the order of the paper.
    pub primary: Vec<Primary>,
    /// Its experiments, in the order of the paper.
    pub experiments: Vec<Experiment>,
}

impl Paper {
    /// The claims on a printed number, if all of them are among the results: with a part of them
    /// its verdict is not known.
    pub(crate) fn claims_on<'a>(
        &self,
        number: &Primary,
        results: &'a [ClaimResult],
    ) -> Option<Vec<&'a ClaimResult>> {
        let is_on = |claim: &&Claim| {
            let of = (claim.kind, claim.place.as_str(), claim.number());
            of == (Kind::Printed, number.place.as_str(), number.number.as_str())
        };
        let all = self.claims.iter().filter(is_on).count();
        let found: Vec<&ClaimResult> =
            results.iter().filter(|claim| claim.is_on(self.key, number)).collect();
        (found.len() >= all.max(1)).then_some(found)
    }

    /// A paper of this project: the texts of its files of claims and of its primary readings, and
    /// its experiments. Panics when a file is not what it should be, which the test below would
    /// have found.
    pub(crate) fn of(
        key: &'static str,
        files: &[&str],
        primary: Option<&str>,
        experiments: &[Experiment],
    ) -> Paper {
        let load = |text: &&str| match load_claims(text) {
            Ok(claims) => claims,
            Err(wrong) => panic!("the claims of {key}: {wrong}"),
        };
        let claims = files.iter().flat_map(load).collect();
        let primary = primary.map_or_else(Vec::new, |text| match load_primary(text, key) {
            Ok(primary) => primary,
            Err(wrong) => panic!("the primary readings of {key}: {wrong}"),
        });
        Paper { key, claims, primary, experiments: experiments.to_vec() }
    }
}

/// The claims of files in a folder of `papers/PAPER`, and the experiments of modules, both in the
/// order of the paper, such as `paper!("debate", "/claims/", ["headroom"], [headroom])`. With
/// `primary` after them, the folder has the primary readings of what the paper prints.
macro_rules! paper {
    ($key:literal, $folder:literal, [$($file:literal),+], [$($experiment:ident),+]) => {
        paper!(@ $key, $folder, [$($file),+], [$($experiment),+], None);
    };
    ($key:literal, $folder:literal, [$($file:literal),+], [$($experiment:ident),+], primary) => {
        paper!(@ $key, $folder, [$($file),+], [$($experiment),+], Some(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"), "/../../papers/", $key, "/primary.toml"
        ))));
    };
    (@ $key:literal, $folder:literal, [$($file:literal),+], [$($experiment:ident),+], $primary:expr)
    => {
        /// The claims and experiments of the paper.
        pub fn paper() -> $crate::Paper {
            let claims = [$(include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/../../papers/", $key, $folder, $file, ".toml"
            ))),+];
            $crate::Paper::of($key, &claims, $primary, &[$($experiment::EXPERIMENT),+])
        }
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::papers;

    /// Every claim is measured by exactly one experiment, from a scenario that it runs, with the
    /// seeds that the claim names.
    #[test]
    fn every_claim_has_one_experiment() {
        for paper in papers() {
            for claim in &paper.claims {
                let mine = |e: &&Experiment| e.prefixes().iter().any(|p| claim.is_under(p));
                let experiments: Vec<_> = paper.experiments.iter().filter(mine).collect();
                assert_eq!(experiments.len(), 1, "experiments of claim `{}`", claim.id);
                let Some(file) = &claim.scenario else { continue };
                let [runs, compared] = [experiments[0].scenarios(), experiments[0].comparisons()];
                let scenarios = [runs, compared].concat();
                let run = scenarios.iter().find(|s| s.file == *file);
                let run = run.unwrap_or_else(|| panic!("`{file}` of `{}` is not run", claim.id));
                assert_eq!(run.seeds, claim.seeds.unwrap_or(1), "seeds of `{}`", claim.id);
            }
        }
    }

    /// Every printed number has one primary reading, of the claims on it one measures it at a
    /// setting that it has, and no reading is of a number that no claim is about.
    #[test]
    fn every_printed_number_has_a_primary_reading() {
        for paper in papers() {
            let printed = paper.claims.iter().filter(|claim| claim.kind == Kind::Printed);
            let numbers: BTreeSet<_> =
                printed.map(|claim| (claim.place.as_str(), claim.number())).collect();
            let of = |one: &'_ Primary| (one.place.clone(), one.number.clone());
            let read: BTreeSet<_> = paper.primary.iter().map(of).collect();
            let numbers: BTreeSet<_> = numbers
                .into_iter()
                .map(|(place, one)| (place.to_owned(), one.to_owned()))
                .collect();
            assert_eq!(read, numbers, "{}", paper.key);
            for one in &paper.primary {
                let Some(id) = &one.claim else { continue };
                let claim = paper.claims.iter().find(|claim| claim.id == *id);
                let claim =
                    claim.unwrap_or_else(|| panic!("`{id}` of `{}` is unknown", one.number));
                assert_eq!((&claim.place, claim.number()), (&one.place, one.number.as_str()));
                assert_eq!(claim.free.is_some(), one.at.is_some(), "`{id}` and its `at`");
            }
        }
    }

    /// Claim: every claim that the page on the debate names is one, and it names more than thirty.
    #[test]
    fn the_page_on_the_debate_names_claims() {
        let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/debate.md"));
        let all = papers();
        let ids: Vec<&str> =
            all.iter().flat_map(|paper| &paper.claims).map(|claim| claim.id.as_str()).collect();
        let of_a_paper = |word: &&str| {
            let (key, rest) = word.split_once('.').unwrap_or_default();
            all.iter().any(|paper| paper.key == key) && !rest.is_empty()
        };
        // What stands between two marks of code is every second part.
        let named: Vec<&str> =
            page.split('`').skip(1).step_by(2).filter(|word| of_a_paper(word)).collect();
        assert!(named.len() > 30, "{named:?}");
        for word in named {
            let (start, end) = word.split_once('*').unwrap_or((word, ""));
            let found = |id: &&&str| id.starts_with(start) && id.ends_with(end);
            let exact = word.contains('*') || ids.contains(&word);
            assert!(exact && ids.iter().any(|id| found(&id)), "no claim is named `{word}`");
        }
    }

    /// No id stands in two files, and every one begins with its paper.
    #[test]
    fn ids_are_unique() {
        for paper in papers() {
            let ids: BTreeSet<_> = paper.claims.iter().map(|claim| &claim.id).collect();
            assert_eq!(ids.len(), paper.claims.len());
            assert!(paper.claims.iter().all(|claim| claim.is_under(paper.key)), "{}", paper.key);
        }
    }
}
