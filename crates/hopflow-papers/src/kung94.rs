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
mod sec2;
mod sec3;
mod sec4_3;
mod sec4_4;
mod sec4_5;
mod sec6;
mod sec7_1;
mod sec8_3;

paper!(
    "kung94",
    "/",
    ["claims"],
    [
        fig6, fig8, fig10, fig12, fig14, fig17, fig20, fig21, fig22, sec2, sec3, sec4_3, sec4_4,
        sec4_5, sec6, sec7_1, sec8_3
    ],
    primary
);

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
