//! Summary of a run: what was counted, in names and units that a reader needs no code for.
//!
//! This is the JSON contract of `run --format json` (with a `version` and a `manifest` in front);
//! every key is explained in `docs/results.md`. Integers beyond 2^53 are strings.

use hopflow_network::{NetworkSpec, RunCounters};
use serde::{Deserialize, Serialize};

use crate::properties::Violation;
use crate::wire::{integer, optional_integer};

mod build;

pub use build::scheme_name;
pub(crate) use build::sending_time;

/// What was counted in a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The run covers `[0, end)`, in ps.
    #[serde(with = "integer")]
    pub end_ps: u64,
    /// Per VC, in file order.
    pub vcs: Vec<VcSummary>,
    /// Per link direction, in file order.
    pub links: Vec<LinkSummary>,
    /// Per VC and hop: the queue at the sending end.
    pub queues: Vec<QueueSummary>,
    /// Per sending port (one for each link direction).
    pub ports: Vec<PortSummary>,
    /// Per host and switch.
    pub nodes: Vec<NodeSummary>,
    /// Properties that every run must keep and this one did not. Empty is good.
    pub violations: Vec<Violation>,
}

/// One VC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VcSummary {
    /// Its name.
    pub name: String,
    /// Cells its source made, those dropped at a full source host included.
    #[serde(with = "integer")]
    pub created_cells: u64,
    /// Cells that left the source host (their first bit did).
    #[serde(with = "integer")]
    pub sent_cells: u64,
    /// Cells delivered, summed over the final hosts.
    #[serde(with = "integer")]
    pub received_cells: u64,
    /// Cells lost for want of buffer or given up by a blocked branch, summed over the hops.
    #[serde(with = "integer")]
    pub dropped_cells: u64,
    /// Cells that arrived corrupted, summed over the hops.
    #[serde(with = "integer")]
    pub corrupted_cells: u64,
    /// Bits of delivered cells (53 bytes each) per second of the run, mean over the final hosts.
    pub throughput_bps: f64,
    /// Delay of the cells delivered, over all final hosts; `null` when there are none.
    pub delay_ps: Option<DelaySummary>,
    /// The first delivery at any final host, in ps.
    #[serde(with = "optional_integer")]
    pub first_delivery_ps: Option<u64>,
    /// The last delivery at any final host, in ps.
    #[serde(with = "optional_integer")]
    pub last_delivery_ps: Option<u64>,
    /// ACK cells made by the final host (end-to-end window only).
    #[serde(with = "integer")]
    pub ack_cells: u64,
    /// ACK cells that came back to the source.
    #[serde(with = "integer")]
    pub acked_cells: u64,
    /// Per link crossed, parents before children.
    pub hops: Vec<HopSummary>,
    /// Per final host.
    pub leaves: Vec<LeafSummary>,
}

/// Delay from birth to the last bit at the final host.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DelaySummary {
    /// The least, in ps.
    #[serde(with = "integer")]
    pub min: u64,
    /// The mean, in ps.
    pub mean: f64,
    /// 99 of 100 cells took no longer, in ps; at most 1/64 too high.
    #[serde(with = "integer")]
    pub p99: u64,
    /// The greatest, in ps.
    #[serde(with = "integer")]
    pub max: u64,
}

/// One hop of a VC: where its time went at the sending end, and what became of its cells.
///
/// The four spans add up to the length of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HopSummary {
    /// The node that sends.
    pub from: String,
    /// The node that receives.
    pub to: String,
    /// The name of the link direction, `FROM->TO`.
    pub link: String,
    /// The control on this hop: `none`, `n23`, `n23-continuous`, `n123`, `n123-plus`, `cup`,
    /// `additive`; `window` on the first hop of a VC that has only an end-to-end window.
    pub control: String,
    /// N2 + N3 (or the window), the most cells that may be out at once; `null` without control.
    #[serde(with = "optional_integer")]
    pub initial_credit_cells: Option<u64>,
    /// R of the link, in ps.
    #[serde(with = "integer")]
    pub round_trip_ps: u64,
    /// Nothing to send, in ps.
    #[serde(with = "integer")]
    pub no_cell_ps: u64,
    /// A cell in hand and no permission to start it, in ps.
    #[serde(with = "integer")]
    pub no_credit_ps: u64,
    /// A cell in hand, permission, and the link busy with others (or shut), in ps.
    #[serde(with = "integer")]
    pub waiting_ps: u64,
    /// A cell of this VC in transmission, in ps.
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
    /// How often a span without credit began.
    #[serde(with = "integer")]
    pub no_credit_count: u64,
    /// Cells started.
    #[serde(with = "integer")]
    pub sent_cells: u64,
    /// Cells taken in at the other end.
    #[serde(with = "integer")]
    pub received_cells: u64,
    /// Cells that arrived corrupted.
    #[serde(with = "integer")]
    pub corrupted_cells: u64,
    /// Cells dropped at the other end because a buffer was full.
    #[serde(with = "integer")]
    pub dropped_cells: u64,
    /// Cells lost at the sending end: a full source host, or a branch given up.
    #[serde(with = "integer")]
    pub given_up_cells: u64,
    /// Cells that arrived when the promised buffer was already full.
    #[serde(with = "integer")]
    pub overrun_cells: u64,
    /// Credit cells started by the receiving end.
    #[serde(with = "integer")]
    pub credits_sent: u64,
    /// Credit cells taken in by the sending end.
    #[serde(with = "integer")]
    pub credits_taken: u64,
    /// Credit cells that arrived corrupted.
    #[serde(with = "integer")]
    pub credits_corrupted: u64,
    /// Credits left out because there was nothing to grant.
    #[serde(with = "integer")]
    pub credits_left_out: u64,
    /// Sender-Request-Credit cells started.
    #[serde(with = "integer")]
    pub request_cells: u64,
}

/// One final host of a VC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeafSummary {
    /// The host.
    pub node: String,
    /// Cells delivered.
    #[serde(with = "integer")]
    pub received_cells: u64,
    /// Bits of delivered cells per second of the run.
    pub throughput_bps: f64,
    /// Delay of the cells delivered; `null` when there are none.
    pub delay_ps: Option<DelaySummary>,
    /// The first delivery, in ps.
    #[serde(with = "optional_integer")]
    pub first_delivery_ps: Option<u64>,
    /// The last delivery, in ps.
    #[serde(with = "optional_integer")]
    pub last_delivery_ps: Option<u64>,
}

/// One link direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Share of the run in which something was in transmission.
    pub busy_share: f64,
    /// Data and ACK cells started.
    #[serde(with = "integer")]
    pub data_cells: u64,
    /// Credit, request and loop cells started.
    #[serde(with = "integer")]
    pub control_cells: u64,
    /// The VCs on it, by share of its time, greatest first (then in file order).
    pub vcs: Vec<LinkShare>,
}

/// How much of a link direction one VC took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkShare {
    /// The VC.
    pub vc: String,
    /// Data cells started.
    #[serde(with = "integer")]
    pub cells: u64,
    /// Share of the run in which one of them was in transmission.
    pub share: f64,
}

/// The queue of one VC at the sending end of one hop, the cell in transmission included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueueSummary {
    /// The node.
    pub node: String,
    /// The port, by the name of its link direction.
    pub port: String,
    /// The VC.
    pub vc: String,
    /// Mean over the run, in cells.
    pub mean_cells: f64,
    /// The most ever, in cells.
    pub max_cells: u32,
}

/// All queues of one sending port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PortSummary {
    /// The node.
    pub node: String,
    /// The port, by the name of its link direction.
    pub port: String,
    /// Mean of the data cells over the run, in cells (ACK cells not included).
    pub mean_cells: f64,
    /// The most data and ACK cells ever, in cells.
    pub max_cells: u32,
}

/// One host or switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeSummary {
    /// Its name.
    pub node: String,
    /// `host` or `switch`.
    pub kind: String,
    /// Mean of the cells held, in cells; a multicast cell counts once.
    pub mean_cells: f64,
    /// The most ever, in cells.
    pub max_cells: u32,
}

impl Summary {
    /// Puts the counters of a run in names and units. Panics when they are not those of `spec`.
    pub fn new(spec: &NetworkSpec, counters: &RunCounters) -> Summary {
        build::summary(spec, counters)
    }

    /// The VC of this name.
    pub fn vc(&self, name: &str) -> Option<&VcSummary> {
        self.vcs.iter().find(|vc| vc.name == name)
    }

    /// The link direction of this name, `FROM->TO`.
    pub fn link(&self, name: &str) -> Option<&LinkSummary> {
        self.links.iter().find(|link| link.name == name)
    }

    /// The queue of `vc` at `node` (on a multicast VC: of its first branch there).
    pub fn queue(&self, node: &str, vc: &str) -> Option<&QueueSummary> {
        self.queues.iter().find(|queue| queue.node == node && queue.vc == vc)
    }

    /// The host or switch of this name.
    pub fn node(&self, name: &str) -> Option<&NodeSummary> {
        self.nodes.iter().find(|node| node.node == name)
    }
}

#[cfg(test)]
mod tests;
