//! What a summary says of fair shares. They are worked out above this crate, from the network.

use serde::{Deserialize, Serialize};

/// A VC beside its max-min fair share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FairSummary {
    /// What it would have on these routes if the network were shared max-min fairly, in bits per
    /// second on the wire.
    pub share_bps: f64,
    /// Its throughput as a part of that; `null` when the share is 0.
    pub ratio: Option<f64>,
    /// What holds it at its share, for the longest time: the name of a link direction, or `source`
    /// when it has all that it offers; `null` when it was never on.
    pub held_by: Option<String>,
    /// The share if every flow split evenly over its equal paths, in bits per second on the wire;
    /// `null` where no flow has equal paths.
    #[serde(default)]
    pub split_bps: Option<f64>,
}

/// How fairly the network was shared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FairnessSummary {
    /// Of the ratios of all VCs with a share: 1/n to 1.
    pub jain_index: f64,
    /// n, the VCs with a share above 0.
    pub vcs: u32,
}
