//! The facts about a rule beside its algorithm, for checks, warnings, traces, sizes and bounds.
//! Each rule states its facts in its own file, so no other module has a list of rules.

use hopflow_units::Picos;

use super::VcRate;

/// The facts about a rule that do not depend on its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its name in scenarios and results: `erica-plus`.
    pub name: &'static str,
    /// It lowers ER; the other rules mark cells.
    pub sets_er: bool,
    /// It divides the rate of the link by MCR and weight.
    pub heeds_weight: bool,
    /// One of its parameters is a settling time, which follows from the loops of its VCs.
    pub settles: bool,
}

impl Facts {
    /// A rule that marks cells and has none of the other properties.
    pub(super) const fn new(name: &'static str) -> Facts {
        Facts { name, sets_er: false, heeds_weight: false, settles: false }
    }
}

/// The effects of a rule that depend on its parameters. `None`: it has no such effect.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effect {
    /// The interval at which it computes rates.
    pub interval: Option<Picos>,
    /// The target queueing delay.
    pub target_delay: Option<Picos>,
    /// Where it takes the rate of a VC from. `None`: it has no choice.
    pub vc_rate: Option<VcRate>,
    /// With more cells than this at the port it marks every VC.
    pub marks_above: Option<u64>,
    /// It gives each VC its share at once.
    pub max_min: Option<MaxMin>,
}

/// A rule that gives each VC a part of its max-min share of the link. For such a rule there is a
/// bound of the queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaxMin {
    /// The smallest part of its share that a VC is given.
    pub part: f64,
    /// A VC is given its whole share while the port has never held more cells than this. `None`: it
    /// is never given the whole share.
    pub whole_up_to: Option<u64>,
    /// A VC counts with the CCR that it reports, not with the rate at which it sends.
    pub by_ccr: bool,
    /// A VC without a cell for longer than this has left.
    pub active: Picos,
    /// The longest time from a BRM at the port to the first FRM that obeys it.
    pub settle: Picos,
}
