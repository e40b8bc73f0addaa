//! What a summary says of all VCs together, where there are too many to tell each.

use hopflow_network::counters::{LeafCounters, VcCounters};
use hopflow_network::{DelayHistogram, RunCounters};
use serde::{Deserialize, Serialize};

use super::waiting::delay_summary;
use super::{DelaySummary, VcSummary};
use crate::wire::integer;

/// All VCs together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TotalsSummary {
    /// How many VCs there are.
    #[serde(with = "integer")]
    pub vcs: u64,
    /// Of these, those whose source made no cell.
    #[serde(with = "integer")]
    pub silent_vcs: u64,
    /// Links that they cross, summed over the VCs.
    #[serde(with = "integer")]
    pub hops: u64,
    /// Cells their sources made.
    #[serde(with = "integer")]
    pub created_cells: u64,
    /// Cells that left the source hosts.
    #[serde(with = "integer")]
    pub sent_cells: u64,
    /// Cells delivered.
    #[serde(with = "integer")]
    pub received_cells: u64,
    /// Cells lost for want of buffer, or given up.
    #[serde(with = "integer")]
    pub dropped_cells: u64,
    /// Cells that arrived corrupted.
    #[serde(with = "integer")]
    pub corrupted_cells: u64,
    /// Bytes of the cells delivered.
    #[serde(with = "integer")]
    pub delivered_bytes: u64,
    /// Delay of the cells delivered; `null` when there are none.
    pub delay_ps: Option<DelaySummary>,
}

/// The totals so far.
#[derive(Debug)]
pub(crate) struct Totals {
    sum: TotalsSummary,
    delay: DelayHistogram,
}

impl Totals {
    /// Of no VC.
    pub(crate) fn new() -> Totals {
        let sum = TotalsSummary {
            vcs: 0,
            silent_vcs: 0,
            hops: 0,
            created_cells: 0,
            sent_cells: 0,
            received_cells: 0,
            dropped_cells: 0,
            corrupted_cells: 0,
            delivered_bytes: 0,
            delay_ps: None,
        };
        Totals { sum, delay: DelayHistogram::default() }
    }

    /// Takes VCs in, with what is told of each.
    pub(crate) fn take(&mut self, counters: &RunCounters, vcs: &[VcSummary]) {
        for (count, vc) in counters.vcs.iter().zip(vcs) {
            self.take_one(count, vc);
        }
    }

    fn take_one(&mut self, count: &VcCounters, vc: &VcSummary) {
        let sum = &mut self.sum;
        sum.vcs += 1;
        sum.silent_vcs += u64::from(vc.created_cells == 0);
        sum.hops += count.hops.len() as u64;
        sum.created_cells += vc.created_cells;
        sum.sent_cells += vc.sent_cells;
        sum.received_cells += vc.received_cells;
        sum.dropped_cells += vc.dropped_cells;
        sum.corrupted_cells += vc.corrupted_cells;
        sum.delivered_bytes += vc.delivered_bytes;
        let delays = count.leaves.iter().map(|leaf: &LeafCounters| &leaf.delay);
        delays.for_each(|delay| self.delay.merge(delay));
    }

    /// All VCs are in.
    pub(crate) fn finish(self) -> TotalsSummary {
        TotalsSummary { delay_ps: delay_summary(&self.delay), ..self.sum }
    }
}
