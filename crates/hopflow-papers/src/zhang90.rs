//! [Zhang90]: VirtualClock. Every test, and what the text says of its rivals.
//!
//! What the paper leaves out or contradicts, and how each is set here: `docs/models/zhang90.md`.
//! Claims are in `papers/zhang90/claims/`, one file for each experiment.

mod alone;
mod burstiness;
mod fig1;
pub mod measure;
mod metered;
pub mod network;
mod passed;
mod pattern;
mod sec2_2_1;
mod sec2_2_2;
mod sec2_3_1;
mod sec2_3_2;
mod sec3_1;
mod sec4;
mod sec5;
mod test1;
mod test2;
mod test3;

use crate::{Claim, Experiment, Paper, load_claims};

/// A file of claims for each experiment, in the order of the paper.
const CLAIMS: &[&str] = &[
    include_str!("../../../papers/zhang90/claims/fig1.toml"),
    include_str!("../../../papers/zhang90/claims/sec2.2.1.toml"),
    include_str!("../../../papers/zhang90/claims/sec2.2.2.toml"),
    include_str!("../../../papers/zhang90/claims/sec2.3.1.toml"),
    include_str!("../../../papers/zhang90/claims/sec2.3.2.toml"),
    include_str!("../../../papers/zhang90/claims/sec3.1.toml"),
    include_str!("../../../papers/zhang90/claims/test1.toml"),
    include_str!("../../../papers/zhang90/claims/test2.toml"),
    include_str!("../../../papers/zhang90/claims/test3.toml"),
    include_str!("../../../papers/zhang90/claims/sec4.toml"),
    include_str!("../../../papers/zhang90/claims/pattern.toml"),
    include_str!("../../../papers/zhang90/claims/sec5.toml"),
];

/// The experiments, in the order of the paper.
const EXPERIMENTS: &[&dyn Experiment] = &[
    &fig1::Fig1,
    &sec2_2_1::Sec221,
    &sec2_2_2::Sec222,
    &sec2_3_1::Sec231,
    &sec2_3_2::Sec232,
    &sec3_1::Sec31,
    &test1::Test1,
    &test2::Test2,
    &test3::Test3,
    &sec4::Sec4,
    &pattern::Patterns,
    &sec5::Sec5,
];

/// The claims and experiments of the paper.
pub fn paper() -> Paper {
    let load = |text: &&str| load_claims(text).expect("a test reads the claims of zhang90");
    let claims: Vec<Claim> = CLAIMS.iter().flat_map(load).collect();
    Paper { key: "zhang90", claims, experiments: EXPERIMENTS.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every claim is measured by exactly one experiment, from scenarios that it runs, with the
    /// seeds that the claim names.
    #[test]
    fn every_claim_has_one_experiment() {
        let paper = paper();
        for claim in &paper.claims {
            let mine = |e: &&&dyn Experiment| e.prefixes().iter().any(|p| claim.is_under(p));
            let experiments: Vec<_> = paper.experiments.iter().filter(mine).collect();
            assert_eq!(experiments.len(), 1, "experiments of claim `{}`", claim.id);
            let Some(file) = &claim.scenario else { continue };
            let scenarios = experiments[0].scenarios();
            let run = scenarios.iter().find(|s| s.file == *file);
            let run = run.unwrap_or_else(|| panic!("`{file}` of `{}` is not run", claim.id));
            assert_eq!(run.seeds, claim.seeds.unwrap_or(1), "seeds of `{}`", claim.id);
        }
    }

    /// No id stands in two files.
    #[test]
    fn ids_are_unique() {
        let paper = paper();
        let ids: std::collections::BTreeSet<_> = paper.claims.iter().map(|c| &c.id).collect();
        assert_eq!(ids.len(), paper.claims.len());
    }
}
