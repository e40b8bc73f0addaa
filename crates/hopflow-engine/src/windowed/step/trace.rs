//! Trace rows of cells at their senders, and of cells that pass in one step; see
//! `state/tracer.rs`.

use crate::windowed::state::node::Node;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::tracer::Subject;
use crate::windowed::wire::arrival::Arrival;
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
}
