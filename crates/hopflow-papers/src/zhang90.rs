//! [Zhang90]: VirtualClock. Every test, and what the text says of its rivals.
//!
//! What the paper leaves out or contradicts, and how each is set here: `docs/models/zhang90.md`.
//! Claims are in `papers/zhang90/claims/`, one file for each experiment.

mod alone;
mod burstiness;
mod fig1;
pub mod measure;
mod metered;
pub mod network;
mod passed;
mod pattern;
mod sec2_2_1;
mod sec2_2_2;
mod sec2_3_1;
mod sec2_3_2;
mod sec3_1;
mod sec4;
mod sec5;
mod settings;
mod test1;
mod test2;
mod test3;

use crate::{Experiment, Paper};

/// A file of claims for each experiment, in the order of the paper.
const CLAIMS: &[&str] = &[
    include_str!("../../../papers/zhang90/claims/fig1.toml"),
    include_str!("../../../papers/zhang90/claims/sec2.2.1.toml"),
    include_str!("../../../papers/zhang90/claims/sec2.2.2.toml"),
    include_str!("../../../papers/zhang90/claims/epoch.toml"),
    include_str!("../../../papers/zhang90/claims/sec2.3.1.toml"),
    include_str!("../../../papers/zhang90/claims/sec2.3.2.toml"),
    include_str!("../../../papers/zhang90/claims/sec3.1.toml"),
    include_str!("../../../papers/zhang90/claims/test1.toml"),
    include_str!("../../../papers/zhang90/claims/test2.toml"),
    include_str!("../../../papers/zhang90/claims/test3.toml"),
    include_str!("../../../papers/zhang90/claims/sec4.toml"),
    include_str!("../../../papers/zhang90/claims/pattern.toml"),
    include_str!("../../../papers/zhang90/claims/sec5.toml"),
];

/// The experiments, in the order of the paper.
const EXPERIMENTS: &[Experiment] = &[
    fig1::EXPERIMENT,
    sec2_2_1::EXPERIMENT,
    sec2_2_2::EXPERIMENT,
    sec2_3_1::EXPERIMENT,
    sec2_3_2::EXPERIMENT,
    sec3_1::EXPERIMENT,
    test1::EXPERIMENT,
    test2::EXPERIMENT,
    test3::EXPERIMENT,
    sec4::EXPERIMENT,
    pattern::EXPERIMENT,
    sec5::EXPERIMENT,
];

/// The claims and experiments of the paper.
pub fn paper() -> Paper {
    Paper::of("zhang90", CLAIMS, EXPERIMENTS)
}
