//! Executors: they execute the runs. A sweep hands out jobs and accepts rows, and does not depend
//! on the executor.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use hopflow::{RunOptions, Scenario, run};

use crate::job::Job;
use crate::plan::in_a_line;
use crate::{Outcome, Plan, Row, RunKey, SweepError, series};

/// The side of a sweep that an executor uses. Any number of threads may call it at once.
pub trait Jobs: Sync {
    /// The next run to execute; `None`: there are no more, or the sweep was stopped.
    fn next(&self) -> Option<Job>;

    /// Accepts the result of a run; `None`: it was cancelled. After the return the run is stored.
    fn end(&self, job: &Job, row: Option<Row>);
}

/// Executes the runs of a sweep.
pub trait Executor {
    /// Executes runs until there are no more. Every job that was taken is ended. Once `cancel` is
    /// true, unfinished runs are abandoned.
    fn execute(
        &self,
        plan: &Plan,
        jobs: &dyn Jobs,
        cancel: &Arc<AtomicBool>,
    ) -> Result<(), SweepError>;
}

/// Threads of this process, each with one run at a time.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Their number.
    pub threads: NonZeroUsize,
}

impl Executor for Local {
    fn execute(
        &self,
        plan: &Plan,
        jobs: &dyn Jobs,
        cancel: &Arc<AtomicBool>,
    ) -> Result<(), SweepError> {
        let work = || {
            while let Some(job) = jobs.next() {
                let row = make(plan, &job, cancel);
                jobs.end(&job, row);
            }
        };
        thread::scope(|scope| {
            for number in 1..=self.threads.get() {
                let worker = thread::Builder::new().name(format!("sweep-{number}"));
                // With one worker the sweep continues, but more slowly than requested.
                if let (Err(cause), true) = (worker.spawn_scoped(scope, work), number == 1) {
                    let why = format!("no thread can be started for the runs: {cause}");
                    return Err(SweepError::Threads(why));
                }
            }
            Ok(())
        })
    }
}

/// Executes a run on this thread. `None`: it was cancelled, or its point is not a valid scenario
/// and the row of another seed reports this.
pub(crate) fn make(plan: &Plan, job: &Job, cancel: &Arc<AtomicBool>) -> Option<Row> {
    let Job { point, replicate, .. } = *job;
    let row = |seed, key, outcome| Some(Row { point, replicate, seed, key, outcome });
    let not_run = |seed, outcome| row(seed, key_of_text(plan, job), outcome);
    let first_seed = plan.first().network.seed;
    let scenario = match job.opened.get_or_init(|| plan.point(point)) {
        Ok(scenario) => scenario,
        // A file that the scenario names has changed since.
        Err(why) if job.goes_on => return not_run(first_seed, Outcome::Failed(why.clone())),
        Err(_) if replicate > 1 => return None,
        Err(why) => return not_run(first_seed, Outcome::Unreadable(why.clone())),
    };
    let base = scenario.network.seed;
    let Some(seed) = base.checked_add(u64::from(replicate) - 1) else {
        let why = format!("seed {replicate} from {base} on passes the greatest there is");
        return not_run(u64::MAX, Outcome::Failed(why));
    };
    match scenario.with_seed(seed) {
        Err(wrong) => not_run(seed, Outcome::Failed(in_a_line(&wrong))),
        Ok(scenario) => row(seed, RunKey::of(&scenario), made(plan, scenario, cancel)?),
    }
}

/// The key of a run without a resolved scenario.
fn key_of_text(plan: &Plan, job: &Job) -> RunKey {
    let shape = plan.shape();
    let (settings, control) = (shape.settings(job.point), shape.control(job.point));
    let text = (&shape.file().scenario, settings, control, job.replicate);
    RunKey::of_text("no run", &serde_json::to_string(&text).expect("texts are plain data"))
}

fn made(plan: &Plan, mut scenario: Scenario, cancel: &Arc<AtomicBool>) -> Option<Outcome> {
    let (measures, chosen) = (&plan.shape().measures, plan.shape().series());
    // Only the requested values are recorded, and recording changes no run.
    let mut record = series::needed(&scenario, chosen);
    if measures.needs_series() {
        record.window = scenario.record.window;
        record.throughput = std::mem::take(&mut scenario.record.throughput);
    }
    scenario.record = record;
    let cancel = Some(Arc::clone(cancel));
    let options = RunOptions { describe: false, cancel, ..RunOptions::default() };
    let result = match run(&scenario, &options) {
        Ok(result) if !result.complete => return None,
        Ok(result) => result,
        Err(error) => return Some(Outcome::Failed(error.to_string().replace('\n', " "))),
    };
    let broken = result.violations().first().map(|violation| violation.text.clone());
    let values = measures.of(&scenario.network, &result);
    Some(match series::spans(chosen, &result.series) {
        Ok(series) => Outcome::Complete { digest: result.digest, values, broken, series },
        Err(why) => Outcome::Failed(why),
    })
}
