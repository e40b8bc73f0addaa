//! Load: a scenario from its file.

use std::path::Path;

use hopflow_scenario::{Diagnostics, Scenario};

/// Reads and checks a scenario file. Paths of files that it names are relative to its folder. All
/// errors are returned at once; doubtful settings are in [`Scenario::warnings`].
pub fn load(path: &Path) -> Result<Scenario, Diagnostics> {
    Scenario::load(path)
}
