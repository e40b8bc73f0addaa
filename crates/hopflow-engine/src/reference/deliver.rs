//! A unit is delivered at its final host, and freed; an ACK may fall due.

use hopflow_units::Bytes;

use super::ReferenceEngine;
use super::unit::{Cell, HopId};
use hopflow_network::TraceEvent;

impl ReferenceEngine {
    /// A unit is delivered at a final host. `held`: it was accepted before, and is freed now.
    pub(super) fn deliver(&mut self, id: HopId, leaf: usize, cell: Cell, held: bool) {
        let now = self.now;
        let direction = self.hop(id).direction;
        let counters = &mut self.vcs[id.vc].leaves[leaf];
        counters.delivered_packets += 1;
        counters.first = counters.first.or(Some(now));
        counters.last = Some(now);
        counters.delivered_bytes += cell.size.0;
        let delay = now.since(cell.born);
        counters.delay.record(delay.0);
        if let Some(waiting) = &mut counters.waiting {
            waiting.record(delay.0 - self.spec.unloaded_delay(id.vc, id.hop, cell.size).0);
        }
        self.cell_row(TraceEvent::Arrived, direction, id, &cell, 0, 0);
        if held {
            self.receiver_frees(id, cell.size);
        } else {
            self.receive_and_free(id, cell.size);
        }
        self.take_unit(id.vc, leaf, &cell);
        let Some(window) = self.spec.vcs[id.vc].window else { return };
        let vc = &mut self.vcs[id.vc];
        vc.since_ack += 1;
        if vc.since_ack == window.ack_every.0 {
            vc.since_ack = 0;
            self.make_ack(id, cell.number + 1);
        }
    }

    /// The final host, where the hop `last` ends, creates an ACK cell.
    fn make_ack(&mut self, last: HopId, next_expected: u64) {
        let id = HopId { ack: true, ..last };
        self.vcs[id.vc].ack_cells += 1;
        let cell = Cell::new(next_expected, self.now, Bytes::CELL);
        let direction = self.hop(id).direction;
        if self.has_no_room(id, 0, cell.size) {
            self.hop_mut(id).counters.given_up_packets += 1;
            let held = self.held(id, 0);
            self.cell_row(TraceEvent::Dropped, direction, id, &cell, held, 0);
        } else {
            self.enter(id, 0, cell, TraceEvent::Born, direction);
        }
    }
}
