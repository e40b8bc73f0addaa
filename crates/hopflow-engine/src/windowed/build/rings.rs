//! The rings of links: how many slots each has.
//!
//! ```text
//! sender     receiver   slots
//! FIFO-only  any        those of all packets that can be unread at once    fifo/rule.rs
//! general    FIFO-only  the same
//! general    general    few at first; it grows up to those of all units    state/windows.rs
//! ```
//! Units of general nodes differ in size, and rarely are as many unread as if all were the smallest
//! ones: an ACK has 40 bytes beside packets of 1500, a frame of PFC is sent once for many packets.
//! So a ring between general nodes grows as it is used. A FIFO-only node takes in data only, and
//! reads its rings in a way that is fastest if they never grow.
//!
//! The most slots of each ring follow from the description of the network, and a unit beyond them
//! is an assertion in every build.

use hopflow_kernel::{GrowingReader, GrowingWriter, growing_ring};

use crate::windowed::fifo::FifoNodes;
use crate::windowed::state::windows::Windows;
use hopflow_network::{DirectionId, NetworkSpec};

/// The slots of a ring: at first, and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slots {
    first: usize,
    most: usize,
}

impl Slots {
    /// Of the ring of a link direction.
    pub(super) fn of(
        spec: &NetworkSpec,
        fifo_nodes: &FifoNodes,
        windows: &Windows,
        id: DirectionId,
    ) -> Slots {
        if let Some(room) = fifo_nodes.room(spec, windows, id) {
            return Slots { first: room, most: room };
        }
        let most = windows.most_slots(spec, id);
        let grows = !fifo_nodes.is_fifo_only(spec.to_node(id));
        Slots { first: if grows { most.min(FIRST) } else { most }, most }
    }

    /// Those that a busy link has in use at once: of packets as large as they can be, or of control
    /// units where no packets cross.
    pub(super) fn when_busy(self, spec: &NetworkSpec, windows: &Windows, id: DirectionId) -> usize {
        let Some([_, largest]) = windows.crossings[id.0].packets else { return self.most };
        let slots = windows.packet_slots(spec, id, largest);
        slots.clamp(self.first, self.most).max(1)
    }

    pub(super) fn ring(self) -> (GrowingWriter, GrowingReader) {
        growing_ring(self.first, self.most)
    }
}

/// The units with which a ring that grows begins.
const FIRST: usize = 15;

#[cfg(test)]
mod tests;
