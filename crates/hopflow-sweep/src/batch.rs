//! Batch: points that another process or machine executes together, and their results.
//!
//! The worker of a batch runs the seeds of each point in their order and stops when the rule is
//! met, so no run is useless. Its results are lines of a journal, in order of point and seed. They
//! depend on the plan alone: a batch that was executed twice, because a worker was lost, has the
//! same bytes twice. The name of its file depends on its points alone; the file is written under
//! another name and renamed. The limits of batches do not affect the dataset.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::execute::make;
use crate::job::{Job, Opened};
use crate::{Plan, Row, SweepError};

/// The folder of batches.
pub(crate) const BATCHES: &str = "batches";
/// The end of the names of batch files.
const ENDING: &str = ".jsonl";

/// Points from `first` to `end`, exclusive, each with all its seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Batch {
    /// The first point.
    pub first: u64,
    /// The point after the last one.
    pub end: u64,
}

impl Batch {
    /// The name of the batch's file.
    pub fn name(self) -> String {
        format!("{:07}-{:07}{ENDING}", self.first, self.end)
    }

    /// The batch of a file name.
    pub fn of_name(name: &str) -> Option<Batch> {
        let (first, end) = name.strip_suffix(ENDING)?.split_once('-')?;
        let batch = Batch { first: first.parse().ok()?, end: end.parse().ok()? };
        (batch.name() == name).then_some(batch)
    }

    /// The batch's file in the directory of a sweep.
    pub fn path(self, folder: &Path) -> PathBuf {
        folder.join(BATCHES).join(self.name())
    }

    /// Executes the batch's runs on this thread; `None`: `cancel` was true. An error if the plan
    /// does not have its points.
    pub fn make(
        self,
        plan: &Plan,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Option<Vec<Row>>, SweepError> {
        let points = plan.shape().grid.points();
        if self.first >= self.end || self.end > points {
            let Batch { first, end } = self;
            let why = format!("there are no points {first} to {end}: the sweep has {points}");
            return Err(SweepError::Input(why));
        }
        let mut rows = Vec::new();
        for point in self.first..self.end {
            if !of_point(plan, point, cancel, &mut rows) {
                return Ok(None);
            }
        }
        Ok(Some(rows))
    }

    /// Writes the batch's file atomically: at any instant the file is complete or absent, also if
    /// other processes write the same batch.
    pub fn write(self, folder: &Path, rows: &[Row]) -> Result<PathBuf, SweepError> {
        let path = self.path(folder);
        let text: String = rows.iter().map(Row::line).collect();
        let mut written = place(&path, text.as_bytes());
        if written.as_ref().is_err_and(|cause| cause.kind() == io::ErrorKind::NotFound) {
            // The process that built the dataset has removed the folder meanwhile.
            written = place(&path, text.as_bytes());
        }
        match written {
            Ok(()) => Ok(path),
            Err(cause) => Err(SweepError::Write { path, stored: 0, cause }),
        }
    }
}

/// Executes the runs of one point; whether it was not cancelled.
fn of_point(plan: &Plan, point: u64, cancel: &Arc<AtomicBool>, rows: &mut Vec<Row>) -> bool {
    let shape = plan.shape();
    let opened = Opened::default();
    let mut values = Vec::new();
    for replicate in 1..=shape.seeds {
        let job = Job { point, replicate, opened: Arc::clone(&opened), goes_on: false };
        let Some(row) = make(plan, &job, cancel) else { return false };
        values.extend(shape.rule_column().map(|column| row.outcome.measured(column)));
        let is_last = row.is_for_all_seeds();
        rows.push(row);
        let has_enough = |rule: &crate::Rule| values.len() >= 2 && rule.is_met(&values);
        if is_last || shape.rule.as_ref().is_some_and(has_enough) {
            break;
        }
    }
    !cancel.load(Ordering::Relaxed)
}

/// Writes a file under a temporary name that no other process or thread uses, and renames it. If
/// processes of two machines with a shared folder have equal ids, the second takes another name.
fn place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)?;
    let (mut file, beside) = loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_extension(format!("{}-{count}.tmp", process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {}
            opened => break (opened?, beside),
        }
    };
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let placed = written.and_then(|()| fs::rename(&beside, path));
    if placed.is_err() {
        let _ = fs::remove_file(&beside);
    }
    placed?;
    crate::store::sync_folder(path)
}

#[cfg(test)]
mod tests;
