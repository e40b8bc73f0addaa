//! Rate control: paced hops, algorithms at ports, and RM cells, which are cells with contents.

use hopflow_control::rate::{AbrDestination, RmCell};
use hopflow_units::{Bytes, CellRate};

use super::unit::{Cell, Held, HopId, Target};
use super::{Event, ReferenceEngine, TimerKind};
use crate::embed::rate::{Pacer, PortRates, loop_end, trace_value};
use crate::embed::record::Record;
use hopflow_network::{CellKind, DirectionId, NetworkSpec, TraceEvent};

/// The state of a hop of a VC under rate control.
#[derive(Debug)]
pub(super) struct AbrState {
    /// At its sending end, if it is paced.
    pub(super) pacer: Option<Pacer>,
    /// At its receiving end, if loops end there.
    pub(super) end: Option<AbrDestination>,
}

impl AbrState {
    pub(super) fn new(spec: &NetworkSpec, vc: usize, hop: usize) -> Option<Box<AbrState>> {
        spec.vcs[vc].rate.as_ref()?;
        Some(Box::new(AbrState { pacer: Pacer::new(spec, vc, hop), end: loop_end(spec, vc, hop) }))
    }

    /// ACR, zero at a hop that is not paced.
    pub(super) fn acr(&self) -> CellRate {
        self.pacer.as_ref().map_or(CellRate::ZERO, Pacer::acr)
    }
}

/// The kind of a cell of a part.
pub(super) fn kind_of(ack: bool, cell: &Cell) -> CellKind {
    match (ack, cell.rm_cell().is_some()) {
        (false, false) => CellKind::Data,
        (false, true) => CellKind::ForwardRm,
        (true, false) => CellKind::Ack,
        (true, true) => CellKind::BackwardRm,
    }
}

/// The rate of an RM cell, for trace rows: CCR forward, ER backward; `None` of other cells.
pub(super) fn rm_rate(cell: &Cell) -> Option<u32> {
    cell.rm_cell()?;
    cell.record.map(Record::trace_value)
}

impl ReferenceEngine {
    pub(super) fn schedule_rates(&mut self) {
        for id in (0..self.ports.len()).map(DirectionId) {
            self.arm_rates(id);
        }
    }

    fn arm_rates(&mut self, id: DirectionId) {
        if let Some(at) = self.port(id).rates.as_mut().and_then(PortRates::arm) {
            self.events.push(at, Event::Rates(id));
        }
    }

    pub(super) fn fire_rates(&mut self, id: DirectionId) {
        let now = self.now;
        if let Some(rates) = &mut self.port(id).rates {
            rates.fire(now);
        }
        self.arm_rates(id);
    }

    /// The algorithm of a port that has flows.
    fn rates(&mut self, direction: DirectionId) -> &mut PortRates {
        self.port(direction).rates.as_mut().expect("a flow of an algorithm")
    }

    /// The number of a hop at the algorithm of its port: of forward hops of VCs under rate control.
    fn rate_flow(&self, id: HopId) -> Option<u32> {
        let rates = self.ports[self.hop(id).direction.0].rates.as_ref()?;
        rates.flow(id.vc).filter(|_| !id.ack)
    }

    // Pacing.

    pub(super) fn lacks_turn(&self, id: HopId) -> bool {
        let pacer = || self.hop(id).rated.as_ref()?.pacer.as_ref();
        pacer().is_some_and(Pacer::is_shut)
    }

    /// Releases a turn of a paced hop, if one is requested and due; otherwise sets its timer.
    pub(super) fn pace(&mut self, id: HopId) {
        let waiting = self.fill(id) - u32::from(self.hop(id).in_transmission);
        let cells = if self.has_greedy_cell(id) { u32::MAX } else { waiting };
        let (now, flow) = (self.now, self.rate_flow(id));
        let Some(rated) = &mut self.hop_mut(id).rated else { return };
        let Some(pacer) = &mut rated.pacer else { return };
        let (released, again) = pacer.pace(now, cells);
        if let Some(at) = again {
            self.arm(at, id, TimerKind::Pace);
        }
        if let (true, Some(flow)) = (released, flow) {
            let direction = self.hop(id).direction;
            self.rates(direction).release(now, flow);
            self.arm_rates(direction);
        }
    }

    pub(super) fn fire_pace(&mut self, id: HopId) {
        self.touch(id);
        self.pace(id);
        self.consider(id);
    }

    /// The turn of a paced hop starts: a forward RM cell precedes the waiting cells, if the turn is
    /// for one.
    pub(super) fn start_turn(&mut self, id: HopId) {
        let (now, flow, direction) = (self.now, self.rate_flow(id), self.hop(id).direction);
        let Some(mut rated) = self.hop_mut(id).rated.take() else { return };
        let made = rated.pacer.as_mut().and_then(|pacer| {
            let mut rm = pacer.start(now)?;
            if let Some(flow) = flow {
                self.rates(direction).start_forward(now, flow, pacer, &mut rm);
            }
            Some(rm)
        });
        self.hop_mut(id).rated = Some(rated);
        if let Some(rm) = made {
            self.make_forward(id, rm);
        }
    }

    fn make_forward(&mut self, id: HopId, rm: RmCell) {
        let (now, direction) = (self.now, self.hop(id).direction);
        let made = &mut self.hop_mut(id).counters.rate.forward_made;
        let number = *made;
        *made += 1;
        let mut cell = Cell::rm(number, now, rm);
        self.mark_joining(id, &mut cell);
        let next = self.hop(id).finished_packets - self.station(id).freed_cells;
        let station = self.hop(id).station;
        let held = &mut self.part_mut(id).stations[station].held;
        held.insert(next as usize, Held { cell, since: now });
        let node = self.station(id).node;
        self.settle_node(node);
        let counters = &mut self.nodes[node].counters;
        counters.buffered_packets += 1;
        counters.buffered_max_packets =
            counters.buffered_max_packets.max(counters.buffered_packets);
        self.note_memory(node);
        self.port(direction).queue_up(now);
        let fill = self.fill(id);
        let counters = &mut self.hop_mut(id).counters;
        counters.fill_max_packets = counters.fill_max_packets.max(fill);
        self.cell_row(TraceEvent::Born, direction, id, &cell, fill, 0);
    }

    /// A cell of a hop starts: it may get EFCI. A paced hop has used its turn.
    pub(super) fn rate_starts(&mut self, id: HopId, cell: &mut Cell) {
        let (now, direction) = (self.now, self.hop(id).direction);
        if let (Some(flow), None) = (self.rate_flow(id), cell.rm_cell()) {
            cell.marked |= self.rates(direction).start(now, flow);
        }
        self.arm_rates(direction);
        self.pace(id);
    }

    // Joining and leaving.

    /// A cell has joined the queue of a hop.
    pub(super) fn rate_joined(&mut self, id: HopId) {
        let (now, direction, flow) = (self.now, self.hop(id).direction, self.rate_flow(id));
        let station = self.hop(id).station;
        let held = self.part(id).stations[station].held.back();
        let mut cell = held.expect("a cell has joined").cell;
        if let Some(rates) = &mut self.port(direction).rates {
            match flow {
                Some(flow) => {
                    rates.on_enqueue(now, flow, cell.record.as_mut().and_then(Record::rm));
                }
                None => rates.other(now),
            }
            self.arm_rates(direction);
        }
        let held = self.part_mut(id).stations[station].held.back_mut();
        held.expect("a cell has joined").cell = cell;
        self.pace(id);
        self.consider(id);
        self.answer_congestion(id);
    }

    /// A cell has joined the queue of a hop: its port, if congested, may create a backward RM cell.
    fn answer_congestion(&mut self, id: HopId) {
        let (now, direction) = (self.now, self.hop(id).direction);
        let Some(flow) = self.rate_flow(id) else { return };
        let Some(rm) = self.rates(direction).create(now, flow) else { return };
        let made = &mut self.hop_mut(id).counters.rate.backward_made;
        let number = *made;
        *made += 1;
        let before = id.hop - 1;
        self.make_backward(HopId { hop: before, ..id }, number, rm);
    }

    /// A cell of a hop has left its port, or was lost there.
    pub(super) fn rate_left(&mut self, id: HopId) {
        if self.rate_flow(id).is_some() {
            self.rates(self.hop(id).direction).leave();
        }
    }

    // Arriving.

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

    fn make_backward(&mut self, id: HopId, number: u64, rm: RmCell) {
        let back = HopId { ack: true, ..id };
        let (station, direction) = (self.hop(back).station, self.hop(back).direction);
        let cell = Cell::rm(number, self.now, rm);
        if self.has_no_room(back, station, Bytes::CELL) {
            self.hop_mut(back).counters.given_up_packets += 1;
            let held = self.held(back, station);
            self.cell_row(TraceEvent::Dropped, direction, back, &cell, held, 0);
        } else {
            self.enter(back, station, cell, TraceEvent::Born, direction);
        }
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
