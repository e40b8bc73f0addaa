//! The destination of one ABR VC: it turns FRMs around into BRMs.
//!
//! ```text
//! data cell:   saved = its EFCI                                                     (1)
//! FRM:         BRM = the FRM with DIR = 1; CI = CI or saved; saved = 0              (2)
//! congested:   CI, NI set and ER lowered, as the destination chooses                (3)
//! FRM while the last BRM still waits: the newer takes its place, and CI, NI
//!              of the older stay set                                                (4)
//! ```
//! | symbol | meaning                                                        | unit |
//! |--------|----------------------------------------------------------------|------|
//! | saved  | EFCI of the last data cell; cleared when a BRM carries it      | 1    |
//!
//! Source: [TM4.0], from memory; [Kalyanaraman97] p. 385 for FRMs with CLP = 1, which may return
//! in-rate or out-of-rate (here: as they arrived). Differs: (4) keeps CI and NI of the BRM that is
//! replaced, so that no congestion goes unreported. Not modelled: BRMs that a destination generates
//! without an FRM.
//! Checked by: the tests below, `docs/models/abr.md`.

use hopflow_units::CellRate;

use super::RmCell;

/// The congestion that a destination, or the end of a virtual loop, reports about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OwnCongestion {
    /// Sets CI.
    pub ci: bool,
    /// Sets NI.
    pub ni: bool,
    /// Lowers ER to this rate; `None`: ER stays.
    pub er: Option<CellRate>,
}

impl OwnCongestion {
    /// No congestion.
    pub const NONE: OwnCongestion = OwnCongestion { ci: false, ni: false, er: None };
}

/// The state of one VC at its destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AbrDestination {
    efci: bool,
}

impl AbrDestination {
    /// A destination that has received nothing.
    pub const fn new() -> AbrDestination {
        AbrDestination { efci: false }
    }

    /// Takes a data cell. Eq. (1).
    pub fn on_data(&mut self, efci: bool) {
        self.efci = efci;
    }

    /// The BRM that an FRM is turned into. Eqs. (2) and (3).
    pub fn turn_around(&mut self, frm: &RmCell, own: OwnCongestion) -> RmCell {
        assert!(!frm.backward, "only an FRM is turned around");
        let saved = std::mem::take(&mut self.efci);
        let mut brm = RmCell { backward: true, ..*frm };
        brm.ci |= saved || own.ci;
        brm.ni |= own.ni;
        if let Some(er) = own.er {
            brm.lower_er(er);
        }
        brm
    }

    /// Replaces a BRM that still waits by a newer one of the same VC. Eq. (4).
    pub fn replace(waiting: &mut RmCell, newer: RmCell) {
        let (ci, ni) = (waiting.ci || newer.ci, waiting.ni || newer.ni);
        *waiting = RmCell { ci, ni, ..newer };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(cells_per_second: f64) -> CellRate {
        CellRate::new(cells_per_second).unwrap()
    }

    fn frm() -> RmCell {
        RmCell {
            er: rate(900.0),
            ccr: rate(300.0),
            mcr: rate(10.0),
            ci: false,
            ni: false,
            bn: false,
            backward: false,
            in_rate: true,
            sixteen_bit: false,
        }
    }

    /// Claim [TM4.0]: the EFCI of the last data cell is reported once, as CI; all other fields
    /// return as they were sent.
    #[test]
    fn efci_is_told_once_as_ci() {
        let mut destination = AbrDestination::new();
        destination.on_data(true);
        let told = destination.turn_around(&frm(), OwnCongestion::NONE);
        assert_eq!(told, RmCell { ci: true, backward: true, ..frm() });
        let again = destination.turn_around(&frm(), OwnCongestion::NONE);
        assert_eq!(again, RmCell { backward: true, ..frm() });
    }

    /// Claim [TM4.0]: only the last data cell before the FRM counts; CI that is set stays set.
    #[test]
    fn the_last_data_cell_counts() {
        let mut destination = AbrDestination::new();
        destination.on_data(true);
        destination.on_data(false);
        assert!(!destination.turn_around(&frm(), OwnCongestion::NONE).ci);
        let marked = RmCell { ci: true, ni: true, ..frm() };
        let told = destination.turn_around(&marked, OwnCongestion::NONE);
        assert!(told.ci && told.ni);
    }

    /// Claim [TM4.0]: a congested destination sets CI and NI and lowers ER, and never raises it.
    #[test]
    fn a_congested_destination_slows_its_source() {
        let mut destination = AbrDestination::new();
        let own = |er| OwnCongestion { ci: true, ni: true, er: Some(rate(er)) };
        let told = destination.turn_around(&frm(), own(500.0));
        assert!(told.ci && told.ni);
        assert_eq!(told.er, rate(500.0));
        assert_eq!(destination.turn_around(&frm(), own(1000.0)).er, rate(900.0));
    }

    /// Claim: a newer BRM replaces one that waits, and the CI of the older one is not lost.
    #[test]
    fn a_newer_brm_replaces_one_that_waits() {
        let mut waiting = RmCell { ci: true, er: rate(100.0), backward: true, ..frm() };
        let newer = RmCell { ni: true, backward: true, ..frm() };
        AbrDestination::replace(&mut waiting, newer);
        assert_eq!(waiting, RmCell { ci: true, ..newer });
    }
}
