//! Rate control of a hop in a summary.

use hopflow_network::counters::RateCounters;
use hopflow_network::{HopSpec, NetworkSpec, rate_counters};
use hopflow_units::Bytes;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::published::published;
use crate::wire::optional_integer;

rate_counters! { published
    /// Rate control on one hop of a VC.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
    pub struct RateSummary {
        /// ACR of the source or virtual source at the sending end, at the end of the run, in whole
        /// cells per second; `null` if none paces it.
        #[serde(with = "optional_integer")]
        pub acr_cells_per_second: Option<u64>,
        /// The fair rate that the port assumed then, in whole cells per second; `null` if its
        /// algorithm has none.
        #[serde(with = "optional_integer")]
        pub fair_cells_per_second: Option<u64>,
    } {}
}

impl RateSummary {
    /// The rate control of a hop; `None` if the VC is not under rate control. `fair`: the fair rate
    /// that its port assumes.
    pub(super) fn of(
        spec: &NetworkSpec,
        vc: usize,
        hop: usize,
        count: &RateCounters,
        fair: Option<u64>,
    ) -> Option<RateSummary> {
        spec.vcs[vc].rate.as_ref()?;
        let rule = |hop: &HopSpec| spec.direction(hop.direction_id()).rate_control?.rule;
        let has_rule = rule(&spec.vcs[vc].hops[hop]).is_some();
        Some(RateSummary {
            acr_cells_per_second: spec.is_paced(vc, hop).then_some(count.acr),
            fair_cells_per_second: fair.filter(|_| has_rule),
            ..RateSummary::counted(count)
        })
    }

    /// A rate of cells in bits per second.
    pub fn bps(cells_per_second: u64) -> f64 {
        cells_per_second as f64 * Bytes::CELL.bits() as f64
    }
}
