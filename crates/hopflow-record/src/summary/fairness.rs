//! Fair shares in a summary. A higher crate computes them from the network.

use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

/// The max-min fair share of a VC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct FairSummary {
    /// Its rate on these routes if the network were shared max-min fairly, in bits per second on
    /// the wire.
    pub share_bps: f64,
    /// Its throughput as a part of the share; `null` if the share is 0.
    pub ratio: Option<f64>,
    /// The limit of its share for the longest time: the name of a link direction, or `source` if
    /// the share is all of its offered load; `null` if the VC was never on.
    pub held_by: Option<String>,
    /// The share if every flow split evenly over its equal paths, in bits per second on the wire;
    /// `null` if no flow has equal paths.
    #[serde(default)]
    pub split_bps: Option<f64>,
}

/// The fairness of the network; none where nothing was delivered, or some sources stop before
/// others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct FairnessSummary {
    /// The Jain index of the ratios of all VCs with a share: 1/n to 1.
    pub jain_index: f64,
    /// n, the VCs with a share above 0.
    pub vcs: u32,
}
