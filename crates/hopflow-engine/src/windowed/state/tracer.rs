//! Trace rows of one node.
//!
//! Rows come in the order of phases: arrivals, then starts, by port. A cell that passes in one step
//! (`step/pass.rs`) creates both rows at once, so the row of its start waits until its port has its
//! turn.

use std::sync::Arc;

use hopflow_units::SimTime;

use hopflow_network::{CellKind, TraceEvent, TraceFilter, TraceRow};

/// Keeps the rows that the filter selects until they are collected.
#[derive(Debug)]
pub(crate) struct Tracer {
    filter: Arc<TraceFilter>,
    /// Whether the filter selects every row.
    keeps_all: bool,
    pub(crate) rows: Vec<TraceRow>,
    /// Starts of cells that have passed at this instant, with their ports.
    pub(crate) passed: Vec<(u32, TraceRow)>,
}

/// The unit of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    /// Whether it happened at the receiving end of the link direction; else at the sending end.
    pub(crate) at_receiver: bool,
    pub(crate) direction: u32,
    pub(crate) vc: u32,
    pub(crate) kind: CellKind,
    pub(crate) value: u32,
}

/// What a row of a start shows of its sender.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Levels {
    /// The packets that wait.
    pub(crate) fill: u32,
    pub(crate) credit: u32,
}

impl Subject {
    #[inline]
    pub(crate) fn row(self, now: u64, event: TraceEvent, fill: u32, credit: u32) -> TraceRow {
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
    pub(crate) fn new(filter: Arc<TraceFilter>, keeps_all: bool) -> Tracer {
        Tracer { filter, keeps_all, rows: Vec::new(), passed: Vec::new() }
    }

    /// Adds a row, if the filter selects it. Its callers are compiled separately from the path of a
    /// cell: on that path, it would cost runs without a trace 7 %; and it is inlined into its
    /// callers: fields of a row that are first stored in one place and then copied wait for the
    /// memory.
    #[inline]
    pub(crate) fn row(
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
    pub(crate) fn add(&mut self, row: TraceRow) {
        if self.keeps_all || self.filter.keeps_row(&row) {
            self.rows.push(row);
        }
    }

    /// Adds the rows of starts that wait for the turn of `port`, or of a port before it.
    pub(crate) fn add_passed(&mut self, port: u32) {
        let mut passed = std::mem::take(&mut self.passed);
        passed.sort_unstable_by_key(|(port, _)| *port);
        let turns = passed.partition_point(|(passed, _)| *passed <= port);
        passed.drain(..turns).for_each(|(_, row)| self.add(row));
        self.passed = passed;
    }
}
