//! RM cells that arrive: ports write into them, and their loops end at hosts, virtual sources and
//! virtual destinations.

use hopflow_control::rate::RmCell;
use hopflow_units::CellRate;

use super::ReferenceEngine;
use super::unit::{Cell, HopId, Target};
use crate::embed::rate::trace_value;
use crate::embed::record::Record;
use hopflow_network::TraceEvent;

impl ReferenceEngine {
    /// A cell arrives at a switch. Returns whether its loop ends here.
    pub(super) fn rate_meets(&mut self, id: HopId, cell: &mut Cell) -> bool {
        match (id.ack, cell.rm_cell()) {
            (true, Some(rm)) => self.meet_backward(id, rm, cell),
            (true, None) => false,
            (false, _) => self.meet_forward(id, cell),
        }
    }

    fn meet_forward(&mut self, id: HopId, cell: &mut Cell) -> bool {
        let next = HopId { hop: id.hop + 1, ..id };
        if self.spec.vcs[id.vc].rate.is_none() {
            return false;
        }
        let Some(flow) = self.rate_flow(next) else { return false };
        let (now, out) = (self.now, self.hop(next).direction);
        let ends = self.hop(id).rated.as_ref().is_some_and(|rated| rated.end.is_some());
        if !ends {
            if cell.rm_cell().is_none() {
                cell.marked = self.rates(out).on_data(flow, cell.marked);
            }
            return false;
        }
        let mut rated = self.hop_mut(id).rated.take().expect("loops end here");
        let end = rated.end.as_mut().expect("loops end here");
        let back = if let Some(forward) = cell.rm_cell() {
            let mut after = self.hop_mut(next).rated.take().expect("of the same VC");
            let pacer = after.pacer.as_mut().expect("a virtual source paces");
            let back = self.rates(out).turn_around(now, flow, forward, end, pacer);
            self.hop_mut(next).rated = Some(after);
            Some(back)
        } else {
            end.on_data(std::mem::take(&mut cell.marked));
            None
        };
        self.hop_mut(id).rated = Some(rated);
        let Some(back) = back else { return false };
        self.turn_around(id, cell, back);
        self.arm_rates(out);
        self.pace(next);
        self.consider(next);
        self.make_backward(id, cell.number, back);
        true
    }

    /// The forward RM cell that arrived over the hop `id` has ended.
    fn turn_around(&mut self, id: HopId, cell: &Cell, back: RmCell) {
        let direction = self.hop(id).direction;
        let counters = &mut self.hop_mut(id).counters;
        counters.received_packets += 1;
        counters.rate.turned_around += 1;
        self.cell_row(TraceEvent::Arrived, direction, id, cell, 0, trace_value(back.ccr));
    }

    fn meet_backward(&mut self, id: HopId, mut rm: RmCell, cell: &mut Cell) -> bool {
        let first = HopId { ack: false, ..id };
        let Some(flow) = self.rate_flow(first) else { return false };
        let (now, out) = (self.now, self.hop(first).direction);
        let rates = self.rates(out);
        if !rates.is_virtual() {
            rates.backward(now, flow, &mut rm);
            cell.record = Some(Record::Rm(rm));
            self.arm_rates(out);
            return false;
        }
        let mut rated = self.hop_mut(first).rated.take().expect("a flow of an algorithm");
        let pacer = rated.pacer.as_mut().expect("a virtual source paces");
        self.rates(out).end_backward(now, flow, pacer, &rm);
        self.hop_mut(first).rated = Some(rated);
        self.end_backward(id, cell);
        true
    }

    /// The backward RM cell that arrived over `id`, a hop of the way back, has ended.
    fn end_backward(&mut self, id: HopId, cell: &Cell) {
        let direction = self.hop(id).direction;
        let first = HopId { ack: false, ..id };
        self.touch(first);
        self.hop_mut(id).counters.received_packets += 1;
        let hop = self.hop_mut(first);
        hop.counters.rate.backward_taken += 1;
        let acr = hop.rated.as_ref().map_or(CellRate::ZERO, |rated| rated.acr());
        self.cell_row(TraceEvent::Arrived, direction, id, cell, 0, trace_value(acr));
        self.arm_rates(direction.reverse());
        self.pace(first);
        self.consider(first);
    }

    /// A backward RM cell arrives at the source.
    pub(super) fn take_backward(&mut self, id: HopId, cell: &Cell, rm: &RmCell) {
        let first = HopId { ack: false, ..id };
        self.vcs[id.vc].acked_cells += 1;
        let rated = self.hop_mut(first).rated.as_mut().expect("RM cells come to their source");
        rated.pacer.as_mut().expect("a source paces").on_backward(rm);
        self.end_backward(id, cell);
    }

    /// A cell arrives at the final host. Returns whether it was an RM cell.
    pub(super) fn rate_delivers(&mut self, id: HopId, cell: &Cell) -> bool {
        debug_assert!(matches!(self.hop(id).target, Target::Leaf(_)));
        let Some(rated) = &mut self.hop_mut(id).rated else { return false };
        let end = rated.end.as_mut().expect("loops end at final hosts");
        let Some(forward) = cell.rm_cell() else {
            end.on_data(cell.marked);
            return false;
        };
        let back = end.turn_around(&forward);
        self.vcs[id.vc].ack_cells += 1;
        self.turn_around(id, cell, back);
        self.make_backward(id, cell.number, back);
        true
    }
}
