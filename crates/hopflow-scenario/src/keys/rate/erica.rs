//! The keys of ERICA and ERICA+, and those that VC counting shares with them.

use hopflow_control::rate::{
    ActiveCount, ErCap, EricaOptions, EricaPlusSpec, EricaSpec, LoadAveraging, QueueCurve, VcRate,
};

use crate::described::{
    Described, Flag, Fraction, Number, OrNone, Time, Whole, Word, choices, group, words,
};

const ERICAS: &[&str] = &["erica", "erica-plus"];
const PLUS: &[&str] = &["erica-plus"];

words! {
    VcRate: "ccr" = VcRate::Ccr, "measured" = VcRate::Measured;
    ErCap: "target" = ErCap::Target, "link" = ErCap::Link;
}

pub(super) const INTERVAL: Described<Time> =
    Described::new("interval", "How often rates are worked out: at least a cell time of the link.")
        .of(&["vc-counting", "erica", "erica-plus"])
        .default(
            |_| EricaOptions::default().interval,
            "`vc-counting`: 1 ms ([Roberts96]); else 5 ms ([VFJG98a])",
        );
pub(super) const VC_RATE: Described<Word<VcRate>> = Described::new(
    "vc-rate",
    "Where the rate of a flow is taken from: its RM cells, or its cells in the last interval.",
)
.of(&["vc-counting", "erica", "erica-plus"])
.default(|_| EricaOptions::default().vc_rate, "ccr ([Kalyanaraman97])");

pub(super) const UTILIZATION: Described<Fraction> =
    Described::new("utilization", "U: the part of the link to be filled, above 0, up to 1.")
        .of(&["erica"])
        .default(|_| EricaSpec::default().utilization, "0.9, customary");

pub(super) const TARGET_DELAY: Described<Time> =
    Described::new("target-delay", "T0: the queueing delay that is aimed at.")
        .of(PLUS)
        .default(|_| EricaPlusSpec::default().target_delay, "1.5 ms ([VFJG98a])");
pub(super) const CURVE: Described<Curve> =
    Described::new("curve", "The shape of the queue control function.")
        .of(PLUS)
        .default(|_| "hyperbolic", "hyperbolic ([Kalyanaraman97])");
pub(super) const A: Described<Number<1>> =
    Described::new("a", "a: how steep a hyperbola is above the target.")
        .of(PLUS)
        .default(|_| 1.15, "1.15, customary");
pub(super) const B: Described<Number<1>> =
    Described::new("b", "b: how steep a hyperbola is below the target.")
        .of(PLUS)
        .default(|_| 1.05, "1.05, customary");
pub(super) const ABOVE: Described<Fraction> =
    Described::new("above", "m_a: the slope of a line above the target.")
        .of(PLUS)
        .default(|_| 0.125, "1/8 (ours)");
pub(super) const BELOW: Described<Fraction> =
    Described::new("below", "m_b: the slope of a line below the target.")
        .of(PLUS)
        .default(|_| 0.0625, "1/16 (ours)");
pub(super) const DRAIN_LIMIT: Described<Fraction> = Described::new(
    "drain-limit",
    "QDLF: the least part of the free rate that is given out, above 0, up to 1.",
)
.of(PLUS)
.default(|_| EricaPlusSpec::default().queue_control.drain_limit, "0.5 ([VFJG98a])");

choices! {
    /// The queue control function.
    Curve by CURVE, ():
        "hyperbolic" = { QueueCurve::Hyperbolic { a, b } } of { a: A, b: B }
        "linear" = { QueueCurve::Linear { above, below } } of { above: ABOVE, below: BELOW }
    -> QueueCurve
}

pub(super) const INTERVAL_CELLS: Described<OrNone<Whole<1, { u32::MAX }>>> = Described::new(
    "interval-cells",
    "The interval also ends with so many cells of flows under `abr`.",
)
.of(ERICAS)
.default(|_| None, "none");
pub(super) const ACTIVE_COUNT: Described<Active> = Described::new(
    "active-count",
    "What a flow that was not seen in the interval counts: nothing, or `decay` times what it did.",
)
.of(ERICAS)
.default(|_| "seen", "seen ([Kalyanaraman97])");
pub(super) const DECAY: Described<Fraction> =
    Described::new("decay", "With `contributions`: from 0 to below 1.")
        .of(ERICAS)
        .default(|_| 0.9, "0.9, customary");
pub(super) const BACKWARD_COUNTS: Described<Flag> =
    Described::new("backward-counts", "Whether a backward RM cell shows that its flow is active.")
        .of(ERICAS)
        .default(|_| EricaOptions::default().backward_counts, "true ([Kalyanaraman97])");
pub(super) const IMMEDIATE_SHARE: Described<Flag> =
    Described::new("immediate-share", "Whether a flow that appears lowers the fair share at once.")
        .of(ERICAS)
        .default(
            |_| EricaOptions::default().immediate_share,
            "false ([Kalyanaraman97] has it as an option)",
        );
pub(super) const AVERAGING: Described<Averaging> = Described::new(
    "averaging",
    "How the load is averaged over intervals: not, its factor (method 1), or its parts (method 2).",
)
.of(ERICAS)
.default(|_| "none", "none ([Kalyanaraman97] has both as options)");
pub(super) const ALPHA: Described<Fraction> =
    Described::new("alpha", "Of an average: the weight of the newest interval.")
        .of(ERICAS)
        .default(|_| 0.8, "0.8 ([VFJG98a])");
pub(super) const DELTA: Described<OrNone<Number<0>>> = Described::new(
    "delta",
    "The overload up to which all rise to the most that was told; `none`: they never do.",
)
.of(ERICAS)
.default(|_| EricaOptions::default().max_alloc, "0.1 ([VFJG98a])");
pub(super) const HOLD_AT_SHARE: Described<Flag> =
    Described::new("hold-at-share", "Whether a flow below its fair share rises to it first.")
        .of(ERICAS)
        .default(|_| EricaOptions::default().hold_at_share, "false ([VFJG98a] has it)");
pub(super) const CAP: Described<Word<ErCap>> = Described::new(
    "cap",
    "The most that a flow is told: the target, which is less than the link while a queue drains, \
     or the link.",
)
.of(ERICAS)
.default(|_| EricaOptions::default().cap, "target, customary");

choices! {
    /// How a VC counts.
    Active by ACTIVE_COUNT, ():
        "seen" = { ActiveCount::Seen } of {}
        "contributions" = { ActiveCount::Contributions { decay } } of { decay: DECAY }
    -> ActiveCount
}

choices! {
    /// How the load is averaged.
    Averaging by AVERAGING, ():
        "none" = { LoadAveraging::None } of {}
        "of-factor" = { LoadAveraging::OfFactor { alpha } } of { alpha: ALPHA }
        "of-parts" = { LoadAveraging::OfParts { alpha } } of { alpha: ALPHA }
    -> LoadAveraging
}

group! {
    /// What ERICA and ERICA+ have in common.
    Options, (): {
        EricaOptions {
            interval,
            interval_cells: interval_cells.map(u64::from),
            active,
            backward_counts,
            immediate_share,
            vc_rate,
            averaging,
            max_alloc,
            hold_at_share,
            cap,
        }
    } of {
        interval: INTERVAL,
        interval_cells: INTERVAL_CELLS,
        active: Active,
        backward_counts: BACKWARD_COUNTS,
        immediate_share: IMMEDIATE_SHARE,
        vc_rate: VC_RATE,
        averaging: Averaging,
        max_alloc: DELTA,
        hold_at_share: HOLD_AT_SHARE,
        cap: CAP,
    } -> EricaOptions
}
