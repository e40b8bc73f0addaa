//! The sending end of one VC, or of one branch of it, at one node: its queue, and its circuit.

use hopflow_units::Picos;

use super::circuit::Circuit;
use super::queue::Queue;
use hopflow_network::counters::HopCounters;

/// A queue, and whose packets it holds.
#[derive(Debug)]
pub(crate) struct VcSender {
    pub(crate) queue: Queue,
    pub(crate) circuit: Circuit,
}

const _: () = assert!(size_of::<VcSender>() <= 176);

impl VcSender {
    /// The time without a packet up to `now`.
    pub(crate) fn no_cell(&self, now: u64) -> Picos {
        self.circuit.no_cell(self.queue.is_empty(), now)
    }

    /// The integral of the fill up to `now`, in cell x ps.
    pub(crate) fn area(&self, now: u64) -> u128 {
        self.circuit.area(self.queue.fill(), now)
    }

    /// Resets the greatest fill.
    pub(crate) const fn restart(&mut self) {
        self.circuit.restart(self.queue.fill());
    }

    /// The sending half of the hop's counters, as read at `now`.
    pub(crate) fn read(&self, now: u64, counters: &mut HopCounters) {
        self.circuit.read(now, counters);
        counters.left_packets = counters.sent_packets - u64::from(self.queue.transmitting);
        counters.fill_packets = self.queue.fill();
        counters.fill_area = self.area(now);
        counters.no_cell = self.no_cell(now);
    }
}
