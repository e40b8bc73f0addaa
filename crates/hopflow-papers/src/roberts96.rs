//! [Roberts96]: binary marking, the iterative explicit rate and VC counting.
//!
//! The paper states no network; what is chosen here and why: `docs/models/roberts96.md`. Claims are
//! in `papers/roberts96/claims/`, one file for each experiment.

mod beatdown;
mod becn;
mod codec;
mod far;
mod fig4;
mod figures;
mod network;
mod pipe;
mod read;
mod startup;
mod technique;
mod wall;

use crate::{Experiment, Paper};

/// A file of claims for each experiment, in the order of the paper.
const CLAIMS: &[&str] = &[
    include_str!("../../../papers/roberts96/claims/fig1.toml"),
    include_str!("../../../papers/roberts96/claims/fig2.toml"),
    include_str!("../../../papers/roberts96/claims/fig3.toml"),
    include_str!("../../../papers/roberts96/claims/fig4.toml"),
    include_str!("../../../papers/roberts96/claims/becn.toml"),
    include_str!("../../../papers/roberts96/claims/pipe.toml"),
    include_str!("../../../papers/roberts96/claims/startup.toml"),
    include_str!("../../../papers/roberts96/claims/beatdown.toml"),
    include_str!("../../../papers/roberts96/claims/wall.toml"),
    include_str!("../../../papers/roberts96/claims/codec.toml"),
];

/// The experiments, in the order of the paper.
const EXPERIMENTS: &[Experiment] = &[
    figures::EXPERIMENT,
    fig4::EXPERIMENT,
    becn::EXPERIMENT,
    pipe::EXPERIMENT,
    startup::EXPERIMENT,
    beatdown::EXPERIMENT,
    wall::EXPERIMENT,
    codec::EXPERIMENT,
];

/// The claims and experiments of the paper.
pub fn paper() -> Paper {
    Paper::of("roberts96", CLAIMS, EXPERIMENTS)
}
