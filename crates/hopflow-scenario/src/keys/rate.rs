//! The keys of rate control at ports: `rate-control` of switches and links; how the rule is read.

pub(crate) mod backward_rm;
mod erica;
mod virtual_source;

use hopflow_control::rate::{
    Drain, EfciSpec, EprcaSpec, EricaPlusSpec, EricaSpec, MacrSpec, QueueControl, RateRule,
    SelectiveSpec, VcCountingSpec,
};
use hopflow_units::Picos;

use super::{Key, Tab, Ty, key, machine};
use crate::described::{
    CellPace, EVERY, Flag, Fraction, Maybe, Queue, Time, choices, group, keys, reads,
};
use crate::tab::joined;
use erica::{
    Curve, DRAIN_LIMIT, INTERVAL, OF_ERICAS, OF_INTERVALS, Options, TARGET_DELAY, UTILIZATION,
    VC_RATE,
};

pub(crate) use virtual_source::{VS_VD, VirtualSource, virtual_source};

/// `none`, and the rules.
pub(crate) const RATE_KINDS: &[&str] = &{
    let mut kinds = ["none"; RateRule::NAMES.len() + 1];
    let (_, rules) = kinds.split_at_mut(1);
    rules.copy_from_slice(RateRule::NAMES);
    kinds
};

const KIND_OR_TABLE: Ty = Ty::AnyOf(&[Ty::Choice(RATE_KINDS), Ty::Table(&RATE_CONTROL)]);
const OF_LINK: Ty =
    Ty::AnyOf(&[Ty::Choice(RATE_KINDS), Ty::Table(&RATE_CONTROL), Ty::Two(&KIND_OR_TABLE)]);
pub(crate) const OF_SWITCH_KEY: Key = key(
    "rate-control",
    KIND_OR_TABLE,
    "The feedback of its ports to flows under `abr` that leave by them: a kind, or a table.",
)
.default("none");
pub(super) const OF_LINK_KEY: Key = key(
    "rate-control",
    OF_LINK,
    "The feedback of the switch ports at its two ends to flows under `abr`; one for both \
     directions, or `[there, back]`.",
)
.default("that of the switch that sends");

static RATE_CONTROL: Tab = Tab {
    name: "rate-control",
    doc: "The feedback of a port to flows under `abr` that leave by it. `none`: no feedback.",
    kinds: RATE_KINDS,
    keys: joined!(
        &[key("kind", Ty::Choice(RATE_KINDS), "The algorithm; docs/scenario.md compares them.")
            .required()],
        OF_PORTS,
        &[VS_VD_KEY, backward_rm::BACKWARD_RM_KEY],
        OF_QUEUES,
        OF_INTERVALS,
        OF_COUNTING,
        OF_ERICAS,
        &[machine(
            "The name of a rate rule of your own, which a program in Rust registers; experimental.",
        )],
    ),
};

keys! { pub(crate) OF_PORTS:
    of EVERY => {
        WALL: Flag = "wall",
            "A simple wall: EFCI of arriving cells goes no further; the next backward RM cell \
             reports it ([Roberts96]).",
            default(|_| false, "false");
    }
}

const FLAG_OR_VS_VD: Ty = Ty::AnyOf(&[Ty::Flag, Ty::Table(&VS_VD)]);
pub(crate) const VS_VD_KEY: Key = key(
    "vs-vd",
    FLAG_OR_VS_VD,
    "A virtual destination and a virtual source: the control loop ends here and another begins. \
     `true`: with the defaults.",
)
.default("false");

const QUEUES: &[&str] = &["efci", "becn", "selective", "vc-counting"];
const COUNTING: &[&str] = &["vc-counting"];

keys! { OF_QUEUES:
    of QUEUES => {
        HIGH: Queue = "high",
            "With more cells than this the port is congested; under `vc-counting` it also drains \
             its queue.",
            words("`vc-counting`: 5 cells (ours); the others need it"), such_as("\"100 cells\"");
        LOW: Maybe<Queue> = "low",
            "With this number or fewer it is no longer congested; at most `high`.",
            words("`high`; `vc-counting`: 1 cell (ours)");
    }
    of &["selective", "vc-counting"] => {
        PART: Fraction = "part",
            "`selective`: flows at this part of MACR or above are marked. `vc-counting`: f, the \
             part of the fair rate that flows get.",
            default(
                |_| EprcaSpec::default().dpf,
                "7/8, DPF of EPRCA; 0.9 while queued, 0.98 always ([Roberts96])",
            );
    }
    of &["selective", "eprca"] => {
        AV: Fraction = "av", "AV: the weight of a new rate in MACR, above 0, up to 1.",
            default(|_| MacrSpec::default().av, "1/16, customary");
        VCS: Fraction = "vcs", "VCS: below this part of MACR a flow does not count.",
            default(|_| MacrSpec::default().vcs, "7/8, customary");
        INITIAL: Maybe<CellPace> = "initial", "MACR at the start.",
            words("the link's rate over the number of flows (ours)");
    }
    of &["eprca"] => {
        DPF: Fraction = "dpf", "DPF: below this part of MACR a flow is left alone.",
            default(|_| EprcaSpec::default().dpf, "7/8, customary");
        ERF: Fraction = "erf", "ERF: ER is this part of MACR while congested.",
            default(|_| EprcaSpec::default().erf, "15/16, customary");
        MRF: Fraction = "mrf", "MRF: ER is this part of MACR while very congested.",
            default(|_| EprcaSpec::default().mrf, "1/4, customary");
        QT: Queue = "qt", "QT: with more cells than this the port is congested.",
            default(|_| EprcaSpec::default().qt, "100 cells, customary");
        DQT: Queue = "dqt", "DQT: with more cells than this it is very congested; at least `qt`.",
            default(|_| EprcaSpec::default().dqt, "300 cells, customary");
        CI: Flag = "ci", "Whether CI is set as well while very congested.",
            default(|_| EprcaSpec::default().ci, "false");
    }
    of COUNTING => {
        DRAIN: Draining = "drain",
            "When flows get only `part` of the fair rate: while there is a queue, or always.",
            default(|_| "while-queued", "while-queued ([Roberts96])");
    }
}

keys! { pub(crate) OF_COUNTING:
    of COUNTING => {
        ACTIVE: Time = "active", "A flow without a cell for longer than this has left.",
            default(|_| VcCountingSpec::new(SOME_TIME).active, "100 ms (ours)");
        SETTLE: Maybe<Time> = "settle",
            "The longest time from a backward RM cell here to the first forward one that obeys it.",
            default(
                |_| None,
                "the longest FRTT of its flows and the time of Nrm cells of each of them (ours)",
            );
        TOLERANCE: Fraction = "tolerance",
            "How far the rate of a flow may be below the rate to which the port limits it, as a \
             part of that rate, while the port still counts as its bottleneck; from 0 to below 1.",
            default(|_| VcCountingSpec::new(SOME_TIME).tolerance, "1/256 (ours)");
    }
}

group! {
    /// When a port is congested.
    Thresholds, (): { EfciSpec { high, low: low.unwrap_or(high) } } of { high: HIGH, low: LOW }
    -> EfciSpec
}

group! {
    /// How MACR is averaged.
    Average, (): { MacrSpec { av, vcs, initial } } of { av: AV, vcs: VCS, initial: INITIAL }
    -> MacrSpec
}

/// A settling time that stands until that of all flows is known.
const SOME_TIME: Picos = Picos(1);
choices! {
    /// How queues drain.
    Draining by DRAIN, ():
        "while-queued" = {
            Drain::WhileQueued {
                queue: EfciSpec { high, low: low.unwrap_or(high) },
                factor: part,
            }
        } of { high: HIGH.or(|_| 5), low: LOW.or(|_| Some(1)), part: PART.or(|_| 0.9) }
        "always" = { Drain::Always(part) } of { part: PART.or(|_| 0.98) }
    -> Drain
}

reads! { RateRule, ():
    "efci" = { RateRule::Efci(queue) } of { queue: Thresholds }
    "becn" = { RateRule::Becn(queue) } of { queue: Thresholds }
    "selective" = { RateRule::Selective(SelectiveSpec { queue, average, part }) } of {
        queue: Thresholds,
        average: Average,
        part: PART,
    }
    "eprca" = { RateRule::Eprca(EprcaSpec { average, dpf, erf, mrf, qt, dqt, ci }) } of {
        average: Average,
        dpf: DPF,
        erf: ERF,
        mrf: MRF,
        qt: QT,
        dqt: DQT,
        ci: CI,
    }
    "vc-counting" = {
        RateRule::VcCounting(VcCountingSpec {
            drain,
            interval,
            active,
            settle: settle.unwrap_or(SOME_TIME),
            vc_rate,
            tolerance,
        })
    } of {
        drain: Draining,
        interval: INTERVAL.or(|_| VcCountingSpec::new(SOME_TIME).interval),
        active: ACTIVE,
        settle: SETTLE,
        vc_rate: VC_RATE,
        tolerance: TOLERANCE,
    }
    "erica" = { RateRule::Erica(EricaSpec { utilization, options }) } of {
        utilization: UTILIZATION,
        options: Options,
    }
    "erica-plus" = {
        RateRule::EricaPlus(EricaPlusSpec {
            target_delay,
            queue_control: QueueControl { curve, drain_limit },
            options,
        })
    } of {
        target_delay: TARGET_DELAY,
        curve: Curve,
        drain_limit: DRAIN_LIMIT,
        options: Options,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Sink;
    use crate::section::Section;

    /// Claim: the words of a default tell its value, unless that is nothing.
    #[test]
    fn defaults_in_words_are_the_values() {
        use crate::described::Reads;
        let mut defaults = defaults(&Section::empty(0..0, &RATE_CONTROL), &());
        assert_eq!(defaults.len(), 60);
        let options = VirtualSource.defaults("", &Section::empty(0..0, &VS_VD), &());
        assert_eq!(options.len(), 5);
        defaults.extend(options);
        defaults.iter().for_each(crate::described::known::Known::assert_words_match);
    }

    /// Claim: every rule is read by its name, and results write it by the same.
    #[test]
    fn every_rule_has_keys() {
        for name in RateRule::NAMES.iter().filter(|name| **name != "external") {
            let table = toml::de::DeTable::parse("high = \"9 cells\"").unwrap();
            let table = Section::new(table.get_ref(), 0..0, &RATE_CONTROL);
            let rule = read(name, &table, &(), &mut Sink::new()).unwrap().expect("it has keys");
            assert_eq!(rule.facts().name, *name);
            assert_eq!(serde_json::to_value(rule).unwrap()["kind"], *name);
        }
    }
}
