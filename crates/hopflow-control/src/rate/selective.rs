//! Selective binary marking: a congested switch marks only the VCs that are too fast for it.
//!
//! ```text
//! congested by the queue of the forward direction, as in `efci.rs`                  (1)
//! MACR: the mean of the rates that FRMs report, as in `eprca.rs`                    (2)
//! a BRM that passes a congested port, CCR >= part MACR:  CI = 1                     (3)
//! ```
//! | symbol | meaning                                                    | unit    | default |
//! |--------|------------------------------------------------------------|---------|---------|
//! | MACR   | local congestion rate: the guess at the fair rate          | cells/s | C/N     |
//! | part   | of MACR; a VC below it is left alone                       | 1       | 7/8     |
//!
//! A VC is marked only where its bottleneck is. So one over many congested ports is not marked by
//! each of them in turn and not beaten down, as it is by EFCI and BECN.
//!
//! Source: [Roberts96]: a switch "should only mark those VC's which are operating at a rate equal
//! to or higher than the local congestion rate"; that the rate is MACR, and that the mark goes
//! onto BRMs, is ours; 7/8 is EPRCA's DPF. Differs: nothing. Not modelled: nothing.
//! Checked by: `selective/tests.rs`, `docs/models/rate-control.md`.

use hopflow_units::{CellRate, SimTime};
use serde::{Deserialize, Serialize};

use super::mistake::{RateMistake, mistakes_of};
use super::{Algorithm, Congestion, EfciSpec, Facts, Macr, MacrSpec, RmCell, Rule};

#[cfg(test)]
mod tests;

/// Which VCs a port marks, and when.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelectiveSpec {
    /// When the port is congested.
    pub queue: EfciSpec,
    /// How MACR is averaged.
    #[serde(rename = "macr")]
    pub average: MacrSpec,
    /// VCs from this part of MACR on are marked. Above zero.
    pub part: f64,
}

impl SelectiveSpec {
    /// The customary averaging and part, with these thresholds.
    pub fn new(queue: EfciSpec) -> SelectiveSpec {
        SelectiveSpec { queue, average: MacrSpec::default(), part: 7.0 / 8.0 }
    }

    /// All that is wrong with it; empty if it is valid.
    pub fn mistakes(&self) -> Vec<RateMistake> {
        let mut mistakes = self.queue.mistakes();
        mistakes.extend(self.average.mistakes());
        let fits = self.part > 0.0 && self.part.is_finite();
        mistakes.extend(mistakes_of([(fits, "part", self.part, "above 0")]));
        mistakes
    }
}

/// Selective marking at one port.
#[derive(Clone, Copy, Debug)]
pub struct Selective {
    part: f64,
    congestion: Congestion,
    macr: Macr,
}

impl Rule for Selective {
    type Spec = SelectiveSpec;
    const FACTS: Facts = Facts::new("selective");

    fn new(spec: SelectiveSpec, link: CellRate, flows: u32) -> Selective {
        assert_eq!(spec.mistakes(), [], "selective marking");
        Selective {
            part: spec.part,
            congestion: Congestion::new(spec.queue),
            macr: Macr::new(spec.average, link, flows),
        }
    }
}

impl Algorithm for Selective {
    fn arrive(&mut self, _now: SimTime, _flow: u32, queue: u64) {
        self.congestion.look(queue);
    }

    fn start(&mut self, _now: SimTime, _flow: u32, queue: u64) -> bool {
        self.congestion.look(queue);
        false
    }

    /// Eq. (2).
    fn forward(&mut self, _now: SimTime, _flow: u32, rm: &mut RmCell, queue: u64) {
        let congested = self.congestion.look(queue);
        self.macr.on_forward(rm.ccr, congested);
    }

    /// Eq. (3).
    fn backward(&mut self, _now: SimTime, _flow: u32, rm: &mut RmCell, queue: u64) {
        let congested = self.congestion.look(queue);
        rm.ci |= congested && rm.ccr >= self.macr.rate().times(self.part);
    }

    fn reading(&self) -> Option<CellRate> {
        Some(self.macr.rate())
    }
}
