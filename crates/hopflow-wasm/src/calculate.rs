//! The calculator of the page: links by name, as `hopflow size --preset` sizes them.

use hopflow::size::{
    MEDIA, Preset, PresetLink, PresetSize, PublicRow, TrialRun, VENDORS, Verified,
};
use hopflow::units::Bytes;
use serde_json::{Value, json};

use crate::answer::Problem;
use crate::request::Named;

/// All presets, with what may be chosen of each.
pub(crate) fn presets() -> Value {
    let preset = |preset: Preset| {
        let speed = |speed: &hopflow::size::Speed| json!({ "name": speed.name });
        let is_pfc = preset == Preset::Pfc;
        let vendors = VENDORS.iter().filter(|_| is_pfc);
        let vendors: Vec<Value> =
            vendors.map(|(name, what)| json!({ "name": name, "what": what })).collect();
        json!({
            "name": preset.name(),
            "packetBytes": preset.packet().0,
            "fixedPacket": preset == Preset::N23,
            "speeds": preset.speeds().iter().map(speed).collect::<Vec<Value>>(),
            "vendors": vendors,
        })
    };
    json!({
        "presets": Preset::ALL.map(preset),
        "media": MEDIA.map(|one| json!({ "name": one.name, "source": one.source })),
    })
}

/// The size of a link by its name, and where asked for the runs that confirm it.
pub(crate) fn calculate(named: &Named) -> Result<Value, Problem> {
    let Named { preset, speed, metres, medium, packet_bytes, vendor, verify } = named;
    let preset = Preset::named(preset)
        .ok_or_else(|| Problem::said(format!("`{preset}` is not a preset")))?;
    let medium = MEDIA
        .into_iter()
        .find(|one| one.name == medium)
        .ok_or_else(|| Problem::said(format!("`{medium}` is not a medium")))?;
    let delay = medium
        .delay(*metres)
        .ok_or_else(|| Problem::said(format!("a length of {metres} m is too long to compute")))?;
    let link = PresetLink {
        speed,
        delay,
        metres: Some(*metres),
        packet: packet_bytes.filter(|_| preset != Preset::N23).map(Bytes),
        packet_back: None,
        overhead: None,
        processing: None,
        response: None,
        vendor: vendor.as_deref(),
    };
    let size = preset.size(&link).map_err(Problem::said)?;
    let verified = verify.then(|| size.trial.verify().map_err(Problem::said)).transpose()?;
    answer(&size, verified.as_ref())
}

fn answer(size: &PresetSize, verified: Option<&Verified>) -> Result<Value, Problem> {
    let scenario = size.trial.scenario(size.trial.size()).map_err(Problem::said)?;
    let rows: Vec<Value> = size.public.iter().map(public).collect();
    Ok(json!({
        "amount": size.amount,
        "unit": size.unit,
        "formula": size.need.formula(),
        "notes": size.notes,
        "public": rows,
        "verified": verified.map(runs),
        "scenario": scenario,
    }))
}

fn public(row: &PublicRow) -> Value {
    json!({
        "source": row.source, "terms": row.terms, "value": row.value, "ours": row.ours,
        "unit": row.unit, "why": row.why,
    })
}

fn runs(verified: &Verified) -> Value {
    let run = |run: &TrialRun| {
        json!({
            "of": run.of, "size": run.size, "busy": run.busy, "dropped": run.dropped,
            "isEnough": run.is_enough,
        })
    };
    json!({
        "runs": verified.runs.iter().map(run).collect::<Vec<Value>>(),
        "unit": verified.unit,
        "byLoss": verified.by_loss,
        "isConfirmed": verified.is_confirmed,
        "verdict": verified.verdict,
    })
}
