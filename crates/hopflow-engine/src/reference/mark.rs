//! Markers of ports: every packet that joins, starts, leaves or is lost is reported to them.

use hopflow_units::Bytes;

use super::ReferenceEngine;
use super::unit::{Cell, HopId};
use hopflow_network::DirectionId;

impl ReferenceEngine {
    /// Whether ports may mark the packets of a hop: data other than RM cells, of a VC whose ends
    /// react to marks.
    fn bears_marks(&self, id: HopId, cell: &Cell) -> bool {
        !id.ack && cell.rm_cell().is_none() && self.spec.vcs[id.vc].ecn_capable
    }

    /// A packet is about to join the queue of a hop.
    pub(super) fn mark_joining(&mut self, id: HopId, cell: &mut Cell) {
        let (direction, is_able) = (self.hop(id).direction, self.bears_marks(id, cell));
        let now = self.now;
        let port = self.port(direction);
        if let Some(marker) = &mut port.marker {
            let length = port.counters.queue_packets;
            cell.congested |= marker.joins(now, length, cell.size.0 as u32, is_able);
        }
    }

    /// A packet of a hop starts.
    pub(super) fn mark_starting(&mut self, id: HopId, cell: &mut Cell) {
        let (direction, is_able) = (self.hop(id).direction, self.bears_marks(id, cell));
        let now = self.now;
        let port = self.port(direction);
        if let Some(marker) = &mut port.marker {
            let length = port.counters.queue_packets;
            cell.congested |= marker.starts(now, length, cell.size.0 as u32, is_able);
        }
    }

    /// A packet of this size has left a port or was lost there.
    pub(super) fn mark_gone(&mut self, direction: DirectionId, size: Bytes) {
        if let Some(marker) = &mut self.port(direction).marker {
            marker.leaves(size.0 as u32);
        }
    }
}
