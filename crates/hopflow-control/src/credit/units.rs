//! Units: what credits count of packets, so that one scheme serves cells and packets of any size.
//!
//! A packet takes whole units, and the last is rounded up. The schemes count units; a cell of 53
//! bytes in units of 53 bytes is one, and then all equations are those of cells:
//! ```text
//! u(s)  = max(1, ceil(s / unit))                                                 (1)
//! L     = u(largest packet of the VC)                                            (2)
//! a packet may start  <=>  CC >= L,   and then   CC <- CC - u(s)                 (3)
//! ```
//! | symbol          | meaning                                             | unit  |
//! |-----------------|-----------------------------------------------------|-------|
//! | s               | size of a packet on the wire, headers included      | bytes |
//! | `unit`          | size of a unit                                      | bytes |
//! | u(s)            | units of a packet                                   | units |
//! | L, `largest`    | units of the largest packet                         | units |
//! | CC              | credit count of the sender (`n23.rs`)               | units |
//!
//! By (3) permission does not depend on the next packet, so a sender can be asked before it has
//! one, and no packet ever takes credit that is not there. The price: up to L - 1 units of a credit
//! stay unused. A VC in which L packets never fit N2 + N3, or never come back, stalls; see
//! [`PacketUnits::least_buffer`].
//!
//! Source: own. Blocks of lanes (`lane/blocks.rs`) are counted in the same way. Not modelled: room
//! for the next packet instead of the largest. Checked by: `units/tests.rs`.

use std::num::NonZeroU32;

use hopflow_units::{Bytes, Cells, Picos};

/// How the packets of a VC count on a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketUnits {
    unit: NonZeroU32,
    largest: Cells,
}

impl PacketUnits {
    /// Cells of 53 bytes, in units of 53 bytes.
    pub const CELLS: PacketUnits = PacketUnits {
        unit: NonZeroU32::new(Bytes::CELL.0 as u32).expect("a cell has bytes"),
        largest: Cells::ONE,
    };

    /// The unit of packets that are not cells, where none is given: as many switches store them.
    pub const USUAL: Bytes = Bytes(256);

    /// Packets of at most `largest` bytes in units of this size. Both are at least 1 and have 32
    /// bits (asserted).
    pub fn new(unit: Bytes, largest: Bytes) -> PacketUnits {
        let unit = u32::try_from(unit.0).ok().and_then(NonZeroU32::new);
        let unit = unit.expect("a unit has 1 to 2^32 - 1 bytes");
        let largest = u32::try_from(largest.0).expect("a packet has fewer than 2^32 bytes");
        PacketUnits { unit, largest: Cells(largest.div_ceil(unit.get()).max(1)) }
    }

    /// The units of a packet of this size, which is not read where all packets are one unit. Eq.
    /// (1).
    #[inline]
    pub fn of(self, bytes: u32) -> Cells {
        if self.are_packets() { Cells::ONE } else { Cells(bytes.div_ceil(self.unit.get()).max(1)) }
    }

    /// L. Eq. (2).
    pub const fn largest(self) -> Cells {
        self.largest
    }

    /// The size of a unit.
    pub fn unit(self) -> Bytes {
        Bytes(self.unit.get().into())
    }

    /// Whether every packet is one unit, so that packets and units are the same number.
    pub const fn are_packets(self) -> bool {
        self.largest.0 == 1
    }

    /// The least N2 + N3 with which a VC never stalls: until a credit falls due, the receiver has
    /// freed up to N2 - 1 units of which the sender does not know. `one_size`: all packets are as
    /// large as the largest.
    pub fn least_buffer(self, n2: Cells, one_size: bool) -> u64 {
        let [n2, largest] = [n2, self.largest].map(|cells| u64::from(cells.0));
        if one_size { n2.div_ceil(largest) * largest } else { n2 - 1 + largest }
    }
}

/// R of a packet, from that of a cell: longer by as much as the packet takes longer on the wire.
/// `packet` and `cell` are transmit times.
pub fn round_trip_of(round_trip: Picos, packet: Picos, cell: Picos) -> Picos {
    Picos(round_trip.0.saturating_add(packet.0).saturating_sub(cell.0))
}

#[cfg(test)]
mod tests;
