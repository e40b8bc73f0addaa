//! ABR flows and rate control of ports, written out. Rates are in cells per second.

use hopflow_control::rate::{
    AbrSpec, ActiveCount, Drain, EfciSpec, ErCap, EricaOptions, LoadAveraging, MacrSpec,
    QueueCurve, RateRule, VcRate,
};
use hopflow_network::{RateSpec, Segment, VirtualSpec, VirtualUpdate};
use serde_json::{Value, json};

use super::int;
use crate::rate::{word_of_input, word_of_rate};

/// The parameters of a flow under `abr`.
pub(super) fn flow(spec: &AbrSpec) -> Value {
    json!({
        "adtf_ps": int(spec.adtf.0),
        "cdf": spec.cdf,
        "crm_cells": int(spec.crm),
        "icr_cells_per_second": spec.icr.get(),
        "mcr_cells_per_second": spec.mcr.get(),
        "mrm_cells": spec.mrm,
        "nrm_cells": spec.nrm,
        "pcr_cells_per_second": spec.pcr.get(),
        "rdf": spec.rdf,
        "rif": spec.rif,
        "sixteen_bit": spec.sixteen_bit,
        "tcr_cells_per_second": spec.tcr.get(),
        "trm_ps": int(spec.trm.0),
    })
}

/// What a port does.
pub(super) fn port(spec: &RateSpec) -> Value {
    let segment = match &spec.segment {
        Segment::Through => json!({ "kind": "through" }),
        Segment::Wall => json!({ "kind": "wall" }),
        Segment::Virtual(virtual_source) => segment(virtual_source),
    };
    json!({ "rule": spec.rule.as_ref().map(rule), "segment": segment })
}

fn segment(spec: &VirtualSpec) -> Value {
    json!({
        "icr_cells_per_second": spec.icr.map(hopflow_units::CellRate::get),
        "input": word_of_input(spec.input),
        "kind": "vs-vd",
        "rate": word_of_rate(spec.rate),
        "update": match spec.update {
            VirtualUpdate::TurnAround => "turn-around",
            VirtualUpdate::Backward => "backward",
            VirtualUpdate::Both => "both",
        },
    })
}

fn rule(rule: &RateRule) -> Value {
    match rule {
        RateRule::Efci(spec) => json!({ "kind": "efci", "queue": queue(*spec) }),
        RateRule::Becn(spec) => json!({ "kind": "becn", "queue": queue(*spec) }),
        RateRule::Selective(spec) => json!({
            "kind": "selective",
            "macr": macr(&spec.average),
            "part": spec.part,
            "queue": queue(spec.queue),
        }),
        RateRule::Eprca(spec) => json!({
            "ci": spec.ci,
            "dpf": spec.dpf,
            "dqt_cells": int(spec.dqt),
            "erf": spec.erf,
            "kind": "eprca",
            "macr": macr(&spec.average),
            "mrf": spec.mrf,
            "qt_cells": int(spec.qt),
        }),
        RateRule::VcCounting(spec) => json!({
            "active_ps": int(spec.active.0),
            "drain": drain(&spec.drain),
            "interval_ps": int(spec.interval.0),
            "kind": "vc-counting",
            "settle_ps": int(spec.settle.0),
            "tolerance": spec.tolerance,
            "vc_rate": vc_rate(spec.vc_rate),
        }),
        RateRule::Erica(spec) => json!({
            "kind": "erica",
            "options": options(&spec.options),
            "utilization": spec.utilization,
        }),
        RateRule::EricaPlus(spec) => json!({
            "curve": curve(&spec.queue_control.curve),
            "drain_limit": spec.queue_control.drain_limit,
            "kind": "erica-plus",
            "options": options(&spec.options),
            "target_delay_ps": int(spec.target_delay.0),
        }),
    }
}

fn queue(spec: EfciSpec) -> Value {
    json!({ "high_cells": int(spec.high), "low_cells": int(spec.low) })
}

fn macr(spec: &MacrSpec) -> Value {
    json!({
        "av": spec.av,
        "initial_cells_per_second": spec.initial.map(hopflow_units::CellRate::get),
        "vcs": spec.vcs,
    })
}

fn drain(drain: &Drain) -> Value {
    let (kind, part, lengths) = match drain {
        Drain::WhileQueued { queue: lengths, factor } => {
            ("while-queued", factor, Some(queue(*lengths)))
        }
        Drain::Always(factor) => ("always", factor, None),
    };
    json!({ "kind": kind, "part": part, "queue": lengths })
}

fn curve(curve: &QueueCurve) -> Value {
    match curve {
        QueueCurve::Hyperbolic { a, b } => json!({ "a": a, "b": b, "kind": "hyperbolic" }),
        QueueCurve::Linear { above, below } => {
            json!({ "above": above, "below": below, "kind": "linear" })
        }
    }
}

fn options(spec: &EricaOptions) -> Value {
    let (averaging, alpha) = match spec.averaging {
        LoadAveraging::None => ("none", None),
        LoadAveraging::OfFactor { alpha } => ("of-factor", Some(alpha)),
        LoadAveraging::OfParts { alpha } => ("of-parts", Some(alpha)),
    };
    let decay = match spec.active {
        ActiveCount::Seen => None,
        ActiveCount::Contributions { decay } => Some(decay),
    };
    json!({
        "active_count": if decay.is_some() { "contributions" } else { "seen" },
        "alpha": alpha,
        "averaging": averaging,
        "backward_counts": spec.backward_counts,
        "cap": match spec.cap {
            ErCap::Target => "target",
            ErCap::Link => "link",
        },
        "decay": decay,
        "delta": spec.max_alloc,
        "hold_at_share": spec.hold_at_share,
        "immediate_share": spec.immediate_share,
        "interval_cells": spec.interval_cells.map(int),
        "interval_ps": int(spec.interval.0),
        "vc_rate": vc_rate(spec.vc_rate),
    })
}

fn vc_rate(rate: VcRate) -> &'static str {
    match rate {
        VcRate::Ccr => "ccr",
        VcRate::Measured => "measured",
    }
}
