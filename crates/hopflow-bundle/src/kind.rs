//! Kind of a bundle.

use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

/// What a bundle is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Shaped)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// One run.
    Run,
    /// A run under several seeds.
    Seeds,
    /// A run under several controls.
    Controls,
    /// The same under several seeds.
    ControlsAndSeeds,
    /// A sweep.
    Sweep,
}
