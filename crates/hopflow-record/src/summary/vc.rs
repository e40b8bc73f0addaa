//! VCs in a summary, with their counts: their own, and sums over their hops or final hosts.

use hopflow_network::counters::{HopCounters, LeafCounters, VcCounters};
use hopflow_network::hold_counters;
use hopflow_network::transport::HoldCounters;
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::published::published;
use super::totals::lost;
use super::{
    DelaySummary, FairSummary, FrameSummary, HopSummary, LeafSummary, VideoSummary, WaitingSummary,
};
use crate::wire::{integer, optional_integer};

hold_counters! { published
    /// The time in which the endpoint of a VC had no packet on the first hop, by reason.
    ///
    /// The reasons add up to `no_cell_ps` of the first hop.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Shaped)]
    pub struct HoldSummary {} {}
}

published! {
    /// One VC.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
    pub struct VcSummary {
        /// Its name.
        pub name: String,
    }
    vc: VcCounters {
        every created_packets "Packets its source made, those dropped at once included."
            = vc.created_packets;
        every sent_packets "Packets that left the source host." = vc.hops[0].sent_packets;
        every received_packets "Packets delivered, summed over the final hosts."
            = of_leaves(vc, |leaf| leaf.delivered_packets);
        every dropped_packets "Packets lost because a buffer was full, or given up by a branch."
            = of_hops(vc, lost);
        seldom pushed_out_packets "Of these, those that others pushed out."
            = of_hops(vc, |hop| hop.pushed_out_packets);
        seldom policed_packets "Packets that a policer at the source discarded."
            = vc.policed_packets;
        seldom slow_down_messages "How often a scheduler found the VC too fast."
            = of_hops(vc, |hop| hop.slow_down_messages);
        seldom set_ups "Set-ups by which its source asked for its reservation."
            = vc.set_up.asked;
        seldom admitted_set_ups "Of these, those that all ports admitted."
            = vc.set_up.admitted;
        seldom refused_set_ups "Of these, those that a port refused."
            = vc.set_up.refused;
        seldom set_up_ps "From the beginning of its set-ups to their answers."
            = vc.set_up.took.0;
        every corrupted_packets "Packets that arrived corrupted."
            = of_hops(vc, |hop| hop.corrupted_packets);
        later delivered_bytes "Bytes of the packets delivered."
            = of_leaves(vc, |leaf| leaf.delivered_bytes);
    }
    {
        /// Delivered bits per second, mean over the final hosts.
        pub throughput_bps: f64,
        /// Cells delivered per second, mean over the final hosts.
        #[serde(default)]
        pub throughput_packets_per_second: f64,
        /// Delay of the cells delivered, over all final hosts; `null` if there are none.
        pub delay_ps: Option<DelaySummary>,
        /// Their waiting: the delay minus that of an idle path; `null` if there are none.
        #[serde(default)]
        pub waiting_ps: Option<WaitingSummary>,
        /// The bound of the delay by the VC's contract and the schedulers of its path, in ps;
        /// `null` without a bound.
        #[serde(default, with = "optional_integer")]
        pub delay_bound_ps: Option<u64>,
        /// The origin of the bound, or the reason why there is none.
        #[serde(default)]
        pub delay_bound: String,
        /// The link direction whose port refused its set-up, `FROM->TO`; left out if none did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub refused_at: Option<String>,
        /// Its max-min fair share, if shares are reported and it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub fair: Option<FairSummary>,
        /// The first delivery at any final host, in ps.
        #[serde(with = "optional_integer")]
        pub first_delivery_ps: Option<u64>,
        /// The last delivery at any final host, in ps.
        #[serde(with = "optional_integer")]
        pub last_delivery_ps: Option<u64>,
        /// ACK cells created by the final host (end-to-end window only).
        #[serde(with = "integer")]
        pub ack_cells: u64,
        /// ACK cells that arrived at the source.
        #[serde(with = "integer")]
        pub acked_cells: u64,
        /// Frames, if packets belong to frames or the VC to a connection.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub frames: Option<FrameSummary>,
        /// Why its endpoint had no packet on the first hop; left out without an endpoint.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub holds: Option<HoldSummary>,
        /// The frames of its coder; left out if its source is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub video: Option<VideoSummary>,
        /// Per hop, parents before children.
        pub hops: Vec<HopSummary>,
        /// Per final host.
        pub leaves: Vec<LeafSummary>,
    }
}

fn of_hops(vc: &VcCounters, count: fn(&HopCounters) -> u64) -> u64 {
    vc.hops.iter().map(count).sum()
}

fn of_leaves(vc: &VcCounters, count: fn(&LeafCounters) -> u64) -> u64 {
    vc.leaves.iter().map(count).sum()
}
