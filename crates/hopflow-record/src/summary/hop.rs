//! Hops in a summary.

use hopflow_network::counters::HopCounters;
use hopflow_network::hop_counters;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::RateSummary;
use super::published::published;
use crate::wire::{integer, optional_integer};

hop_counters! { published
    /// One hop of a VC: its time at the sending end in four parts, and the fate of its cells.
    ///
    /// The four spans add up to the length of the run.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
    pub struct HopSummary {
        /// The node that sends.
        pub from: String,
        /// The node that receives.
        pub to: String,
        /// The name of the link direction, `FROM->TO`.
        pub link: String,
        /// The control on this hop: `none`, `n23`, `n23-continuous`, `n123`, `n123+`, `cup`,
        /// `additive`, `adaptive`, `external`; `window` on the first hop of a VC that has only an
        /// end-to-end window; `abr` if a source or virtual source paces it.
        pub control: String,
        /// N2 + N3 (or the window), the most cells that may be in flight; `null` without control.
        #[serde(with = "optional_integer")]
        pub initial_credit_packets: Option<u64>,
        /// R of the link, in ps.
        #[serde(with = "integer")]
        pub round_trip_ps: u64,
        /// The time without a cell to send, in ps.
        #[serde(with = "integer")]
        pub no_cell_ps: u64,
        /// The time with a cell and no permission to start it, in ps.
        #[serde(with = "integer")]
        pub no_credit_ps: u64,
        /// The time with a cell and permission, and the link busy with others (or shut), in ps.
        #[serde(with = "integer")]
        pub waiting_ps: u64,
        /// The time with a cell of this VC in transmission, in ps.
        #[serde(with = "integer")]
        pub sending_ps: u64,
        /// `no_cell_ps` as a share of the run.
        pub no_cell_share: f64,
        /// `no_credit_ps` as a share of the run.
        pub no_credit_share: f64,
        /// `waiting_ps` as a share of the run.
        pub waiting_share: f64,
        /// `sending_ps` as a share of the run.
        pub sending_share: f64,
    } {
        /// Rate control; left out without it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub rate: Option<RateSummary>,
    }
}
