//! [Cai97]: how much ERICA+ keeps in switches with virtual sources and without, over a satellite.
//!
//! What the paper leaves out or garbles, and how each is set here: `docs/models/cai97.md`. Claims
//! are in `papers/cai97/claims/`, one file for each experiment.

mod bursts;
mod law;
mod network;
mod readings;
mod sensitivity;
mod tables;

use crate::{Experiment, Paper};

/// A file of claims for each experiment, in the order of the paper.
const CLAIMS: &[&str] = &[
    include_str!("../../../papers/cai97/claims/tables.toml"),
    include_str!("../../../papers/cai97/claims/readings.toml"),
    include_str!("../../../papers/cai97/claims/sensitivity.toml"),
    include_str!("../../../papers/cai97/claims/law.toml"),
    include_str!("../../../papers/cai97/claims/bursts.toml"),
];

/// The experiments, in the order of the paper.
const EXPERIMENTS: &[Experiment] =
    &[tables::EXPERIMENT, sensitivity::EXPERIMENT, law::EXPERIMENT, bursts::EXPERIMENT];

/// The claims and experiments of the paper.
pub fn paper() -> Paper {
    Paper::of("cai97", CLAIMS, EXPERIMENTS)
}
