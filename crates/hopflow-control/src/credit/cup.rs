//! CUP, the credit update protocol: credit by exact counters.
//!
//! Both ends keep running totals of one VC. A credit cell carries the receiver's total, and the
//! sender computes what is left of its allocation:
//! ```text
//! balance = allocation - (Tx - Fwd)                                              (1)
//! ```
//! | symbol            | meaning                                                | unit  |
//! |-------------------|--------------------------------------------------------|-------|
//! | Tx, `sent`        | cells that the sender has started                      | cells |
//! | Fwd               | cells freed by the receiver when the credit started    | cells |
//! | `allocation`      | the receiver's buffer for the VC, N2 + N3              | cells |
//! | balance, `credit_count` | cells that may still start                       | cells |
//!
//! Totals travel modulo 2^28 and are compared in serial arithmetic [RFC1982], which is exact while
//! the allocation is below 2^27. A total covers all earlier cells, so any credit repairs the loss
//! of earlier ones, and no E or R is needed. The update is absolute: a false total, even one ahead
//! of Tx, counts until the next one. N23 with an exact E gives the same balance at every credit
//! (`n23.rs`).
//!
//! Source: [KBC94]; (1) is Equation (1) of [KM95]. Differs: nothing. Not modelled: the third
//! counter, of cells received, and its check for lost *data* cells: each lost data cell takes one
//! cell of the allocation for good. (Shares that follow use are a separate scheme, `adaptive.rs`.)
//! Checked by: `cup/tests.rs`, `docs/models/cup.md`.

use hopflow_units::{Cells, SimTime};

use super::machine::Machine;
use super::{CreditValue, Facts, Grant, Holds, Start};

/// The sending end of CUP.
#[derive(Clone, Copy, Debug)]
pub struct CupSender {
    allocation: Cells,
    largest: Cells,
    /// Tx, of which the low 28 bits are compared.
    sent: u32,
    /// Tx - Fwd: cells sent and not yet known to be freed. Below 0 after a false credit only.
    outstanding: i32,
}

impl CupSender {
    pub(super) const FACTS: Facts =
        Facts { grant: Grant::FreedTotal, holds: Holds::Always, ..Facts::new("cup") };

    /// The allocation is below 2^27 (asserted).
    pub(super) const fn new(start: Start) -> CupSender {
        let allocation = start.credit;
        assert!(
            allocation.0 <= CreditValue::MAX_DISTANCE,
            "serial arithmetic needs less than 2^27"
        );
        CupSender { allocation, largest: start.units.largest(), sent: 0, outstanding: 0 }
    }

    /// The balance; 0 if it is negative.
    fn balance(&self) -> Cells {
        let balance = i64::from(self.allocation.0) - i64::from(self.outstanding);
        Cells(balance.max(0) as u32)
    }
}

impl Machine for CupSender {
    fn largest(&self) -> Cells {
        self.largest
    }

    fn on_send(&mut self, _now: SimTime, units: Cells) {
        assert!(self.balance() >= units, "CUP sent a cell without credit");
        self.sent = self.sent.wrapping_add(units.0);
        self.outstanding += units.0.cast_signed();
    }

    /// Takes the receiver's running total of freed cells, less than 2^27 away from the cells sent.
    /// Eq. (1).
    fn on_credit(&mut self, _now: SimTime, forwarded: CreditValue, _in_flight: Cells) {
        let behind = forwarded.behind(self.sent.into()).cast_signed();
        let is_behind = behind <= CreditValue::MAX_DISTANCE.cast_signed();
        self.outstanding = if is_behind { behind } else { behind - (1 << CreditValue::BITS) };
    }

    fn credit_count(&self, _now: SimTime) -> Cells {
        self.balance()
    }
}

#[cfg(test)]
mod tests;
