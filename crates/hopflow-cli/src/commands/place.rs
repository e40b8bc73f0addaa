//! Commands of several runs: the directory that they leave, their progress line, and Ctrl-C.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use hopflow::RunOptions;

use crate::args::{OutputArgs, threads_or_all};
use crate::fail::Fail;
use crate::kept::{Directory, Keep};
use crate::progress::{Line, cancel_on_interrupt};

/// Several runs under way.
pub(crate) struct Runs<'a> {
    args: &'a OutputArgs,
    name: String,
    directory: Option<Directory>,
    /// Whether the results were there before, in a directory of their digest.
    is_again: bool,
    pub(crate) line: Line,
    pub(crate) options: RunOptions,
    pub(crate) threads: NonZeroUsize,
}

impl Runs<'_> {
    /// Starts the directory before the work, so that a place that cannot be written is reported at
    /// once, with the text of the scenario's file in it.
    pub(crate) fn begin<'a>(
        args: &'a OutputArgs,
        name: String,
        scenario: &str,
    ) -> Result<Runs<'a>, Fail> {
        let directory = Directory::begin(args, &name, scenario)?;
        let line = Line::new(args.quiet, 1000);
        let options = RunOptions { cancel: Some(cancel_on_interrupt()), ..RunOptions::default() };
        let threads = threads_or_all(args.threads);
        Ok(Runs { args, name, directory, is_again: false, line, options, threads })
    }

    /// Whether there is a directory.
    pub(crate) fn is_kept(&self) -> bool {
        self.directory.is_some()
    }

    /// Writes the directory, if there is one and a run was done, to where it stays.
    pub(crate) fn keep(
        &mut self,
        done: usize,
        digest: &str,
        results: &impl Keep,
    ) -> Result<Option<PathBuf>, Fail> {
        let Some(directory) = self.directory.take().filter(|_| done > 0) else { return Ok(None) };
        let (kept, is_again) = directory.finish(self.args, &self.name, digest, results)?;
        self.is_again = is_again;
        Ok(Some(kept))
    }

    /// Reports `what` the runs were, how long they took and their digest, and where the results
    /// are; or that they were interrupted after `done` of them.
    pub(crate) fn tell(
        &self,
        what: &str,
        digest: &str,
        done: usize,
        complete: bool,
        kept: Option<&Path>,
    ) {
        if done > 0 {
            let seconds = self.line.elapsed().as_secs_f64();
            eprintln!("{what} in {seconds:.2} s, digest {digest}");
        }
        if let Some(kept) = kept {
            let what = match (complete, self.is_again) {
                (true, false) => "Results",
                (true, true) => SAME_RESULTS,
                (false, _) => "Interrupted: the runs that were done",
            };
            eprintln!("{what}: {0}/report.html and {0}/*.parquet", kept.display());
        } else if !complete {
            let nothing = if done == 0 { ": no run was done" } else { "" };
            eprintln!("Interrupted{nothing}.");
        }
    }
}

/// What closing words call results that were there before, in a directory of their digest.
pub(crate) const SAME_RESULTS: &str = "Results, the same as before";
