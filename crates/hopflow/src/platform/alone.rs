//! One thread and no clock.

use std::time::Duration;

/// A clock that does not advance: steps that it paces have the greatest length. To stop between
/// steps, use a [`Session`](crate::Session).
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch;

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch
    }

    #[expect(clippy::unused_self, reason = "the watch of the system has a start")]
    pub(crate) fn elapsed(self) -> Duration {
        Duration::ZERO
    }
}

/// Calls `make`, and `take` for each piece immediately.
pub(crate) fn overlap<T>(make: impl FnOnce(&mut dyn FnMut(T) -> bool), take: &mut dyn FnMut(T)) {
    make(&mut |piece| {
        take(piece);
        true
    });
}

/// Calls `work` for each job in order.
#[expect(clippy::unnecessary_wraps, reason = "threads of the system may not start")]
pub(crate) fn pool<J, R>(
    jobs: Vec<J>,
    _workers: usize,
    work: &dyn Fn(usize, J) -> R,
) -> Result<Vec<R>, String> {
    Ok(jobs.into_iter().enumerate().map(|(index, job)| work(index, job)).collect())
}
