//! ERICA, Explicit Rate Indication for Congestion Avoidance: a port measures its load over an
//! interval and reports to every VC the rate that brings the link to its target, in equal shares.
//!
//! At the end of each averaging interval, all rates in cells/s:
//! ```text
//! A    = max(0, U C - other)                                                     (1)
//! z    = input / A                      infinite where A = 0                     (2)
//! N    = sum of counted_i, at least 1                                            (3)
//! F    = A / N                                                                   (4)
//! Mold = M;   M = F                                                              (5)
//! ```
//! For a BRM cell of VC i; a second one in the same interval gets the same answer:
//! ```text
//! V    = rate_i / z                     at most L                                (6)
//! E    = max(F, V)          if z > 1 + delta, else  max(F, V, Mold)              (7)
//! E    = F                  if rate_i < F and the VC is held at its share        (8)
//! E    = min(E, L);   M = max(M, E);   ER in the cell = min(ER, E)               (9)
//! ```
//! With MCR and weights, all of this applies to the rates above MCR, per unit of weight:
//! ```text
//! used = sum of min(rate_i, MCR_i)      over the VCs seen in the interval        (10)
//! A' = max(0, A - used),  input' = max(0, input - used),  rate_i' = max(0, rate_i - MCR_i),
//! N' = sum of w_i counted_i, at least the least w;  F_i = w_i F',  M_i = w_i M' (11)
//! ER   = MCR_i + E'                                                              (12)
//! ```
//! | symbol                | meaning                                                | unit    |
//! |-----------------------|--------------------------------------------------------|---------|
//! | C                     | rate of the link                                       | cells/s |
//! | U, `utilization`      | part of the link to be filled                          | 1       |
//! | other                 | CBR and VBR cells that came in the interval / interval | cells/s |
//! | A, `capacity`         | target: total rate of the rate-controlled VCs          | cells/s |
//! | input                 | their cells that came in the interval / interval       | cells/s |
//! | z, `load_factor`      | above 1: they send more than the target                | 1       |
//! | counted_i             | 1 if VC i was seen, else 0 or its decayed last value   | 1       |
//! | F, `fair_share`       | fair share (of one unit of weight)                     | cells/s |
//! | M, `max_alloc`        | highest E of the interval so far (per weight)          | cells/s |
//! | rate_i                | CCR of its last FRM, or its cells / interval           | cells/s |
//! | L, `cap`              | upper bound of E: A, or (an option) C - MCR_i          | cells/s |
//! | delta                 | overload that (7) tolerates                            | 1       |
//! | w_i, MCR_i            | weight, and minimum cell rate, of VC i                 | 1, c/s  |
//!
//! V alone fills the link and keeps the shares as they are; F raises the VCs below the fair share.
//! If some VCs cannot use F, the others need more than F: then Mold lets all of them rise to the
//! same rate. With Mold the load may settle anywhere from 1 to 1 + delta times the target.
//!
//! Source: [Kalyanaraman97] appendix C.2 (intervals, counting, (2) to (7)); [VFJG98a] (1) to
//! (13), which has (8) and delta = 0.1, and (20) to (32) for the excess over MCR and weights.
//! Differs: (10) to (12) keep all three terms of (7), where [VFJG98a] gives four schemes with one
//! or two of them each; N is raised to 1 after, not before, a VC that appears is added to it.
//! Not modelled: activity levels in (3); feedback in forward cells. Checked by: `erica/tests.rs`,
//! `docs/models/erica.md`.

use hopflow_units::CellRate;
use serde::{Deserialize, Serialize};

use super::mistake::{RateMistake, mistakes_of};
use super::{Effect, Facts, Rule};

mod averaging;
mod options;
mod port;

pub use averaging::LoadAveraging;
pub use options::{ActiveCount, ErCap, EricaOptions, VcRate};
pub use port::{EricaPort, TargetCapacity};

/// The parameters of an ERICA port.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EricaSpec {
    /// U: the part of the link to be filled, above 0 and at most 1. 0.9 is customary; 0.95 occurs
    /// too.
    pub utilization: f64,
    /// What ERICA shares with ERICA+.
    pub options: EricaOptions,
}

impl Default for EricaSpec {
    fn default() -> EricaSpec {
        EricaSpec { utilization: 0.9, options: EricaOptions::default() }
    }
}

impl EricaSpec {
    /// All that is wrong with it; empty if it is valid.
    pub fn mistakes(&self) -> Vec<RateMistake> {
        let fits = self.utilization > 0.0 && self.utilization <= 1.0;
        let range = "above 0 and at most 1";
        let own = mistakes_of([(fits, "utilization", self.utilization, range)]);
        [own, self.options.mistakes()].concat()
    }
}

/// The target of ERICA: a fixed part of the link, less the rate of other traffic. Eq. (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Utilization(f64);

impl TargetCapacity for Utilization {
    fn capacity(&self, link: f64, other: f64, _queue: u64) -> f64 {
        (self.0 * link - other).max(0.0)
    }
}

/// The machine of one port under ERICA.
pub type Erica = EricaPort<Utilization>;

impl Rule for Erica {
    type Spec = EricaSpec;
    const FACTS: Facts = Facts { sets_er: true, heeds_weight: true, ..Facts::new("erica") };

    fn new(spec: EricaSpec, link: CellRate, flows: u32) -> Erica {
        assert_eq!(spec.mistakes(), [], "ERICA");
        EricaPort::with_target(Utilization(spec.utilization), spec.options, link, flows)
    }

    fn effect(spec: &EricaSpec) -> Effect {
        let EricaOptions { interval, vc_rate, .. } = spec.options;
        Effect { interval: Some(interval), vc_rate: Some(vc_rate), ..Effect::default() }
    }
}

#[cfg(test)]
pub(super) mod tests;
