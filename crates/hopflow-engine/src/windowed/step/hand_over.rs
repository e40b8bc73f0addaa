//! (b) and (c): a unit is handed over at its final host, and freed; an ACK may fall due.

use hopflow_control::credit::CreditValue;

use crate::windowed::state::arena::Cell;
use crate::windowed::state::node::Node;
use crate::windowed::state::receiver::Role;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::{CE, CELL, Unit};
use hopflow_network::{CellKind, TraceEvent};

impl Node {
    /// A unit that was accepted is delivered, and freed. `HELD`: it was accepted before.
    #[inline]
    pub(super) fn hand_over<const TRACED: bool, const HELD: bool>(
        &mut self,
        unit: Unit,
        arrival: Arrival,
    ) {
        let receiver = &mut self.receivers[unit.to as usize];
        let due = receiver.control.on_freed();
        let vc = receiver.vc;
        let (mut ack, mut is_unit) = (None, false);
        if let Role::Deliver(leaf) = &mut receiver.role {
            leaf.deliver(arrival.due, unit.word, unit.bytes);
            ack = leaf.ack_due();
            is_unit = leaf.packets.is_some();
            leaf.ack_cells += u64::from(ack.is_some());
        }
        if due && HELD {
            self.credit_due(unit.to, unit.bytes, arrival.due);
        } else if due {
            self.credit_due_at_host(unit.to, unit.bytes, arrival.due);
        }
        if self.limits.has_lanes && HELD {
            self.lane_free(unit.to, unit.bytes, arrival.due);
        } else if self.limits.has_lanes {
            self.lane_pass(unit.to, unit.bytes, arrival.due);
        }
        if TRACED {
            self.trace_in(TraceEvent::Arrived, arrival, vc, 0, 0);
        }
        if is_unit {
            self.take_unit(&unit, arrival.bytes & CE != 0, arrival.due);
        }
        if let Some(sender) = ack {
            self.make_ack(sender, unit.value, arrival.due);
        }
    }

    /// An ACK cell joins the queue of the final host, or is dropped when the host is full.
    fn make_ack(&mut self, index: u32, delivered: u32, now: u64) {
        let next = CreditValue::from_total(u64::from(delivered) + 1);
        if self.has_no_room(index, CELL, now) {
            return self.trace_of(TraceEvent::Dropped, index, CellKind::Ack, next.bits(), now);
        }
        self.take_back(index, Cell { value: next.bits(), bytes: CELL, birth: now }, now);
    }
}
