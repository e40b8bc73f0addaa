//! Which hops may start, by credit, window, run-ahead limit, lane or pacer: only this file puts a
//! hop on the list of its port.

use hopflow_control::credit::Permission;

use super::ReferenceEngine;
use super::unit::HopId;
use crate::embed::rate::Pacer;

impl ReferenceEngine {
    /// The permission of credit, window and run-ahead limit together.
    pub(super) fn permission(&self, id: HopId) -> Permission {
        let (hop, station) = (self.hop(id), self.station(id));
        if let Some(limit) = self.spec.vcs[id.vc].multicast.run_ahead
            && station.branches.len() > 1
        {
            let next = hop.finished_packets + u64::from(hop.in_transmission);
            if next - station.freed_cells > u64::from(limit.0) {
                return Permission::Blocked;
            }
        }
        if self.is_shut(id) || self.lacks_turn(id) {
            return Permission::Blocked;
        }
        hop.permission(self.now)
    }

    /// Whether a hop waits only for permission.
    pub(super) fn is_blocked(&self, id: HopId) -> bool {
        self.is_waiting(id)
            && !self.hop(id).in_transmission
            && self.permission(id) != Permission::Now
    }

    /// After an event of a hop: if it is eligible and on no list, it is appended to the list of its
    /// port.
    pub(super) fn consider(&mut self, id: HopId) {
        self.touch(id);
        let hop = self.hop(id);
        let (direction, priority) = (hop.direction, hop.priority);
        if !hop.listed && self.is_waiting(id) && self.permission(id) == Permission::Now {
            self.hop_mut(id).listed = true;
            let (now, flow) = (self.now, self.hop(id).flow);
            let port = self.port(direction);
            match &mut port.scheduler {
                Some(scheduler) => scheduler.permit(flow, now),
                None => port.lists.entry(priority).or_default().push_back(id),
            }
        }
    }

    /// Whether the lane of a hop is shut.
    pub(super) fn is_shut(&self, id: HopId) -> bool {
        let hop = self.hop(id);
        let gates = self.ports[hop.direction.0].gates.as_ref();
        gates.zip(hop.lane).is_some_and(|(gates, lane)| gates.is_shut(lane))
    }

    /// Whether a paced hop has no turn.
    fn lacks_turn(&self, id: HopId) -> bool {
        let pacer = || self.hop(id).rated.as_ref()?.pacer.as_ref();
        pacer().is_some_and(Pacer::is_shut)
    }
}
