//! Watch: the queue of a node over a whole run, in little memory however long the run is.
//!
//! ```text
//! share of a length  = time for which the node held so many cells / time watched         (1)
//! value of a part    = integral of what the node held over the part / its length         (2)
//! ```
//! The law of the length (1) leaves out a warm-up; the curve (2) is of the whole run, in parts of
//! one length. What a node holds at an instant is what it holds once all of the instant has
//! happened. A multicast cell counts once, in transmission or not.

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
    /// Since when it holds what it holds.
    since: SimTime,
    /// What it holds, in cells.
    held: u64,
    /// Time for which each length held, in ps.
    times: Vec<u64>,
    /// For each part: the integral, in cell-ps.
    areas: Vec<u128>,
}

/// What a watch has seen.
#[derive(Clone, Debug, PartialEq)]
pub struct WatchedQueue {
    /// The node.
    pub node: String,
    /// The law of its length after the warm-up; `None` when no time has passed.
    pub law: Option<LengthSummary>,
    /// The length of a part of the run.
    pub part: Picos,
    /// The mean of each part, in cells; the last part may be cut short by the end.
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

    /// Adds the rows it needs to those that are made.
    pub fn widen(&self, filter: &mut TraceFilter) {
        filter.directions.resize(self.sends.len().max(filter.directions.len()), false);
        for (index, keeps) in filter.directions.iter_mut().enumerate() {
            *keeps |=
                self.sends.get(index) == Some(&true) || self.receives.get(index) == Some(&true);
        }
    }

    /// Takes rows in, in the order in which the engine gave them.
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

    /// What it held up to `now` is now past.
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

    /// What it has seen in `[0, end)`.
    pub fn finish(mut self, end: SimTime) -> WatchedQueue {
        self.close(end);
        let part = self.part.0;
        let mean = |(index, area): (usize, u128)| {
            let from = index as u64 * part;
            area as f64 / part.min(end.0 - from) as f64
        };
        let values = self.areas.into_iter().enumerate().map(mean).collect();
        let law = weighed(self.times.iter().copied());
        WatchedQueue { node: self.node, law, part: self.part, values }
    }
}

#[cfg(test)]
mod tests;
