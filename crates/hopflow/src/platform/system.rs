//! Threads and the clock of the system.

use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
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
    let make = Mutex::new(Some(make));
    let is_made = thread::scope(|scope| {
        let (give, pieces) = channel();
        let make = &make;
        let work = move || {
            let make = begun(make).expect("it is begun once");
            make(&mut |piece| give.send(piece).is_ok());
        };
        let Ok(maker) = thread::Builder::new().spawn_scoped(scope, work) else { return false };
        pieces.into_iter().for_each(&mut *take);
        maker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        true
    });
    if !is_made && let Some(make) = begun(&make) {
        // The system refuses another thread.
        make(&mut |piece| {
            take(piece);
            true
        });
    }
}

fn begun<M>(work: &Mutex<Option<M>>) -> Option<M> {
    work.lock().unwrap_or_else(PoisonError::into_inner).take()
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
