//! Totals of a summary: all VCs together, and the VCs of each class.

use hopflow_network::DelayHistogram;
use hopflow_network::counters::{HopCounters, VcCounters};
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::DelaySummary;
use super::waiting::delay_summary;
use crate::wire::{integer, is_zero};

/// All VCs together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
pub struct TotalsSummary {
    /// The number of VCs.
    #[serde(with = "integer")]
    pub vcs: u64,
    /// The number of VCs whose source created no cell.
    #[serde(with = "integer")]
    pub silent_vcs: u64,
    /// Links that they cross, summed over the VCs.
    #[serde(with = "integer")]
    pub hops: u64,
    /// Cells that their sources created.
    #[serde(with = "integer")]
    pub created_packets: u64,
    /// Cells that left the source hosts.
    #[serde(with = "integer")]
    pub sent_packets: u64,
    /// Cells delivered.
    #[serde(with = "integer")]
    pub received_packets: u64,
    /// Cells lost for lack of buffer, or given up.
    #[serde(with = "integer")]
    pub dropped_packets: u64,
    /// Cells that arrived corrupted.
    #[serde(with = "integer")]
    pub corrupted_packets: u64,
    /// Bytes of the cells delivered.
    #[serde(with = "integer")]
    pub delivered_bytes: u64,
    /// Set-ups by which sources asked for a reservation.
    #[serde(default, with = "integer", skip_serializing_if = "is_zero")]
    pub set_ups: u64,
    /// Of these, those that all ports admitted.
    #[serde(default, with = "integer", skip_serializing_if = "is_zero")]
    pub admitted_set_ups: u64,
    /// Of these, those that a port refused.
    #[serde(default, with = "integer", skip_serializing_if = "is_zero")]
    pub refused_set_ups: u64,
    /// The share of the answered set-ups that a port refused; left out without an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked_share: Option<f64>,
    /// Delay of the cells delivered; `null` if there are none.
    pub delay_ps: Option<DelaySummary>,
}

/// The VCs with the same control and priority.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct ClassSummary {
    /// The first control on the path of these VCs, in the words of [`super::HopSummary::control`];
    /// `none` if no hop has one.
    pub control: String,
    /// Their priority.
    pub priority: u8,
    /// These VCs together.
    #[serde(flatten)]
    pub totals: TotalsSummary,
}

/// The totals of the VCs so far.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// All but the delay.
    sums: TotalsSummary,
    delay: DelayHistogram,
}

impl Totals {
    /// Adds a VC.
    pub(crate) fn take(&mut self, count: &VcCounters) {
        let sums = &mut self.sums;
        sums.vcs += 1;
        sums.silent_vcs += u64::from(count.created_packets == 0);
        sums.hops += count.hops.len() as u64;
        sums.created_packets += count.created_packets;
        sums.sent_packets += count.hops.first().map_or(0, |hop| hop.sent_packets);
        sums.set_ups += count.set_up.asked;
        sums.admitted_set_ups += count.set_up.admitted;
        sums.refused_set_ups += count.set_up.refused;
        for hop in &count.hops {
            sums.dropped_packets += lost(hop);
            sums.corrupted_packets += hop.corrupted_packets;
        }
        for leaf in &count.leaves {
            sums.received_packets += leaf.delivered_packets;
            sums.delivered_bytes += leaf.delivered_bytes;
            self.delay.merge(&leaf.delay);
        }
    }

    /// Adds the VCs of others.
    pub(crate) fn merge(&mut self, others: &Totals) {
        let (sums, more) = (&mut self.sums, &others.sums);
        sums.vcs += more.vcs;
        sums.silent_vcs += more.silent_vcs;
        sums.hops += more.hops;
        sums.created_packets += more.created_packets;
        sums.sent_packets += more.sent_packets;
        sums.received_packets += more.received_packets;
        sums.dropped_packets += more.dropped_packets;
        sums.corrupted_packets += more.corrupted_packets;
        sums.delivered_bytes += more.delivered_bytes;
        sums.set_ups += more.set_ups;
        sums.admitted_set_ups += more.admitted_set_ups;
        sums.refused_set_ups += more.refused_set_ups;
        self.delay.merge(&others.delay);
    }

    /// The totals with their delay, after all VCs.
    pub(crate) fn finish(self) -> TotalsSummary {
        let TotalsSummary { admitted_set_ups, refused_set_ups, .. } = self.sums;
        let answered = admitted_set_ups + refused_set_ups;
        let blocked_share = (answered > 0).then(|| refused_set_ups as f64 / answered as f64);
        TotalsSummary { delay_ps: delay_summary(&self.delay), blocked_share, ..self.sums }
    }
}

/// The packets that a hop lost for lack of buffer, or gave up.
pub(crate) fn lost(hop: &HopCounters) -> u64 {
    hop.dropped_packets + hop.given_up_packets + hop.pushed_out_packets
}
