//! Records of units that arrive: each is taken out of its ring and seen by its scheme, and its unit
//! may end here. `record.rs` has the way before and after.

use crate::windowed::state::node::Node;
use crate::windowed::wire::arrival::Arrival;
use crate::windowed::wire::unit::{RECORD, RM};

impl Node {
    /// Takes the record of a unit that arrives out of the ring, if it has one.
    pub(super) fn take_record(&mut self, arrival: Arrival) {
        if arrival.bytes & RECORD == 0 {
            return;
        }
        let admitted = self.door.as_mut().and_then(|door| door.admitted.take());
        self.passing =
            Some(admitted.unwrap_or_else(|| {
                self.ports[arrival.port as usize].records_mut().take(arrival.due)
            }));
    }

    /// A unit arrives corrupted: its record is lost.
    #[cold]
    #[inline(never)]
    pub(super) fn discard_record(&mut self, arrival: Arrival) {
        if arrival.bytes & RECORD != 0 {
            self.ports[arrival.port as usize].records_mut().take(arrival.due);
        }
    }

    /// A unit arrives at a switch, before it is known whether there is room for it. Returns whether
    /// it ends here.
    pub(super) fn record_meets(&mut self, arrival: &mut Arrival) -> bool {
        self.take_record(*arrival);
        self.rate_meets(arrival)
    }

    /// A unit arrives at its final host. Returns whether it ends here, and is no data, or waits for
    /// the processor.
    #[cold]
    #[inline(never)]
    pub(super) fn record_delivered(&mut self, arrival: Arrival) -> bool {
        self.take_record(arrival);
        self.rate_delivers(arrival) || self.processor.is_some() && self.works_on_unit(arrival)
    }

    /// A unit with a record comes back to the source, whose sender is `index`. Returns whether it
    /// is no ACK.
    #[cold]
    #[inline(never)]
    pub(super) fn record_returned(&mut self, index: u32, arrival: Arrival) -> bool {
        self.take_record(arrival);
        let is_rm = arrival.bytes & RM != 0;
        if is_rm {
            self.take_backward(index, arrival);
        }
        is_rm
    }
}
