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

/// Executes a run on this thread. `None`: it was cancelled, or its point has one row for all seeds,
/// of another one: it is not a valid scenario, or its run draws nothing.
pub(crate) fn make(plan: &Plan, job: &Job, cancel: &Arc<AtomicBool>) -> Option<Row> {
    let Job { point, replicate, .. } = *job;
    let opened = job.opened.get_or_init(|| plan.point(point));
    let run = prepared(plan, opened, point, replicate);
    let is_certain = run.key.is_certain();
    let outcome = match (run.scenario, opened) {
        (Ok(_), _) if is_certain && replicate > 1 => return None,
        (Ok(scenario), _) => made(plan, scenario, cancel)?,
        // A file that the scenario names has changed since.
        (Err(why), Err(_)) if job.goes_on => Outcome::Failed(why),
        (Err(_), Err(_)) if replicate > 1 => return None,
        (Err(why), Err(_)) => Outcome::Unreadable(why),
        (Err(why), Ok(_)) => Outcome::Failed(why),
    };
    if is_certain && point == 0 && plan.shape().seeds > 1 {
        assert_alike(plan, opened, &outcome, cancel)?;
    }
    Some(Row { point, replicate, seed: run.seed, key: run.key, outcome })
}

/// Runs the second seed of the first point, whose runs draw nothing: it has the digest of the
/// first. `None`: it was cancelled.
fn assert_alike(
    plan: &Plan,
    opened: &Result<Scenario, String>,
    first: &Outcome,
    cancel: &Arc<AtomicBool>,
) -> Option<()> {
    if let Ok(scenario) = prepared(plan, opened, 0, 2).scenario {
        let second = made(plan, scenario, cancel)?;
        assert_eq!(
            first.digest(),
            second.digest(),
            "a network that draws nothing has the same run under two seeds"
        );
    }
    Some(())
}

/// A run before it is executed.
pub(crate) struct Prepared {
    seed: u64,
    /// Its key.
    pub(crate) key: RunKey,
    /// Its scenario, or the reason why there is none.
    scenario: Result<Scenario, String>,
}

/// Prepares the run of a point, as it was read, and a seed.
pub(crate) fn prepared(
    plan: &Plan,
    opened: &Result<Scenario, String>,
    point: u64,
    replicate: u32,
) -> Prepared {
    let program = plan.shape().program();
    let not_run = |seed, why| {
        let key = RunKey::not_run(&text_of(plan, point, replicate), program);
        Prepared { seed, key, scenario: Err(why) }
    };
    let scenario = match opened {
        Ok(scenario) => scenario,
        Err(why) => return not_run(plan.first().network.seed, why.clone()),
    };
    let base = scenario.network.seed;
    let Some(seed) = base.checked_add(u64::from(replicate) - 1) else {
        let why = format!("seed {replicate} from {base} on passes the greatest there is");
        return not_run(u64::MAX, why);
    };
    match scenario.with_seed(seed) {
        Err(wrong) => not_run(seed, in_a_line(&wrong)),
        Ok(scenario) => {
            Prepared { seed, key: RunKey::of(&scenario, program), scenario: Ok(scenario) }
        }
    }
}

/// The text of a run without a resolved scenario.
fn text_of(plan: &Plan, point: u64, replicate: u32) -> String {
    let shape = plan.shape();
    let (settings, control) = (shape.settings(point), shape.control(point));
    let text = (&shape.file().scenario, settings, control, replicate);
    serde_json::to_string(&text).expect("texts are plain data")
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
