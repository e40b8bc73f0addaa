//! The progress line, and Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hopflow::{ManyProgress, ManyProgressCallback, Progress, ProgressCallback};
use hopflow_units::Picos;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{exit, output};

/// One line on stderr; nothing when stderr is no terminal or quiet is wanted.
#[derive(Clone)]
pub(crate) struct Line {
    bar: ProgressBar,
    start: Instant,
}

impl Line {
    /// A line that counts to `length`.
    pub(crate) fn new(quiet: bool, length: u64) -> Line {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(length) };
        let style = ProgressStyle::with_template("{bar:24} {percent:>3} %  {msg}  {eta} left")
            .expect("the template is well formed");
        bar.set_style(style);
        Line { bar, start: Instant::now() }
    }

    /// The callback of a run.
    pub(crate) fn for_run(&self) -> ProgressCallback {
        let line = self.clone();
        Arc::new(move |progress| line.show_run(progress))
    }

    /// The callback of several runs.
    pub(crate) fn for_many(&self) -> ManyProgressCallback {
        let line = self.clone();
        Arc::new(move |progress| line.show_many(progress))
    }

    fn show_many(&self, progress: ManyProgress) {
        self.bar.set_position((progress.share * 1000.0) as u64);
        let seconds = self.start.elapsed().as_secs_f64().max(1e-9);
        self.bar.set_message(format!(
            "{} of {} runs  {} M cells/s",
            progress.finished,
            progress.runs,
            output::number(progress.started_packets as f64 / seconds / 1e6, 1),
        ));
    }

    fn show_run(&self, progress: Progress) {
        self.bar.set_position((progress.share() * 1000.0) as u64);
        let seconds = self.start.elapsed().as_secs_f64().max(1e-9);
        self.bar.set_message(format!(
            "{} of {}  {} M cells/s",
            output::span(progress.now.0 as f64),
            Picos(progress.end.0),
            output::number(progress.started_packets as f64 / seconds / 1e6, 1),
        ));
    }

    /// Shows the number of steps that are done, and `text`.
    pub(crate) fn show(&self, done: u64, text: String) {
        self.bar.set_position(done);
        self.bar.set_message(text);
    }

    /// Prints a line of text above it, which stays; also if the progress line is not shown.
    pub(crate) fn above(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    /// Removes the line.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// The time since it was made.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// The flag of the part of the command that is under way.
static FLAG: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once. A command with several parts
/// asks for one for each: Ctrl-C ends the part that is under way.
pub(crate) fn cancel_on_interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let lock = || FLAG.lock().unwrap_or_else(PoisonError::into_inner);
    if lock().replace(Arc::clone(&flag)).is_some() {
        return flag;
    }
    let count = AtomicU64::new(0);
    let handler = move || {
        if let Some(flag) = lock().as_ref() {
            flag.store(true, Ordering::Relaxed);
        }
        if count.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(exit::INTERRUPTED.into());
        }
    };
    if let Err(cause) = ctrlc::set_handler(handler) {
        eprintln!("warning: Ctrl-C will lose the run: {cause}");
    }
    flag
}
