//! A sweep laid out as a job array of Slurm, and one task of it.

use std::env;
use std::path::Path;
use std::process::Command;

use hopflow_sweep::{Array, Plan, Shape, Stale, Store, read_sweep};
use hopflow_units::shape::Shaped;
use serde::Serialize;

use super::{document, failed};
use crate::args::{BatchArgs, Format, SweepArgs};
use crate::fail::Fail;
use crate::machines::registered;
use crate::progress::cancel_on_interrupt;
use crate::{Outcome, output};

/// A job array: what `sweep --engine slurm --format json` prints.
#[derive(Debug, Serialize, Shaped)]
pub(crate) struct ArrayDocument {
    #[serde(flatten)]
    plan: document::SweepPlan,
    /// Runs that are made again; from Python only.
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<document::StaleRows>,
    /// Batches that lack runs.
    batches: u64,
    /// Tasks of the array.
    tasks: u32,
    /// The command that submits it; `null` if no run is missing.
    submit: Option<String>,
    /// The command that collects the runs.
    collect: String,
    /// The number of the job; `null` if it was not submitted.
    job: Option<String>,
}

/// A sweep that is laid out.
pub(crate) struct Laid {
    /// `None`: no run is missing.
    array: Option<Array>,
    submit: String,
    collect: String,
    job: Option<String>,
}

/// Writes the files of the array, and submits it with `--submit`.
pub(crate) fn lay_out(args: &SweepArgs, store: &Store) -> Result<Laid, Fail> {
    let here = env::current_dir()
        .map_err(|cause| Fail::Fault(format!("the working directory is unknown: {cause}")))?;
    let own = || env::current_exe().map(|path| hopflow_sweep::quoted(&path.display().to_string()));
    let program = match &args.slurm.program {
        Some(program) => program.clone(),
        None => own().unwrap_or_else(|_| "hopflow".to_owned()),
    };
    let array = Array::lay_out(store, args.slurm.tasks, &program, &here).map_err(failed)?;
    let folder = hopflow_sweep::quoted(&store.folder().display().to_string());
    let script = array.as_ref().map_or_else(String::new, |array| {
        hopflow_sweep::quoted(&array.script.display().to_string())
    });
    let collect = format!("{program} sweep compact {folder}");
    let mut laid = Laid { array, submit: format!("sbatch {script}"), collect, job: None };
    if let (true, Some(array)) = (args.slurm.submit, &laid.array) {
        laid.job = Some(submit(&array.script, &laid.submit)?);
    }
    Ok(laid)
}

fn submit(script: &Path, command: &str) -> Result<String, Fail> {
    let output = Command::new("sbatch").arg("--parsable").arg(script).output();
    let output = output.map_err(|cause| {
        Fail::Fault(format!(
            "`sbatch` cannot be started: {cause}. The sweep is laid out: where Slurm is, \
             submit it with\n    {command}"
        ))
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(Fail::Fault(format!(
            "sbatch refused the job: {said}. The sweep is laid out: submit it with\n    {command}"
        )));
    }
    let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(printed.split(';').next().unwrap_or_default().to_owned())
}

impl Laid {
    /// The plan, with the commands for the array. `stale`: the runs that are made again.
    pub(crate) fn document(
        &self,
        folder: &Path,
        shape: &Shape,
        stale: Option<&Stale>,
    ) -> ArrayDocument {
        ArrayDocument {
            plan: document::plan(folder, shape),
            stale: stale.map(document::stale_rows),
            batches: self.array.as_ref().map_or(0, |array| array.batches),
            tasks: self.array.as_ref().map_or(0, |array| array.tasks),
            submit: self.array.as_ref().map(|_| self.submit.clone()),
            collect: self.collect.clone(),
            job: self.job.clone(),
        }
    }

    pub(crate) fn tell(&self, args: &SweepArgs, folder: &Path, shape: &Shape) -> Outcome {
        if args.format == Format::Json {
            output::print_json(&self.document(folder, shape, None))?;
        }
        if args.quiet {
            return Ok(());
        }
        match &self.array {
            None => eprintln!("No run lacks. Collect them with\n    {}", self.collect),
            Some(array) => {
                let Array { batches, tasks, .. } = array;
                eprintln!("{batches} batches for {tasks} tasks, in `{}`.", folder.display());
                match &self.job {
                    Some(job) => eprintln!("Submitted as job {job}."),
                    None => eprintln!("Submit them with\n    {}", self.submit),
                }
                eprintln!("Collect the runs, also before the end, with\n    {}", self.collect);
            }
        }
        Ok(())
    }
}

/// One task of an array.
pub(super) fn batch(args: &BatchArgs) -> Outcome {
    if args.task >= args.of.get() {
        let (task, of) = (args.task, args.of);
        return Err(Fail::input(format!(
            "--task {task} --of {of}: tasks count from 0 to {of} - 1"
        )));
    }
    let file = read_sweep(&args.folder).map_err(failed)?.file().clone();
    let plan = Plan::again_with(file, Path::new(""), registered()).map_err(failed)?;
    let cancel = cancel_on_interrupt();
    let done = Array::task(&plan, &args.folder, args.task, args.of.get(), &cancel);
    let done = done.map_err(failed)?;
    let Some((made, others)) = done else { return Err(Fail::Interrupted) };
    eprintln!("task {} of {}: {made} batches made, {others} were there.", args.task, args.of);
    Ok(())
}
