//! Commands of several runs: the directory that they leave (`--out`, or one named after its
//! digest), their progress line, and Ctrl-C.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use hopflow::{RunOptions, digest8};
use hopflow_export::RunDirectory;

use crate::args::{OutputArgs, threads_or_all};
use crate::fail::Fail;
use crate::progress::{Line, cancel_on_interrupt};

/// Several runs under way.
pub(crate) struct Runs<'a> {
    args: &'a OutputArgs,
    name: String,
    directory: Option<RunDirectory>,
    /// See [`is_again`].
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
        let mut directory = None;
        if !args.no_directory {
            let target = provisional(args, &name);
            let created = RunDirectory::create(&target, replaces(args))?;
            created.keep_scenario(scenario)?;
            directory = Some(created);
        }
        let line = Line::new(args.quiet, 1000);
        let options = RunOptions { cancel: Some(cancel_on_interrupt()), ..RunOptions::default() };
        let threads = threads_or_all(args.threads);
        Ok(Runs { args, name, directory, is_again: false, line, options, threads })
    }

    /// Writes the directory, if there is one and a run was done, to where it stays.
    pub(crate) fn keep<E: Display>(
        &mut self,
        done: usize,
        digest: &str,
        write: impl FnOnce(RunDirectory, &Path) -> Result<PathBuf, E>,
    ) -> Result<Option<PathBuf>, Fail> {
        let Some(directory) = self.directory.take().filter(|_| done > 0) else { return Ok(None) };
        let target = settled(self.args, &self.name, digest8(digest));
        self.is_again = is_again(self.args, &target);
        let kept = write(directory, &target);
        kept.map(Some).map_err(|error| Fail::Unwritten(error.to_string()))
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

/// Where a directory is built: without `--out` it has a name of its own until the digest is known.
pub(crate) fn provisional(args: &OutputArgs, name: &str) -> PathBuf {
    settled(args, name, &std::process::id().to_string())
}

/// Whether a directory at the [`provisional`] place is replaced.
pub(crate) fn replaces(args: &OutputArgs) -> bool {
    args.force || args.out.is_none()
}

/// What closing words call results that were there before, in a directory of their digest.
pub(crate) const SAME_RESULTS: &str = "Results, the same as before";

/// Whether a directory named after the digest is there already: it has these results.
pub(crate) fn is_again(args: &OutputArgs, target: &Path) -> bool {
    args.out.is_none() && target.exists()
}

/// Where it stays. The same run has the same name, so it may be there already.
pub(crate) fn settled(args: &OutputArgs, name: &str, digest8: &str) -> PathBuf {
    let named = || Path::new("runs").join(format!("{name}-{digest8}"));
    args.out.clone().unwrap_or_else(named)
}
