//! Rows of the trace.

use hopflow_control::credit::CreditValue;

use super::ReferenceEngine;
use super::unit::{Cell, HopId, Unit, kind_of, label};
use hopflow_network::{CellKind, DirectionId, TraceEvent, TraceRow};

impl ReferenceEngine {
    /// Adds a row, if the filter keeps it.
    #[expect(clippy::too_many_arguments, reason = "the fields of a row")]
    pub(super) fn row(
        &mut self,
        event: TraceEvent,
        direction: DirectionId,
        kind: CellKind,
        vc: u32,
        value: u32,
        fill: u32,
        credit: u32,
    ) {
        let (time, direction) = (self.now, direction.0 as u32);
        if self.filter.keeps(time, vc, direction, kind) {
            let at_receiver = matches!(event, TraceEvent::Arrived | TraceEvent::Corrupted);
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

    /// Adds a row of a control cell that changes no sender; looping cells have no VC.
    pub(super) fn control_row(&mut self, event: TraceEvent, direction: DirectionId, unit: &Unit) {
        let (kind, vc, value) = label(unit);
        self.row(event, direction, kind, vc, value, 0, 0);
    }

    /// Adds a row of a data or ACK cell.
    pub(super) fn cell_row(
        &mut self,
        event: TraceEvent,
        direction: DirectionId,
        id: HopId,
        cell: &Cell,
        fill: u32,
        credit: u32,
    ) {
        let kind = kind_of(id.ack, cell);
        let value = CreditValue::from_total(cell.number).bits();
        self.row(event, direction, kind, id.vc as u32, value, fill, credit);
    }
}
