//! EFCI: a switch marks data cells while its queue is long.
//!
//! ```text
//! Q > high:   congested                                                             (1)
//! Q <= low:   not congested.  Between the two: as before                            (2)
//! EFCI of a data cell is set if the port is congested as the cell starts            (3)
//! ```
//! | symbol      | meaning                                                        | unit  |
//! |-------------|----------------------------------------------------------------|-------|
//! | Q, `queue`  | cells of rate-controlled VCs, waiting or in transmission       | cells |
//! | high, low   | thresholds; with low = high it is a single one, QT             | cells |
//!
//! One bit for all VCs of the port: a VC over h ports, each congested half the time and
//! independently, is marked 1 - 2^-h of the time, and is beaten down by VCs with fewer hops.
//!
//! Source: [Roberts96], which gives no threshold; [TM4.0], from memory: the first of its four
//! behaviors of switches. Differs: a cell is marked as it starts. Not modelled: nothing.
//! Checked by: the tests below, `docs/models/rate-control.md`.

use hopflow_units::{CellRate, SimTime};
use serde::{Deserialize, Serialize};

use super::mistake::{RateMistake, mistakes_of};
use super::{Algorithm, Effect, Facts, Rule};

/// When a port is congested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EfciSpec {
    /// With more cells than this it is congested.
    #[serde(rename = "high_cells", with = "hopflow_units::exact")]
    pub high: u64,
    /// With this number or fewer it no longer is. At most `high`; equal: one threshold.
    #[serde(rename = "low_cells", with = "hopflow_units::exact")]
    pub low: u64,
}

impl EfciSpec {
    /// One threshold: congested with more cells than this.
    pub const fn single(threshold: u64) -> EfciSpec {
        EfciSpec { high: threshold, low: threshold }
    }

    /// All that is wrong with them; empty if they are valid.
    pub fn mistakes(&self) -> Vec<RateMistake> {
        let fits = self.low <= self.high;
        mistakes_of([(fits, "low", self.low as f64, "at most the high one")])
    }
}

/// The thresholds of a rule that has nothing else, under `queue`.
pub(super) mod as_queue {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::EfciSpec;

    #[derive(Serialize, Deserialize)]
    struct Written {
        queue: EfciSpec,
    }

    pub(in super::super) fn serialize<S: Serializer>(
        spec: &EfciSpec,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        Written { queue: *spec }.serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<EfciSpec, D::Error> {
        Written::deserialize(from).map(|written| written.queue)
    }
}

/// Whether a queue is congested. Eqs. (1) and (2).
#[derive(Clone, Copy, Debug)]
pub struct Congestion {
    spec: EfciSpec,
    congested: bool,
}

impl Congestion {
    /// The state of a port with an empty queue.
    pub fn new(spec: EfciSpec) -> Congestion {
        assert_eq!(spec.mistakes(), [], "thresholds of a congested port");
        Congestion { spec, congested: false }
    }

    /// Takes the length of the queue. Returns whether the port is congested now.
    pub fn look(&mut self, queue: u64) -> bool {
        if queue > self.spec.high {
            self.congested = true;
        } else if queue <= self.spec.low {
            self.congested = false;
        }
        self.congested
    }
}

/// EFCI marking at one port.
#[derive(Clone, Copy, Debug)]
pub struct Efci {
    congestion: Congestion,
}

impl Rule for Efci {
    type Spec = EfciSpec;
    const FACTS: Facts = Facts::new("efci");

    fn new(spec: EfciSpec, _link: CellRate, _flows: u32) -> Efci {
        Efci { congestion: Congestion::new(spec) }
    }

    fn effect(spec: &EfciSpec) -> Effect {
        Effect { marks_above: Some(spec.high), ..Effect::default() }
    }
}

impl Algorithm for Efci {
    fn arrive(&mut self, _now: SimTime, _flow: u32, queue: u64) {
        self.congestion.look(queue);
    }

    /// Eq. (3).
    fn start(&mut self, _now: SimTime, _flow: u32, queue: u64) -> bool {
        self.congestion.look(queue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(spec: EfciSpec, queues: &[u64]) -> Vec<bool> {
        let mut port = Efci::new(spec, CellRate::MAX, 1);
        queues.iter().map(|&queue| port.start(SimTime::ZERO, 0, queue)).collect()
    }

    /// Claim: with one threshold of 3 the cells that start out of more than 3 are marked.
    #[test]
    fn one_threshold_marks_what_starts_above_it() {
        let marked = marks(EfciSpec::single(3), &[3, 4, 5, 4, 3, 2, 4]);
        assert_eq!(marked, [false, true, true, true, false, false, true]);
    }

    /// Claim: with thresholds 5 and 2, marking begins above 5 and ends at 2.
    #[test]
    fn two_thresholds_have_a_memory() {
        let marked = marks(EfciSpec { high: 5, low: 2 }, &[5, 6, 4, 3, 2, 3, 5, 6]);
        assert_eq!(marked, [false, true, true, true, false, false, false, true]);
    }

    /// Claim: a queue that was long between two starts counts too.
    #[test]
    fn arrivals_are_looked_at() {
        let mut port = Efci::new(EfciSpec { high: 5, low: 2 }, CellRate::MAX, 1);
        port.arrive(SimTime::ZERO, 0, 6);
        assert!(port.start(SimTime::ZERO, 0, 4));
    }
}
