//! [KMCL94]: link-by-link flow control by credits, every figure and every number of its text.
//!
//! What the paper leaves out or contradicts, and how each is set here: `docs/models/kung94.md`.

mod fig10;
mod fig12;
mod fig14;
mod fig17;
mod fig20;
mod fig21;
mod fig22;
mod fig6;
mod fig8;
mod sec3;
mod sec4_4;
mod sec4_5;
mod sec6;
mod sec7_1;
mod sec8_3;

use crate::{Experiment, Paper, load_claims};

const CLAIMS: &str = include_str!("../../../papers/kung94/claims.toml");

/// The experiments, in the order of the paper.
const EXPERIMENTS: [&dyn Experiment; 15] = [
    &fig6::Fig6,
    &fig8::Fig8,
    &fig10::Fig10,
    &fig12::Fig12,
    &fig14::Fig14,
    &fig17::Fig17,
    &fig20::Fig20,
    &fig21::Fig21,
    &fig22::Fig22,
    &sec3::Sec3,
    &sec4_4::Sec44,
    &sec4_5::Sec45,
    &sec6::Sec6,
    &sec7_1::Sec71,
    &sec8_3::Sec83,
];

/// The claims and experiments of the paper.
pub fn paper() -> Paper {
    let claims = load_claims(CLAIMS).expect("a test reads the claims of kung94");
    Paper { key: "kung94", claims, experiments: EXPERIMENTS.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Runs;

    /// The embedded file is a file of claims.
    #[test]
    fn claims_are_well_formed() {
        load_claims(CLAIMS).unwrap();
    }

    /// Every claim is measured by exactly one experiment.
    #[test]
    fn every_claim_has_one_experiment() {
        let paper = paper();
        for claim in &paper.claims {
            let prefixes = paper.experiments.iter().flat_map(|e| e.prefixes());
            let count = prefixes.filter(|prefix| claim.is_under(prefix)).count();
            assert!(count <= 1, "claim `{}` has {count} experiments", claim.id);
        }
        let unmeasured: Vec<_> = paper.unmeasured().iter().map(|claim| &claim.id).collect();
        assert!(unmeasured.is_empty(), "{unmeasured:?}");
    }

    /// A claim's scenario is one that its experiment runs, with the seeds the claim names.
    #[test]
    fn scenarios_of_claims_are_run() {
        let paper = paper();
        for experiment in &paper.experiments {
            let scenarios = experiment.scenarios();
            for claim in paper.claims_of(*experiment) {
                let Some(file) = &claim.scenario else { continue };
                let run = scenarios.iter().find(|s| s.file == *file);
                let run = run.unwrap_or_else(|| panic!("`{file}` of `{}` is not run", claim.id));
                assert_eq!(run.seeds, claim.seeds.unwrap_or(1), "seeds of `{}`", claim.id);
            }
        }
    }

    /// Figure 6 needs no run: 21 entries as printed, 3 that no one rule gives, none unexplained.
    #[test]
    fn figure_6_is_judged_in_full() {
        use crate::Verdict;
        let paper = paper();
        let runs = Runs::default();
        let results = crate::judge(&paper, &fig6::Fig6, &fig6::Fig6.measure(&runs), &runs).unwrap();
        let count = |verdict| results.iter().filter(|r| r.verdict == verdict).count();
        assert_eq!(count(Verdict::Reproduced), 21);
        assert_eq!(count(Verdict::Differs), 3);
        assert_eq!(results.len(), 24);
    }
}
