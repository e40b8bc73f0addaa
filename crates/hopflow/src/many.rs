//! Many runs at once: threads are distributed over runs first, and used inside a run only if there
//! are more threads than runs. Results are in the order of the runs.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hopflow_scenario::Scenario;
use thiserror::Error;

use crate::platform::pool;
use crate::{Progress, RunError, RunOptions, RunResult, run};

/// The progress of many runs together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManyProgress {
    /// Runs that are finished.
    pub finished: usize,
    /// All runs.
    pub runs: usize,
    /// The part that is done, 0 to 1: the mean over the runs of the simulated time done.
    pub share: f64,
    /// Cells of all kinds started so far, on all links of all runs.
    pub started_packets: u64,
}

/// Called after steps of each run in progress, at most about ten times a second.
pub type ManyProgressCallback = Arc<dyn Fn(ManyProgress) + Send + Sync>;

/// The reason why many runs could not begin.
#[derive(Debug, Error)]
#[error("the threads for {threads} runs at once cannot be started: {reason}")]
pub struct ManyError {
    /// The number of simultaneous runs.
    pub threads: usize,
    /// The error of the system.
    pub reason: String,
}

/// Executes all runs on `threads` threads in total. The threads in the options of a run are
/// ignored. `progress` is that of all runs together.
pub fn run_many(
    runs: Vec<(Scenario, RunOptions)>,
    threads: NonZeroUsize,
    progress: Option<ManyProgressCallback>,
) -> Result<Vec<Result<RunResult, RunError>>, ManyError> {
    each(runs, threads, progress, &|scenario, options| run(&scenario, &options))
}

/// Calls `work` for each run on `threads` threads in total; its options report to `progress`.
pub(crate) fn each<J: Send, R: Send>(
    runs: Vec<(J, RunOptions)>,
    threads: NonZeroUsize,
    progress: Option<ManyProgressCallback>,
    work: &(dyn Fn(J, RunOptions) -> R + Sync),
) -> Result<Vec<R>, ManyError> {
    let workers = threads.get().min(runs.len()).max(1);
    let inside = NonZeroUsize::new(threads.get() / workers).unwrap_or(NonZeroUsize::MIN);
    let board = Arc::new(Board::new(runs.len(), progress));
    let one = |index: usize, (job, options): (J, RunOptions)| {
        let options = RunOptions { threads: inside, ..options };
        let options = board_options(&board, index, options);
        let result = work(job, options);
        board.finish(index);
        result
    };
    pool(runs, workers, &one).map_err(|reason| ManyError { threads: workers, reason })
}

/// The options of run `index`, which report its progress to the board too.
fn board_options(board: &Arc<Board>, index: usize, mut options: RunOptions) -> RunOptions {
    if board.progress.is_some() {
        let (board, own) = (Arc::clone(board), options.progress.take());
        options.progress = Some(Arc::new(move |progress| {
            board.update(index, progress);
            if let Some(own) = &own {
                own(progress);
            }
        }));
    }
    options
}

/// The state of all runs.
struct Board {
    progress: Option<ManyProgressCallback>,
    runs: Mutex<Vec<RunState>>,
}

#[derive(Clone, Copy, Default)]
struct RunState {
    share: f64,
    started_packets: u64,
    finished: bool,
}

impl Board {
    fn new(runs: usize, progress: Option<ManyProgressCallback>) -> Board {
        Board { progress, runs: Mutex::new(vec![RunState::default(); runs]) }
    }

    fn update(&self, index: usize, progress: Progress) {
        let mut runs = self.lock();
        runs[index].share = progress.share();
        runs[index].started_packets = progress.started_packets;
        self.report(&runs);
    }

    fn finish(&self, index: usize) {
        let mut runs = self.lock();
        runs[index].finished = true;
        runs[index].share = 1.0;
        self.report(&runs);
    }

    /// Each state is written whole, so that of a run that panicked can still be read.
    fn lock(&self) -> MutexGuard<'_, Vec<RunState>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report(&self, runs: &[RunState]) {
        if let Some(progress) = &self.progress {
            progress(ManyProgress {
                finished: runs.iter().filter(|run| run.finished).count(),
                runs: runs.len(),
                share: runs.iter().map(|run| run.share).sum::<f64>() / runs.len().max(1) as f64,
                started_packets: runs.iter().map(|run| run.started_packets).sum(),
            });
        }
    }
}

#[cfg(test)]
mod tests;
