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
const EXPERIMENTS: &[&dyn Experiment] = &[
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
    &sec4_3::Sec43,
    &sec4_4::Sec44,
    &sec4_5::Sec45,
    &sec6::Sec6,
    &sec7_1::Sec71,
    &sec8_3::Sec83,
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
        let results = crate::judge(&paper, &fig6::Fig6, &fig6::Fig6.measure(&runs), &runs).unwrap();
        let count = |verdict| results.iter().filter(|r| r.verdict == verdict).count();
        assert_eq!(count(Verdict::Reproduced), 21);
        assert_eq!(count(Verdict::NotReproduced), 3);
        assert!(!results.iter().any(crate::ClaimResult::is_new));
        assert_eq!(results.len(), 24);
    }
}
