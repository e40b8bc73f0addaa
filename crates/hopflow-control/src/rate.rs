//! ABR: sources send at the rates that switches report to them in circulating RM cells.
//!
//! ```text
//!           data, FRM -->  arrive, forward   start (EFCI)
//! AbrSource ------------------[ port: RateControl ]------------------> AbrDestination
//!           <-- BRM        backward: ER lowered, CI and NI set             turn_around
//! ```
//! | file             | what                                                              |
//! |------------------|-------------------------------------------------------------------|
//! | `rm_cell.rs`     | the fields of an RM cell                                          |
//! | `abr.rs`         | parameters of a VC                                                |
//! | `source.rs`      | ACR: rules 5 to 9 of [TM4.0]                                      |
//! | `destination.rs` | FRM to BRM, EFCI to CI                                            |
//! | `efci.rs`        | switches mark data cells while congested                          |
//! | `becn.rs`        | switches mark BRMs while congested                                |
//! | `backward_rm.rs` | switches create BRMs of their own while congested (BN = 1)        |
//! | `selective.rs`   | switches mark BRMs of fast VCs while congested                    |
//! | `eprca.rs`       | ER from the mean of the rates that FRMs report                    |
//! | `vc_counting.rs` | ER from the number of VCs that are bottlenecked at the port       |
//! | `erica.rs`       | explicit rates from load, active VCs and a target utilization     |
//! | `erica_plus.rs`  | the same with a target queueing delay                             |
//! | `external.rs`    | a machine from outside hopflow                                    |
//!
//! The one list of rules is `rate_rules!` below: parser, schema, results, checks and engines derive
//! theirs from it. The other facts about a rule are in its own file too ([`Facts`], [`Effect`]).
//!
//! [`RateControl`] is the machine of one port under any rule. It checks, once for all rules, what
//! [TM4.0] requires of a switch: ER is never raised, CI and NI are never cleared, and no other
//! field of an RM cell changes. A queue is the number of cells of rate-controlled VCs at the port,
//! waiting or in transmission; at a port with virtual sources, it is the number of turns that were
//! taken and are not finished.
//! Checked by: `rate/rule_tests.rs` and the tests of each file.

mod abr;
mod backward_rm;
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
pub use backward_rm::{BackwardMark, BackwardRm, BackwardRmSpec};
pub use becn::Becn;
pub use destination::AbrDestination;
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
        if let RateRule::External(spec) = self { Some(spec.place) } else { None }
    }

    /// Asserts that the parameters are valid.
    pub fn assert_valid(&self) {
        let mistakes = self.mistakes();
        assert!(mistakes.is_empty(), "a port with wrong parameters: {mistakes:?}");
    }
}

/// A machine of the list, and the facts of its rule.
trait Rule: Algorithm + Sized {
    /// Its parameters.
    type Spec;
    const FACTS: Facts;

    /// The machine of an idle port: `link` is the rate of its link, and `flows` rate-controlled VCs
    /// leave by it. The parameters are valid (asserted).
    fn new(spec: Self::Spec, link: CellRate, flows: u32) -> Self;

    fn effect(_spec: &Self::Spec) -> Effect {
        Effect::default()
    }

    fn set_settle(_spec: &mut Self::Spec, _settle: Picos) {}
}

/// The calls that a port makes to its machine. By default a machine does nothing. Only `arrive` and
/// `on_timer` may change the answer of `next_timer`.
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
    /// The machine of a port: `link` is the rate of its link, and `flows` rate-controlled VCs leave
    /// by it. Each VC has no minimum rate and weight 1 until [`RateControl::set_flow`] changes
    /// them.
    pub fn new(rule: &RateRule, link: CellRate, flows: u32) -> RateControl {
        rule.assert_valid();
        RateControl::make(rule, link, flows)
    }

    /// Sets the minimum rate and the weight (above zero) of a VC. Rules that divide a rate give
    /// each VC its MCR and divide the rest by weight; the other rules ignore both.
    pub fn set_flow(&mut self, flow: u32, mcr: CellRate, weight: f64) {
        assert!(weight.is_finite() && weight > 0.0, "a weight is above zero, not {weight}");
        of_each!(self, m => m.set_flow(flow, mcr, weight));
    }

    /// A cell of a VC, data or FRM, joined the queue; `queue` counts it.
    pub fn arrive(&mut self, now: SimTime, flow: u32, queue: u64) {
        of_each!(self, m => m.arrive(now, flow, queue));
    }

    /// A cell of other traffic (CBR, VBR) arrived at the port.
    pub fn arrive_other(&mut self, now: SimTime) {
        of_each!(self, m => m.arrive_other(now));
    }

    /// An FRM arrived, after its [`RateControl::arrive`]. The rule may mark it.
    pub fn forward(&mut self, now: SimTime, flow: u32, rm: &mut RmCell, queue: u64) {
        assert!(!rm.backward, "an FRM goes forward");
        let before = *rm;
        of_each!(self, m => m.forward(now, flow, rm, queue));
        assert_only_slower(&before, rm);
    }

    /// A BRM of a VC that leaves by this port passes on its way back. The rule may mark it.
    pub fn backward(&mut self, now: SimTime, flow: u32, rm: &mut RmCell, queue: u64) {
        assert!(rm.backward, "a BRM goes backward");
        let before = *rm;
        of_each!(self, m => m.backward(now, flow, rm, queue));
        assert_only_slower(&before, rm);
    }

    /// A data cell starts, and `queue` still counts it. Returns whether its EFCI is to be set; an
    /// EFCI that is set stays set.
    pub fn start(&mut self, now: SimTime, flow: u32, queue: u64) -> bool {
        of_each!(self, m => m.start(now, flow, queue))
    }

    /// When [`RateControl::on_timer`] is due: the end of the current interval. `None`: never.
    pub fn next_timer(&self) -> Option<SimTime> {
        of_each!(self, m => m.next_timer())
    }

    /// An interval ends now.
    pub fn on_timer(&mut self, now: SimTime, queue: u64) {
        of_each!(self, m => m.on_timer(now, queue));
    }

    /// The ER of a BRM of the VC if it passed now with an unbounded ER: [`CellRate::MAX`] where the
    /// rule would not lower it.
    pub fn allocation(&mut self, now: SimTime, flow: u32, queue: u64) -> CellRate {
        of_each!(self, m => m.allocation(now, flow, queue))
    }

    /// The rule's estimate of the fair rate, for traces: MACR, R or the fair share.
    pub fn reading(&self) -> Option<CellRate> {
        of_each!(self, m => m.reading())
    }

    /// Why an external rule is no longer called.
    pub fn fault(&self) -> Option<&Fault> {
        if let RateControl::External(machine) = self { machine.fault() } else { None }
    }
}

/// Whether a switch may change an RM cell from `before` to `after`: it may only slow a source down.
fn is_only_slower(before: &RmCell, after: &RmCell) -> bool {
    let RmCell { er, ci, ni, .. } = *after;
    er <= before.er
        && ci >= before.ci
        && ni >= before.ni
        && *after == RmCell { er, ci, ni, ..*before }
}

/// An invariant of the built-in rules. A change by an external rule has been checked before.
fn assert_only_slower(before: &RmCell, after: &RmCell) {
    assert!(is_only_slower(before, after), "a switch made {after:?} of {before:?}");
}
