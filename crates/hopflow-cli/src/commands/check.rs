//! `hopflow check`: scenarios without running them.

use crate::args::CheckArgs;
use crate::fail::Fail;
use crate::{Outcome, diagnose, output};

pub(crate) fn check(args: &CheckArgs) -> Outcome {
    let mut wrong = false;
    for file in &args.files {
        let Ok(scenario) = diagnose::load(file) else {
            wrong = true;
            continue;
        };
        let network = &scenario.network;
        let count = |number: usize, noun: &str| {
            format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
        };
        output::write(&format!(
            "{}: fine ({}, {}, {}, {})\n",
            file.display(),
            count(network.nodes.len(), "node"),
            count(network.links.len(), "link"),
            count(network.vcs.len(), "VC"),
            count(scenario.warnings.len(), "warning"),
        ))?;
    }
    if wrong { Err(Fail::Said) } else { Ok(()) }
}
