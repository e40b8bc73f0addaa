//! Executors: who makes the runs. A sweep hands out jobs and takes rows; what is between, it does
//! not know.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use hopflow::{RunOptions, Scenario, run};

use crate::job::Job;
use crate::plan::in_a_line;
use crate::{Outcome, Plan, Row, RunKey, SweepError, series};

/// What a sweep gives to an executor. Any number of threads may ask at once.
pub trait Jobs: Sync {
    /// The next run to be made; `None`: there is none left, or the sweep was stopped.
    fn next(&self) -> Option<Job>;

    /// Takes what came of a run; `None`: it was cancelled. When this is back the run is stored.
    fn end(&self, job: &Job, row: Option<Row>);
}

/// Makes the runs of a sweep.
pub trait Executor {
    /// Makes runs until there is none left. Every job that was taken is ended. Once `cancel` is
    /// true, runs under way are given up.
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
    /// How many.
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
                // With one worker the sweep goes on, if more slowly than asked for.
                if let (Err(cause), true) = (worker.spawn_scoped(scope, work), number == 1) {
                    let why = format!("no thread can be started for the runs: {cause}");
                    return Err(SweepError::Threads(why));
                }
            }
            Ok(())
        })
    }
}

/// Makes a run on this thread. `None`: it was cancelled, or its point is no scenario and another
/// seed says so.
pub(crate) fn make(plan: &Plan, job: &Job, cancel: &Arc<AtomicBool>) -> Option<Row> {
    let Job { point, replicate, .. } = *job;
    let scenario = match job.opened.get_or_init(|| plan.point(point)) {
        Ok(scenario) => scenario,
        Err(why) if job.goes_on => {
            // A file that it names was changed since.
            let (seed, key) = (plan.first().network.seed, key_of_text(plan, job));
            let outcome = Outcome::Failed(why.clone());
            return Some(Row { point, replicate, seed, key, outcome });
        }
        Err(_) if replicate > 1 => return None,
        Err(why) => {
            let seed = plan.first().network.seed;
            let key = key_of_text(plan, job);
            return Some(Row {
                point,
                replicate,
                seed,
                key,
                outcome: Outcome::Unreadable(why.clone()),
            });
        }
    };
    let base = scenario.network.seed;
    let Some(seed) = base.checked_add(u64::from(replicate) - 1) else {
        let why = format!("seed {replicate} from {base} on passes the greatest there is");
        let key = key_of_text(plan, job);
        return Some(Row { point, replicate, seed: u64::MAX, key, outcome: Outcome::Failed(why) });
    };
    let (key, outcome) = match scenario.with_seed(seed) {
        Err(wrong) => (key_of_text(plan, job), Outcome::Failed(in_a_line(&wrong))),
        Ok(scenario) => (RunKey::of(&scenario), made(plan, scenario, cancel)?),
    };
    Some(Row { point, replicate, seed, key, outcome })
}

/// The key of what has no resolved scenario.
fn key_of_text(plan: &Plan, job: &Job) -> RunKey {
    let shape = plan.shape();
    let (settings, control) = (shape.settings(job.point), shape.control(job.point));
    let text = (&shape.file().scenario, settings, control, job.replicate);
    RunKey::of_text("no run", &serde_json::to_string(&text).expect("texts are plain data"))
}

fn made(plan: &Plan, mut scenario: Scenario, cancel: &Arc<AtomicBool>) -> Option<Outcome> {
    let (measures, chosen) = (&plan.shape().measures, plan.shape().series());
    // No more is kept than is asked for, and recording changes no run.
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
