//! The services of the machine: a clock, a second thread, a pool of threads.
//!
//! With the feature `threads` they are those of the system. Without it, as in a browser, the
//! calling thread does all work in order, and the clock does not advance. Results do not depend on
//! it: the clock determines lengths of steps, and threads only share work.

#[cfg(not(feature = "threads"))]
mod alone;
#[cfg(feature = "threads")]
mod system;

#[cfg(not(feature = "threads"))]
pub(crate) use alone::{Stopwatch, overlap, pool};
#[cfg(feature = "threads")]
pub(crate) use system::{Stopwatch, overlap, pool};
