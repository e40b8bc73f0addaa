//! The loop of a VC's credit on a link, and the zones that cover it.
//!
//! For cells, N3 and N1 are those of [KMCL94] (`cell_time.rs`). For packets of u units
//! (`hopflow-control/src/credit/units.rs`) the credit of a VC is that of a lane of its own, whose
//! blocks are units, and N2 + N3 its buffer (`hopflow-control/src/lane/size.rs`):
//! ```text
//! R_p     = R - T(cell) + T(packet)                                              (1)
//! m       = ceil(N2 / u)                                                         (2)
//! N2 + N3 = u (ceil((R_p + hold) / T') + m - 1)                one size          (3)
//! N2 + N3 = ceil((R_p + hold) x units/s) - 1 + L + N2 - 1      several           (4)
//! N1      = u ceil(R_p / T'),  or  ceil(R_p x units/s) + L                       (5)
//! ```
//! | symbol  | meaning                                                        | unit    |
//! |---------|----------------------------------------------------------------|---------|
//! | R       | round trip of the link: a cell out, a credit back              | ps      |
//! | R_p     | the same for the largest packet                                | ps      |
//! | hold    | transmit time of a packet: a switch frees it as it has left    | ps      |
//! | T'      | from start to start at the target, at least the transmit time  | ps      |
//! | m       | packets freed for each credit                                  | packets |
//! | units/s | of the packet size with the most units per byte, at the target | 1/s     |
//! | L       | units of the largest packet                                    | units   |
//!
//! For cells u = 1, m = N2 and hold = T, so at the rate of the link (3) is N3 = ceil(R / T): the N3
//! of [KMCL94] Eq. (3). Not modelled: credits that wait behind packets of the way back.
//! Checked by: `credit_loop` in `tests/units.rs`, and against runs by `hopflow/tests/units.rs`.

use hopflow_control::credit::PacketUnits;
use hopflow_control::lane::{LaneLoop, LaneNeed, Promise};
use hopflow_units::{Bytes, Cells, Picos, Rate, Wire};

use crate::cell_time::cells_in_loop;

/// The sizes of a flow's packets on the wire, as credit counts them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packets {
    /// The smallest that is certain.
    pub(crate) least: Bytes,
    /// The largest.
    pub(crate) most: Bytes,
}

impl Packets {
    /// Cells.
    pub(crate) const CELLS: Packets = Packets { least: Bytes::CELL, most: Bytes::CELL };

    /// Whether all are cells.
    pub(crate) fn are_cells(self) -> bool {
        [self.least, self.most] == [Bytes::CELL; 2]
    }
}

/// A number of units, in words.
pub(crate) fn amount(units: impl std::fmt::Display, unit: Bytes) -> String {
    if unit == Bytes::CELL {
        format!("{units} cells")
    } else {
        format!("{units} units of {} B", unit.0)
    }
}

/// The loop of a VC on a link, whose credit counts units.
#[derive(Clone, Copy, Debug)]
pub struct CreditLoop {
    /// The link.
    pub wire: Wire,
    /// R of a cell.
    pub round_trip: Picos,
    /// The size of a unit.
    pub unit: Bytes,
    /// The smallest packet.
    pub least: Bytes,
    /// The largest packet.
    pub most: Bytes,
}

impl CreditLoop {
    /// Whether packets are cells, in units of cells.
    pub fn is_of_cells(&self) -> bool {
        [self.unit, self.least, self.most] == [Bytes::CELL; 3]
    }

    /// What its packets count.
    pub fn units(&self) -> PacketUnits {
        PacketUnits::new(self.unit, self.most)
    }

    /// R_p. Eq. (1).
    pub fn round_trip_of_packet(&self) -> Picos {
        let [packet, cell] = [self.most, Bytes::CELL].map(|size| self.wire.transmit_time(size));
        Picos(self.round_trip.0.saturating_add(packet.0).saturating_sub(cell.0))
    }

    /// The loop as that of a lane, where a packet is held for `hold`.
    pub fn lane(&self, target: Rate, n2: Cells, hold: Picos) -> LaneLoop {
        let Wire { rate, overhead: link_overhead } = self.wire;
        let packet = self.wire.transmit_time(self.most);
        let delays = Picos(self.round_trip_of_packet().0.saturating_sub(packet.0));
        let promise = Promise {
            block: self.unit,
            overhead: 0,
            buffer: 0,
            buffer_most: 0,
            device_most: None,
            update: n2.0,
            spacing: Picos::ZERO,
            is_refreshed: false,
        };
        let densest = |beside| promise.densest(self.least, self.most, beside);
        LaneLoop {
            rate,
            link_overhead,
            target,
            delays,
            hold,
            wait: Picos::ZERO,
            credit: Picos::ZERO,
            packet: self.most,
            largest: self.most,
            densest: densest(Bytes(0)),
            densest_on_link: densest(link_overhead),
            block: self.unit,
            overhead: 0,
            update: n2.0,
        }
    }

    /// N2 + N3 by the law. Eqs. (3), (4). `None` where it does not fit.
    pub fn need(&self, target: Rate, n2: Cells) -> Option<LaneNeed> {
        let target = target.min(self.wire.rate);
        self.lane(target, n2, self.wire.transmit_time(self.most)).need().ok()
    }

    /// N3 for a target. `None` past 2^64 - 1.
    pub fn n3(&self, target: Rate, n2: Cells) -> Option<u64> {
        if self.is_of_cells() {
            return cells_in_loop(self.round_trip, target, self.wire);
        }
        Some(self.need(target, n2)?.blocks.saturating_sub(n2.0.into()))
    }

    /// N1 for a rate. Eq. (5). `None` past 2^64 - 1.
    pub fn n1(&self, rate: Rate) -> Option<u64> {
        if self.is_of_cells() {
            return cells_in_loop(self.round_trip, rate, self.wire);
        }
        let round_trip = self.round_trip_of_packet();
        let own = u64::from(self.units().largest().0);
        if self.least == self.most {
            let gap = rate.transmit_time(self.most)?.max(self.wire.transmit_time(self.most));
            return round_trip.0.div_ceil(gap.0).max(1).checked_mul(own);
        }
        let dense = self.lane(rate.min(self.wire.rate), Cells::ONE, Picos::ZERO).densest;
        let bits = u128::from(round_trip.0) * u128::from(rate.bps());
        let units = bits * u128::from(self.units().of(dense.0 as u32).0);
        let units = units.div_ceil(u128::from(dense.bits()) * u128::from(Picos::PER_SECOND));
        u64::try_from(units).ok()?.checked_add(own)
    }
}
