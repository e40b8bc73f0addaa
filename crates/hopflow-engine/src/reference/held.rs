//! What is held: packets at a station, packets that a branch has not finished, and whether one of
//! them waits or could be created.

use super::ReferenceEngine;
use super::unit::{HopId, Target};

impl ReferenceEngine {
    /// Cells a branch has not finished.
    pub(super) fn fill(&self, id: HopId) -> u32 {
        (self.station(id).entered_packets() - self.hop(id).finished_packets) as u32
    }

    /// Cells of the part held at a station.
    pub(super) fn held(&self, id: HopId, station: usize) -> u32 {
        self.part(id).stations[station].held.len() as u32
    }

    /// Cells of the part held where a hop leads; at its end those that wait for the processor.
    pub(super) fn held_at_target(&self, id: HopId) -> u32 {
        match self.hop(id).target {
            Target::Station(station) => self.held(id, station),
            Target::Leaf(_) if id.ack => 0,
            Target::Leaf(_) => self.undelivered(id.vc, id.hop) as u32,
        }
    }

    /// The hops that leave a station.
    pub(super) fn branches(&self, id: HopId, station: usize) -> Vec<HopId> {
        let hops = &self.part(id).stations[station].branches;
        hops.iter().map(|&hop| HopId { hop, ..id }).collect()
    }

    /// Cells are numbered as the source host accepts them.
    pub(super) fn number_of_next(&self, first: HopId) -> u64 {
        let host = &self.part(first).stations[0];
        let made = self.hop(first).counters.rate.forward_made;
        host.entered_packets() + host.pushed_out_packets - made
    }

    /// Whether a hop has a cell that is not in transmission.
    pub(super) fn is_waiting(&self, id: HopId) -> bool {
        self.fill(id) > u32::from(self.hop(id).in_transmission) || self.has_greedy_cell(id)
    }

    /// Whether the hop leaves the host of a greedy source that is on.
    pub(super) fn has_greedy_cell(&self, id: HopId) -> bool {
        let vc = &self.vcs[id.vc];
        !id.ack && id.hop == 0 && vc.greedy && vc.is_on
    }
}
