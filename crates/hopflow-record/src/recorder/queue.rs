//! Queues at a node: the cells of each VC that it holds, and those of all VCs.
//!
//! A multicast VC has one queue for each branch; the node holds the cells of the longest one,
//! because a cell is freed after its slowest branch has sent it. Forward RM cells count with the
//! data of their VC, except those that end at the node, which does not hold them.

use hopflow_network::{CellKind, DirectionId, HopSpec, NetworkSpec, TraceEvent, TraceRow};
use hopflow_units::SimTime;

use super::NONE;
use super::step::StepBuilder;
use crate::{Quantity, Series, Shape, Unit};

/// The queues at one node.
pub(super) struct QueueTracker {
    node: String,
    holdings: Holdings,
    /// For each queue, in the order of VCs: its VC and its length.
    queues: Vec<(String, StepBuilder)>,
    total: StepBuilder,
}

impl QueueTracker {
    pub(super) fn new(network: &NetworkSpec, node: usize) -> QueueTracker {
        let holdings = Holdings::new(network, node);
        let named = |vc: &usize| (network.vcs[*vc].name.clone(), StepBuilder::new(0));
        let queues = holdings.vcs().iter().map(named).collect();
        let node = network.nodes[node].name.clone();
        QueueTracker { node, holdings, queues, total: StepBuilder::new(0) }
    }

    /// The name of the node.
    pub(super) fn node(&self) -> &str {
        &self.node
    }

    /// A row of a link direction that leaves the node.
    pub(super) fn take_sent(&mut self, row: &TraceRow) {
        let change = self.holdings.take_sent(row);
        self.note(row, change);
    }

    /// A row of a link direction that leads to the node.
    pub(super) fn take_received(&mut self, row: &TraceRow) {
        let change = self.holdings.take_received(row);
        self.note(row, change);
    }

    fn note(&mut self, row: &TraceRow, change: Option<Change>) {
        let Some(Change { queue, held, total }) = change else { return };
        self.queues[queue].1.set(row.time, u64::from(held));
        self.total.set(row.time, total);
    }

    pub(super) fn finish(self, end: SimTime, series: &mut Vec<Series>) {
        let node = self.node;
        let make = |vc: Option<String>, quantity, steps: StepBuilder| Series {
            name: match &vc {
                Some(vc) => format!("queue of {vc} at {node}"),
                None => format!("all queues at {node}"),
            },
            quantity,
            vc,
            node: Some(node.clone()),
            link: None,
            unit: Unit::Packets,
            shape: Shape::Step,
            rate_bps: None,
            end,
            points: steps.finish(),
        };
        for (vc, steps) in self.queues {
            series.push(make(Some(vc), Quantity::Queue, steps));
        }
        series.push(make(None, Quantity::NodeQueue, self.total));
    }
}

/// The cells of each VC that a node holds, and those of all VCs, computed from the rows of its
/// links.
pub(crate) struct Holdings {
    /// For each VC: its index in `queues`, or [`NONE`].
    slot_of_vc: Vec<u32>,
    queues: Vec<VcQueue>,
    /// The VC of each queue.
    vcs: Vec<usize>,
    total: u64,
}

/// A change by a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    /// The queue, in the order of VCs that pass.
    pub(crate) queue: usize,
    /// The cells of this VC that the node now holds.
    pub(crate) held: u32,
    /// The cells of all VCs that it now holds.
    pub(crate) total: u64,
}

/// The cells of one VC at the node.
struct VcQueue {
    branches: Vec<Branch>,
    /// Whether arriving RM cells end at the node.
    ends_loops: bool,
    held: u32,
}

/// The branch of a VC that leaves by one link direction.
struct Branch {
    direction: u32,
    fill: u32,
    /// Sequence numbers of the last starts: of a data cell, and of an RM cell.
    started: [Option<u32>; 2],
}

impl Holdings {
    pub(crate) fn new(network: &NetworkSpec, node: usize) -> Holdings {
        let mut holdings = Holdings {
            slot_of_vc: vec![NONE; network.vcs.len()],
            queues: Vec::new(),
            vcs: Vec::new(),
            total: 0,
        };
        for (vc, spec) in network.vcs.iter().enumerate() {
            let hops = spec.hops.iter().map(HopSpec::direction_id);
            let branches: Vec<Branch> = hops
                .filter(|id| network.from_node(*id) == node)
                .map(|id| Branch { direction: id.0 as u32, fill: 0, started: [None; 2] })
                .collect();
            if !branches.is_empty() {
                holdings.slot_of_vc[vc] = holdings.queues.len() as u32;
                let is_virtual = |branch: &Branch| {
                    network.virtual_source(DirectionId(branch.direction as usize)).is_some()
                };
                let ends_loops = spec.rate.is_some() && branches.iter().any(is_virtual);
                holdings.queues.push(VcQueue { branches, ends_loops, held: 0 });
                holdings.vcs.push(vc);
            }
        }
        holdings
    }

    /// The VCs that pass the node or start there, by index.
    fn vcs(&self) -> &[usize] {
        &self.vcs
    }

    /// A row of a link direction that leaves the node.
    pub(crate) fn take_sent(&mut self, row: &TraceRow) -> Option<Change> {
        let queue = self.queue(row)?;
        let branch = queue.branches.iter_mut().find(|b| b.direction == row.direction)?;
        let started = &mut branch.started[usize::from(row.kind == CellKind::ForwardRm)];
        match row.event {
            TraceEvent::Started => *started = Some(row.value),
            TraceEvent::Born | TraceEvent::Left => branch.fill = row.fill,
            // A cell that has started was dropped at the far end; any other was given up at this
            // node.
            TraceEvent::Dropped if started.is_none_or(|s| is_after(row.value, s)) => {
                branch.fill = row.fill;
            }
            _ => return None,
        }
        self.change(row)
    }

    /// A row of a link direction that leads to the node.
    pub(crate) fn take_received(&mut self, row: &TraceRow) -> Option<Change> {
        if row.event != TraceEvent::Arrived {
            return None;
        }
        let queue = self.queue(row)?;
        if queue.ends_loops && row.kind == CellKind::ForwardRm {
            return None;
        }
        match queue.branches.as_mut_slice() {
            [only] => only.fill = row.fill,
            branches => branches.iter_mut().for_each(|branch| branch.fill += 1),
        }
        self.change(row)
    }

    /// The queue of the row's VC; `None` for other kinds of cell and VCs that end at the node.
    fn queue(&mut self, row: &TraceRow) -> Option<&mut VcQueue> {
        if !matches!(row.kind, CellKind::Data | CellKind::ForwardRm) {
            return None;
        }
        let slot = self.slot_of_vc.get(row.vc as usize).copied().filter(|slot| *slot != NONE)?;
        Some(&mut self.queues[slot as usize])
    }

    fn change(&mut self, row: &TraceRow) -> Option<Change> {
        let slot = self.slot_of_vc[row.vc as usize] as usize;
        let queue = &mut self.queues[slot];
        let held = queue.branches.iter().map(|branch| branch.fill).max().unwrap_or(0);
        if held == queue.held {
            return None;
        }
        self.total = self.total + u64::from(held) - u64::from(queue.held);
        queue.held = held;
        Some(Change { queue: slot, held, total: self.total })
    }
}

/// Whether sequence number `a` is after `b`, both modulo 2^28 and less than 2^27 apart.
pub(super) fn is_after(a: u32, b: u32) -> bool {
    let ahead = a.wrapping_sub(b) & SEQUENCE_MASK;
    ahead != 0 && ahead <= SEQUENCE_MASK / 2
}

/// Sequence numbers in rows are modulo 2^28.
pub(super) const SEQUENCE_MASK: u32 = (1 << 28) - 1;
