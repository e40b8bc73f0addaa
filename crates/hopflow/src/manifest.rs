//! Manifest: what was run, so that it can be run again. It holds nothing of time, host or
//! threads: the same scenario, seed and version give the same bytes.

use hopflow_network::NetworkSpec;
use hopflow_units::SimTime;
use serde::{Deserialize, Serialize};

/// What was run, and what came of it in one number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of hopflow.
    pub version: String,
    /// The scenario's title, if it has one.
    pub title: Option<String>,
    /// The resolved scenario; `None` when the network was not made from one.
    pub scenario: Option<serde_json::Value>,
    /// The seed that was used, as a string of decimal digits.
    pub seed: String,
    /// The duration that was asked for, in ps, as a string of decimal digits.
    pub duration_ps: String,
    /// The end of the warm-up, which the summary leaves out; in ps, as a string of decimal
    /// digits.
    #[serde(default = "zero")]
    pub warm_up_ps: String,
    /// The run covers `[0, end)`; in ps, as a string of decimal digits.
    pub end_ps: String,
    /// The digest, 16 hexadecimal digits.
    pub digest: String,
    /// Whether the run reached its duration.
    pub complete: bool,
}

/// No warm-up: in manifests of runs from before there was one.
fn zero() -> String {
    "0".to_owned()
}

impl Manifest {
    /// The manifest of a run of `network` as it was run, without title and scenario.
    pub fn new(
        network: &NetworkSpec,
        digest: u64,
        from: SimTime,
        end: SimTime,
        complete: bool,
    ) -> Manifest {
        Manifest {
            version: env!("CARGO_PKG_VERSION").to_string(),
            title: None,
            scenario: None,
            seed: network.seed.to_string(),
            duration_ps: network.duration.0.to_string(),
            warm_up_ps: from.0.to_string(),
            end_ps: end.0.to_string(),
            digest: format!("{digest:016x}"),
            complete,
        }
    }

    /// The first 8 digits of the digest, for the names of run directories.
    pub fn digest8(&self) -> &str {
        self.digest.get(..8).unwrap_or(&self.digest)
    }
}
