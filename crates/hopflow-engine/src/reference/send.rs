//! A unit is put on the link.

use hopflow_units::{Bytes, Picos};

use super::unit::{Unit, label};
use super::{Event, OnWire, ReferenceEngine};
use hopflow_network::DirectionId;

impl ReferenceEngine {
    /// Puts a unit on the link, with what else is in its cell.
    pub(super) fn send(&mut self, direction: DirectionId, unit: Unit, further: &[Unit]) {
        let now = self.now;
        let size = if let Unit::Cell { cell, .. } = unit { cell.size } else { Bytes::CELL };
        let time = self.spec.transmit_time(direction, size);
        let latency = self.spec.latency_of(direction, size);
        let corrupted = self.is_corrupted(direction, &unit, further);
        let (kind, vc, value) = label(&unit);
        let port = self.port(direction);
        port.sending = Some(unit);
        port.busy_until = now + time;
        port.hash.start(now.0, vc, kind as u8, value);
        for other in further {
            let (kind, vc, value) = label(other);
            port.hash.start(now.0, vc, kind as u8, value);
            port.carriers.further.push_back(*other);
        }
        let counters = &mut port.counters;
        counters.busy += time;
        if kind.is_control() {
            counters.control_packets += 1;
            counters.control_in_flight += 1;
        } else {
            counters.data_packets += 1;
            counters.data_in_flight += 1;
        }
        assert!(time > Picos::ZERO, "a unit takes time");
        self.events.push(now + time, Event::Completion(direction));
        let on_wire = OnWire { unit, corrupted, further: further.len() };
        self.events.push(now + latency, Event::Arrival(direction, on_wire));
    }

    fn is_corrupted(&mut self, direction: DirectionId, unit: &Unit, further: &[Unit]) -> bool {
        let port = self.port(direction);
        let chance = match unit {
            Unit::Cell { .. } => port.corrupt_data,
            Unit::Credit(_) | Unit::Request { .. } | Unit::Lane { .. } => port.corrupt_credits,
            Unit::SlowDown { .. }
            | Unit::Message { .. }
            | Unit::Loop { .. }
            | Unit::LoopReply { .. } => return false,
        };
        // Credits specified for a VC take precedence over those for any VC.
        let of_vc = |unit: &Unit| match unit {
            Unit::Credit(credit) => Some(Some(credit.id.vc)),
            _ => None,
        };
        let vcs = std::iter::once(unit).chain(further).filter_map(of_vc);
        let any = matches!(unit, Unit::Credit(_)).then_some(None);
        for key in vcs.chain(any) {
            if let Some(left) = port.corrupt_next.get_mut(&key).filter(|left| **left > 0) {
                *left -= 1;
                return true;
            }
        }
        !chance.is_zero() && chance.hits(port.stream.next_u64())
    }
}
