//! Delay of every delivered cell of one VC: from its birth to its last bit at the final host.
//!
//! Cells of a VC stay in order on every branch. So a birth is kept until every branch has
//! delivered this cell or a later one; the births of lost cells are dropped then.

use std::collections::VecDeque;

use hopflow_network::{CellKind, NetworkSpec, TraceEvent, TraceRow};
use hopflow_units::SimTime;

use super::queue::{SEQUENCE_MASK, is_after};
use crate::{Point, Quantity, Series, Shape, Unit};

/// The cells of one VC that were not delivered yet.
pub(super) struct DelayTracker {
    vc: String,
    leaves: Vec<Leaf>,
    /// Sequence number (modulo 2^28) and instant of birth, oldest first.
    births: VecDeque<(u32, SimTime)>,
}

struct Leaf {
    node: String,
    direction: u32,
    /// The last cell delivered.
    last: Option<u32>,
    points: Vec<Point>,
}

impl DelayTracker {
    pub(super) fn new(network: &NetworkSpec, vc: usize) -> DelayTracker {
        let spec = &network.vcs[vc];
        let ids = network.leaves(vc).into_iter().map(|hop| spec.hops[hop].direction_id());
        let leaves = ids.map(|id| Leaf {
            node: network.nodes[network.to_node(id)].name.clone(),
            direction: id.0 as u32,
            last: None,
            points: Vec::new(),
        });
        DelayTracker { vc: spec.name.clone(), leaves: leaves.collect(), births: VecDeque::new() }
    }

    pub(super) fn take(&mut self, row: &TraceRow) {
        match (row.event, row.kind) {
            (TraceEvent::Born, CellKind::Data) => self.births.push_back((row.value, row.time)),
            (TraceEvent::Arrived, CellKind::Data) => self.arrived(row),
            _ => {}
        }
    }

    pub(super) fn finish(self, end: SimTime, series: &mut Vec<Series>) {
        for leaf in self.leaves {
            series.push(Series {
                name: format!("delay of {} to {}", self.vc, leaf.node),
                quantity: Quantity::Delay,
                vc: Some(self.vc.clone()),
                node: Some(leaf.node),
                link: None,
                unit: Unit::Picos,
                shape: Shape::Sample,
                rate_bps: None,
                end,
                points: leaf.points,
            });
        }
    }

    fn arrived(&mut self, row: &TraceRow) {
        let Some(leaf) = self.leaves.iter_mut().find(|l| l.direction == row.direction) else {
            return;
        };
        let Some(&(oldest, _)) = self.births.front() else { return };
        let place = |sequence: u32| sequence.wrapping_sub(oldest) & SEQUENCE_MASK;
        let found = self.births.binary_search_by_key(&place(row.value), |birth| place(birth.0));
        if let Ok(index) = found {
            let delay = row.time.since(self.births[index].1);
            leaf.points.push(Point { time: row.time, value: delay.0 as f64 });
        }
        leaf.last = Some(row.value);
        self.forget();
    }

    /// The number of births that wait for their cells.
    #[cfg(test)]
    pub(super) fn births_kept(&self) -> usize {
        self.births.len()
    }

    /// Drops births of cells that no branch will deliver.
    fn forget(&mut self) {
        while let Some(&(oldest, _)) = self.births.front() {
            let past = |leaf: &Leaf| leaf.last.is_some_and(|last| !is_after(oldest, last));
            if !self.leaves.iter().all(past) {
                return;
            }
            self.births.pop_front();
        }
    }
}
