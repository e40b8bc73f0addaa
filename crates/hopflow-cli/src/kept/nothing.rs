//! No directories: results are printed, and nothing else is kept. A type without values stands for
//! what never begins.

#![expect(clippy::unnecessary_wraps, reason = "directories can fail")]

use std::path::{Path, PathBuf};

use hopflow::network::TraceRow;
use hopflow::{RowSlice, Rows, RunResult, Scenario, Summary};
use hopflow_scenario::ScenarioFile;

use crate::args::{OutputArgs, RunArgs};
use crate::fail::Fail;
use crate::left_out;

/// The directory of several runs: none.
pub(crate) enum Directory {}

impl Directory {
    /// Begins none, and says so.
    pub(crate) fn begin(args: &OutputArgs, _: &str, _: &str) -> Result<Option<Directory>, Fail> {
        say(args);
        Ok(None)
    }

    pub(crate) fn finish(
        self,
        _: &OutputArgs,
        _: &str,
        _: &str,
        _: &impl Keep,
    ) -> Result<(PathBuf, bool), Fail> {
        match self {}
    }
}

/// The results of several runs.
pub(crate) trait Keep {}

impl<T> Keep for T {}

/// The directory of one run: none.
pub(crate) enum Writer {}

impl Writer {
    /// Begins none, and says so.
    pub(crate) fn begin(
        args: &RunArgs,
        _: &ScenarioFile,
        _: &Scenario,
    ) -> Result<Option<Writer>, Fail> {
        say(&args.output);
        Ok(None)
    }

    pub(crate) fn take(&mut self, _: &[TraceRow]) -> bool {
        match *self {}
    }

    pub(crate) fn take_slice(&mut self, _: RowSlice) -> bool {
        match *self {}
    }

    pub(crate) fn slices(&self) -> usize {
        match *self {}
    }

    pub(crate) fn finish(
        self,
        _: &OutputArgs,
        _: &str,
        _: &Scenario,
        _: &RunResult,
        _: &Rows,
        _: &[String],
    ) -> Result<(PathBuf, bool), Fail> {
        match self {}
    }
}

/// A run that a directory holds.
pub(crate) struct Stored {
    pub(crate) summary: Summary,
    pub(crate) cut_off_ps: Option<u64>,
}

/// Refuses to read a directory.
pub(crate) fn stored(place: &Path) -> Result<Stored, Fail> {
    let what = format!("`{}` is a directory of results. To read it", place.display());
    Err(Fail::Input(left_out::refusal(&what, "results")))
}

/// Whoever expects a directory learns that there is none.
fn say(args: &OutputArgs) {
    if !args.no_directory && !args.quiet {
        eprintln!(
            "note: results are printed and not kept, because this program is built without the \
             feature `results` of hopflow-cli (`--no-directory` drops this note)"
        );
    }
}
