//! The keys of ERICA and ERICA+, and those that VC counting shares with them.

use hopflow_control::rate::{
    ActiveCount, ErCap, EricaOptions, EricaPlusSpec, EricaSpec, LoadAveraging, QueueCurve, VcRate,
};

use crate::described::{
    Flag, Fraction, Number, OrNone, Time, Whole, Word, choices, group, keys, words,
};

use super::virtual_source::measures;
use crate::section::Section;

const ERICAS: &[&str] = &["erica", "erica-plus"];

words! {
    VcRate: "ccr" = VcRate::Ccr, "measured" = VcRate::Measured;
    ErCap: "target" = ErCap::Target, "link" = ErCap::Link;
}

keys! { pub(super) OF_INTERVALS:
    of &["vc-counting", "erica", "erica-plus"] => {
        INTERVAL: Time = "interval",
            "The interval between computations of rates: at least a cell time of the link.",
            default(
                |_| EricaOptions::default().interval,
                "`vc-counting`: 1 ms ([Roberts96]); else 5 ms ([VFJG98a])",
            );
    }
}

keys! { pub(super) OF_ERICAS:
    of &["erica"] => {
        UTILIZATION: Fraction = "utilization",
            "U: the part of the link to be filled, above 0, up to 1.",
            default(|_| EricaSpec::default().utilization, "0.9, customary");
    }
    of &["erica-plus"] => {
        TARGET_DELAY: Time = "target-delay", "T0: the target queueing delay.",
            default(|_| EricaPlusSpec::default().target_delay, "1.5 ms ([VFJG98a])");
        CURVE: Curve = "curve", "The shape of the queue control function.",
            default(|_| "hyperbolic", "hyperbolic ([Kalyanaraman97])");
        A: Number<1> = "a", "a: how steep a hyperbola is above the target.",
            default(|_| 1.15, "1.15, customary");
        B: Number<1> = "b", "b: how steep a hyperbola is below the target.",
            default(|_| 1.05, "1.05, customary");
        ABOVE: Fraction = "above", "m_a: the slope of a line above the target.",
            default(|_| 0.125, "1/8 (ours)");
        BELOW: Fraction = "below", "m_b: the slope of a line below the target.",
            default(|_| 0.0625, "1/16 (ours)");
        DRAIN_LIMIT: Fraction = "drain-limit",
            "QDLF: the least part of the free rate that is allotted, above 0, up to 1.",
            default(|_| EricaPlusSpec::default().queue_control.drain_limit, "0.5 ([VFJG98a])");
    }
    of ERICAS => {
        INTERVAL_CELLS: OrNone<Whole<1, { u32::MAX }>> = "interval-cells",
            "The interval also ends after this number of cells of flows under `abr`.",
            default(|_| None, "none");
        ACTIVE_COUNT: Active = "active-count",
            "How a flow that was not seen in the interval counts: as nothing, or `decay` times its \
             last count.",
            default(|_| "seen", "seen ([Kalyanaraman97])");
        DECAY: Fraction = "decay", "With `contributions`: from 0 to below 1.",
            default(|_| 0.9, "0.9, customary");
        BACKWARD_COUNTS: Flag = "backward-counts",
            "Whether a backward RM cell shows that its flow is active.",
            default(|_| EricaOptions::default().backward_counts, "true ([Kalyanaraman97])");
        IMMEDIATE_SHARE: Flag = "immediate-share",
            "Whether a flow that appears lowers the fair share at once.",
            default(
                |_| EricaOptions::default().immediate_share,
                "false ([Kalyanaraman97] has it as an option)",
            );
    }
    of &["vc-counting", "erica", "erica-plus"] => {
        VC_RATE: Word<VcRate> = "vc-rate",
            "Where the rate of a flow is taken from: its RM cells (`ccr`; at a virtual source, its \
             cells between two RM cells), or its cells in the last interval.",
            default(
                vc_rate,
                "ccr ([Kalyanaraman97]), but with `vs-vd` measured ([Cai97]) unless its `rate` is \
                 the CCR of a loop",
            );
    }
    of ERICAS => {
        AVERAGING: Averaging = "averaging",
            "What is averaged over intervals: nothing, the load factor (method 1), or its parts \
             (method 2).",
            default(|_| "none", "none ([Kalyanaraman97] has both as options)");
        ALPHA: Fraction = "alpha", "The weight of the newest interval in an average.",
            default(|_| 0.8, "0.8 ([VFJG98a])");
        DELTA: OrNone<Number<0>> = "delta",
            "The overload up to which all flows rise to the highest rate that was allotted; \
             `none`: they never do.",
            default(|_| EricaOptions::default().max_alloc, "0.1 ([VFJG98a])");
        HOLD_AT_SHARE: Flag = "hold-at-share",
            "Whether a flow below its fair share rises to it first.",
            default(|_| EricaOptions::default().hold_at_share, "false ([VFJG98a] has it)");
        CAP: Word<ErCap> = "cap",
            "The highest rate that a flow is allotted: the target, which is below the link's rate \
             while a queue drains, or the link's rate.",
            default(|_| EricaOptions::default().cap, "target, customary");
    }
}

/// The rate of a VC where `vc-rate` is left out.
fn vc_rate(table: &Section<'_>) -> VcRate {
    if measures(table) { VcRate::Measured } else { EricaOptions::default().vc_rate }
}

choices! {
    /// The queue control function.
    Curve by CURVE, ():
        "hyperbolic" = { QueueCurve::Hyperbolic { a, b } } of { a: A, b: B }
        "linear" = { QueueCurve::Linear { above, below } } of { above: ABOVE, below: BELOW }
    -> QueueCurve
}

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
