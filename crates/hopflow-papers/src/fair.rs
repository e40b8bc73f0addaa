//! Rate control on the built-in scenarios: which algorithms share links max-min fairly, where they
//! rest, and which do not.
//!
//! Claims are in `papers/fair/claims/`, one file for each experiment; scenarios are the built-in
//! ones with their flows under ABR.

mod efci;
mod network;
mod shares;
mod stall;

use crate::{Experiment, Paper};

/// A file of claims for each experiment.
const CLAIMS: &[&str] = &[
    include_str!("../../../papers/fair/claims/shares.toml"),
    include_str!("../../../papers/fair/claims/stall.toml"),
    include_str!("../../../papers/fair/claims/efci.toml"),
];

/// The experiments.
const EXPERIMENTS: &[Experiment] = &[shares::EXPERIMENT, stall::EXPERIMENT, efci::EXPERIMENT];

/// The claims and experiments.
pub fn paper() -> Paper {
    Paper::of("fair", CLAIMS, EXPERIMENTS)
}
