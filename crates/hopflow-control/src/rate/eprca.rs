//! EPRCA, Roberts' iterative explicit rate: one register that averages the rates of the VCs.
//!
//! ```text
//! FRM, Q > QT  and CCR < MACR:         MACR += AV (CCR - MACR)                      (1)
//! FRM, Q <= QT and CCR > VCS MACR:     MACR += AV (CCR - MACR)                      (2)
//! BRM, Q > DQT:                        ER = min(ER, MRF MACR), if asked CI = 1      (3)
//! BRM, DQT >= Q > QT, CCR > DPF MACR:  ER = min(ER, ERF MACR)                       (4)
//! ```
//! | symbol     | meaning                                                  | unit    | default  |
//! |------------|----------------------------------------------------------|---------|----------|
//! | Q, `queue` | cells of rate-controlled VCs, waiting or in transmission | cells   |          |
//! | MACR       | mean allowed cell rate: the guess at the fair rate       | cells/s | C/N      |
//! | C, N       | the link's rate, the VCs that leave by it                |         |          |
//! | AV         | weight of a new rate in the average                      | 1       | 1/16     |
//! | VCS        | VC separator: below it a VC is bottlenecked elsewhere    | 1       | 7/8      |
//! | DPF        | down pressure factor: below it a VC is left alone        | 1       | 7/8      |
//! | ERF        | explicit reduction factor                                | 1       | 15/16    |
//! | MRF        | major reduction factor                                   | 1       | 1/4      |
//! | QT, DQT    | thresholds: congested, very congested                    | cells   | 100, 300 |
//!
//! Up to QT no VC is slowed down. A VC counts once per FRM, not once per time, so fast VCs count
//! more often. MACR follows a step of the fair rate with a lag.
//!
//! Source: [Roberts96] for the register, the return path and "slightly less than its congestion
//! estimate"; the steps are those of [EPRCA94] as later papers describe them, from memory. The
//! defaults are customary values, from memory too; texts differ on MRF, QT and DQT. Differs: the
//! initial MACR, which no text specifies. Not modelled: nothing.
//! Checked by: `eprca/tests.rs`, `docs/models/rate-control.md`.

use hopflow_units::{CellRate, SimTime};
use serde::{Deserialize, Serialize};

use super::mistake::{RateMistake, mistakes_of};
use super::{Algorithm, Facts, RmCell, Rule};

#[cfg(test)]
mod tests;

/// How a port averages and marks: symbols and units as above.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EprcaSpec {
    /// AV and VCS, and MACR at first.
    #[serde(rename = "macr")]
    pub average: MacrSpec,
    /// DPF, above zero.
    pub dpf: f64,
    /// ERF, above zero, at most 1.
    pub erf: f64,
    /// MRF, above zero, at most 1.
    pub mrf: f64,
    /// QT: with more cells than this a port is congested.
    #[serde(rename = "qt_cells", with = "hopflow_units::exact")]
    pub qt: u64,
    /// DQT: with more than this, very congested. At least QT.
    #[serde(rename = "dqt_cells", with = "hopflow_units::exact")]
    pub dqt: u64,
    /// Whether BRMs get CI as well while the port is very congested.
    pub ci: bool,
}

impl Default for EprcaSpec {
    /// The customary values.
    fn default() -> EprcaSpec {
        EprcaSpec {
            average: MacrSpec::default(),
            dpf: 7.0 / 8.0,
            erf: 15.0 / 16.0,
            mrf: 1.0 / 4.0,
            qt: 100,
            dqt: 300,
            ci: false,
        }
    }
}

impl EprcaSpec {
    /// All that is wrong with it; empty if it may be used.
    pub fn mistakes(&self) -> Vec<RateMistake> {
        let part = |value| 0.0 < value && value <= 1.0;
        let dpf_fits = self.dpf > 0.0 && self.dpf.is_finite();
        let mut mistakes = self.average.mistakes();
        mistakes.extend(mistakes_of([
            (dpf_fits, "dpf", self.dpf, "above 0"),
            (part(self.erf), "erf", self.erf, "above 0 and at most 1"),
            (part(self.mrf), "mrf", self.mrf, "above 0 and at most 1"),
            (self.qt <= self.dqt, "dqt", self.dqt as f64, "at least QT"),
        ]));
        mistakes
    }
}

/// How MACR is averaged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MacrSpec {
    /// AV, above zero, at most 1.
    pub av: f64,
    /// VCS, not below zero.
    pub vcs: f64,
    /// MACR at first; `None`: the link's rate over the number of VCs.
    #[serde(rename = "initial_cells_per_second")]
    pub initial: Option<CellRate>,
}

impl Default for MacrSpec {
    /// The customary values.
    fn default() -> MacrSpec {
        MacrSpec { av: 1.0 / 16.0, vcs: 7.0 / 8.0, initial: None }
    }
}

impl MacrSpec {
    /// All that is wrong with it; empty if it may be used.
    pub fn mistakes(&self) -> Vec<RateMistake> {
        let av_fits = self.av > 0.0 && self.av <= 1.0;
        let vcs_fits = self.vcs >= 0.0 && self.vcs.is_finite();
        mistakes_of([
            (av_fits, "av", self.av, "above 0 and at most 1"),
            (vcs_fits, "vcs", self.vcs, "0 or more"),
        ])
    }
}

/// The register MACR of a port, in cells per second.
#[derive(Clone, Copy, Debug)]
pub struct Macr {
    spec: MacrSpec,
    rate: CellRate,
}

impl Macr {
    /// The register of a port: `link` is the rate of its link, and `flows` VCs leave by it.
    pub fn new(spec: MacrSpec, link: CellRate, flows: u32) -> Macr {
        assert_eq!(spec.mistakes(), [], "the average of rates");
        let share = link.times(1.0 / f64::from(flows.max(1)));
        Macr { spec, rate: spec.initial.unwrap_or(share) }
    }

    /// MACR.
    pub const fn rate(&self) -> CellRate {
        self.rate
    }

    /// Takes the rate that an FRM reports. Eqs. (1) and (2).
    pub fn on_forward(&mut self, ccr: CellRate, congested: bool) {
        let separator = self.rate.times(self.spec.vcs);
        let counts = if congested { ccr < self.rate } else { ccr > separator };
        if counts {
            let (old, new) = (self.rate.get(), ccr.get());
            let mean = CellRate::new(old + self.spec.av * (new - old));
            self.rate = mean.expect("a mean of two rates is a rate");
        }
    }
}

/// EPRCA at one port.
#[derive(Clone, Copy, Debug)]
pub struct Eprca {
    spec: EprcaSpec,
    macr: Macr,
}

impl Rule for Eprca {
    type Spec = EprcaSpec;
    const FACTS: Facts = Facts { sets_er: true, ..Facts::new("eprca") };

    fn new(spec: EprcaSpec, link: CellRate, flows: u32) -> Eprca {
        assert_eq!(spec.mistakes(), [], "EPRCA");
        Eprca { spec, macr: Macr::new(spec.average, link, flows) }
    }
}

impl Eprca {
    /// The bound of a VC whose FRM reported this CCR, if any. Eqs. (3) and (4).
    fn bound(&self, ccr: CellRate, queue: u64) -> Option<CellRate> {
        let macr = self.macr.rate();
        if queue > self.spec.dqt {
            Some(macr.times(self.spec.mrf))
        } else if queue > self.spec.qt && ccr > macr.times(self.spec.dpf) {
            Some(macr.times(self.spec.erf))
        } else {
            None
        }
    }
}

impl Algorithm for Eprca {
    fn forward(&mut self, _now: SimTime, _flow: u32, rm: &mut RmCell, queue: u64) {
        self.macr.on_forward(rm.ccr, queue > self.spec.qt);
    }

    fn backward(&mut self, _now: SimTime, _flow: u32, rm: &mut RmCell, queue: u64) {
        if let Some(bound) = self.bound(rm.ccr, queue) {
            rm.lower_er(bound);
        }
        rm.ci |= self.spec.ci && queue > self.spec.dqt;
    }

    /// The bound of a fast VC, one to which (4) applies.
    fn allocation(&mut self, _now: SimTime, _flow: u32, queue: u64) -> CellRate {
        self.bound(CellRate::MAX, queue).unwrap_or(CellRate::MAX)
    }

    fn reading(&self) -> Option<CellRate> {
        Some(self.macr.rate())
    }
}
