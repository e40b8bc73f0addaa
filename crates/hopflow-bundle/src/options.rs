//! Options and progress of a check.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::Demo;

/// A callback that receives the number of runs made so far, and that of all runs to make.
pub type Progress = Arc<dyn Fn(u64, u64) + Send + Sync>;

/// The options of a check.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The number of runs to repeat; `None`: all.
    pub sample: Option<u64>,
    /// Threads in all.
    pub threads: NonZeroUsize,
    /// Cancels the check when true.
    pub cancel: Arc<AtomicBool>,
    /// The demo of the command.
    pub demo: Option<&'static Demo>,
}
