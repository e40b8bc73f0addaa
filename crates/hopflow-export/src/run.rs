//! A run on disk: the files of a run, and how they are read back.
//!
//! ```text
//! scenario.toml   the text of the scenario's file, if there was one
//! manifest.json   what was run: version, scenario, seed, digest; nothing of time, host, threads
//! summary.json    what was counted, as `run --format json` prints it, without the scenario; of
//!                 each list at most the worst rows
//! *.parquet       tables, series and trace, see `parquet`
//! packets.pcapng  the trace in other forms, if requested, see `trace_format`; so is
//! trace.pftrace   this
//! report.html     a page that shows all of it
//! ```

mod network;
mod version_1;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use hopflow::network::{NetworkSpec, RowOrder, TraceRow};
use hopflow::record::{Series, Summary};
use hopflow::scenario::regular;
use hopflow::{Manifest, ResultDocument, RowSlice, Rows, RunResult, json_text};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::ExportError;
use crate::directory::RunDirectory;
use crate::parquet::{Names, TraceWriter, VcTables, read_series, write_series, write_tables};
use crate::report::{RunView, run_page};
use crate::row_file::RowFile;
use crate::trace_format::TraceFormat;

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const SUMMARY: &str = "summary.json";
pub(crate) const REPORT: &str = "report.html";

/// Writes the directory of one run: its trace while it goes on, the rest at its end.
pub struct RunWriter {
    // Before the directory: its threads must end before the directory is removed.
    trace: TraceWriter,
    /// Whether the trace is written as Parquet.
    has_parquet: bool,
    /// The trace in other forms.
    others: Vec<RowFile>,
    /// Whether all rows are written.
    has_rows: bool,
    /// Whether `scenario.toml` repeats the run.
    has_scenario: bool,
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
            has_parquet: true,
            others: Vec::new(),
            has_rows: false,
            has_scenario: false,
            error: None,
        }
    }

    /// The same for a run on this number of threads instead of one per core: half of them write the
    /// trace, rounded up, at most 8. The files do not depend on it.
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> RunWriter {
        self.trace = self.trace.with_threads(threads);
        self
    }

    /// Writes the trace in these forms instead of Parquet. `network`: the network of the run.
    pub fn trace_formats(
        &mut self,
        formats: &[TraceFormat],
        network: &NetworkSpec,
    ) -> Result<(), ExportError> {
        self.has_parquet = formats.contains(&TraceFormat::Parquet);
        for format in TraceFormat::ALL.into_iter().filter(|format| formats.contains(format)) {
            self.others.extend(RowFile::begin(format, network, &self.directory)?);
        }
        Ok(())
    }

    /// See [`RunDirectory::keep_scenario`].
    pub fn keep_scenario(&mut self, text: &str) -> Result<(), ExportError> {
        self.has_scenario = true;
        self.directory.keep_scenario(text)
    }

    /// Takes rows of the trace, in order. Returns `false` if they could not be written, and the run
    /// may as well stop; [`RunWriter::finish_as`] then returns the cause.
    pub fn take(&mut self, rows: &[TraceRow]) -> bool {
        if self.error.is_none() {
            self.error = self.write_trace(rows).err();
        }
        self.error.is_none()
    }

    fn write_trace(&mut self, rows: &[TraceRow]) -> Result<(), ExportError> {
        self.write_others(rows)?;
        if self.has_parquet { self.trace.write(&self.directory, rows) } else { Ok(()) }
    }

    fn write_others(&mut self, rows: &[TraceRow]) -> Result<(), ExportError> {
        self.others.iter_mut().try_for_each(|file| file.write(rows, &self.directory))
    }

    /// As [`RunWriter::take`], for rows that are not in order yet: writer threads sort them.
    pub fn take_slice(&mut self, slice: RowSlice) -> bool {
        if self.error.is_none() {
            self.error = self.write_slice(slice).err();
        }
        self.error.is_none()
    }

    fn write_slice(&mut self, slice: RowSlice) -> Result<(), ExportError> {
        if !self.others.is_empty() {
            let mut written = Ok(());
            RowOrder::default().each_block(&slice, &mut |rows| {
                if written.is_ok() {
                    written = self.write_others(rows);
                }
            });
            written?;
        }
        if self.has_parquet { self.trace.write_slice(&self.directory, slice) } else { Ok(()) }
    }

    /// The number of slices that it can use at once ([`hopflow::RowSink::slices`]).
    pub fn slices(&self) -> usize {
        self.trace.slices()
    }

    /// Writes all rows of VCs and queues, which is needed if the result does not keep them.
    /// [`RunWriter::finish_as`] returns the error, if any.
    pub fn take_rows(&mut self, rows: &Rows) {
        if self.error.is_none() {
            self.error = self.write_rows(|take| rows.each(take)).err();
        }
    }

    /// Writes the rows that `each` passes on, some at a time.
    fn write_rows(
        &mut self,
        each: impl FnOnce(&mut dyn FnMut(&Summary)),
    ) -> Result<(), ExportError> {
        let mut tables = VcTables::open(&self.directory)?;
        let mut written = Ok(());
        each(&mut |part| {
            if written.is_ok() {
                written = tables.write(part);
            }
        });
        self.has_rows = true;
        written.and_then(|()| tables.close())
    }

    /// Writes the rest, and moves the directory to `target`, its own or another place in the same
    /// parent directory, such as one with the digest in its name. A run that was stopped early is
    /// kept too: its manifest says `"complete": false`. On an error nothing is left.
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
        if !self.has_rows {
            assert!(!result.summary.leaves_vcs_out(), "rows that are not kept are taken before");
            self.write_rows(|take| take(&result.summary))?;
        }
        let directory = self.directory;
        self.trace.close(&directory)?;
        self.others.into_iter().try_for_each(|file| file.close(&directory))?;
        write_tables(&directory, &result.summary)?;
        write_series(&directory, &result.series)?;
        let bare = bare(&result.manifest);
        let document = ResultDocument { manifest: &bare, ..result.document() };
        directory.write_json(SUMMARY, &document)?;
        let view = RunView {
            network,
            manifest: &result.manifest,
            summary: &result.summary,
            series: &result.series,
            why,
        };
        directory.write(REPORT, run_page(&view).html().as_bytes())?;
        if self.has_scenario {
            let manifest = without_flows(network, &result.summary, &result.manifest);
            directory.write_json(MANIFEST, &manifest)?;
        } else {
            directory.write_json(MANIFEST, &result.manifest)?;
        }
        directory.finish_as(target, result.complete)
    }
}

/// The texts of `manifest.json` and `summary.json` of a run, as its directory with a
/// `scenario.toml` has them.
pub fn run_documents(network: &NetworkSpec, result: &RunResult) -> [String; 2] {
    let bare = bare(&result.manifest);
    let document = ResultDocument { manifest: &bare, ..result.document() };
    let manifest = without_flows(network, &result.summary, &result.manifest);
    [json_text(&manifest), json_text(&document)]
}

/// The manifest in a summary: the scenario is in `manifest.json` alone.
fn bare(manifest: &Manifest) -> Manifest {
    Manifest { scenario: None, ..manifest.clone() }
}

/// The manifest of a directory with a `scenario.toml`, which has all flows. If the summary leaves
/// VCs out, the manifest leaves their flows out.
fn without_flows(network: &NetworkSpec, summary: &Summary, manifest: &Manifest) -> Manifest {
    let mut manifest = manifest.clone();
    if let Some(scenario) = manifest.scenario.as_mut().filter(|_| summary.leaves_vcs_out()) {
        let mut rows = summary.vcs.iter().peekable();
        let kept = network.vcs.iter().enumerate();
        let kept = kept.filter(|(_, vc)| rows.next_if(|row| row.name == vc.name).is_some());
        *scenario = scenario.with_flows(kept.map(|(place, _)| place).collect());
    }
    manifest
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
    /// Reads the run in `directory`. Files of two runs are an error.
    pub fn read(directory: &Path) -> Result<StoredRun, ExportError> {
        let path = directory.join(MANIFEST);
        if !path.exists() {
            return Err(ExportError::NoRun { path: directory.to_path_buf() });
        }
        let manifest = read_json(&path)?;
        let scenario = directory.join("scenario.toml");
        let several =
            |of, way_out| Err(ExportError::Several { path: directory.to_path_buf(), of, way_out });
        if let Some(seeds) = manifest.get("seeds") {
            let seed = seeds[0].as_str().unwrap_or("1");
            let file = scenario.display();
            return match manifest["controls"][0].as_str() {
                Some(control) => several(
                    "seeds and controls",
                    format!("run one, `hopflow run {file} --control {control} --seed {seed}`"),
                ),
                None => several("seeds", format!("run one, `hopflow run {file} --seed {seed}`")),
            };
        }
        if manifest.get("controls").is_some() {
            let way_out =
                format!("ask for one, `hopflow why {} --control NAME`", scenario.display());
            return several("controls", way_out);
        }
        let counted = directory.join(SUMMARY);
        let summary: Value = read_json(&counted)?;
        let today = |document: Value| match summary["version"].as_u64() {
            Some(1) => version_1::upgraded(document),
            _ => document,
        };
        let manifest: Manifest = typed(&path, today(manifest))?;
        // Directories of earlier versions have no manifest in the summary.
        let other =
            summary["manifest"]["digest"].as_str().filter(|other| *other != manifest.digest);
        if let Some(other) = other {
            let why = format!(
                "it is of another run than `{MANIFEST}`: its digest is {other}, not {}",
                manifest.digest
            );
            return Err(ExportError::read(&counted, why));
        }
        let summary = typed(&counted, today(summary.clone()))?;
        Ok(StoredRun { manifest, summary, series: read_series(directory)? })
    }

    /// The network of the run in `directory`, as far as pictures and recorders need it; with all
    /// VCs, if its manifest or its `scenario.toml` has them. `None` when the manifest has no
    /// scenario, or one of another version.
    pub fn network(&self, directory: &Path) -> Option<NetworkSpec> {
        network::of_directory(&self.manifest, directory)
    }
}

fn read_json(path: &Path) -> Result<Value, ExportError> {
    let bytes = regular::read(path).map_err(|cause| ExportError::read(path, cause))?;
    serde_json::from_slice(&bytes).map_err(|cause| ExportError::read(path, cause))
}

/// The contents of the document that was read from `path`.
fn typed<T: DeserializeOwned>(path: &Path, document: Value) -> Result<T, ExportError> {
    serde_json::from_value(document).map_err(|cause| ExportError::read(path, cause))
}

#[cfg(test)]
pub(crate) mod tests;
