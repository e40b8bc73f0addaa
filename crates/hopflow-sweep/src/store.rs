//! Store: the directory of a sweep. It loses no stored run if the program is killed at any instant,
//! and has no run twice.
//!
//! ```text
//! sweep.json                the plan; written first, and again after stale rows were removed
//! scenario.toml             the text of the scenario
//! journal-00001.jsonl       a line for each run, appended with one write at the end of the run
//! runs/part-00001.parquet   the rows of a full journal; then the journal is removed
//! batches/A-B.jsonl         the runs of points A to B by another process (`batch.rs`)
//! series.parquet            the series of all rows, in a sweep that keeps series (`series.rs`)
//! runs.parquet              the dataset: all rows in order of key, point and replicate
//! report.html               the report (`report.rs`)
//! batches.txt, slurm.sbatch a job array (`array.rs`), whose tasks write slurm-0.out and so on
//! .lock                     held by the writer
//! ```
//! Every file but a journal is written under another name, synced to the disk and then renamed. So
//! a run is in at least one of them at any instant; if it is in two, opening the directory removes
//! the later one (`contents.rs`). The last line of a journal may be truncated: its run counts as
//! not executed. The series of a run are in its line and in its row of a part. Rows beyond the
//! number of seeds that meets a rule are left out of the dataset.
//!
//! The dataset depends on the plan alone: not on threads, order, interruptions or parts. Rows that
//! are not those of the plan as it reads now are removed before it goes on (`stale.rs`). Rows of
//! another program, such as those that a task of a cluster writes afterwards, are never read.
//!
//! Not safe: a journal in a power failure, because the system may not have written its end; parts
//! and the dataset are safe.

mod begin;
mod compact;
mod contents;
mod discard;
mod files;
mod read;
mod series;
mod stale;
mod take_over;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use hopflow_export::Sink;
use hopflow_export::parquet::GivenWriter;

use crate::stale::Stale;
use crate::{Batch, Row, RunKey, Shape, SweepError};
use begin::{begins, lock};
use contents::{PARTS, journal, part, placed_row, with_cells};
pub use discard::discard;
pub(crate) use files::sync_folder;
use files::{Opener, remove, write_whole};
pub use read::{each_row, each_whole_row, read_sweep};

/// Rows of a journal before it becomes a part.
pub const ROWS_PER_PART: usize = 10_000;

/// Values of series in a journal before it becomes a part: about 25 MB.
pub const VALUES_PER_PART: u64 = 1_000_000;

const PLAN: &str = "sweep.json";
/// The text of the scenario.
pub(crate) const SCENARIO: &str = "scenario.toml";
/// The report of all runs.
pub(crate) const REPORT: &str = "report.html";
/// The batches of a job array, its file for `sbatch`, and the start of the names of its logs.
pub(crate) const LIST: &str = "batches.txt";
pub(crate) const SCRIPT: &str = "slurm.sbatch";
pub(crate) const LOG: &str = "slurm-";

/// Options for writing a directory, which do not affect the dataset.
#[derive(Clone, Copy, Debug)]
pub struct StoreOptions {
    /// Rows of a journal before it becomes a part; at least 1.
    pub rows_per_part: usize,
    /// Values of series in a journal before it becomes a part; building the dataset takes about
    /// eight times as many in memory.
    pub values_per_part: u64,
}

impl Default for StoreOptions {
    fn default() -> StoreOptions {
        StoreOptions { rows_per_part: ROWS_PER_PART, values_per_part: VALUES_PER_PART }
    }
}

/// The key of the run of a point and a seed, from 1 on, as the point reads now.
pub(crate) type KeyOfRun<'k> = &'k dyn Fn(u64, u32) -> RunKey;

/// The directory of a sweep, locked by its only writer.
pub struct Store {
    folder: PathBuf,
    shape: Shape,
    options: StoreOptions,
    open: Opener,
    /// The indices of the stored runs.
    stored: BTreeSet<u64>,
    /// Points of one row, which is for all seeds: those that are not valid scenarios, and those
    /// whose runs draw nothing.
    single: BTreeSet<u64>,
    /// With a rule: the measured values of stored runs, by index; NaN without a value.
    measured: BTreeMap<u64, f64>,
    /// The current journal, after its first row.
    sink: Option<Box<dyn Sink>>,
    number: u32,
    /// The rows of the current journal.
    rows: Vec<Row>,
    /// The number of values of series in the current journal.
    values: u64,
    /// Whether a write has failed: then nothing more is written.
    is_broken: bool,
    /// The rows that were removed, because the plan reads otherwise now.
    stale: Stale,
    /// Held until the store is dropped.
    _lock: File,
}

impl Store {
    /// Opens the directory of a sweep, or begins it, and repairs it after a crash. A directory with
    /// another plan or with other files is an error. Rows of another program are removed; the
    /// contents of files are not compared: [`crate::Plan::open`] does that, too.
    pub fn open(folder: &Path, shape: &Shape, options: StoreOptions) -> Result<Store, SweepError> {
        Store::open_with(folder, shape, options, files::system(), None)
    }

    /// The same, with the keys of runs as their points read now.
    pub(crate) fn open_for(
        folder: &Path,
        shape: &Shape,
        options: StoreOptions,
        of_run: KeyOfRun<'_>,
    ) -> Result<Store, SweepError> {
        Store::open_with(folder, shape, options, files::system(), Some(of_run))
    }

    pub(crate) fn open_with(
        folder: &Path,
        shape: &Shape,
        options: StoreOptions,
        open: Opener,
        of_run: Option<KeyOfRun<'_>>,
    ) -> Result<Store, SweepError> {
        let failed = |path: &Path, cause| SweepError::Write { path: path.into(), stored: 0, cause };
        begins(folder, shape)?;
        fs::create_dir_all(folder).map_err(|cause| failed(folder, cause))?;
        let lock = lock(folder)?;
        // Another process may have begun the sweep before this one had the lock.
        let is_new = begins(folder, shape)?;
        if is_new {
            let scenario = shape.file().scenario.clone();
            for (name, text) in [(SCENARIO, scenario), (PLAN, shape.file().text())] {
                let path = folder.join(name);
                let written = write_whole(&open, &path, |out| out.write_all(text.as_bytes()));
                written.map_err(|cause| failed(&path, cause))?;
            }
        }
        let mut store = Store {
            folder: folder.to_path_buf(),
            shape: shape.clone(),
            options,
            open,
            stored: BTreeSet::new(),
            single: BTreeSet::new(),
            measured: BTreeMap::new(),
            sink: None,
            number: 1,
            rows: Vec::new(),
            values: 0,
            is_broken: false,
            stale: Stale::default(),
            _lock: lock,
        };
        if !is_new {
            store.remove_stale(of_run)?;
        }
        store.take_over()?;
        Ok(store)
    }

    /// Records that a run is stored. Returns whether it was not stored before.
    fn note(&mut self, row: &Row) -> bool {
        let place = self.shape.place(row.point, row.replicate);
        if !row.key.is_of(self.shape.program()) || !self.stored.insert(place) {
            return false;
        }
        if row.is_for_all_seeds() {
            self.single.insert(row.point);
        }
        if let Some(column) = self.shape.rule_column() {
            self.measured.insert(place, row.outcome.measured(column));
        }
        true
    }

    /// The rows that were stale when the directory was opened.
    pub fn stale(&self) -> &Stale {
        &self.stale
    }

    /// The directory.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The plan of the store.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of stored runs.
    pub fn count(&self) -> u64 {
        self.stored.len() as u64
    }

    /// Whether a run is stored.
    pub fn has(&self, point: u64, replicate: u32) -> bool {
        self.stored.contains(&self.shape.place(point, replicate))
    }

    /// Whether a point has one row for all its seeds.
    pub fn is_single(&self, point: u64) -> bool {
        self.single.contains(&point)
    }

    /// The number of points that are known to have one row for all their seeds.
    pub fn singles(&self) -> u64 {
        self.single.len() as u64
    }

    /// With a rule: the measured value of a stored run, NaN without a value; `None`: the run is not
    /// stored.
    pub fn measured(&self, point: u64, replicate: u32) -> Option<f64> {
        self.measured.get(&self.shape.place(point, replicate)).copied()
    }

    /// Whether a point lacks a seed and does not meet the rule.
    pub fn lacks(&self, point: u64) -> bool {
        let seeds = 1..=self.shape.seeds;
        if self.is_single(point) || seeds.clone().all(|seed| self.has(point, seed)) {
            return false;
        }
        let Some(rule) = &self.shape.rule else { return true };
        let known: Vec<f64> = seeds.map_while(|seed| self.measured(point, seed)).collect();
        rule.least(&known).is_none()
    }

    /// The next consecutive points from `from` on that lack a run, at most `most`.
    pub fn next_batch(&self, from: u64, most: u64) -> Option<Batch> {
        let points = self.shape.grid.points();
        let first = (from..points).find(|point| self.lacks(*point))?;
        let most = first.saturating_add(most.max(1)).min(points);
        let end = (first + 1..most).find(|point| !self.lacks(*point)).unwrap_or(most);
        Some(Batch { first, end })
    }

    /// Stores the lines of a batch. Returns the number of runs that were not stored before. A line
    /// that is not a run of this sweep is an error, and then no line of the batch is stored.
    pub fn add_lines(&mut self, text: &str) -> Result<u64, SweepError> {
        let program = self.shape.program();
        let row =
            |line: &str| placed_row(line, &self.shape).filter(|row: &Row| row.key.is_of(program));
        let rows: Option<Vec<Row>> = text.split_inclusive('\n').map(row).collect();
        let Some(rows) = rows else {
            let why = "a batch came back with a line that is not a run of this sweep: is the same \
                       version of hopflow on all machines?";
            return Err(SweepError::Input(why.to_owned()));
        };
        let before = self.count();
        rows.into_iter().try_for_each(|row| self.add(row))?;
        Ok(self.count() - before)
    }

    /// Stores a run. After the return the run is safe, even if the program is killed. A run that is
    /// stored already is ignored.
    pub fn add(&mut self, row: Row) -> Result<(), SweepError> {
        if self.has(row.point, row.replicate) {
            return Ok(());
        }
        let path = journal(&self.folder, self.number);
        let line = row.line();
        if self.is_broken {
            let cause = io::Error::other("an earlier line of it could not be written");
            return self.done(&path, Err(cause));
        }
        if self.sink.is_none() {
            let sink = (self.open)(&path, true);
            self.sink = Some(self.done(&path, sink)?);
        }
        let sink = self.sink.as_mut().expect("it is open now");
        let written = sink.write_all(line.as_bytes());
        self.done(&path, written)?;
        self.note(&row);
        self.values += row.outcome.count();
        self.rows.push(row);
        self.rotate_if_full()
    }

    fn rotate_if_full(&mut self) -> Result<(), SweepError> {
        let StoreOptions { rows_per_part, values_per_part } = self.options;
        let is_full = self.rows.len() >= rows_per_part || self.values >= values_per_part;
        if is_full { self.rotate() } else { Ok(()) }
    }

    /// Converts the journal to a part.
    fn rotate(&mut self) -> Result<(), SweepError> {
        let parts = self.folder.join(PARTS);
        let made = fs::create_dir_all(&parts);
        self.done(&parts, made)?;
        self.rows.sort_by_key(|row| (row.key, row.point, row.replicate));
        let path = part(&self.folder, self.number);
        let written = write_rows(&self.open, &path, &self.shape, true, self.rows.iter());
        self.done(&path, written)?;
        self.sink = None;
        let old = journal(&self.folder, self.number);
        self.done(&old, remove(&old))?;
        self.rows.clear();
        self.values = 0;
        self.number += 1;
        Ok(())
    }

    /// The error of a file, with the number of safe runs. After it nothing more is written.
    fn done<T>(&mut self, path: &Path, result: io::Result<T>) -> Result<T, SweepError> {
        result.map_err(|cause| {
            self.is_broken = true;
            SweepError::Write { path: path.to_path_buf(), stored: self.count(), cause }
        })
    }
}

/// Writes a whole file of a sweep.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole(&files::system(), path, |out| out.write_all(bytes))
}

/// Writes rows as the table of a part or of the dataset.
fn write_rows<'r>(
    open: &Opener,
    path: &Path,
    shape: &Shape,
    is_part: bool,
    rows: impl Iterator<Item = &'r Row>,
) -> io::Result<()> {
    let table = if is_part { shape.part_table() } else { shape.table() };
    write_whole(open, path, |out| {
        let mut writer = GivenWriter::new(&table, out)?;
        for row in rows {
            with_cells(shape, row, is_part, |cells| writer.push(cells))?;
        }
        writer.close().map(|_| ())
    })
}
