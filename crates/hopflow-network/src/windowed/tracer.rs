//! Trace rows of one node.
//!
//! Rows come in the order of phases: what arrives, then what starts, by port. A cell that passes in
//! one step ([`super::pass`]) has both rows at once, so that of its start waits for the turn of its
//! port.

use std::sync::Arc;

use hopflow_units::SimTime;

use super::node::{Arrival, Node};
use crate::trace::{CellKind, TraceEvent, TraceFilter, TraceRow};

/// Keeps the rows that the filter lets pass until they are taken away.
#[derive(Debug)]
pub(super) struct Tracer {
    filter: Arc<TraceFilter>,
    /// Whether the filter lets every row pass.
    keeps_all: bool,
    pub(super) rows: Vec<TraceRow>,
    /// Starts of cells that have passed at this instant, with their ports.
    passed: Vec<(u32, TraceRow)>,
}

/// What a row is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    /// Whether it happened at the receiving end of the link direction; else at the sending end.
    pub(super) at_receiver: bool,
    pub(super) direction: u32,
    pub(super) vc: u32,
    pub(super) kind: CellKind,
    pub(super) value: u32,
}

impl Subject {
    #[inline]
    fn row(self, now: u64, event: TraceEvent, fill: u32, credit: u32) -> TraceRow {
        let Subject { at_receiver, direction, vc, kind, value } = self;
        TraceRow {
            time: SimTime(now),
            direction,
            vc,
            value,
            fill,
            credit,
            event,
            kind,
            at_receiver,
        }
    }
}

impl Tracer {
    /// `keeps_all`: [`TraceFilter::keeps_all`].
    pub(super) fn new(filter: Arc<TraceFilter>, keeps_all: bool) -> Tracer {
        Tracer { filter, keeps_all, rows: Vec::new(), passed: Vec::new() }
    }

    /// Makes a row, if it is asked for. Who calls it is compiled apart from the way of a cell: in
    /// it, it would cost runs without a trace 7 %; and it is compiled into who calls it: fields of
    /// a row that are first put down in one place and then copied wait for the memory.
    #[inline]
    pub(super) fn row(
        &mut self,
        now: u64,
        event: TraceEvent,
        subject: Subject,
        fill: u32,
        credit: u32,
    ) {
        self.add(subject.row(now, event, fill, credit));
    }

    /// The same where it is known that there is a trace.
    #[inline]
    fn add(&mut self, row: TraceRow) {
        if self.keeps_all || self.filter.keeps_row(&row) {
            self.rows.push(row);
        }
    }
}

impl Node {
    /// The rows of a data cell that has just passed to a sender: it is the only one of its VC here.
    /// Where nothing else happens, the turn of its port has come.
    #[inline]
    pub(super) fn trace_passing(
        &mut self,
        arrival: &Arrival,
        sender: u32,
        value: u32,
        is_alone: bool,
    ) {
        let sender = &self.senders[sender as usize];
        let Some(tracer) = &mut self.tracer else { return };
        let (now, vc, kind) = (arrival.due, sender.vc, CellKind::Data);
        let held = self.receivers[sender.receiver as usize].control.buffered().0;
        let direction = self.ports[arrival.port as usize].direction ^ 1;
        let came = Subject { at_receiver: true, direction, vc, kind, value };
        tracer.add(came.row(now, TraceEvent::Arrived, held, 0));
        let direction = self.ports[sender.port as usize].direction;
        let goes = Subject { at_receiver: false, direction, vc, kind, value };
        let row = goes.row(now, TraceEvent::Started, sender.fill, sender.credit(now));
        if is_alone {
            tracer.add(row);
        } else {
            tracer.passed.push((sender.port, row));
        }
    }

    /// Those who have passed have their turn, up to a port and with it.
    #[inline]
    pub(super) fn trace_passed(&mut self, port: u32) {
        let Some(tracer) = &mut self.tracer else { return };
        if !tracer.passed.is_empty() {
            tracer.add_passed(port);
        }
    }
}

impl Tracer {
    fn add_passed(&mut self, port: u32) {
        let mut passed = std::mem::take(&mut self.passed);
        passed.sort_unstable_by_key(|(port, _)| *port);
        let turns = passed.partition_point(|(passed, _)| *passed <= port);
        passed.drain(..turns).for_each(|(_, row)| self.add(row));
        self.passed = passed;
    }
}
