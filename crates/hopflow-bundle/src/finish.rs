//! What every bundle has beside its results: one version, the scenario with the files that it
//! names, the resolved scenario, card and README.

use std::path::Path;

use hopflow::{Scenario, json_text};

use crate::card::CARD;
use crate::named::{Named, SCENARIO};
use crate::{Bundle, BundleError, readme};

const RESOLVED: &str = "resolved.json";
const README: &str = "README.md";

/// An error unless the results are of this version, which alone can check them.
pub(crate) fn of_this_version(place: &Path, version: &str) -> Result<(), BundleError> {
    let own = env!("CARGO_PKG_VERSION");
    if version == own {
        return Ok(());
    }
    Err(BundleError::Input(format!(
        "`{}` was made by hopflow {version}, and this is {own}: bundle it with hopflow {version}, \
         or run it again with this one",
        place.display()
    )))
}

/// Puts in what every bundle has.
pub(crate) fn finish(mut bundle: Bundle, text: &str, first: &Scenario, named: Named) -> Bundle {
    bundle.put(format!("scenario/{SCENARIO}"), text);
    for (path, bytes) in named.into_found() {
        bundle.put(format!("scenario/{path}"), bytes);
    }
    bundle.put(RESOLVED, json_text(&first.resolve(None)));
    bundle.put(CARD, bundle.card().text());
    let readme = readme::text(&bundle);
    bundle.put(README, readme);
    bundle
}
