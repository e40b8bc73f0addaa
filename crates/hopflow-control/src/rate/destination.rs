//! The destination of one ABR VC: it turns FRMs around into BRMs.
//!
//! ```text
//! data cell:   saved = its EFCI                                                     (1)
//! FRM:         BRM = the FRM with DIR = 1; CI = CI or saved; saved = 0              (2)
//! congested:   CI, NI set and ER lowered, as the destination likes                  (3)
//! FRM while the last BRM still waits: the newer takes its place, and CI, NI
//!              of the older stay set                                                (4)
//! ```
//! | symbol | meaning                                                        | unit |
//! |--------|----------------------------------------------------------------|------|
//! | saved  | EFCI of the last data cell; cleared when it has been told      | 1    |
//!
//! Source: [TM4.0], recalled; [Kalyanaraman97] p. 385 for FRMs with CLP = 1, which may come back
//! in-rate or not (here as they came). Differs: (4) keeps CI and NI of the BRM that is lost, so
//! that no congestion goes untold. Not modelled: BRMs that a destination makes without an FRM.
//! Checked by: the tests below, `docs/models/abr.md`.

use hopflow_units::CellRate;

use super::RmCell;

/// What a congested destination, or the end of a virtual loop, tells the source of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OwnCongestion {
    /// Sets CI.
    pub ci: bool,
    /// Sets NI.
    pub ni: bool,
    /// Lowers ER to this; `None`: ER stays.
    pub er: Option<CellRate>,
}

impl OwnCongestion {
    /// None at all.
    pub const NONE: OwnCongestion = OwnCongestion { ci: false, ni: false, er: None };
}

/// What a destination keeps of one VC.
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

    /// Puts a newer BRM of the VC into the place of one that still waits. Eq. (4).
    pub fn replace(waiting: &mut RmCell, newer: RmCell) {
        let (ci, ni) = (waiting.ci || newer.ci, waiting.ni || newer.ni);
        *waiting = RmCell { ci, ni, ..newer };
    }
}
