//! The destination of one ABR VC: it turns FRMs around into BRMs.
//!
//! ```text
//! data cell:   saved = its EFCI                                                     (1)
//! FRM:         BRM = the FRM with DIR = 1; CI = CI or saved; saved = 0              (2)
//! ```
//! | symbol | meaning                                                        | unit |
//! |--------|----------------------------------------------------------------|------|
//! | saved  | EFCI of the last data cell; cleared when a BRM carries it      | 1    |
//!
//! Source: [TM4.0], from memory; [Kalyanaraman97] p. 385 for FRMs with CLP = 1, which may return
//! in-rate or out-of-rate (here: as they arrived). Not modelled: a destination that reports
//! congestion of its own (CI, NI, a lower ER), or that puts a newer BRM in the place of one that
//! still waits; BRMs that a destination generates without an FRM.
//! Checked by: the tests below, `docs/models/abr.md`.

use super::RmCell;

/// The state of one VC at its destination; by default it has received nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AbrDestination {
    efci: bool,
}

impl AbrDestination {
    /// Takes a data cell. Eq. (1).
    pub fn on_data(&mut self, efci: bool) {
        self.efci = efci;
    }

    /// The BRM that an FRM is turned into. Eq. (2).
    pub fn turn_around(&mut self, frm: &RmCell) -> RmCell {
        assert!(!frm.backward, "only an FRM is turned around");
        let saved = std::mem::take(&mut self.efci);
        RmCell { backward: true, ci: frm.ci || saved, ..*frm }
    }
}

#[cfg(test)]
mod tests {
    use hopflow_units::CellRate;

    use super::*;

    fn rate(cells_per_second: f64) -> CellRate {
        CellRate::new(cells_per_second).unwrap()
    }

    fn frm() -> RmCell {
        RmCell::new(rate(900.0), rate(300.0), rate(10.0), false)
    }

    /// Claim [TM4.0]: the EFCI of the last data cell is reported once, as CI; all other fields
    /// return as they were sent.
    #[test]
    fn efci_is_reported_once_as_ci() {
        let mut destination = AbrDestination::default();
        destination.on_data(true);
        let brm = destination.turn_around(&frm());
        assert_eq!(brm, RmCell { ci: true, backward: true, ..frm() });
        let again = destination.turn_around(&frm());
        assert_eq!(again, RmCell { backward: true, ..frm() });
    }

    /// Claim [TM4.0]: only the last data cell before the FRM counts; CI that is set stays set.
    #[test]
    fn the_last_data_cell_counts() {
        let mut destination = AbrDestination::default();
        destination.on_data(true);
        destination.on_data(false);
        assert!(!destination.turn_around(&frm()).ci);
        let marked = RmCell { ci: true, ni: true, ..frm() };
        let brm = destination.turn_around(&marked);
        assert!(brm.ci && brm.ni);
    }
}
