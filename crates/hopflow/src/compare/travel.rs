//! Travel: the time of packets from the first bit on their first link to the last bit at their
//! final host, by which a delay is split into sending host and network.
//!
//! ```text
//! delay   = last bit at the final host - birth                                      (1)
//! network = last bit at the final host - first bit on the first link                (2)
//! host    = mean of (1) - mean of (2), both over the packets that were delivered    (3)
//! ```
//! If a control holds packets at their source, (1) is long and (2) is short: the queue belongs to
//! the host, and its length depends more on the source than on the control.
//! A VC has one path, and its packets arrive in the order in which they were sent: a packet that
//! was sent before an arriving one and has not arrived is lost.
//!
//! Not modelled: multicast VCs, whose branches differ; with one of them there is no split.

use std::collections::VecDeque;

use hopflow_network::{CellKind, NetworkSpec, TraceEvent, TraceFilter, TraceRow};
use hopflow_units::SimTime;

use crate::fairness::carriers;

/// The packets of one VC in flight: number and start, in order.
struct OnWay {
    first: u32,
    last: u32,
    started: VecDeque<(u32, SimTime)>,
}

/// Watches the packets of all VCs that carry traffic of sources.
pub(super) struct Travels {
    /// By VC; `None` for backward VCs of connections.
    vcs: Vec<Option<OnWay>>,
    from: SimTime,
    sum: u128,
    count: u64,
}

impl Travels {
    /// Counts arrivals from `from` on; `None` if a VC has several final hosts.
    pub(super) fn new(network: &NetworkSpec, from: SimTime) -> Option<Travels> {
        let mut vcs: Vec<Option<OnWay>> = network.vcs.iter().map(|_| None).collect();
        for vc in carriers(network) {
            let spec = &network.vcs[vc];
            if spec.leaf_count() != 1 {
                return None;
            }
            let end =
                |hop: Option<&hopflow_network::HopSpec>| hop?.direction_id().0.try_into().ok();
            let (first, last) = (end(spec.hops.first())?, end(spec.hops.last())?);
            vcs[vc] = Some(OnWay { first, last, started: VecDeque::new() });
        }
        Some(Travels { vcs, from, sum: 0, count: 0 })
    }

    /// Adds the rows that it needs to a filter.
    pub(super) fn widen(&self, filter: &mut TraceFilter) {
        for vc in self.vcs.iter().flatten() {
            for direction in [vc.first, vc.last].map(|direction| direction as usize) {
                if filter.directions.len() <= direction {
                    filter.directions.resize(direction + 1, false);
                }
                filter.directions[direction] = true;
            }
        }
    }

    /// Accepts rows, in the order of the engine.
    pub(super) fn take(&mut self, rows: &[TraceRow]) {
        for row in rows.iter().filter(|row| row.kind == CellKind::Data) {
            let Some(Some(vc)) = self.vcs.get_mut(row.vc as usize) else { continue };
            match row.event {
                TraceEvent::Started if row.direction == vc.first => {
                    vc.started.push_back((row.value, row.time));
                }
                TraceEvent::Arrived if row.direction == vc.last => {
                    while let Some((number, started)) = vc.started.pop_front() {
                        if number == row.value {
                            if row.time >= self.from {
                                self.sum += u128::from(row.time.0 - started.0);
                                self.count += 1;
                            }
                            break;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The mean of (2), in ps; `None` if no packet arrived.
    pub(super) fn mean_ps(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}
