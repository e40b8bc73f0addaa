//! Trace rows of one node.

use std::sync::Arc;

use hopflow_units::SimTime;

use crate::trace::{CellKind, TraceEvent, TraceFilter, TraceRow};

/// Keeps the rows that the filter lets pass until they are taken away.
#[derive(Debug)]
pub(super) struct Tracer {
    pub(super) filter: Arc<TraceFilter>,
    pub(super) rows: Vec<TraceRow>,
}

/// What a row is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject {
    pub(super) direction: u32,
    pub(super) vc: u32,
    pub(super) kind: CellKind,
    pub(super) value: u32,
}

impl Tracer {
    /// A row about what happened at the sending end of a link direction.
    pub(super) fn row(
        &mut self,
        now: u64,
        event: TraceEvent,
        subject: Subject,
        fill: u32,
        credit: u32,
    ) {
        self.keep(now, event, subject, fill, credit, false);
    }

    /// A row about what happened at its receiving end.
    pub(super) fn row_in(
        &mut self,
        now: u64,
        event: TraceEvent,
        subject: Subject,
        fill: u32,
        credit: u32,
    ) {
        self.keep(now, event, subject, fill, credit, true);
    }

    fn keep(
        &mut self,
        now: u64,
        event: TraceEvent,
        subject: Subject,
        fill: u32,
        credit: u32,
        at_receiver: bool,
    ) {
        let Subject { direction, vc, kind, value } = subject;
        let time = SimTime(now);
        if self.filter.keeps(time, vc, direction, kind) {
            self.rows.push(TraceRow {
                time,
                direction,
                vc,
                value,
                fill,
                credit,
                event,
                kind,
                at_receiver,
            });
        }
    }
}
