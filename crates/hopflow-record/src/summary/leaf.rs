//! Final hosts in a summary.

use hopflow_network::counters::LeafCounters;
use hopflow_network::leaf_counters;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::published::published;
use super::{DelaySummary, WaitingSummary};
use crate::wire::optional_integer;

leaf_counters! { published
    /// One final host of a VC.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
    pub struct LeafSummary {
        /// The host.
        pub node: String,
    } {
        /// Delivered bits per second.
        pub throughput_bps: f64,
        /// Cells delivered per second.
        #[serde(default)]
        pub throughput_packets_per_second: f64,
        /// Delay of the cells delivered; `null` if there are none.
        pub delay_ps: Option<DelaySummary>,
        /// Their waiting; `null` if there are none.
        #[serde(default)]
        pub waiting_ps: Option<WaitingSummary>,
        /// The first delivery, in ps.
        #[serde(with = "optional_integer")]
        pub first_delivery_ps: Option<u64>,
        /// The last delivery, in ps.
        #[serde(with = "optional_integer")]
        pub last_delivery_ps: Option<u64>,
    }
}
