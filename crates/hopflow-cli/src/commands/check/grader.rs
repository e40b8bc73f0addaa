//! Grader: runs a scenario as an answer to an exercise, and grades the run.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hopflow::{Diagnostics, Grade, RunOptions};
use hopflow_scenario::{Expect, Scenario, ScenarioFile};

use super::load;
use crate::args::{CheckArgs, SetArgs, threads_or_all};
use crate::fail::Fail;
use crate::memory;
use crate::progress::{Line, cancel_on_interrupt};

/// Runs answers and grades them.
pub(super) struct Grader {
    /// What is expected of every file, instead of its own `[expect]`.
    key: Option<Expect>,
    yes: bool,
    cancel: Arc<AtomicBool>,
}

impl Grader {
    pub(super) fn new(args: &CheckArgs) -> Result<Grader, Fail> {
        let key = args.expect.as_deref().map(key).transpose()?;
        Ok(Grader { key, yes: args.yes, cancel: cancel_on_interrupt() })
    }

    /// Runs a scenario as it stands and grades the run. The inner error: nothing is expected of it.
    pub(super) fn grade(
        &self,
        file: &ScenarioFile,
        scenario: &Scenario,
    ) -> Result<Result<Grade, Diagnostics>, Fail> {
        let expect = match &self.key {
            Some(key) => key,
            None => match file.expected(scenario) {
                Ok(expect) => expect,
                Err(wrong) => return Ok(Err(wrong)),
            },
        };
        memory::fits(file.name(), scenario, 1, self.yes, true)?;
        let line = Line::new(false, 1000);
        let options = RunOptions {
            threads: hopflow::useful_threads(&scenario.network, threads_or_all(None)),
            progress: Some(line.for_run()),
            cancel: Some(Arc::clone(&self.cancel)),
            ..RunOptions::default()
        };
        let result = hopflow::run(scenario, &options).map_err(Fail::input)?;
        line.end();
        if !result.complete {
            return Err(Fail::Interrupted);
        }
        Ok(Ok(hopflow::grade(expect, &result)))
    }
}

/// What the scenario of `--expect` expects.
fn key(path: &Path) -> Result<Expect, Fail> {
    let (file, scenario) = load(path, &SetArgs::default())?;
    Ok(file.expected(&scenario)?.clone())
}
