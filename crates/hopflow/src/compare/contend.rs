//! What a control is called, and why it does not fit: of the controls that a comparison names.

use hopflow_scenario::{AS_IS, BUILT_IN, Diagnostics, Scenario, ScenarioFile, Severity, Variant};

use super::{Unfit, needs};

/// The control that lets full buffers drop.
const DROP_TAIL: &str = "drop-tail";

/// What a control is, in a few words.
fn title_of(name: &str, variants: &[Variant]) -> Option<String> {
    let own = variants.iter().find(|variant| variant.name == name);
    let built_in = || BUILT_IN.iter().find(|built_in| built_in.name == name);
    match own {
        Some(variant) => variant.title.clone(),
        None if name == AS_IS => Some("the scenario as it stands".to_owned()),
        None => built_in().map(|built_in| built_in.title.to_owned()),
    }
}

/// The same, for a scenario under this control: of the scenario as it stands, it is the built-in
/// control that changes nothing of it, if one does.
pub fn title_under(name: &str, file: &ScenarioFile, scenario: &Scenario) -> Option<String> {
    let is_it = |name: &str| {
        file.under(name).is_ok_and(|other| {
            let (own, other) = (&scenario.network, &other.network);
            (&own.nodes, &own.links, &own.vcs) == (&other.nodes, &other.links, &other.vcs)
        })
    };
    if name == AS_IS && is_it(DROP_TAIL) {
        return Some("drop tail, as the file stands".to_owned());
    }
    title_of(name, &file.variants())
}

/// Why a control does not fit, and what it needs; `None` if `wrong` has no error.
pub fn unfit_of(file: &ScenarioFile, name: &str, wrong: &Diagnostics) -> Option<Unfit> {
    let first = wrong.items.iter().find(|item| item.severity == Severity::Error)?;
    let unlimited = file.under_unlimited(name);
    Some(Unfit {
        control: name.to_owned(),
        title: title_of(name, &file.variants()),
        code: first.code.to_string(),
        reason: first.headline(),
        change: first.hint.clone(),
        needs: unlimited.map(|scenario| needs(&scenario.network)).unwrap_or_default(),
    })
}
