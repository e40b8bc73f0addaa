//! BECN marking: a switch marks the BRMs that come back through it while its queue is long.
//!
//! ```text
//! congested by the queue of the forward direction, as in `efci.rs`                  (1)
//! a BRM that passes a congested port:  CI = 1                                       (2)
//! ```
//! The test is that of EFCI, but the mark travels on the way back: the source sees it after the
//! time from source to switch and back, not after the whole loop. If the bottleneck is near the
//! destination, the two rules are the same. One bit for all VCs beats down VCs with many hops, as
//! EFCI does.
//!
//! Symbols: those of `efci.rs`. Source: [Roberts96] ("switches mark the backward flowing RM cells
//! directly"). Differs: nothing. Not modelled: nothing; BRMs that a congested switch generates
//! itself (BN = 1) are in `backward_rm.rs`, beside any rule.
//! Checked by: the tests below, `docs/models/rate-control.md`.

use hopflow_units::{CellRate, SimTime};

use super::{Algorithm, Congestion, EfciSpec, Effect, Facts, RmCell, Rule};

/// BECN marking at one port.
#[derive(Clone, Copy, Debug)]
pub struct Becn {
    congestion: Congestion,
}

impl Rule for Becn {
    type Spec = EfciSpec;
    const FACTS: Facts = Facts::new("becn");

    fn new(spec: EfciSpec, _link: CellRate, _flows: u32) -> Becn {
        Becn { congestion: Congestion::new(spec) }
    }

    fn effect(spec: &EfciSpec) -> Effect {
        Effect { marks_above: Some(spec.high), ..Effect::default() }
    }
}

impl Algorithm for Becn {
    fn arrive(&mut self, _now: SimTime, _flow: u32, queue: u64) {
        self.congestion.look(queue);
    }

    fn start(&mut self, _now: SimTime, _flow: u32, queue: u64) -> bool {
        self.congestion.look(queue);
        false
    }

    /// Eq. (2).
    fn backward(&mut self, _now: SimTime, _flow: u32, rm: &mut RmCell, queue: u64) {
        rm.ci |= self.congestion.look(queue);
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::brm;
    use super::*;

    /// Claim [Roberts96]: while the port is congested every BRM gets CI, and no data cell EFCI; the
    /// thresholds are those of EFCI, 5 and 2.
    #[test]
    fn brms_are_marked_while_the_queue_is_long() {
        let mut port = Becn::new(EfciSpec { high: 5, low: 2 }, CellRate::MAX, 1);
        let marked = [5, 6, 3, 2, 3].map(|queue| {
            let mut rm = brm(100.0, 100.0);
            assert!(!port.start(SimTime::ZERO, 0, queue));
            port.backward(SimTime::ZERO, 0, &mut rm, queue);
            assert_eq!(rm, RmCell { ci: rm.ci, ..brm(100.0, 100.0) });
            rm.ci
        });
        assert_eq!(marked, [false, true, true, false, false]);
    }

    /// Claim: a port that is not congested does not clear the CI of another port.
    #[test]
    fn marks_of_others_stay() {
        let mut rm = RmCell { ci: true, ..brm(100.0, 100.0) };
        let mut port = Becn::new(EfciSpec::single(5), CellRate::MAX, 1);
        port.backward(SimTime::ZERO, 0, &mut rm, 0);
        assert!(rm.ci);
    }
}
