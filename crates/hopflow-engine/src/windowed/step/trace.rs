//! Trace rows: of units that arrive or start, of cells at their senders, and of cells that pass in
//! one step; see `state/tracer.rs`.

use crate::embed::record::Record;
use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::tracer::{Levels, Subject};
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::{RM, kind_of};
use hopflow_network::{CellKind, TraceEvent};

impl Node {
    /// Adds a row of a cell at its sender.
    #[inline]
    pub(super) fn trace_of(
        &mut self,
        event: TraceEvent,
        index: u32,
        kind: CellKind,
        value: u32,
        now: u64,
    ) {
        if self.tracer.is_some() {
            self.add_row_of(event, index, kind, value, now);
        }
    }

    #[inline(never)]
    fn add_row_of(&mut self, event: TraceEvent, index: u32, kind: CellKind, value: u32, now: u64) {
        let Some(tracer) = &mut self.tracer else { return };
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let direction = self.ports[queue.port as usize].direction;
        let subject = Subject { at_receiver: false, direction, vc: circuit.vc, kind, value };
        tracer.row(now, event, subject, queue.fill(), 0);
    }

    /// Adds the rows of a data cell that has just passed to a sender: it is the only one of its VC
    /// at the node. Where nothing else happens, its port has its turn now.
    #[inline]
    pub(super) fn trace_passing(
        &mut self,
        arrival: &Arrival,
        sender: u32,
        value: u32,
        is_alone: bool,
    ) {
        let VcSender { queue, circuit } = &self.senders[sender as usize];
        let Some(tracer) = &mut self.tracer else { return };
        let (now, vc, kind) = (arrival.due, circuit.vc, CellKind::Data);
        let held = self.receivers[queue.receiver as usize].control.buffered().0;
        let direction = self.ports[arrival.port as usize].direction ^ 1;
        let came = Subject { at_receiver: true, direction, vc, kind, value };
        tracer.add(came.row(now, TraceEvent::Arrived, held, 0));
        let direction = self.ports[queue.port as usize].direction;
        let goes = Subject { at_receiver: false, direction, vc, kind, value };
        let row = goes.row(now, TraceEvent::Started, queue.fill(), queue.credit(circuit, now));
        if is_alone {
            tracer.add(row);
        } else {
            tracer.passed.push((queue.port, row));
        }
    }

    /// Adds the rows of starts of passed cells whose ports have had their turn, up to and including
    /// `port`.
    #[inline]
    pub(super) fn trace_passed(&mut self, port: u32) {
        let Some(tracer) = &mut self.tracer else { return };
        if !tracer.passed.is_empty() {
            tracer.add_passed(port);
        }
    }

    /// Adds a row of a unit that arrives.
    #[inline]
    pub(super) fn trace_in(
        &mut self,
        event: TraceEvent,
        arrival: Arrival,
        vc: u32,
        fill: u32,
        credit: u32,
    ) {
        if self.tracer.is_some() {
            self.add_row_in(event, &arrival, vc, fill, credit);
        }
    }

    #[inline(never)]
    fn add_row_in(
        &mut self,
        event: TraceEvent,
        arrival: &Arrival,
        vc: u32,
        fill: u32,
        credit: u32,
    ) {
        if let Some(tracer) = &mut self.tracer {
            let unit = arrival.unit();
            let direction = self.ports[arrival.port as usize].direction ^ 1;
            let kind = kind_of(unit.kind, arrival.bytes);
            let subject = Subject { at_receiver: true, direction, vc, kind, value: unit.value };
            tracer.row(arrival.due, event, subject, fill, credit);
        }
    }

    /// Adds a row of a unit that has started, where there is a trace.
    #[inline(never)]
    pub(super) fn trace_out(
        &mut self,
        port: u32,
        now: u64,
        vc: u32,
        kind: CellKind,
        value: u32,
        Levels { fill, credit }: Levels,
    ) {
        if let Some(tracer) = &mut self.tracer {
            let direction = self.ports[port as usize].direction;
            let subject = Subject { at_receiver: false, direction, vc, kind, value };
            tracer.row(now, TraceEvent::Started, subject, fill, credit);
        }
    }

    /// Adds a row of a cell that has started.
    #[inline(never)]
    pub(super) fn trace_started(&mut self, index: u32, cell: Cell, now: u64) {
        let VcSender { queue, circuit } = &self.senders[index as usize];
        let (port, vc, fill) = (queue.port, circuit.vc, queue.fill());
        let kind = kind_of(circuit.kind(), cell.bytes);
        let mut credit = queue.credit(circuit, now);
        if cell.bytes & RM != 0 {
            let starting = self.ports[port as usize].records_mut().starting;
            credit = starting.map_or(0, Record::trace_value);
        }
        self.trace_out(port, now, vc, kind, cell.value, Levels { fill, credit });
    }
}
