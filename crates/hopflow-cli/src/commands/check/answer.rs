//! `hopflow check --answer`: runs scenarios and grades them as answers to exercises.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hopflow::{Diagnostics, Grade, RunOptions};
use hopflow_scenario::{Expect, Scenario, ScenarioFile};

use super::{document, load};
use crate::args::{CheckArgs, Prose, SetArgs, threads_or_all};
use crate::fail::Fail;
use crate::progress::{Line, cancel_on_interrupt};
use crate::{Outcome, diagnose, memory, output};

pub(super) fn grade(args: &CheckArgs) -> Outcome {
    let grader = Grader::new(args)?;
    let [fine, right] = match args.format {
        Prose::Text => in_words(args, &grader)?,
        Prose::Json => {
            let document = document::of(&args.files, &args.settings, Some(&grader))?;
            output::print_json(&document)?;
            [document.fine, document.is_right()]
        }
    };
    match [fine, right] {
        [false, _] => Err(Fail::Said),
        [true, false] => Err(Fail::Property),
        [true, true] => Ok(()),
    }
}

/// A verdict on each file that is fine, and a line for each thing that is expected; what is wrong
/// is drawn. Returns whether all files are fine, and whether all answers are right.
fn in_words(args: &CheckArgs, grader: &Grader) -> Result<[bool; 2], Fail> {
    let (mut fine, mut right) = (true, true);
    for path in &args.files {
        let Ok((file, scenario)) = load(path, &args.settings) else {
            fine = false;
            continue;
        };
        match grader.grade(&file, &scenario)? {
            Ok(grade) => {
                right &= grade.right;
                output::write(&verdict(file.name(), &grade))?;
            }
            Err(wrong) => {
                diagnose::draw_all(&wrong);
                fine = false;
            }
        }
    }
    Ok([fine, right])
}

fn verdict(file: &str, grade: &Grade) -> String {
    let word = |right: bool| if right { "right" } else { "wrong" };
    let head = format!("{file}: {}\n", if grade.right { "right" } else { "not right" });
    let marks = grade.marks.iter();
    let lines = marks.map(|mark| format!("  {}: {}\n", word(mark.right), mark.text));
    [head].into_iter().chain(lines).collect()
}

/// Who runs answers and grades them.
pub(super) struct Grader {
    /// What is expected of every file, in place of what it says itself.
    key: Option<Expect>,
    yes: bool,
    cancel: Arc<AtomicBool>,
}

impl Grader {
    fn new(args: &CheckArgs) -> Result<Grader, Fail> {
        let key = args.expect.as_deref().map(key).transpose()?;
        Ok(Grader { key, yes: args.yes, cancel: cancel_on_interrupt() })
    }

    /// Runs a scenario as it stands and grades the run; or that nothing is expected of it.
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
        memory::fits(file.name(), scenario, 1, [self.yes, true])?;
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

/// What the scenario of a teacher expects.
fn key(path: &Path) -> Result<Expect, Fail> {
    let (file, scenario) = load(path, &SetArgs::default())?;
    let expect = file.expected(&scenario).map_err(|wrong| {
        diagnose::draw_all(&wrong);
        Fail::Said
    })?;
    Ok(expect.clone())
}
