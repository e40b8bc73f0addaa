//! What is known of a rule beside how it works: what checks, warnings, traces, sizes and bounds
//! ask. Each rule answers in its own file, so that nobody else has a list of rules.

use hopflow_units::Picos;

/// What holds for a rule whatever its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// As scenarios and results write it: `erica-plus`.
    pub name: &'static str,
    /// It lowers ER; others mark cells.
    pub sets_er: bool,
    /// Its VCs share by MCR and weight.
    pub heeds_weight: bool,
    /// One of its parameters is a settling time, which follows from the loops of its VCs.
    pub settles: bool,
}

impl Facts {
    /// A rule that marks, and of which nothing else is known.
    pub(super) const fn new(name: &'static str) -> Facts {
        Facts { name, sets_er: false, heeds_weight: false, settles: false }
    }
}

/// What follows from the parameters of a rule. `None`: it has no such thing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effect {
    /// How often rates are worked out.
    pub interval: Option<Picos>,
    /// The queueing delay that is aimed at.
    pub target_delay: Option<Picos>,
    /// With more cells than this at the port every VC is marked.
    pub marks_above: Option<u64>,
    /// It tells each VC its share at once.
    pub max_min: Option<MaxMin>,
}

/// A rule that tells each VC its part of the max-min share of the link, for which there is a bound
/// of the queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaxMin {
    /// The least part of its share that a VC is told.
    pub part: f64,
    /// With up to so many cells at the port it is told all of it, if they were never more. `None`:
    /// it never is.
    pub whole_up_to: Option<u64>,
    /// A VC counts with the rate that it tells, not with that which it sends.
    pub by_ccr: bool,
    /// A VC without a cell for longer than this has left.
    pub active: Picos,
    /// The longest time from a BRM at the port to the first FRM that obeys it.
    pub settle: Picos,
}
