//! Threads and the clock of the system.

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;

/// Wall-clock time.
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// Calls `make` on another thread, and meanwhile `take` on this one for each piece, in order.
/// The argument of `make` sends a piece, and returns `false` if pieces are no longer accepted.
pub(crate) fn overlap<T: Send>(
    make: impl FnOnce(&mut dyn FnMut(T) -> bool) + Send,
    take: &mut dyn FnMut(T),
) {
    thread::scope(|scope| {
        let (give, pieces) = channel();
        let maker = scope.spawn(move || make(&mut |piece| give.send(piece).is_ok()));
        pieces.into_iter().for_each(take);
        maker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

/// Calls `work` for each job, `workers` at a time; results are in the order of the jobs. The error
/// is that of the system if the threads cannot be started.
pub(crate) fn pool<J: Send, R: Send>(
    jobs: Vec<J>,
    workers: usize,
    work: &(dyn Fn(usize, J) -> R + Sync),
) -> Result<Vec<R>, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
    let pool = pool.map_err(|error| error.to_string())?;
    let jobs = jobs.into_par_iter().enumerate().with_max_len(1);
    Ok(pool.install(|| jobs.map(|(index, job)| work(index, job)).collect()))
}
