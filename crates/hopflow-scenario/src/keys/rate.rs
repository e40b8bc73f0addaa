//! The keys of rate control at ports: `rate-control` of switches and links.

use super::shared::NONE;
use super::{Key, Tab, Ty, key};

pub(crate) const RATE_KINDS: &[&str] =
    &["none", "efci", "becn", "selective", "eprca", "vc-counting", "erica", "erica-plus"];
pub(crate) const DRAINS: &[&str] = &["while-queued", "always"];
pub(crate) const ACTIVE_COUNTS: &[&str] = &["seen", "contributions"];
pub(crate) const VC_RATES: &[&str] = &["ccr", "measured"];
pub(crate) const ER_CAPS: &[&str] = &["target", "link"];
pub(crate) const AVERAGINGS: &[&str] = &["none", "of-factor", "of-parts"];
pub(crate) const CURVES: &[&str] = &["hyperbolic", "linear"];
pub(crate) const VIRTUAL_RATES: &[&str] = &["previous", "next", "measured"];
pub(crate) const VIRTUAL_INPUTS: &[&str] = &["vc", "class"];
pub(crate) const VIRTUAL_UPDATES: &[&str] = &["turn-around", "backward", "both"];

const MARKING: &[&str] = &["efci", "becn", "selective"];
const AVERAGED: &[&str] = &["selective", "eprca"];
const EPRCA: &[&str] = &["eprca"];
const COUNTING: &[&str] = &["vc-counting"];
const ERICAS: &[&str] = &["erica", "erica-plus"];
const PLUS: &[&str] = &["erica-plus"];
const TIME: Ty = Ty::Time { zero: false };

const KIND_OR_TABLE: Ty = Ty::AnyOf(&[Ty::Choice(RATE_KINDS), Ty::Table(&RATE_CONTROL)]);
const OF_LINK: Ty =
    Ty::AnyOf(&[Ty::Choice(RATE_KINDS), Ty::Table(&RATE_CONTROL), Ty::Two(&KIND_OR_TABLE)]);
pub(super) const OF_SWITCH_KEY: Key = key(
    "rate-control",
    KIND_OR_TABLE,
    "What its ports tell flows under `abr` that leave by them: a kind, or a table.",
)
.default("none");
pub(super) const OF_LINK_KEY: Key = key(
    "rate-control",
    OF_LINK,
    "What the ports of switches at its two ends tell flows under `abr`; one for both directions, \
     or `[there, back]`.",
)
.default("that of the switch that sends");

pub(crate) static RATE_CONTROL: Tab = Tab {
    name: "rate-control",
    doc: "What a port does for the flows under `abr` that leave by it. `none`: nothing.",
    kinds: RATE_KINDS,
    keys: &[
        key("kind", Ty::Choice(RATE_KINDS), "The algorithm; docs/scenario.md tells them apart.")
            .required(),
        WALL,
        VS_VD_KEY,
        HIGH,
        LOW,
        PART,
        AV,
        VCS,
        INITIAL,
        DPF,
        ERF,
        MRF,
        QT,
        DQT,
        CI,
        DRAIN,
        INTERVAL,
        ACTIVE,
        SETTLE,
        TOLERANCE,
        UTILIZATION,
        TARGET_DELAY,
        CURVE,
        A,
        B,
        ABOVE,
        BELOW,
        DRAIN_LIMIT,
        INTERVAL_CELLS,
        ACTIVE_COUNT,
        DECAY,
        BACKWARD_COUNTS,
        IMMEDIATE_SHARE,
        VC_RATE,
        AVERAGING,
        ALPHA,
        DELTA,
        HOLD_AT_SHARE,
        CAP,
    ],
};

const WALL: Key = key(
    "wall",
    Ty::Flag,
    "A simple wall: EFCI of what comes in goes no further, but is told in the next backward RM \
     cell ([Roberts96]).",
)
.default("false");
const FLAG_OR_VS_VD: Ty = Ty::AnyOf(&[Ty::Flag, Ty::Table(&VS_VD)]);
const VS_VD_KEY: Key = key(
    "vs-vd",
    FLAG_OR_VS_VD,
    "A virtual destination and a virtual source: the control loop ends here and another begins. \
     `true`: as by default.",
)
.default("false");

/// What `vs-vd` is.
pub(crate) static VS_VD: Tab = Tab {
    name: "vs-vd",
    doc: "How loops are joined at virtual sources; the options of [Kalyanaraman97] chapter 9.",
    kinds: &[],
    keys: &[
        key(
            "rate",
            Ty::Choice(VIRTUAL_RATES),
            "The rate of a flow that the algorithm hears of: CCR of the loop before (a), of the \
             next (b), or measured (c).",
        )
        .default("measured ([Cai97])"),
        key(
            "input",
            Ty::Choice(VIRTUAL_INPUTS),
            "Where the port's input is counted: as cells come (A: `vc`), or as virtual sources \
             let them go (B: `class`).",
        )
        .default("class ([Cai97])"),
        key(
            "update",
            Ty::Choice(VIRTUAL_UPDATES),
            "When the allotment is worked out: as an RM cell is turned around (I), as one comes \
             back (II), or both (III).",
        )
        .default("both ([Cai97])"),
        key(
            "icr",
            Ty::CellRate { share: false },
            "What virtual sources begin with, held within MCR and PCR of each flow.",
        )
        .default("ICR of the flow"),
        key(
            "allow-over-allocation",
            Ty::Flag,
            "Accept a pair of `rate` and `input` that allots more than there is: all but \
             previous, vc and measured, class.",
        )
        .default("false"),
    ],
};

const HIGH: Key = key(
    "high",
    Ty::Queue,
    "With more cells than this the port is congested. `vc-counting`: and drains its queue.",
)
.of(&["efci", "becn", "selective", "vc-counting"])
.default("`vc-counting`: 5 cells (ours); the others need it");
const LOW: Key = key("low", Ty::Queue, "With so many or fewer it is so no longer; at most `high`.")
    .of(&["efci", "becn", "selective", "vc-counting"])
    .default("`high`; `vc-counting`: 1 cell (ours)");
const PART: Key = key(
    "part",
    Ty::Fraction,
    "`selective`: flows from this part of MACR on are marked. `vc-counting`: f, the part of the \
     fair rate that is given.",
)
.of(&["selective", "vc-counting"])
.default("7/8, DPF of EPRCA; 0.9 while queued, 0.98 always ([Roberts96])");
const AV: Key = key("av", Ty::Fraction, "AV: the weight of a new rate in MACR, above 0, up to 1.")
    .of(AVERAGED)
    .default("1/16, customary");
const VCS: Key = key("vcs", Ty::Fraction, "VCS: below this part of MACR a flow does not count.")
    .of(AVERAGED)
    .default("7/8, customary");
const INITIAL: Key = key("initial", Ty::CellRate { share: false }, "MACR at first.")
    .of(AVERAGED)
    .default("the link's rate over the number of flows (ours)");
const DPF: Key = key("dpf", Ty::Fraction, "DPF: below this part of MACR a flow is left alone.")
    .of(EPRCA)
    .default("7/8, customary");
const ERF: Key = key("erf", Ty::Fraction, "ERF: ER is this part of MACR while congested.")
    .of(EPRCA)
    .default("15/16, customary");
const MRF: Key = key("mrf", Ty::Fraction, "MRF: and this part while very congested.")
    .of(EPRCA)
    .default("1/4, customary");
const QT: Key = key("qt", Ty::Queue, "QT: with more cells than this the port is congested.")
    .of(EPRCA)
    .default("100 cells, customary");
const DQT: Key = key("dqt", Ty::Queue, "DQT: with more than this, very congested; at least `qt`.")
    .of(EPRCA)
    .default("300 cells, customary");
const CI: Key = key("ci", Ty::Flag, "Whether CI is set as well while very congested.")
    .of(EPRCA)
    .default("false");
const DRAIN: Key = key(
    "drain",
    Ty::Choice(DRAINS),
    "When only `part` of the fair rate is given: while there is a queue, or always.",
)
.of(COUNTING)
.default("while-queued ([Roberts96])");
const INTERVAL: Key =
    key("interval", TIME, "How often rates are worked out: at least a cell time of the link.")
        .of(&["vc-counting", "erica", "erica-plus"])
        .default("`vc-counting`: 1 ms ([Roberts96]); else 5 ms ([VFJG98a])");
const ACTIVE: Key = key("active", TIME, "A flow without a cell for longer than this has left.")
    .of(COUNTING)
    .default("100 ms (ours)");
const SETTLE: Key = key(
    "settle",
    TIME,
    "The longest time from a backward RM cell here to the first forward one that obeys it.",
)
.of(COUNTING)
.default("the longest FRTT of its flows and the time of Nrm cells of each of them (ours)");
const TOLERANCE: Key = key(
    "tolerance",
    Ty::Fraction,
    "What the rate of a flow may be below what the port holds it to, as a part of that, with the \
     port still taken for what holds it; from 0 to below 1.",
)
.of(COUNTING)
.default("1/256 (ours)");
const UTILIZATION: Key =
    key("utilization", Ty::Fraction, "U: the part of the link to be filled, above 0, up to 1.")
        .of(&["erica"])
        .default("0.9, customary");
const TARGET_DELAY: Key = key("target-delay", TIME, "T0: the queueing delay that is aimed at.")
    .of(PLUS)
    .default("1.5 ms ([VFJG98a])");
const CURVE: Key = key("curve", Ty::Choice(CURVES), "The shape of the queue control function.")
    .of(PLUS)
    .default("hyperbolic ([Kalyanaraman97])");
const A: Key = key("a", Ty::Number(1.0), "a: how steep a hyperbola is above the target.")
    .of(PLUS)
    .default("1.15, customary");
const B: Key = key("b", Ty::Number(1.0), "b: how steep a hyperbola is below the target.")
    .of(PLUS)
    .default("1.05, customary");
const ABOVE: Key = key("above", Ty::Fraction, "m_a: the slope of a line above the target.")
    .of(PLUS)
    .default("1/8 (ours)");
const BELOW: Key = key("below", Ty::Fraction, "m_b: the slope of a line below the target.")
    .of(PLUS)
    .default("1/16 (ours)");
const DRAIN_LIMIT: Key = key(
    "drain-limit",
    Ty::Fraction,
    "QDLF: the least part of the free rate that is given out, above 0, up to 1.",
)
.of(PLUS)
.default("0.5 ([VFJG98a])");
const INTERVAL_CELLS: Key = key(
    "interval-cells",
    Ty::WordOr(NONE, &Ty::Count(1, u32::MAX as u64)),
    "The interval also ends with so many cells of flows under `abr`.",
)
.of(ERICAS)
.default("none");
const ACTIVE_COUNT: Key = key(
    "active-count",
    Ty::Choice(ACTIVE_COUNTS),
    "What a flow that was not seen in the interval counts: nothing, or `decay` times what it did.",
)
.of(ERICAS)
.default("seen ([Kalyanaraman97])");
const DECAY: Key = key("decay", Ty::Fraction, "With `contributions`: from 0 to below 1.")
    .of(ERICAS)
    .default("0.9, customary");
const BACKWARD_COUNTS: Key =
    key("backward-counts", Ty::Flag, "Whether a backward RM cell shows that its flow is active.")
        .of(ERICAS)
        .default("true ([Kalyanaraman97])");
const IMMEDIATE_SHARE: Key =
    key("immediate-share", Ty::Flag, "Whether a flow that appears lowers the fair share at once.")
        .of(ERICAS)
        .default("false ([Kalyanaraman97] has it as an option)");
const VC_RATE: Key = key(
    "vc-rate",
    Ty::Choice(VC_RATES),
    "Where the rate of a flow is taken from: its RM cells, or its cells in the last interval.",
)
.of(&["vc-counting", "erica", "erica-plus"])
.default("ccr ([Kalyanaraman97])");
const AVERAGING: Key = key(
    "averaging",
    Ty::Choice(AVERAGINGS),
    "How the load is averaged over intervals: not, its factor (method 1), or its parts (method 2).",
)
.of(ERICAS)
.default("none ([Kalyanaraman97] has both as options)");
const ALPHA: Key = key("alpha", Ty::Fraction, "Of an average: the weight of the newest interval.")
    .of(ERICAS)
    .default("0.8 ([VFJG98a])");
const DELTA: Key = key(
    "delta",
    Ty::WordOr(NONE, &Ty::Number(0.0)),
    "The overload up to which all rise to the most that was told; `none`: they never do.",
)
.of(ERICAS)
.default("0.1 ([VFJG98a])");
const HOLD_AT_SHARE: Key =
    key("hold-at-share", Ty::Flag, "Whether a flow below its fair share rises to it first.")
        .of(ERICAS)
        .default("false ([VFJG98a] has it)");
const CAP: Key = key(
    "cap",
    Ty::Choice(ER_CAPS),
    "The most that a flow is told: the target, which is less than the link while a queue drains, \
     or the link.",
)
.of(ERICAS)
.default("target, customary");

/// The kinds that need `high`.
pub(crate) const NEED_HIGH: &[&str] = MARKING;
