//! Whether a run of real hosts meets the scenario's `[expect]`.

use hopflow::{Scenario, grade_document};
use hopflow_live::Emulated;
use hopflow_scenario::{Expect, ScenarioFile};

use super::sent::{Live, Reading};
use crate::fail::Fail;

/// What is expected. Digests are left out: no two runs of real hosts have the same.
pub(super) fn expected(file: &ScenarioFile, scenario: &Scenario) -> Result<Expect, Fail> {
    let expect = file.expected(scenario)?;
    if expect.values.is_empty() {
        return Err(Fail::input(
            "--expect: the scenario's `[expect]` has digests alone, which no run of real hosts \
             meets twice: add `[[expect.values]]`",
        ));
    }
    Ok(Expect { digests: Vec::new(), ..expect.clone() })
}

/// Reports what is met and what is missed, and returns whether all is met. Paths lead through the
/// document of the run, in which `live` is `live.json`.
pub(super) fn met(expect: &Expect, done: &Emulated, reads: &[Reading], quiet: bool) -> bool {
    let mut document = serde_json::to_value(done.result.document()).expect("it is plain data");
    document["live"] = serde_json::to_value(Live::new(done, reads)).expect("it is plain data");
    let grade = grade_document(expect, &document, &done.result.manifest.digest);
    for mark in grade.marks.iter().filter(|mark| !quiet || !mark.right) {
        let word = if mark.right { "met" } else { "missed" };
        eprintln!("{word}: {}", mark.text);
    }
    grade.right
}
