//! Directories of results: of one run, which is written while it goes on, and of several runs.

use std::path::{Path, PathBuf};

use hopflow::compare::{Comparison, SeedsComparison};
use hopflow::network::TraceRow;
use hopflow::{RowSlice, Rows, RunResult, Scenario, SeedsResult, Summary, digest8};
use hopflow_export::{
    ExportError, RunDirectory, RunWriter, StoredRun, write_comparison, write_seeds,
    write_seeds_comparison,
};
use hopflow_scenario::ScenarioFile;

use crate::args::{OutputArgs, RunArgs};
use crate::fail::Fail;

/// The directory of several runs, while it is built.
pub(crate) struct Directory(RunDirectory);

impl Directory {
    /// Starts the directory before the work, so that a place that cannot be written is reported at
    /// once, with the text of the scenario's file in it. `None`: none is wanted.
    pub(crate) fn begin(
        args: &OutputArgs,
        name: &str,
        scenario: &str,
    ) -> Result<Option<Directory>, Fail> {
        if args.no_directory {
            return Ok(None);
        }
        let created = RunDirectory::create(&provisional(args, name), replaces(args))?;
        created.keep_scenario(scenario)?;
        Ok(Some(Directory(created)))
    }

    /// Writes all of it, to where it stays; returns that place, and whether a directory of the same
    /// digest was there before: it has these results.
    pub(crate) fn finish(
        self,
        args: &OutputArgs,
        name: &str,
        digest: &str,
        results: &impl Keep,
    ) -> Result<(PathBuf, bool), Fail> {
        let target = settled(args, name, digest8(digest));
        let is_again = is_again(args, &target);
        let kept = results.keep(self.0, &target);
        Ok((kept.map_err(|error| Fail::Unwritten(error.to_string()))?, is_again))
    }
}

/// The results of several runs, which a directory can hold.
pub(crate) trait Keep {
    /// Writes them to `directory`, and puts it at `target`.
    fn keep(&self, directory: RunDirectory, target: &Path) -> Result<PathBuf, ExportError>;
}

impl Keep for Comparison {
    fn keep(&self, directory: RunDirectory, target: &Path) -> Result<PathBuf, ExportError> {
        write_comparison(directory, target, self)
    }
}

impl Keep for SeedsComparison {
    fn keep(&self, directory: RunDirectory, target: &Path) -> Result<PathBuf, ExportError> {
        write_seeds_comparison(directory, target, self)
    }
}

impl Keep for SeedsResult {
    fn keep(&self, directory: RunDirectory, target: &Path) -> Result<PathBuf, ExportError> {
        write_seeds(directory, target, self)
    }
}

/// The directory of one run, which takes its rows while it goes on.
pub(crate) struct Writer(RunWriter);

impl Writer {
    /// Starts the directory, with the text of the scenario's file in it, and the trace in the
    /// formats that are asked for. `None`: none is wanted.
    pub(crate) fn begin(
        args: &RunArgs,
        file: &ScenarioFile,
        scenario: &Scenario,
    ) -> Result<Option<Writer>, Fail> {
        let output = &args.output;
        if output.no_directory {
            return Ok(None);
        }
        let (target, force) = (provisional(output, &file.stem()), replaces(output));
        let mut writer = RunWriter::create(&target, force, &scenario.network)?;
        if let Some(threads) = output.threads {
            writer = writer.with_threads(threads);
        }
        writer.keep_scenario(file.text())?;
        let formats = args.trace.formats();
        if !formats.is_empty() {
            writer.trace_formats(&formats, &scenario.network)?;
        }
        Ok(Some(Writer(writer)))
    }

    /// Takes rows; returns whether they could be written.
    pub(crate) fn take(&mut self, rows: &[TraceRow]) -> bool {
        self.0.take(rows)
    }

    /// Takes a slice of rows; returns whether it could be written.
    pub(crate) fn take_slice(&mut self, slice: RowSlice) -> bool {
        self.0.take_slice(slice)
    }

    /// How many slices are taken side by side.
    pub(crate) fn slices(&self) -> usize {
        self.0.slices()
    }

    /// Writes the rest, with the sentences of `why`, to where it stays; returns what
    /// [`Directory::finish`] does.
    pub(crate) fn finish(
        mut self,
        args: &OutputArgs,
        name: &str,
        scenario: &Scenario,
        result: &RunResult,
        rows: &Rows,
        why: &[String],
    ) -> Result<(PathBuf, bool), Fail> {
        self.0.take_rows(rows);
        let target = settled(args, name, digest8(&result.manifest.digest));
        let is_again = is_again(args, &target);
        let kept = self.0.finish_as(&target, &scenario.network, result, why);
        Ok((kept.map_err(|error| Fail::Unwritten(error.to_string()))?, is_again))
    }
}

/// A run that a directory holds.
pub(crate) struct Stored {
    pub(crate) summary: Summary,
    /// Its whole duration in ps, if it was interrupted before.
    pub(crate) cut_off_ps: Option<u64>,
}

/// Reads the run of a directory.
pub(crate) fn stored(place: &Path) -> Result<Stored, Fail> {
    let StoredRun { manifest, summary, .. } = StoredRun::read(place).map_err(Fail::input)?;
    Ok(Stored { summary, cut_off_ps: (!manifest.complete).then_some(manifest.duration_ps) })
}

/// Where a directory is built: without `--out` it has a name of its own until the digest is known.
fn provisional(args: &OutputArgs, name: &str) -> PathBuf {
    settled(args, name, &std::process::id().to_string())
}

/// Whether a directory at the [`provisional`] place is replaced.
fn replaces(args: &OutputArgs) -> bool {
    args.force || args.out.is_none()
}

/// Whether a directory named after the digest is there already: it has these results.
fn is_again(args: &OutputArgs, target: &Path) -> bool {
    args.out.is_none() && target.exists()
}

/// Where it stays. The same run has the same name, so it may be there already.
fn settled(args: &OutputArgs, name: &str, digest8: &str) -> PathBuf {
    let named = || Path::new("runs").join(format!("{name}-{digest8}"));
    args.out.clone().unwrap_or_else(named)
}
