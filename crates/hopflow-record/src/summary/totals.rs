//! What a summary says of all VCs together, and of the VCs of each class.

use hopflow_network::DelayHistogram;
use hopflow_network::counters::VcCounters;
use serde::{Deserialize, Serialize};

use super::DelaySummary;
use super::waiting::delay_summary;
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
    pub created_packets: u64,
    /// Cells that left the source hosts.
    #[serde(with = "integer")]
    pub sent_packets: u64,
    /// Cells delivered.
    #[serde(with = "integer")]
    pub received_packets: u64,
    /// Cells lost for want of buffer, or given up.
    #[serde(with = "integer")]
    pub dropped_packets: u64,
    /// Cells that arrived corrupted.
    #[serde(with = "integer")]
    pub corrupted_packets: u64,
    /// Bytes of the cells delivered.
    #[serde(with = "integer")]
    pub delivered_bytes: u64,
    /// Delay of the cells delivered; `null` when there are none.
    pub delay_ps: Option<DelaySummary>,
}

/// The VCs with the same control and priority.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassSummary {
    /// The first control on the way of these VCs, in the words of [`super::HopSummary::control`];
    /// `none` if no hop has one.
    pub control: String,
    /// Their priority.
    pub priority: u8,
    /// These VCs together.
    #[serde(flatten)]
    pub totals: TotalsSummary,
}

/// The totals so far.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    vcs: u64,
    silent_vcs: u64,
    hops: u64,
    created_packets: u64,
    sent_packets: u64,
    received_packets: u64,
    dropped_packets: u64,
    corrupted_packets: u64,
    delivered_bytes: u64,
    delay: DelayHistogram,
}

impl Totals {
    /// Takes a VC in.
    pub(crate) fn take(&mut self, count: &VcCounters) {
        self.vcs += 1;
        self.silent_vcs += u64::from(count.created_packets == 0);
        self.hops += count.hops.len() as u64;
        self.created_packets += count.created_packets;
        self.sent_packets += count.hops.first().map_or(0, |hop| hop.sent_packets);
        for hop in &count.hops {
            self.dropped_packets +=
                hop.dropped_packets + hop.given_up_packets + hop.pushed_out_packets;
            self.corrupted_packets += hop.corrupted_packets;
        }
        for leaf in &count.leaves {
            self.received_packets += leaf.delivered_packets;
            self.delivered_bytes += leaf.delivered_bytes;
            self.delay.merge(&leaf.delay);
        }
    }

    /// Takes the VCs of others in.
    pub(crate) fn merge(&mut self, others: &Totals) {
        self.vcs += others.vcs;
        self.silent_vcs += others.silent_vcs;
        self.hops += others.hops;
        self.created_packets += others.created_packets;
        self.sent_packets += others.sent_packets;
        self.received_packets += others.received_packets;
        self.dropped_packets += others.dropped_packets;
        self.corrupted_packets += others.corrupted_packets;
        self.delivered_bytes += others.delivered_bytes;
        self.delay.merge(&others.delay);
    }

    /// All VCs are in.
    pub(crate) fn finish(self) -> TotalsSummary {
        TotalsSummary {
            vcs: self.vcs,
            silent_vcs: self.silent_vcs,
            hops: self.hops,
            created_packets: self.created_packets,
            sent_packets: self.sent_packets,
            received_packets: self.received_packets,
            dropped_packets: self.dropped_packets,
            corrupted_packets: self.corrupted_packets,
            delivered_bytes: self.delivered_bytes,
            delay_ps: delay_summary(&self.delay),
        }
    }
}
