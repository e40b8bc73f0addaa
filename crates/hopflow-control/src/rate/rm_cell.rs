//! The resource management (RM) cell of ABR, which carries rates around the loop.
//!
//! ```text
//! source --- FRM, one per Nrm cells ---> switches ---> destination
//!        <-- BRM: the same cell turned around, ER lowered, CI and NI set on the way --
//! ```
//! | symbol | meaning                                                          | unit    |
//! |--------|------------------------------------------------------------------|---------|
//! | ER     | explicit rate: at most this. It only falls on the way            | cells/s |
//! | CCR    | current cell rate: the source's ACR as the FRM started           | cells/s |
//! | MCR    | minimum cell rate: what the source may always send               | cells/s |
//! | CI, NI | congestion indicated, no increase: set on the way, never cleared | 1       |
//! | BN     | a BRM that a switch or destination made itself                   | 1       |
//!
//! Source: [TM4.0], not at hand; recalled, with [Kalyanaraman97] p. 385 for BN. Differs: rates are
//! f64; a cell of a VC with 16-bit rates keeps them rounded down to what 16 bits can tell. Not
//! modelled: QL, SN and RA of [I.371], the CRC.
//! Checked by: `source/tests.rs`, `rule_tests.rs`.

use hopflow_units::CellRate;

/// What an RM cell says.
#[expect(clippy::struct_excessive_bools, reason = "the cell has so many flags")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RmCell {
    /// ER, the explicit rate.
    pub er: CellRate,
    /// CCR, the source's allowed rate as its FRM started.
    pub ccr: CellRate,
    /// MCR, the VC's minimum.
    pub mcr: CellRate,
    /// CI: congestion, the source is to slow down.
    pub ci: bool,
    /// NI: the source is not to speed up.
    pub ni: bool,
    /// BN: made by a switch or a destination, not by the source.
    pub bn: bool,
    /// DIR: on its way back (BRM).
    pub backward: bool,
    /// Sent within the source's rate (CLP = 0), not beside it (CLP = 1).
    pub in_rate: bool,
    /// Its rates are kept in the 16-bit format.
    pub sixteen_bit: bool,
}

impl RmCell {
    /// Lowers ER to `rate`, or to the next lower rate that the cell can tell. Leaves a lower ER
    /// as it is: the only way by which a switch changes ER.
    pub fn lower_er(&mut self, rate: CellRate) {
        let told = if self.sixteen_bit { rate.quantized() } else { rate };
        self.er = self.er.min(told);
    }
}
