//! A run on disk: what is written of a run, and how it is read again.
//!
//! ```text
//! scenario.toml   the text of the scenario's file, where there was one
//! manifest.json   what was run: version, scenario, seed, digest; nothing of time, host, threads
//! summary.json    what was counted, as `run --format json` prints it
//! *.parquet       tables, series and trace, see `parquet`
//! report.html     all of it to look at
//! ```

mod network;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use hopflow::network::{NetworkSpec, TraceRow};
use hopflow::record::{Series, Summary};
use hopflow::{Manifest, RowSlice, RunResult};
use serde::de::DeserializeOwned;

use crate::ExportError;
use crate::directory::RunDirectory;
use crate::parquet::{Names, TraceWriter, VcTables, read_series, write_series, write_tables};
use crate::report::{RunView, run_page};

pub use network::network_of;

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const SUMMARY: &str = "summary.json";
pub(crate) const REPORT: &str = "report.html";

/// Writes the directory of one run: its trace while it goes on, the rest at its end.
pub struct RunWriter {
    // Before the directory: its threads must end before the directory is removed.
    trace: TraceWriter,
    /// Of a large run, as soon as one of its VCs has come.
    vcs: Option<VcTables>,
    directory: RunDirectory,
    error: Option<ExportError>,
}

impl RunWriter {
    /// Starts the directory `target` for a run of `network`. See [`RunDirectory::create`].
    pub fn create(
        target: &Path,
        force: bool,
        network: &NetworkSpec,
    ) -> Result<RunWriter, ExportError> {
        Ok(RunWriter::new(RunDirectory::create(target, force)?, network))
    }

    pub(crate) fn new(directory: RunDirectory, network: &NetworkSpec) -> RunWriter {
        RunWriter {
            directory,
            trace: TraceWriter::new(Names::new(network)),
            vcs: None,
            error: None,
        }
    }

    /// The same for a run on so many threads instead of one for each core: half of them write the
    /// trace, rounded up, at most 8. The files do not depend on them.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> RunWriter {
        self.trace = self.trace.with_threads(threads);
        self
    }

    /// See [`RunDirectory::keep_scenario`].
    pub fn keep_scenario(&self, text: &str) -> Result<(), ExportError> {
        self.directory.keep_scenario(text)
    }

    /// Takes rows of the trace in, in order. `false`: they could not be written, and the run may
    /// as well be stopped; [`RunWriter::finish`] says why.
    pub fn take(&mut self, rows: &[TraceRow]) -> bool {
        if self.error.is_none() {
            self.error = self.trace.write(&self.directory, rows).err();
        }
        self.error.is_none()
    }

    /// As [`RunWriter::take`], of rows that are not in order yet: writer threads see to that.
    pub fn take_slice(&mut self, slice: RowSlice) -> bool {
        if self.error.is_none() {
            self.error = self.trace.write_slice(&self.directory, slice).err();
        }
        self.error.is_none()
    }

    /// How many slices it can use at once ([`hopflow::Taker::slices`]).
    pub fn slices(&self) -> usize {
        self.trace.slices()
    }

    /// Takes VCs of a large run in, in order ([`hopflow::Taker::vcs`]). What goes wrong is told by
    /// [`RunWriter::finish`].
    pub fn take_vcs(&mut self, part: &Summary) {
        if self.error.is_none() {
            self.error = self.write_vcs(part).err();
        }
    }

    fn write_vcs(&mut self, part: &Summary) -> Result<(), ExportError> {
        let tables = match &mut self.vcs {
            Some(tables) => tables,
            none => none.insert(VcTables::open(&self.directory)?),
        };
        tables.write(part)
    }

    /// Writes the rest, and puts the directory in its place. A run that was stopped early is
    /// kept too: its manifest says `"complete": false`. On an error nothing is left.
    pub fn finish(
        self,
        network: &NetworkSpec,
        result: &RunResult,
        why: &[String],
    ) -> Result<PathBuf, ExportError> {
        let target = self.directory.target().to_path_buf();
        self.finish_as(&target, network, result, why)
    }

    /// As [`RunWriter::finish`], at another place in the same parent directory, such as one with
    /// the digest in its name.
    pub fn finish_as(
        mut self,
        target: &Path,
        network: &NetworkSpec,
        result: &RunResult,
        why: &[String],
    ) -> Result<PathBuf, ExportError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        if self.vcs.is_none() {
            self.write_vcs(&result.summary)?;
        }
        let directory = self.directory;
        self.trace.close(&directory)?;
        self.vcs.map_or(Ok(()), VcTables::close)?;
        write_tables(&directory, &result.summary)?;
        write_series(&directory, &result.series)?;
        directory.write_json(SUMMARY, &result.document())?;
        let view = RunView {
            network,
            manifest: &result.manifest,
            summary: &result.summary,
            series: &result.series,
            why,
        };
        directory.write(REPORT, run_page(&view).html().as_bytes())?;
        directory.write_json(MANIFEST, &result.manifest)?;
        directory.finish_as(target, result.complete)
    }
}

/// A run read back from its directory. The trace is read by [`crate::parquet::read_trace`].
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// What was run.
    pub manifest: Manifest,
    /// What was counted.
    pub summary: Summary,
    /// What was recorded.
    pub series: Vec<Series>,
}

impl StoredRun {
    /// Reads the run in `directory`.
    pub fn read(directory: &Path) -> Result<StoredRun, ExportError> {
        let path = directory.join(MANIFEST);
        if !path.exists() {
            return Err(ExportError::NoRun { path: directory.to_path_buf() });
        }
        let manifest: serde_json::Value = read_json(&path)?;
        let scenario = directory.join("scenario.toml");
        let several =
            |of, way_out| Err(ExportError::Several { path: directory.to_path_buf(), of, way_out });
        if manifest.get("seeds").is_some() {
            return several(
                "seeds",
                format!("run one, `hopflow run {} --seed 1`", scenario.display()),
            );
        }
        if manifest.get("controls").is_some() {
            let way_out =
                format!("ask for one, `hopflow why {} --control NAME`", scenario.display());
            return several("controls", way_out);
        }
        Ok(StoredRun {
            manifest: read_json(&path)?,
            summary: read_json(&directory.join(SUMMARY))?,
            series: read_series(directory)?,
        })
    }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ExportError> {
    let bytes = fs::read(path).map_err(|cause| ExportError::read(path, cause))?;
    serde_json::from_slice(&bytes).map_err(|cause| ExportError::read(path, cause))
}

#[cfg(test)]
pub(crate) mod tests;
