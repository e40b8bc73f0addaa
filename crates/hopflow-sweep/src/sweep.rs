//! A sweep: executes and stores the runs of a plan that a store lacks, then builds the dataset.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::job::Job;
use crate::queue::Queue;
use crate::{Executor, Jobs, Plan, Row, Stale, Store, SweepError};

/// The progress of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepProgress {
    /// Stored runs, including earlier ones.
    pub stored: u64,
    /// The runs of these that were executed since the sweep was begun or resumed.
    pub made: u64,
    /// Runs of all points and seeds; with a rule, the greatest possible number.
    pub most: u64,
    /// Points that need no more runs.
    pub closed: u64,
    /// All points.
    pub points: u64,
    /// Whether a rule may end a point early, so that `closed` is the better measure of progress.
    pub has_rule: bool,
}

/// Called after every run, by the thread that stored it.
pub type OnProgress<'a> = &'a (dyn Fn(SweepProgress) + Sync);

/// The result of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// Whether all runs are stored; else the sweep was stopped.
    pub complete: bool,
    /// Runs that were stored before.
    pub before: u64,
    /// Runs that were executed and stored.
    pub made: u64,
    /// Stored runs that were stale when the directory was opened.
    pub stale: Stale,
    /// The dataset, of a complete sweep.
    pub dataset: Option<PathBuf>,
}

/// Executes the runs of `plan` that `store` lacks, then builds the dataset. Once `cancel` is true,
/// or after an error of the store, unfinished runs are abandoned, and stored runs are kept.
pub fn sweep(
    plan: &Plan,
    store: Store,
    executor: &dyn Executor,
    cancel: &Arc<AtomicBool>,
    progress: Option<OnProgress<'_>>,
) -> Result<Done, SweepError> {
    let before = store.count();
    let queue = Queue::new(plan.shape().clone());
    let state = State { queue, store, before, error: None };
    let board = Board { plan, state: Mutex::new(state), cancel, progress };
    let executed = executor.execute(plan, &board, cancel);
    let State { mut store, queue, error, .. } =
        board.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = error {
        return Err(error);
    }
    executed?;
    let complete = queue.closed() == plan.shape().grid.points();
    let dataset = if complete { Some(store.compact()?) } else { None };
    let (made, stale) = (store.count() - before, store.stale().clone());
    Ok(Done { complete, before, made, stale, dataset })
}

/// The state that workers share.
struct Board<'a> {
    plan: &'a Plan,
    state: Mutex<State>,
    cancel: &'a Arc<AtomicBool>,
    progress: Option<OnProgress<'a>>,
}

struct State {
    queue: Queue,
    store: Store,
    before: u64,
    error: Option<SweepError>,
}

impl Board<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn progress(&self, state: &State) -> SweepProgress {
        let shape = self.plan.shape();
        SweepProgress {
            stored: state.store.count(),
            made: state.store.count() - state.before,
            most: shape.most_runs() - state.store.singles() * u64::from(shape.seeds - 1),
            closed: state.queue.closed(),
            points: shape.grid.points(),
            has_rule: shape.rule.is_some(),
        }
    }
}

impl Jobs for Board<'_> {
    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        if state.error.is_some() || self.cancel.load(Ordering::Relaxed) {
            return None;
        }
        let State { queue, store, .. } = &mut *state;
        queue.next(store)
    }

    fn end(&self, job: &Job, row: Option<Row>) {
        let mut state = self.lock();
        state.queue.end(job, row.as_ref());
        let Some(row) = row else { return };
        if state.error.is_some() {
            return;
        }
        if let Err(error) = state.store.add(row) {
            // No more runs can be stored, so unfinished runs are useless.
            state.error = Some(error);
            self.cancel.store(true, Ordering::Relaxed);
        }
        if let Some(on_progress) = self.progress {
            let progress = self.progress(&state);
            drop(state);
            on_progress(progress);
        }
    }
}

#[cfg(test)]
mod tests;
