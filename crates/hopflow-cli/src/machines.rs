//! The external machines that scenarios of this process may name: [`hopflow::network::Machine`].
//!
//! A program registers them once, as it begins. Every command that reads a scenario knows them.

use std::sync::OnceLock;

use hopflow::network::Machine;
use hopflow_scenario::ScenarioFile;

static REGISTERED: OnceLock<Vec<Machine>> = OnceLock::new();

/// Registers the machines of the process.
pub(crate) fn register(machines: Vec<Machine>) {
    let is_first = REGISTERED.set(machines).is_ok();
    assert!(is_first, "a process registers its machines once");
}

/// All that are registered.
pub(crate) fn registered() -> Vec<Machine> {
    REGISTERED.get().cloned().unwrap_or_default()
}

/// The file, which may name them.
pub(crate) fn known_to(file: ScenarioFile) -> ScenarioFile {
    file.with_machines(registered())
}
