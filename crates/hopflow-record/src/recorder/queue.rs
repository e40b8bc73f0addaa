//! Queues at a node: how many cells of each VC it holds, and how many in all.
//!
//! A multicast VC has one queue for each branch; what the node holds of the VC is the longest,
//! because a cell is freed when its slowest branch has sent it.

use hopflow_network::{CellKind, HopSpec, NetworkSpec, TraceEvent, TraceRow};
use hopflow_units::SimTime;

use super::NONE;
use super::step::StepBuilder;
use crate::{Quantity, Series, Shape, Unit};

/// The queues at one node.
pub(super) struct QueueTracker {
    node: String,
    /// For each VC: its place in `queues`, or [`NONE`].
    slot_of_vc: Vec<u32>,
    queues: Vec<VcQueue>,
    total: u64,
    total_steps: StepBuilder,
}

/// What the node holds of one VC.
struct VcQueue {
    vc: String,
    branches: Vec<Branch>,
    held: u32,
    steps: StepBuilder,
}

/// The part of a VC that leaves by one link direction.
struct Branch {
    direction: u32,
    fill: u32,
    /// Sequence number of the last start.
    started: Option<u32>,
}

impl QueueTracker {
    pub(super) fn new(network: &NetworkSpec, node: usize) -> QueueTracker {
        let mut slot_of_vc = vec![NONE; network.vcs.len()];
        let mut queues = Vec::new();
        for (vc, spec) in network.vcs.iter().enumerate() {
            let hops = spec.hops.iter().map(HopSpec::direction_id);
            let branches: Vec<Branch> = hops
                .filter(|id| network.from_node(*id) == node)
                .map(|id| Branch { direction: id.0 as u32, fill: 0, started: None })
                .collect();
            if !branches.is_empty() {
                slot_of_vc[vc] = queues.len() as u32;
                let (vc, steps) = (spec.name.clone(), StepBuilder::new(0));
                queues.push(VcQueue { vc, branches, held: 0, steps });
            }
        }
        let node = network.nodes[node].name.clone();
        QueueTracker { node, slot_of_vc, queues, total: 0, total_steps: StepBuilder::new(0) }
    }

    /// The name of the node.
    pub(super) fn node(&self) -> &str {
        &self.node
    }

    /// A row of a link direction that leaves the node.
    pub(super) fn take_sent(&mut self, row: &TraceRow) {
        let Some(queue) = self.queue(row) else { return };
        let Some(branch) = queue.branches.iter_mut().find(|b| b.direction == row.direction) else {
            return;
        };
        match row.event {
            TraceEvent::Started => branch.started = Some(row.value),
            TraceEvent::Born | TraceEvent::Left => branch.fill = row.fill,
            // A cell that has started was dropped at the far end; any other was given up here.
            TraceEvent::Dropped if branch.started.is_none_or(|s| is_after(row.value, s)) => {
                branch.fill = row.fill;
            }
            _ => return,
        }
        self.update(row);
    }

    /// A row of a link direction that leads to the node.
    pub(super) fn take_received(&mut self, row: &TraceRow) {
        if row.event != TraceEvent::Arrived {
            return;
        }
        let Some(queue) = self.queue(row) else { return };
        match queue.branches.as_mut_slice() {
            [only] => only.fill = row.fill,
            branches => branches.iter_mut().for_each(|branch| branch.fill += 1),
        }
        self.update(row);
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
            unit: Unit::Cells,
            shape: Shape::Step,
            rate_bps: None,
            end,
            points: steps.finish(),
        };
        for queue in self.queues {
            series.push(make(Some(queue.vc), Quantity::Queue, queue.steps));
        }
        series.push(make(None, Quantity::NodeQueue, self.total_steps));
    }

    /// The queue of the row's VC; `None` for other kinds of cell and VCs that end here.
    fn queue(&mut self, row: &TraceRow) -> Option<&mut VcQueue> {
        if row.kind != CellKind::Data {
            return None;
        }
        let slot = self.slot_of_vc.get(row.vc as usize).copied().filter(|slot| *slot != NONE)?;
        Some(&mut self.queues[slot as usize])
    }

    fn update(&mut self, row: &TraceRow) {
        let slot = self.slot_of_vc[row.vc as usize];
        let queue = &mut self.queues[slot as usize];
        let held = queue.branches.iter().map(|branch| branch.fill).max().unwrap_or(0);
        if held != queue.held {
            self.total = self.total + u64::from(held) - u64::from(queue.held);
            queue.held = held;
            queue.steps.set(row.time, u64::from(held));
            self.total_steps.set(row.time, self.total);
        }
    }
}

/// Whether sequence number `a` comes after `b`, both modulo 2^28 and less than 2^27 apart.
pub(super) fn is_after(a: u32, b: u32) -> bool {
    let ahead = a.wrapping_sub(b) & SEQUENCE_MASK;
    ahead != 0 && ahead <= SEQUENCE_MASK / 2
}

/// Sequence numbers in rows are taken modulo 2^28.
pub(super) const SEQUENCE_MASK: u32 = (1 << 28) - 1;
