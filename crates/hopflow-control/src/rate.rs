//! ABR: sources send at a rate that switches tell them by the RM cells that go around.
//!
//! ```text
//!           data, FRM -->  arrive, forward   start (EFCI)
//! AbrSource ------------------[ port: RateControl ]------------------> AbrDestination
//!           <-- BRM        backward: ER lowered, CI and NI set             turn_around
//! ```
//! | file             | what                                                              |
//! |------------------|-------------------------------------------------------------------|
//! | `rm_cell.rs`     | what an RM cell says                                              |
//! | `abr.rs`         | parameters of a VC                                                |
//! | `source.rs`      | ACR: rules 5 to 9 of [TM4.0]                                      |
//! | `destination.rs` | FRM to BRM, EFCI to CI                                            |
//! | `efci.rs`        | switches mark data cells while congested                          |
//! | `becn.rs`        | switches mark BRMs while congested                                |
//! | `selective.rs`   | switches mark BRMs of fast VCs while congested                    |
//! | `eprca.rs`       | ER from the mean of the rates that FRMs tell                      |
//! | `vc_counting.rs` | ER from the number of VCs that are bottlenecked at the port       |
//! | `erica.rs`       | explicit rates from load, active VCs and a target utilization     |
//! | `erica_plus.rs`  | the same with a target queueing delay                             |
//! | `external.rs`    | a machine from outside hopflow                                    |
//!
//! The one list of rules is `rate_rules!` below: parser, schema, results, checks and engines have
//! it from there. What others ask about a rule is in its own file too ([`Facts`], [`Effect`]).
//!
//! [`RateControl`] is the machine of one port, whatever its rule. It checks once for all rules what
//! [TM4.0] asks of a switch: ER is never raised, CI and NI are never cleared, and nothing else of
//! an RM cell is changed. Queues are cells of rate-controlled VCs at the port, waiting or in
//! transmission; at a port with virtual sources, turns that were taken and are not finished.
//! Checked by: `rate/rule_tests.rs` and the tests of each file.

mod abr;
mod becn;
mod destination;
mod efci;
mod eprca;
mod erica;
mod erica_plus;
mod external;
mod facts;
mod mistake;
mod rm_cell;
mod selective;
mod source;
mod table;
mod vc_counting;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod rule_tests;

pub use abr::{AbrMistake, AbrSpec, TBE_MAX};
pub use becn::Becn;
pub use destination::{AbrDestination, OwnCongestion};
pub use efci::{Congestion, Efci, EfciSpec};
pub use eprca::{Eprca, EprcaSpec, Macr, MacrSpec};
pub use erica::{
    ActiveCount, ErCap, Erica, EricaOptions, EricaPort, EricaSpec, LoadAveraging, TargetCapacity,
    Utilization, VcRate,
};
pub use erica_plus::{EricaPlus, EricaPlusSpec, QueueControl, QueueCurve, QueueTarget};
pub use external::{External, ExternalRateRule, ExternalSpec};
pub use facts::{Effect, Facts, MaxMin};
pub use mistake::RateMistake;
pub use rm_cell::RmCell;
pub use selective::{Selective, SelectiveSpec};
pub use source::AbrSource;
pub use vc_counting::{Drain, VcCounting, VcCountingSpec};

use hopflow_units::{CellRate, Picos, SimTime};
use serde::{Deserialize, Serialize};
use table::rate_rules;

use crate::external::Fault;

rate_rules! {
    /// EFCI of data cells is set while the queue is long.
    #[serde(with = "efci::as_queue")]
    Efci(EfciSpec),
    /// CI of BRMs is set while the queue is long.
    #[serde(with = "efci::as_queue")]
    Becn(EfciSpec),
    /// CI of the BRMs of fast VCs is set while the queue is long.
    Selective(SelectiveSpec),
    /// EPRCA: ER is set a little below MACR while the queue is long.
    Eprca(EprcaSpec),
    /// ER is the max-min share of the link among its active VCs.
    VcCounting(VcCountingSpec),
    /// ERICA: explicit rates from load, number of active VCs and a target utilization.
    Erica(EricaSpec),
    /// As ERICA, with a target queueing delay.
    EricaPlus(EricaPlusSpec),
    /// A machine from outside hopflow, by its place in the list of the network.
    External(ExternalSpec),
}

impl RateRule {
    /// The index of the machine, if it comes from outside hopflow.
    pub const fn external(&self) -> Option<u16> {
        match self {
            RateRule::External(spec) => Some(spec.place),
            _ => None,
        }
    }

    /// Asserts what the machines rely on.
    pub fn assert_valid(&self) {
        let mistakes = self.mistakes();
        assert!(mistakes.is_empty(), "a port with wrong parameters: {mistakes:?}");
    }
}

/// A machine of the list, and what others ask about its rule.
trait Rule: Algorithm + Sized {
    /// Its parameters.
    type Spec;
    const FACTS: Facts;

    /// That of an idle port with a link of this rate, which so many rate-controlled VCs leave by.
    /// Its parameters are valid (asserted).
    fn new(spec: Self::Spec, link: CellRate, flows: u32) -> Self;

    fn effect(_spec: &Self::Spec) -> Effect {
        Effect::default()
    }

    fn set_settle(_spec: &mut Self::Spec, _settle: Picos) {}
}

/// What a port tells its machine, and asks of it. By default a machine does nothing. What
/// `next_timer` says may change in `arrive` and `on_timer` only.
trait Algorithm {
    fn set_flow(&mut self, _flow: u32, _mcr: CellRate, _weight: f64) {}
    fn arrive(&mut self, _now: SimTime, _flow: u32, _queue: u64) {}
    fn arrive_other(&mut self, _now: SimTime) {}
    fn forward(&mut self, _now: SimTime, _flow: u32, _rm: &mut RmCell, _queue: u64) {}
    fn backward(&mut self, _now: SimTime, _flow: u32, _rm: &mut RmCell, _queue: u64) {}
    fn start(&mut self, _now: SimTime, _flow: u32, _queue: u64) -> bool {
        false
    }
    fn next_timer(&self) -> Option<SimTime> {
        None
    }
    fn on_timer(&mut self, _now: SimTime, _queue: u64) {}
    fn allocation(&mut self, _now: SimTime, _flow: u32, _queue: u64) -> CellRate {
        CellRate::MAX
    }
    fn reading(&self) -> Option<CellRate> {
        None
    }
}

impl RateControl {
    /// The machine of a port with a link of this rate, which so many rate-controlled VCs leave by.
    /// Each has no minimum and weight 1 until [`RateControl::set_flow`] says otherwise.
    pub fn new(rule: &RateRule, link: CellRate, flows: u32) -> RateControl {
        rule.assert_valid();
        RateControl::make(rule, link, flows)
    }

    /// Tells the minimum rate and the weight (above zero) of a VC. Rules that share out a rate give
    /// each VC its MCR and, of the rest, shares by weight; the others do not care.
    pub fn set_flow(&mut self, flow: u32, mcr: CellRate, weight: f64) {
        assert!(weight.is_finite() && weight > 0.0, "a weight is above zero, not {weight}");
        of_each!(self, m => m.set_flow(flow, mcr, weight));
    }

    /// A cell of a VC, data or FRM, joined the queue; `queue` counts it.
    pub fn arrive(&mut self, now: SimTime, flow: u32, queue: u64) {
        of_each!(self, m => m.arrive(now, flow, queue));
    }

    /// A cell of other traffic (CBR, VBR) came to the port.
    pub fn arrive_other(&mut self, now: SimTime) {
        of_each!(self, m => m.arrive_other(now));
    }

    /// An FRM came, after its [`RateControl::arrive`]. It may be marked.
    pub fn forward(&mut self, now: SimTime, flow: u32, rm: &mut RmCell, queue: u64) {
        assert!(!rm.backward, "an FRM goes forward");
        let before = *rm;
        of_each!(self, m => m.forward(now, flow, rm, queue));
        assert_only_slower(&before, rm);
    }

    /// A BRM of a VC that leaves by this port comes back. It may be marked.
    pub fn backward(&mut self, now: SimTime, flow: u32, rm: &mut RmCell, queue: u64) {
        assert!(rm.backward, "a BRM goes backward");
        let before = *rm;
        of_each!(self, m => m.backward(now, flow, rm, queue));
        assert_only_slower(&before, rm);
    }

    /// A data cell starts, and `queue` still counts it: whether its EFCI is to be set. (One that is
    /// set stays set.)
    pub fn start(&mut self, now: SimTime, flow: u32, queue: u64) -> bool {
        of_each!(self, m => m.start(now, flow, queue))
    }

    /// When [`RateControl::on_timer`] is due: the end of the interval that runs. `None`: never.
    pub fn next_timer(&self) -> Option<SimTime> {
        of_each!(self, m => m.next_timer())
    }

    /// An interval ends now.
    pub fn on_timer(&mut self, now: SimTime, queue: u64) {
        of_each!(self, m => m.on_timer(now, queue));
    }

    /// The ER that a BRM of the VC would leave with now, if it came without a bound:
    /// [`CellRate::MAX`] where the rule would not lower it.
    pub fn allocation(&mut self, now: SimTime, flow: u32, queue: u64) -> CellRate {
        of_each!(self, m => m.allocation(now, flow, queue))
    }

    /// What the rule takes for the fair rate, for traces: MACR, R or the fair share.
    pub fn reading(&self) -> Option<CellRate> {
        of_each!(self, m => m.reading())
    }

    /// Why an external rule is no longer called.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            RateControl::External(machine) => machine.fault(),
            _ => None,
        }
    }
}

/// Whether a switch may make `after` of an RM cell: it may only slow a source down.
fn is_only_slower(before: &RmCell, after: &RmCell) -> bool {
    let RmCell { er, ci, ni, .. } = *after;
    er <= before.er
        && ci >= before.ci
        && ni >= before.ni
        && *after == RmCell { er, ci, ni, ..*before }
}

/// A built-in rule relies on it; an external one has been checked before.
fn assert_only_slower(before: &RmCell, after: &RmCell) {
    assert!(is_only_slower(before, after), "a switch made {after:?} of {before:?}");
}
