//! RM cells for the tests of the rules.

use hopflow_units::CellRate;

use super::RmCell;

/// A rate in cells per second.
pub(super) fn rate(cells_per_second: f64) -> CellRate {
    CellRate::new(cells_per_second).unwrap()
}

/// An FRM that reports this CCR, with ER unbounded.
pub(super) fn frm(ccr: f64) -> RmCell {
    RmCell::new(CellRate::MAX, rate(ccr), CellRate::ZERO, false)
}

/// A BRM with this CCR and ER.
pub(super) fn brm(ccr: f64, er: f64) -> RmCell {
    RmCell { er: rate(er), backward: true, ..frm(ccr) }
}
