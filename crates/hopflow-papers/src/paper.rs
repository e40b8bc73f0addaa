//! A paper: what its claims are, and which experiments measure them.

use crate::{Claim, Experiment, load_claims};

/// A paper: its claims and the experiments that measure them.
pub struct Paper {
    /// The key in `docs/references.md` and the first part of every claim id, such as `kung94`.
    pub key: &'static str,
    /// Its claims, in the order of the files.
    pub claims: Vec<Claim>,
    /// Its experiments, in the order of the paper.
    pub experiments: Vec<Experiment>,
}

impl Paper {
    /// A paper of this project: the texts of its files of claims, and its experiments. Panics when
    /// a file is not one of claims, which the test below would have found.
    pub(crate) fn of(key: &'static str, files: &[&str], experiments: &[Experiment]) -> Paper {
        let load = |text: &&str| match load_claims(text) {
            Ok(claims) => claims,
            Err(wrong) => panic!("the claims of {key}: {wrong}"),
        };
        let claims = files.iter().flat_map(load).collect();
        Paper { key, claims, experiments: experiments.to_vec() }
    }
}

/// The claims of files in a folder of `papers/PAPER`, and the experiments of modules, both in the
/// order of the paper, such as `paper!("debate", "/claims/", ["headroom"], [headroom])`.
macro_rules! paper {
    ($key:literal, $folder:literal, [$($file:literal),+], [$($experiment:ident),+]) => {
        /// The claims and experiments of the paper.
        pub fn paper() -> $crate::Paper {
            let claims = [$(include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/../../papers/", $key, $folder, $file, ".toml"
            ))),+];
            $crate::Paper::of($key, &claims, &[$($experiment::EXPERIMENT),+])
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
                let scenarios = experiments[0].scenarios();
                let run = scenarios.iter().find(|s| s.file == *file);
                let run = run.unwrap_or_else(|| panic!("`{file}` of `{}` is not run", claim.id));
                assert_eq!(run.seeds, claim.seeds.unwrap_or(1), "seeds of `{}`", claim.id);
            }
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
