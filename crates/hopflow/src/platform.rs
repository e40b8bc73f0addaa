//! What the machine under a run gives, in one place: a clock, a second thread, a pool of threads.
//!
//! With the feature `threads` they are those of the system. Without it, as in a browser, work is
//! done in its turn by the thread that asks for it, and the clock stands still. No result depends
//! on which: the clock sizes steps, and threads only share work.

#[cfg(not(feature = "threads"))]
mod alone;
#[cfg(feature = "threads")]
mod system;

#[cfg(not(feature = "threads"))]
pub(crate) use alone::{Stopwatch, overlap, pool};
#[cfg(feature = "threads")]
pub(crate) use system::{Stopwatch, overlap, pool};
