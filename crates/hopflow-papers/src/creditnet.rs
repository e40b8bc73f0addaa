//! [Kung97]: TCP with and without credit on the CreditNet switches.
//!
//! What the paper leaves out or contradicts, and how each is set here: `docs/models/creditnet.md`.
//! Claims are in `papers/creditnet/claims/`, one file for each experiment.

mod backpressure;
mod read;
mod table2;
mod udp;
mod window;

use crate::{Experiment, Paper};

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
    Paper::of("creditnet", CLAIMS, EXPERIMENTS)
}
