//! What a summary says of a link direction and its lanes.

use hopflow_control::lane::Frames;
use hopflow_network::counters::{DirectionCounters, LaneCounters};
use hopflow_network::{
    CreditLanes, DirectionId, LaneRule, NetworkSpec, direction_counters, lane_counters,
};
use hopflow_units::shape::Shaped;
use serde::{Deserialize, Serialize};

use super::published::published;
use crate::wire::{integer, is_no_share, is_zero, optional_integer};

direction_counters! { published
    /// One link direction.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
    pub struct LinkSummary {
        /// The node that sends.
        pub from: String,
        /// The node that receives.
        pub to: String,
        /// `FROM->TO`, unique (`#k` marks the k-th of several links between the same nodes).
        pub name: String,
        /// Its rate, in bits per second.
        #[serde(with = "integer")]
        pub rate_bps: u64,
        /// The scheduler of its port; empty in results of older versions.
        #[serde(default)]
        pub scheduler: String,
        /// Share of the run in which something was in transmission: the utilization.
        pub busy_share: f64,
        /// The same window by window, if its throughput was recorded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub utilization: Option<Utilization>,
    } {
        /// The VCs on it, by share of its time, greatest first (then in file order).
        pub vcs: Vec<LinkShare>,
        /// How many VCs with less of its time are left out of `vcs`; their hops are in the files.
        #[serde(default, with = "integer", skip_serializing_if = "is_zero")]
        pub vcs_left_out: u64,
        /// Share of the run in which a data cell of one of those was in transmission.
        #[serde(default, skip_serializing_if = "is_no_share")]
        pub vcs_left_out_share: f64,
        /// Its lanes, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub lanes: Vec<LaneSummary>,
    }
}

/// The busy share of a link direction over whole windows that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct Utilization {
    /// The length of a window, in ps.
    #[serde(with = "integer")]
    pub window_ps: u64,
    /// Whole windows after the warm-up.
    #[serde(with = "integer")]
    pub windows: u64,
    /// Mean over the windows.
    pub mean: f64,
    /// Standard deviation over the windows (divisor: the number of windows).
    pub deviation: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

/// How much of a link direction one VC took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct LinkShare {
    /// The VC.
    pub vc: String,
    /// Data packets started.
    #[serde(with = "integer")]
    pub packets: u64,
    /// Share of the run in which one of them was in transmission.
    pub share: f64,
}

lane_counters! { published
    /// One lane of a link direction: PFC or a credit that all VCs of a priority share, or all of a
    /// priority to one destination.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
    pub struct LaneSummary {
        /// Which: the priority of its VCs, or its number among the lanes per destination.
        pub lane: u16,
        /// `pause`, or the kind of `lanes`.
        pub control: String,
        /// Share of the run in which nothing of the lane might start.
        pub shut_share: f64,
    } {
        /// Where its packets end; only of lanes per destination.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub destination: Option<String>,
        /// Bytes of a block of its buffer; only under `lanes`.
        #[serde(default, with = "optional_integer", skip_serializing_if = "Option::is_none")]
        pub block_bytes: Option<u64>,
        /// The blocks of its buffer, all that may be out at once; only under `lanes`.
        #[serde(default, with = "optional_integer", skip_serializing_if = "Option::is_none")]
        pub buffer_blocks: Option<u64>,
        /// The blocks with which credit never holds the lane below the rate of its link, by the law
        /// of `docs/models/lanes.md`; only under a built-in rule of `lanes`, if something crosses
        /// the lane.
        #[serde(default, with = "optional_integer", skip_serializing_if = "Option::is_none")]
        pub needed_blocks: Option<u64>,
        /// XOFF in bytes; only of a `pause`.
        #[serde(default, with = "optional_integer", skip_serializing_if = "Option::is_none")]
        pub xoff_bytes: Option<u64>,
    }
}

impl LaneSummary {
    /// Whether it carries packets of this priority that end at a node of this name.
    pub fn carries(&self, priority: u8, destination: &str) -> bool {
        match &self.destination {
            Some(own) => own == destination,
            None => self.lane == u16::from(priority),
        }
    }

    /// Whether pauses stop its sender; if not, it stops without credit.
    pub fn is_paused(&self) -> bool {
        let facts = LaneRule::ALL.iter().find(|facts| facts.name == self.control);
        facts.is_some_and(|facts| facts.frames == Frames::Pause)
    }
}

/// The lanes of a link direction; `share` makes a share of the run of a span in ps.
pub(super) fn lanes(
    sizes: &CreditLanes<'_>,
    id: DirectionId,
    network: &NetworkSpec,
    counters: &[LaneCounters],
    share: impl Fn(u64) -> f64,
) -> Vec<LaneSummary> {
    let direction = network.direction(id);
    let Some(rule) = direction.lanes.map(|lanes| lanes.rule) else { return Vec::new() };
    let (promise, threshold) = (rule.promise(), rule.threshold());
    let needed = |lane: u16| sizes.link(id, lane, direction.rate)?.need().ok();
    let destination = |lane: u16| {
        let node = sizes.numbers().get(id, lane)?.destination?;
        Some(network.nodes[node].name.clone())
    };
    let lane = |count: &LaneCounters| LaneSummary {
        lane: count.lane,
        control: rule.facts().name.to_owned(),
        shut_share: share(count.shut.0),
        destination: destination(count.lane),
        block_bytes: promise.map(|promise| promise.block.0),
        buffer_blocks: promise.map(|promise| u64::from(promise.buffer)),
        needed_blocks: needed(count.lane).map(|need| need.blocks),
        xoff_bytes: threshold.map(|threshold| threshold.xoff.0),
        ..LaneSummary::counted(count)
    };
    counters.iter().map(lane).collect()
}
