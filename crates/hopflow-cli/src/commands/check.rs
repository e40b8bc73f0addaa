//! `hopflow check`: scenarios without running them.

use std::path::Path;

use hopflow::{Scenario, memory_estimate};
use hopflow_scenario::AS_IS;

use crate::args::CheckArgs;
use crate::fail::Fail;
use crate::{Outcome, diagnose, memory, output};

pub(crate) fn check(args: &CheckArgs) -> Outcome {
    let mut wrong = false;
    for file in &args.files {
        let Ok(scenario) = load(file) else {
            wrong = true;
            continue;
        };
        let network = &scenario.network;
        let count = |number: usize, noun: &str| {
            format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
        };
        output::write(&format!(
            "{}: fine ({}, {}, {}{}, {}; about {} of memory)\n",
            file.display(),
            count(network.nodes.len(), "node"),
            count(network.links.len(), "link"),
            count(network.vcs.len(), "VC"),
            match scenario.variants.len() {
                0 => String::new(),
                variants => format!(", {}", count(variants, "variant")),
            },
            count(scenario.warnings.len(), "warning"),
            memory::in_words(memory_estimate(&scenario, false)),
        ))?;
    }
    if wrong { Err(Fail::Said) } else { Ok(()) }
}

/// The scenario as it stands, if it is fine, as it is under every variant of its file.
fn load(path: &Path) -> Result<Scenario, Fail> {
    let file = diagnose::load_file(path)?;
    let scenario = diagnose::under(&file, AS_IS)?;
    let mut wrong = Ok(());
    for variant in &scenario.variants {
        wrong = wrong.and(diagnose::under(&file, &variant.name).map(|_| ()));
    }
    wrong.map(|()| scenario)
}
