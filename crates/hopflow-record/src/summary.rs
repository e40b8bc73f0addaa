//! Summary of a run: its counters, with names and units for readers without the code.
//!
//! This is the JSON contract of `run --format json` (after a `version` and a `manifest`);
//! `docs/results.md` explains every key. Integers above 2^53 are strings.

use hopflow_network::Admission;
use hopflow_units::shape::Shaped;
use hopflow_units::{Picos, SimTime};
use serde::{Deserialize, Serialize};

use crate::properties::Violation;
use crate::series::{Quantity, Series, Shape};
use crate::warm_up::span;
use crate::wire::{digits, integer, is_zero, optional_integer};

pub(crate) mod build;
mod connections;
mod fairness;
mod hop;
mod leaf;
mod lengths;
mod links;
mod make;
mod published;
mod rate;
mod totals;
mod vc;
mod video;
mod waiting;
mod work;

pub use connections::{ConnectionSummary, FrameSummary, RpcSummary, TcpSummary};
pub use fairness::{FairSummary, FairnessSummary};
pub use hop::HopSummary;
pub use leaf::LeafSummary;
pub(crate) use lengths::weighed;
pub use links::{LaneSummary, LinkShare, LinkSummary, Utilization};
pub use published::Counter;
pub use rate::RateSummary;
pub use totals::{ClassSummary, TotalsSummary};
pub(crate) use totals::{Totals, lost};
pub use vc::{HoldSummary, VcSummary};
pub use video::VideoSummary;
pub use work::ProcessorSummary;

/// The results of a run. Rows of VCs and queues are lists, or serialized like lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Shaped)]
pub struct Summary<V = Vec<VcSummary>, Q = Vec<QueueSummary>> {
    /// The run covers `[0, end)`, in ps.
    #[serde(with = "integer")]
    pub end_ps: u64,
    /// The end of the warm-up, in ps: all fields below cover `[from, end)`, except the violations.
    #[serde(default, with = "integer")]
    pub from_ps: u64,
    /// The unit of counts of packets.
    #[serde(default)]
    pub counted_in: CountUnit,
    /// All VCs together; `None` in small runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub totals: Option<TotalsSummary>,
    /// The VCs of each control and priority together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassSummary>,
    /// Per VC, in file order.
    pub vcs: V,
    /// The number of VCs left out of `vcs`: those that lost less, or had shorter delays.
    #[serde(default, with = "integer", skip_serializing_if = "is_zero")]
    pub vcs_left_out: u64,
    /// The fairness of the network, if VCs offer more than it can carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<FairnessSummary>,
    /// How packets are admitted where flows compete for a full buffer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admission: Option<Admission>,
    /// Per connection, in file order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connections: Vec<ConnectionSummary>,
    /// Per link direction, in file order.
    pub links: Vec<LinkSummary>,
    /// Per VC and hop: the queue at the sending end.
    pub queues: Q,
    /// The number of queues left out of `queues`: those with smaller means.
    #[serde(default, with = "integer", skip_serializing_if = "is_zero")]
    pub queues_left_out: u64,
    /// Per sending port (one for each link direction).
    pub ports: Vec<PortSummary>,
    /// Per host and switch.
    pub nodes: Vec<NodeSummary>,
    /// Per host that works on what it sends and receives. Left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processors: Vec<ProcessorSummary>,
    /// Violations of properties that hold in every correct run. Should be empty.
    pub violations: Vec<Violation>,
    /// The number of violations left out of `violations`.
    #[serde(default, with = "integer", skip_serializing_if = "is_zero")]
    pub violations_left_out: u64,
    /// Losses that the user accepts (`allow-small-buffer`). Left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted_losses: Vec<Violation>,
}

/// The unit of counts.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, PartialOrd, Ord, Shaped,
)]
#[serde(rename_all = "lowercase")]
pub enum CountUnit {
    /// All packets are cells of 53 bytes.
    #[default]
    Cells,
    /// Some packets are not cells.
    Packets,
}

impl CountUnit {
    /// Its word, in the singular.
    pub const fn one(self) -> &'static str {
        match self {
            CountUnit::Cells => "cell",
            CountUnit::Packets => "packet",
        }
    }

    /// Its word, in the plural.
    pub const fn word(self) -> &'static str {
        match self {
            CountUnit::Cells => "cells",
            CountUnit::Packets => "packets",
        }
    }
}

/// Delay from birth to the last bit at the final host.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct DelaySummary {
    /// The least, in ps.
    #[serde(with = "integer")]
    pub min: u64,
    /// The mean, in ps.
    pub mean: f64,
    /// The exact sum of all delays, in ps; `None` in results of versions that did not keep it.
    #[serde(default, with = "digits")]
    pub sum: Option<u128>,
    /// The standard deviation, in ps; `null` if the sum of squares overflows.
    #[serde(default)]
    pub deviation: Option<f64>,
    /// 99 of 100 cells took no longer, in ps; at most 1/64 too high.
    #[serde(with = "integer")]
    pub p99: u64,
    /// The greatest, in ps.
    #[serde(with = "integer")]
    pub max: u64,
}

/// The part of the delay in queues, without the packet's own transmissions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct WaitingSummary {
    /// The mean, in ps.
    pub mean: f64,
    /// The standard deviation, in ps; `null` if the sum of squares overflows.
    pub deviation: Option<f64>,
    /// 99 of 100 cells waited no longer, in ps; too high by at most 1/64 of the delay.
    #[serde(with = "integer")]
    pub p99: u64,
    /// The greatest, in ps.
    #[serde(with = "integer")]
    pub max: u64,
}

/// The queue of one VC at the sending end of one hop, including the cell in transmission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct QueueSummary {
    /// The node.
    pub node: String,
    /// The port, by the name of its link direction.
    pub port: String,
    /// The VC.
    pub vc: String,
    /// Mean over the run, in cells.
    pub mean_packets: f64,
    /// The greatest number, in cells.
    pub max_packets: u32,
    /// At the end of the run, in cells; `None` in results of versions that did not keep it.
    #[serde(default)]
    pub end_packets: Option<u32>,
}

/// All queues of one sending port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct PortSummary {
    /// The node.
    pub node: String,
    /// The port, by the name of its link direction.
    pub port: String,
    /// Mean of the data cells over the run, in cells (ACK cells not included).
    pub mean_packets: f64,
    /// The greatest number of data and ACK cells.
    pub max_packets: u32,
    /// Data and ACK cells at the end of the run; `None` in results of versions without this count.
    #[serde(default)]
    pub end_packets: Option<u32>,
    /// Lengths of the queue (data and ACK cells), if they were kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengths: Option<LengthsSummary>,
}

/// Lengths of one queue, including the cell in transmission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct LengthsSummary {
    /// Over time; `null` if no time has passed.
    pub time: Option<LengthSummary>,
    /// At the arrival of each cell, including this cell; `null` if none has arrived.
    pub arrivals: Option<LengthSummary>,
}

/// The distribution of a length, in cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct LengthSummary {
    /// The mean.
    pub mean_packets: f64,
    /// The standard deviation.
    pub deviation_packets: f64,
    /// The least, after the warm-up; `None` in results of versions that did not keep it.
    #[serde(default)]
    pub min_packets: Option<u32>,
    /// The least length that is not exceeded in half of all cases.
    pub p50_packets: u32,
    /// The same for 90 of 100.
    pub p90_packets: u32,
    /// The same for 99 of 100.
    pub p99_packets: u32,
    /// The greatest.
    pub max_packets: u32,
    /// The share of each length from 0 on; empty if the greatest is 1,000 or more.
    pub shares: Vec<f64>,
}

/// One host or switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Shaped)]
pub struct NodeSummary {
    /// Its name.
    pub node: String,
    /// `host`, `switch`, or `application` (of a slow host).
    pub kind: String,
    /// Mean of the cells held, in cells; a multicast cell counts once.
    pub mean_packets: f64,
    /// The greatest number, in cells.
    pub max_packets: u32,
    /// At the end of the run, in cells; `None` in results of versions that did not keep it.
    #[serde(default)]
    pub end_packets: Option<u32>,
    /// The most bytes of its memory; left out where it does not count them.
    #[serde(default, with = "optional_integer", skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// The limit of its memory, if it is in bytes.
    #[serde(default, with = "optional_integer", skip_serializing_if = "Option::is_none")]
    pub buffer_bytes: Option<u64>,
    /// Alpha of its dynamic thresholds: the part of the free memory that the packets of one output
    /// and one priority may hold; left out where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// The memory that its class queues have for themselves, of all outputs and priorities; left
    /// out where they have none.
    #[serde(default, with = "optional_integer", skip_serializing_if = "Option::is_none")]
    pub reserved_bytes: Option<u64>,
}

impl Summary {
    /// Adds the busy share per window to the link directions whose throughput is among `series`.
    pub fn add_utilization(&mut self, series: &[Series]) {
        let after_warm_up = SimTime(self.from_ps)..SimTime(self.end_ps);
        for one in series.iter().filter(|one| one.quantity == Quantity::Throughput) {
            let (Shape::Window(window), Some(link)) = (one.shape, &one.link) else { continue };
            if let Some(link) = self.links.iter_mut().find(|summary| summary.name == *link) {
                link.utilization = Utilization::of(one, window, after_warm_up.clone());
            }
        }
    }

    /// The duration of the measured part: the run without its warm-up.
    pub fn measured(&self) -> Picos {
        span(SimTime(self.from_ps), SimTime(self.end_ps))
    }

    /// The sending port of this link direction, `FROM->TO`.
    pub fn port(&self, name: &str) -> Option<&PortSummary> {
        self.ports.iter().find(|port| port.port == name)
    }

    /// The VC of this name.
    pub fn vc(&self, name: &str) -> Option<&VcSummary> {
        self.vcs.iter().find(|vc| vc.name == name)
    }

    /// The link direction of this name, `FROM->TO`.
    pub fn link(&self, name: &str) -> Option<&LinkSummary> {
        self.links.iter().find(|link| link.name == name)
    }

    /// The queue of `vc` at `node` (of a multicast VC: that of its first branch there).
    pub fn queue(&self, node: &str, vc: &str) -> Option<&QueueSummary> {
        self.queues.iter().find(|queue| queue.node == node && queue.vc == vc)
    }

    /// The host or switch of this name.
    pub fn node(&self, name: &str) -> Option<&NodeSummary> {
        self.nodes.iter().find(|node| node.node == name)
    }
}

impl Utilization {
    /// The utilization over the windows that are wholly in `range`; `None` if there are none.
    fn of(series: &Series, window: Picos, range: std::ops::Range<SimTime>) -> Option<Utilization> {
        let whole = series.pieces(range).filter(|piece| piece.to.since(piece.from) == window);
        let shares: Vec<f64> = whole.map(|piece| piece.value).collect();
        let count = shares.len() as f64;
        let mean = shares.iter().sum::<f64>() / count;
        let squares = shares.iter().map(|share| (share - mean) * (share - mean)).sum::<f64>();
        Some(Utilization {
            window_ps: window.0,
            windows: shares.len() as u64,
            mean,
            deviation: (squares / count).sqrt(),
            min: shares.iter().copied().reduce(f64::min)?,
            max: shares.iter().copied().reduce(f64::max)?,
        })
    }
}

#[cfg(test)]
mod tests;
