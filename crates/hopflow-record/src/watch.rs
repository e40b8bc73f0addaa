//! Watch: the queue of a node over a run of any length, in little memory.
//!
//! ```text
//! share of a length  = time for which the node held that number of cells / time watched  (1)
//! value of a part    = integral of the cells held over the part / its length             (2)
//! ```
//! The distribution of the length (1) leaves out a warm-up; the curve (2) covers the whole run, in
//! parts of one length. The length at an instant is that after all events of the instant. A
//! multicast cell counts once, in transmission or not.

use hopflow_network::{DirectionId, NetworkSpec, TraceFilter, TraceRow};
use hopflow_units::{Picos, SimTime};

use crate::recorder::Holdings;
use crate::summary::{LengthSummary, weighed};

/// Watches the queue of one node.
pub struct QueueWatch {
    node: String,
    sends: Vec<bool>,
    receives: Vec<bool>,
    holdings: Holdings,
    /// Statistics begin here.
    from: SimTime,
    /// The length of a part of the curve.
    part: Picos,
    /// The time of the last change.
    since: SimTime,
    /// The cells that the node holds.
    held: u64,
    /// Time for which each length held, in ps.
    times: Vec<u64>,
    /// For each part: the integral, in cell-ps.
    areas: Vec<u128>,
}

/// The result of a watch.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchedQueue {
    /// The node.
    pub node: String,
    /// The distribution of its length after the warm-up; `None` if no time has passed.
    pub lengths: Option<LengthSummary>,
    /// The length of a part of the run.
    pub part: Picos,
    /// The mean of each part, in cells; the last part may be truncated by the end.
    pub values: Vec<f64>,
}

impl QueueWatch {
    /// Watches `node` of `network`: statistics from `from` on, a curve in parts of length `part`,
    /// which is not zero.
    pub fn new(network: &NetworkSpec, node: usize, from: SimTime, part: Picos) -> QueueWatch {
        assert!(part > Picos::ZERO, "a part of a curve is longer than nothing");
        let ids = || (0..network.direction_count()).map(DirectionId);
        QueueWatch {
            node: network.nodes[node].name.clone(),
            sends: ids().map(|id| network.from_node(id) == node).collect(),
            receives: ids().map(|id| network.to_node(id) == node).collect(),
            holdings: Holdings::new(network, node),
            from,
            part,
            since: SimTime::ZERO,
            held: 0,
            times: Vec::new(),
            areas: Vec::new(),
        }
    }

    /// Adds the rows that the watch needs to a filter.
    pub fn widen(&self, filter: &mut TraceFilter) {
        filter.directions.resize(self.sends.len().max(filter.directions.len()), false);
        let needed = self.sends.iter().zip(&self.receives);
        for (keeps, (sends, receives)) in filter.directions.iter_mut().zip(needed) {
            *keeps |= sends | receives;
        }
    }

    /// Accepts rows, in the order of the engine.
    pub fn take(&mut self, rows: &[TraceRow]) {
        for row in rows {
            let change = if self.sends[row.direction as usize] {
                self.holdings.take_sent(row)
            } else if self.receives[row.direction as usize] {
                self.holdings.take_received(row)
            } else {
                None
            };
            if let Some(change) = change {
                self.close(row.time);
                self.held = change.total;
            }
        }
    }

    /// Adds the time up to `now` to the statistics.
    fn close(&mut self, now: SimTime) {
        let counted = now.0.saturating_sub(self.since.max(self.from).0);
        if counted > 0 {
            let index = self.held as usize;
            if index >= self.times.len() {
                self.times.resize(index + 1, 0);
            }
            self.times[index] += counted;
        }
        let mut from = self.since.0;
        while from < now.0 {
            let index = from / self.part.0;
            let to = now.0.min((index + 1).saturating_mul(self.part.0));
            let index = index as usize;
            if index >= self.areas.len() {
                self.areas.resize(index + 1, 0);
            }
            self.areas[index] += u128::from(self.held) * u128::from(to - from);
            from = to;
        }
        self.since = now;
    }

    /// The result over `[0, end)`.
    pub fn finish(mut self, end: SimTime) -> WatchedQueue {
        self.close(end);
        let part = self.part.0;
        let mean = |(index, area): (usize, u128)| {
            let from = index as u64 * part;
            area as f64 / part.min(end.0 - from) as f64
        };
        let values = self.areas.into_iter().enumerate().map(mean).collect();
        let lengths = weighed(self.times.iter().copied());
        WatchedQueue { node: self.node, lengths, part: self.part, values }
    }
}

#[cfg(test)]
mod tests;
