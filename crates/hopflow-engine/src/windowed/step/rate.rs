//! Rate control at the sending end: paced senders, algorithms at ports, and the RM cells that they
//! create. `rm.rs` has RM cells that arrive.

use hopflow_control::rate::RmCell;
use hopflow_units::SimTime;

use crate::embed::record::Record;
use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::timers::Timer;
use crate::windowed::wire::NONE;
use crate::windowed::wire::unit::{EFCI, MADE, RM, RM_CELL, sequence};
use hopflow_network::{CellKind, TraceEvent};

/// The contents of the RM cell that passes.
pub(super) fn rm_of(passing: &mut Option<Record>) -> &mut RmCell {
    passing.as_mut().and_then(Record::rm).expect("an RM cell has a record of its kind")
}

impl Node {
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
    /// cell, whose record is then the one that passes. Returns its sender and its value.
    pub(super) fn answer_congestion(&mut self, index: u32, now: u64) -> Option<(u32, u32)> {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let rates = self.ports[queue.port as usize].rates.as_mut()?;
        if !rates.machine.creates() {
            return None;
        }
        let rated = circuit.rated().filter(|rated| rated.flow != NONE)?;
        let rm = rates.machine.create(SimTime(now), rated.flow)?;
        let (back, value) = (rated.back, sequence(rated.backward_made));
        rated.backward_made += 1;
        self.passing = Some(Record::Rm(rm));
        Some((back, value))
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
    pub(super) fn count_made(&mut self, index: u32) {
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
}
