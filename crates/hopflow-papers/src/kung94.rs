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
mod sec4_3;
mod sec4_4;
mod sec4_5;
mod sec6;
mod sec7_1;
mod sec8_3;

use crate::{Experiment, Paper};

const CLAIMS: &[&str] = &[include_str!("../../../papers/kung94/claims.toml")];

/// The experiments, in the order of the paper.
const EXPERIMENTS: &[Experiment] = &[
    fig6::EXPERIMENT,
    fig8::EXPERIMENT,
    fig10::EXPERIMENT,
    fig12::EXPERIMENT,
    fig14::EXPERIMENT,
    fig17::EXPERIMENT,
    fig20::EXPERIMENT,
    fig21::EXPERIMENT,
    fig22::EXPERIMENT,
    sec3::EXPERIMENT,
    sec4_3::EXPERIMENT,
    sec4_4::EXPERIMENT,
    sec4_5::EXPERIMENT,
    sec6::EXPERIMENT,
    sec7_1::EXPERIMENT,
    sec8_3::EXPERIMENT,
];

/// The claims and experiments of the paper.
pub fn paper() -> Paper {
    Paper::of("kung94", CLAIMS, EXPERIMENTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Runs;

    /// Figure 6 needs no run: 21 entries as printed, 3 that no one rule gives, all known.
    #[test]
    fn figure_6_is_judged_in_full() {
        use crate::Verdict;
        let paper = paper();
        let runs = Runs::default();
        let results =
            crate::judge(&paper, &fig6::EXPERIMENT, &fig6::EXPERIMENT.measure(&runs), &runs)
                .unwrap();
        let count = |verdict| results.iter().filter(|r| r.verdict == verdict).count();
        assert_eq!(count(Verdict::Reproduced), 21);
        assert_eq!(count(Verdict::NotReproduced), 3);
        assert!(!results.iter().any(crate::ClaimResult::is_new));
        assert_eq!(results.len(), 24);
    }
}
