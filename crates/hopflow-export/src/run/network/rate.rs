//! ABR flows and rate control of ports of a stored run.

use hopflow::control::rate::{
    AbrSpec, ActiveCount, Drain, EfciSpec, EprcaSpec, ErCap, EricaOptions, EricaPlusSpec,
    EricaSpec, LoadAveraging, MacrSpec, QueueControl, QueueCurve, RateRule, SelectiveSpec,
    VcCountingSpec, VcRate,
};
use hopflow::network::{RateSpec, Segment, VirtualInput, VirtualRate, VirtualSpec, VirtualUpdate};
use hopflow::units::{CellRate, Picos};
use serde_json::Value;

use super::{int, told};

fn rate(value: &Value) -> Option<CellRate> {
    CellRate::new(value.as_f64()?)
}

fn span(value: &Value) -> Option<Picos> {
    int(value).map(Picos)
}

fn count(value: &Value) -> Option<u32> {
    u32::try_from(int(value)?).ok()
}

pub(super) fn flow(value: &Value) -> Option<AbrSpec> {
    Some(AbrSpec {
        pcr: rate(&value["pcr_cells_per_second"])?,
        mcr: rate(&value["mcr_cells_per_second"])?,
        icr: rate(&value["icr_cells_per_second"])?,
        nrm: count(&value["nrm_cells"])?,
        mrm: count(&value["mrm_cells"])?,
        trm: span(&value["trm_ps"])?,
        rif: value["rif"].as_f64()?,
        rdf: value["rdf"].as_f64()?,
        cdf: value["cdf"].as_f64()?,
        crm: int(&value["crm_cells"])?,
        adtf: span(&value["adtf_ps"])?,
        tcr: rate(&value["tcr_cells_per_second"])?,
        sixteen_bit: value["sixteen_bit"].as_bool()?,
    })
}

pub(super) fn port(value: &Value) -> Option<RateSpec> {
    Some(RateSpec { rule: told(&value["rule"], rule).ok()?, segment: segment(&value["segment"])? })
}

fn segment(value: &Value) -> Option<Segment> {
    match value["kind"].as_str()? {
        "through" => return Some(Segment::Through),
        "wall" => return Some(Segment::Wall),
        "vs-vd" => {}
        _ => return None,
    }
    Some(Segment::Virtual(VirtualSpec {
        rate: match value["rate"].as_str()? {
            "previous" => VirtualRate::Previous,
            "next" => VirtualRate::Next,
            "measured" => VirtualRate::Measured,
            _ => return None,
        },
        input: match value["input"].as_str()? {
            "vc" => VirtualInput::Vc,
            "class" => VirtualInput::Class,
            _ => return None,
        },
        update: match value["update"].as_str()? {
            "turn-around" => VirtualUpdate::TurnAround,
            "backward" => VirtualUpdate::Backward,
            "both" => VirtualUpdate::Both,
            _ => return None,
        },
        icr: told(&value["icr_cells_per_second"], rate).ok()?,
    }))
}

fn rule(value: &Value) -> Option<RateRule> {
    Some(match value["kind"].as_str()? {
        "efci" => RateRule::Efci(queue(&value["queue"])?),
        "becn" => RateRule::Becn(queue(&value["queue"])?),
        "selective" => RateRule::Selective(SelectiveSpec {
            queue: queue(&value["queue"])?,
            average: macr(&value["macr"])?,
            part: value["part"].as_f64()?,
        }),
        "eprca" => RateRule::Eprca(EprcaSpec {
            average: macr(&value["macr"])?,
            dpf: value["dpf"].as_f64()?,
            erf: value["erf"].as_f64()?,
            mrf: value["mrf"].as_f64()?,
            qt: int(&value["qt_cells"])?,
            dqt: int(&value["dqt_cells"])?,
            ci: value["ci"].as_bool()?,
        }),
        "vc-counting" => RateRule::VcCounting(VcCountingSpec {
            drain: drain(&value["drain"])?,
            interval: span(&value["interval_ps"])?,
            active: span(&value["active_ps"])?,
            settle: span(&value["settle_ps"])?,
            vc_rate: vc_rate(&value["vc_rate"])?,
            tolerance: value["tolerance"].as_f64()?,
        }),
        "erica" => RateRule::Erica(EricaSpec {
            utilization: value["utilization"].as_f64()?,
            options: options(&value["options"])?,
        }),
        "erica-plus" => RateRule::EricaPlus(EricaPlusSpec {
            target_delay: span(&value["target_delay_ps"])?,
            queue_control: QueueControl {
                curve: curve(&value["curve"])?,
                drain_limit: value["drain_limit"].as_f64()?,
            },
            options: options(&value["options"])?,
        }),
        _ => return None,
    })
}

fn queue(value: &Value) -> Option<EfciSpec> {
    Some(EfciSpec { high: int(&value["high_cells"])?, low: int(&value["low_cells"])? })
}

fn macr(value: &Value) -> Option<MacrSpec> {
    Some(MacrSpec {
        av: value["av"].as_f64()?,
        vcs: value["vcs"].as_f64()?,
        initial: told(&value["initial_cells_per_second"], rate).ok()?,
    })
}

fn drain(value: &Value) -> Option<Drain> {
    let factor = value["part"].as_f64()?;
    match value["kind"].as_str()? {
        "while-queued" => Some(Drain::WhileQueued { queue: queue(&value["queue"])?, factor }),
        "always" => Some(Drain::Always(factor)),
        _ => None,
    }
}

fn curve(value: &Value) -> Option<QueueCurve> {
    let number = |key: &str| value[key].as_f64();
    match value["kind"].as_str()? {
        "hyperbolic" => Some(QueueCurve::Hyperbolic { a: number("a")?, b: number("b")? }),
        "linear" => Some(QueueCurve::Linear { above: number("above")?, below: number("below")? }),
        _ => None,
    }
}

fn vc_rate(value: &Value) -> Option<VcRate> {
    match value.as_str()? {
        "ccr" => Some(VcRate::Ccr),
        "measured" => Some(VcRate::Measured),
        _ => None,
    }
}

fn options(value: &Value) -> Option<EricaOptions> {
    let flag = |key: &str| value[key].as_bool();
    let alpha = value["alpha"].as_f64();
    Some(EricaOptions {
        interval: span(&value["interval_ps"])?,
        interval_cells: told(&value["interval_cells"], int).ok()?,
        active: match told(&value["decay"], Value::as_f64).ok()? {
            Some(decay) => ActiveCount::Contributions { decay },
            None => ActiveCount::Seen,
        },
        backward_counts: flag("backward_counts")?,
        immediate_share: flag("immediate_share")?,
        vc_rate: vc_rate(&value["vc_rate"])?,
        averaging: match value["averaging"].as_str()? {
            "none" => LoadAveraging::None,
            "of-factor" => LoadAveraging::OfFactor { alpha: alpha? },
            "of-parts" => LoadAveraging::OfParts { alpha: alpha? },
            _ => return None,
        },
        max_alloc: told(&value["delta"], Value::as_f64).ok()?,
        hold_at_share: flag("hold_at_share")?,
        cap: match value["cap"].as_str()? {
            "target" => ErCap::Target,
            "link" => ErCap::Link,
            _ => return None,
        },
    })
}
