//! What a control is called, and why it does not fit: of the controls that a comparison names.

use hopflow_scenario::{AS_IS, BUILT_IN, Diagnostics, ScenarioFile, Severity, Variant};

use super::{Unfit, needs};

/// What a control is, in a few words.
pub fn title_of(name: &str, variants: &[Variant]) -> Option<String> {
    let own = variants.iter().find(|variant| variant.name == name);
    let built_in = || BUILT_IN.iter().find(|built_in| built_in.name == name);
    match own {
        Some(variant) => variant.title.clone(),
        None if name == AS_IS => Some("the scenario as it stands".to_owned()),
        None => built_in().map(|built_in| built_in.title.to_owned()),
    }
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
