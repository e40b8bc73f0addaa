//! [Kung97]: TCP with and without credit on the CreditNet switches; and beside it what one buffer
//! for all VCs of a link does to them, and adaptive credit [KC95].
//!
//! What the paper leaves out or contradicts, and how each is set here: `docs/models/creditnet.md`.
//! Claims are in `papers/creditnet/claims/`, one file for each experiment.

mod adaptive;
mod backpressure;
mod hol;
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
    include_str!("../../../papers/creditnet/claims/hol.toml"),
    include_str!("../../../papers/creditnet/claims/adaptive.toml"),
];

/// The experiments, in the order of the paper.
const EXPERIMENTS: &[Experiment] = &[
    table2::EXPERIMENT,
    udp::EXPERIMENT,
    backpressure::EXPERIMENT,
    window::EXPERIMENT,
    hol::EXPERIMENT,
    adaptive::EXPERIMENT,
];

/// The claims and experiments of the paper.
pub fn paper() -> Paper {
    Paper::of("creditnet", CLAIMS, EXPERIMENTS)
}
