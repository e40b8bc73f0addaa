//! What a report of a run is made of.

use hopflow::Manifest;
use hopflow::network::NetworkSpec;
use hopflow::record::{Series, Summary};

/// What a report of a run is made of.
#[derive(Clone, Copy, Debug)]
pub struct RunView<'a> {
    /// What was simulated, for the picture.
    pub network: &'a NetworkSpec,
    /// What was run.
    pub manifest: &'a Manifest,
    /// What was counted.
    pub summary: &'a Summary,
    /// What was recorded, or worked out of the trace again.
    pub series: &'a [Series],
    /// What limited each VC, in sentences.
    pub why: &'a [String],
}
