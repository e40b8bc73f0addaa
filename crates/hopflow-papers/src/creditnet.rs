//! [Kung97]: TCP with and without credit on the CreditNet switches.
//!
//! What the paper leaves out or contradicts, and how each is set here: `docs/models/creditnet.md`.
//! Claims are in `papers/creditnet/claims/`, one file for each experiment.

mod backpressure;
mod read;
mod table2;
mod udp;
mod window;

use crate::{Claim, Experiment, Paper, load_claims};

/// A file of claims for each experiment, in the order of the paper.
const CLAIMS: &[&str] = &[
    include_str!("../../../papers/creditnet/claims/table2.toml"),
    include_str!("../../../papers/creditnet/claims/udp.toml"),
    include_str!("../../../papers/creditnet/claims/backpressure.toml"),
    include_str!("../../../papers/creditnet/claims/window.toml"),
];

/// The experiments, in the order of the paper.
const EXPERIMENTS: &[&dyn Experiment] =
    &[&table2::Table2, &udp::Udp, &backpressure::Backpressure, &window::Window];

/// The claims and experiments of the paper.
pub fn paper() -> Paper {
    let load = |text: &&str| load_claims(text).expect("a test reads the claims of creditnet");
    let claims: Vec<Claim> = CLAIMS.iter().flat_map(load).collect();
    Paper { key: "creditnet", claims, experiments: EXPERIMENTS.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every claim is measured by exactly one experiment, from scenarios that it runs.
    #[test]
    fn every_claim_has_one_experiment() {
        let paper = paper();
        for claim in &paper.claims {
            let mine = |e: &&&dyn Experiment| e.prefixes().iter().any(|p| claim.is_under(p));
            let experiments: Vec<_> = paper.experiments.iter().filter(mine).collect();
            assert_eq!(experiments.len(), 1, "experiments of claim `{}`", claim.id);
            let Some(file) = &claim.scenario else { continue };
            let scenarios = experiments[0].scenarios();
            assert!(scenarios.iter().any(|s| s.file == *file), "`{file}` of `{}`", claim.id);
        }
    }
}
