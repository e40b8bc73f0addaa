//! What a summary says of rate control on a hop.

use hopflow_network::counters::RateCounters;
use hopflow_network::{HopSpec, NetworkSpec};
use hopflow_units::Bytes;
use serde::{Deserialize, Serialize};

use crate::wire::{integer, optional_integer};

/// Rate control on one hop of a VC.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RateSummary {
    /// ACR of the source or virtual source at the sending end, at the end of the run, in whole
    /// cells per second; `null` where none paces it.
    #[serde(with = "optional_integer")]
    pub acr_cells_per_second: Option<u64>,
    /// What the port took for the fair rate then, in whole cells per second; `null` where its
    /// algorithm has none.
    #[serde(with = "optional_integer")]
    pub fair_cells_per_second: Option<u64>,
    /// Forward RM cells made at the sending end.
    #[serde(with = "integer")]
    pub forward_rm_cells: u64,
    /// Forward RM cells turned around at the receiving end.
    #[serde(with = "integer")]
    pub turned_around_rm_cells: u64,
    /// Backward RM cells that ended at the sending end.
    #[serde(with = "integer")]
    pub backward_rm_cells: u64,
}

impl RateSummary {
    /// Of a hop; `None` where the VC is not under rate control. `fair`: what its port takes for the
    /// fair rate.
    pub(super) fn of(
        spec: &NetworkSpec,
        [vc, hop]: [usize; 2],
        count: &RateCounters,
        fair: Option<u64>,
    ) -> Option<RateSummary> {
        spec.vcs[vc].rate.as_ref()?;
        let rule = |hop: &HopSpec| spec.direction(hop.direction_id()).rate_control?.rule;
        let told = rule(&spec.vcs[vc].hops[hop]).is_some();
        Some(RateSummary {
            acr_cells_per_second: spec.is_paced(vc, hop).then_some(count.acr),
            fair_cells_per_second: fair.filter(|_| told),
            forward_rm_cells: count.forward_made,
            turned_around_rm_cells: count.turned_around,
            backward_rm_cells: count.backward_taken,
        })
    }

    /// A rate of cells in bits per second.
    pub fn bps(cells_per_second: u64) -> f64 {
        cells_per_second as f64 * Bytes::CELL.bits() as f64
    }
}
