//! Rate control: paced senders, algorithms at ports, and RM cells in flight.
//!
//! An RM cell crosses a link as a marked cell (data forward, ACK backward); its contents are its
//! record, see `record.rs`.

use hopflow_control::rate::RmCell;
use hopflow_units::{CellRate, SimTime};

use crate::embed::rate::trace_value;
use crate::embed::record::Record;
use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::receiver::Role;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::timers::Timer;
use crate::windowed::wire::NONE;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::{CELL, EFCI, MADE, RM, RM_CELL, index_of, sequence};
use hopflow_network::{CellKind, TraceEvent};

/// The contents of the RM cell that passes.
fn rm_of(passing: &mut Option<Record>) -> &mut RmCell {
    passing.as_mut().and_then(Record::rm).expect("an RM cell has a record of its kind")
}

impl Node {
    // Arriving.

    /// A cell arrives at a switch, before it is known whether there is room for it. Returns whether
    /// its loop ends here.
    pub(super) fn rate_meets(&mut self, arrival: &mut Arrival) -> bool {
        let is_rm = arrival.bytes & RM != 0;
        let receiver = &self.receivers[index_of(arrival.words) as usize];
        let Role::Forward(index) = receiver.role else { return false };
        match (receiver.is_ack, is_rm) {
            (true, true) => self.meet_backward(*arrival),
            (true, false) => false,
            (false, _) => self.meet_forward(index, arrival),
        }
    }

    fn meet_forward(&mut self, index: u32, arrival: &mut Arrival) -> bool {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let port = queue.port;
        let Some(rated) = circuit.rated() else { return false };
        let flow = rated.flow;
        if flow == NONE {
            return false;
        }
        let now = SimTime(arrival.due);
        let rates = self.ports[port as usize].rates_mut();
        let machine = &mut rates.machine;
        let marked = arrival.bytes & EFCI != 0;
        if !machine.is_virtual() {
            if arrival.bytes & RM == 0 && !machine.on_data(flow, marked) {
                arrival.bytes &= !EFCI;
            }
            return false;
        }
        let end = self.receivers[index_of(arrival.words) as usize].end_mut();
        if arrival.bytes & RM == 0 {
            end.machine.on_data(marked);
            arrival.bytes &= !EFCI;
            return false;
        }
        let pacer = rated.pacer.as_mut().expect("a virtual source paces");
        let back =
            machine.turn_around(now, flow, *rm_of(&mut self.passing), &mut end.machine, pacer);
        self.turn_around(index, back, *arrival);
        true
    }

    /// The forward RM cell that arrives has ended: `back` is sent back.
    fn turn_around(&mut self, index: u32, back: RmCell, arrival: Arrival) {
        let unit = arrival.unit();
        let receiver = &mut self.receivers[unit.to as usize];
        receiver.take();
        receiver.control.on_freed();
        let (vc, end) = (receiver.vc, receiver.end_mut());
        end.turned_around += 1;
        let sender = end.back;
        self.trace_rm_in(arrival, vc, back.ccr);
        if index != NONE {
            self.pace(index, arrival.due);
            self.refresh(index, arrival.due);
        }
        self.passing = Some(Record::Rm(back));
        self.make_backward(sender, unit.value, arrival.due);
    }

    /// A backward RM cell joins the queue of a node, or is dropped when the node is full.
    fn make_backward(&mut self, index: u32, value: u32, now: u64) {
        if self.has_no_room(index, CELL, now) {
            self.trace_of(TraceEvent::Dropped, index, CellKind::BackwardRm, value, now);
            return;
        }
        let cell = Cell { value, bytes: RM_CELL, birth: now };
        self.count_made(index);
        self.take_back(index, cell, now);
    }

    fn meet_backward(&mut self, arrival: Arrival) -> bool {
        let now = SimTime(arrival.due);
        let vc = self.receivers[index_of(arrival.words) as usize].vc;
        let Some(rates) = &mut self.ports[arrival.port as usize].rates else { return false };
        let machine = &mut rates.machine;
        let Some(flow) = machine.flow(vc as usize) else { return false };
        if !machine.is_virtual() {
            machine.backward(now, flow, rm_of(&mut self.passing));
            return false;
        }
        let index = rates.senders[flow as usize];
        let rated =
            self.senders[index as usize].circuit.rated().expect("flows are under rate control");
        let pacer = rated.pacer.as_mut().expect("a virtual source paces");
        machine.end_backward(now, flow, pacer, rm_of(&mut self.passing));
        rated.backward_taken += 1;
        self.end_backward(index, arrival);
        true
    }

    /// A backward RM cell has ended at a sender, which may have a new rate.
    fn end_backward(&mut self, index: u32, arrival: Arrival) {
        let now = arrival.due;
        let receiver = &mut self.receivers[index_of(arrival.words) as usize];
        receiver.take();
        receiver.control.on_freed();
        let circuit = &self.senders[index as usize].circuit;
        let vc = circuit.vc;
        let acr = circuit.acr();
        self.trace_rm_in(arrival, vc, acr);
        self.pace(index, now);
        self.refresh(index, now);
    }

    /// A backward RM cell arrives at the source.
    pub(super) fn take_backward(&mut self, index: u32, arrival: Arrival) {
        let rated =
            self.senders[index as usize].circuit.rated().expect("RM cells come to their source");
        let pacer = rated.pacer.as_mut().expect("a source paces");
        pacer.on_backward(rm_of(&mut self.passing));
        rated.backward_taken += 1;
        self.end_backward(index, arrival);
    }

    /// A cell arrives at its final host. Returns whether it was an RM cell.
    pub(super) fn rate_delivers(&mut self, arrival: Arrival) -> bool {
        let receiver = &mut self.receivers[index_of(arrival.words) as usize];
        let Some(end) = &mut receiver.end else { return false };
        if arrival.bytes & RM == 0 {
            end.machine.on_data(arrival.bytes & EFCI != 0);
            return false;
        }
        let back = end.machine.turn_around(rm_of(&mut self.passing));
        receiver.leaf_mut().ack_cells += 1;
        self.turn_around(NONE, back, arrival);
        true
    }

    // Joining and leaving.

    /// A cell has joined the queue of a sender.
    pub(super) fn rate_joined(&mut self, index: u32, bytes: u32, now: u64) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let (port, is_ack) = (queue.port, circuit.is_ack);
        let flow = circuit.rated().map_or(NONE, |rated| rated.flow);
        if let Some(rates) = &mut self.ports[port as usize].rates {
            if flow == NONE {
                rates.machine.other(SimTime(now));
            } else {
                let is_forward = bytes & RM != 0 && !is_ack;
                let forward = is_forward.then(|| rm_of(&mut self.passing));
                rates.machine.on_enqueue(SimTime(now), flow, forward);
            }
            self.arm_rates(port);
        }
        let Some(rated) = self.senders[index as usize].circuit.rated() else { return };
        if rated.pacer.is_some() {
            self.pace(index, now);
            self.refresh(index, now);
        }
    }

    /// A cell has joined the queue of a sender: its port, if congested, may create a backward RM
    /// cell.
    pub(super) fn answer_congestion(&mut self, index: u32, now: u64) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let Some(rates) = &mut self.ports[queue.port as usize].rates else { return };
        if !rates.machine.creates() {
            return;
        }
        let Some(rated) = circuit.rated().filter(|rated| rated.flow != NONE) else { return };
        let Some(rm) = rates.machine.create(SimTime(now), rated.flow) else { return };
        let (back, value) = (rated.back, sequence(rated.backward_made));
        rated.backward_made += 1;
        self.passing = Some(Record::Rm(rm));
        self.make_backward(back, value, now);
    }

    /// A cell of a sender has left by its port, or was lost.
    pub(super) fn rate_left(&mut self, index: u32) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let port = queue.port;
        if circuit.rated().is_some_and(|rated| rated.flow != NONE) {
            self.leave_rates(port);
        }
    }

    fn leave_rates(&mut self, port: u32) {
        self.ports[port as usize].rates_mut().machine.leave();
    }

    // Starting.

    /// With cells waiting at a paced sender: releases a turn, if one is due, and sets its timer.
    pub(super) fn pace(&mut self, index: u32, now: u64) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let cells = if queue.is_greedy() { u32::MAX } else { queue.waiting };
        let port = queue.port;
        let Some(rated) = circuit.rated() else { return };
        let Some(pacer) = &mut rated.pacer else { return };
        let (released, again) = pacer.pace(SimTime(now), cells);
        let is_new = again.is_some() && again != rated.armed_for;
        rated.armed_for = again;
        let flow = rated.flow;
        if let Some(at) = again.filter(|_| is_new) {
            self.timers.set(at.0, Timer::Pace(index));
        }
        if released && flow != NONE {
            self.ports[port as usize].rates_mut().machine.release(SimTime(now), flow);
            self.arm_rates(port);
        }
    }

    /// A turn of a paced sender starts: returns the forward RM cell for which it was released, if
    /// any.
    #[cold]
    #[inline(never)]
    pub(super) fn start_turn(&mut self, index: u32, now: u64) -> Option<Cell> {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let port = &mut self.ports[queue.port as usize];
        let rated = circuit.rated()?;
        let pacer = rated.pacer.as_mut()?;
        let mut rm = pacer.start(SimTime(now))?;
        if rated.flow != NONE {
            let machine = &mut port.rates_mut().machine;
            machine.start_forward(SimTime(now), rated.flow, pacer, &mut rm);
        }
        let value = sequence(rated.forward_made);
        rated.forward_made += 1;
        circuit.records().push_front(Record::Rm(rm));
        queue.fill_up(circuit, now);
        let mut bytes = RM_CELL | MADE;
        self.mark_joining(index, &mut bytes, now);
        let port = self.senders[index as usize].queue.port;
        self.ports[port as usize].queue_up(now);
        self.count_made(index);
        self.buffered += 1;
        self.buffered_max = self.buffered_max.max(self.buffered);
        self.memory_take(index, bytes);
        self.trace_of(TraceEvent::Born, index, CellKind::ForwardRm, value, now);
        Some(Cell { value, bytes, birth: now })
    }

    /// An RM cell is created at a switch: it counts against the VC's limit there like an arriving
    /// one.
    fn count_made(&mut self, index: u32) {
        let receiver = self.senders[index as usize].queue.receiver;
        if let Some(receiver) = self.receivers.get_mut(receiver as usize) {
            receiver.control.on_cell();
        }
    }

    /// A cell starts: marks it, unless it is an RM cell.
    pub(super) fn rate_starts(&mut self, index: u32, cell: &mut Cell, now: u64) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let port = queue.port;
        let Some(rated) = circuit.rated() else { return };
        if cell.bytes & RM == 0
            && rated.flow != NONE
            && self.ports[port as usize].rates_mut().machine.start(SimTime(now), rated.flow)
        {
            cell.bytes |= EFCI;
        }
        if self.senders[index as usize].queue.is_paced() {
            self.pace(index, now);
        }
    }

    /// A forward RM cell that was created at this node has left.
    #[cold]
    #[inline(never)]
    pub(super) fn complete_made(&mut self, index: u32, port: u32, now: u64) {
        self.ports[port as usize].queue_down(now);
        self.mark_gone(port, CELL);
        self.touch(port);
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        queue.transmitting = false;
        queue.fill_down(circuit, now);
        let receiver = queue.receiver;
        self.memory_free(index, CELL);
        let circuit = &self.senders[index as usize].circuit;
        if circuit.wakes {
            let source = circuit.source;
            self.wake(source, now);
        }
        let value = self.ports[port as usize].value;
        self.trace_of(TraceEvent::Left, index, CellKind::ForwardRm, value, now);
        self.free(receiver, CELL, now);
        self.rate_left(index);
        if self.senders[index as usize].queue.has_cell() {
            self.refresh(index, now);
        }
    }

    // Timers.

    /// A turn of a sender may be due.
    pub(super) fn fire_pace(&mut self, index: u32, now: u64) {
        // Another timer may have been set since, for an earlier or a later instant.
        if let Some(rated) = self.senders[index as usize].circuit.rated()
            && rated.armed_for == Some(SimTime(now))
        {
            rated.armed_for = None;
        }
        self.pace(index, now);
        self.refresh(index, now);
    }

    /// The algorithm of a port may have to act.
    pub(super) fn fire_rates(&mut self, port: u32, now: u64) {
        self.ports[port as usize].rates_mut().machine.fire(SimTime(now));
        self.arm_rates(port);
    }

    /// Sets the timer of a port's algorithm, if it requests another instant.
    fn arm_rates(&mut self, port: u32) {
        let Some(rates) = &mut self.ports[port as usize].rates else { return };
        let Some(at) = rates.machine.arm() else { return };
        self.timers.set(at.0, Timer::Rate(port));
    }

    // Rows.

    /// Adds a row of an RM cell that has ended here.
    fn trace_rm_in(&mut self, arrival: Arrival, vc: u32, rate: CellRate) {
        self.trace_in(TraceEvent::Arrived, arrival, vc, 0, trace_value(rate));
    }

    /// The rate of an RM cell that passes a switch, for trace rows: CCR forward, ER backward; 0 of
    /// other cells.
    pub(super) fn passing_rate(&self, arrival: Arrival) -> u32 {
        if arrival.bytes & RM == 0 {
            return 0;
        }
        self.passing.map_or(0, Record::trace_value)
    }
}
