//! Load: a scenario from its file.

use std::path::Path;

use hopflow_scenario::{Diagnostics, Scenario};

/// Reads and checks a scenario file. Files that it names are looked up beside it. What is wrong
/// comes back all at once; what is only doubtful is in [`Scenario::warnings`].
pub fn load(path: &Path) -> Result<Scenario, Diagnostics> {
    Scenario::load(path)
}
