//! Batch: the points that travel to another process or machine as one, and what comes back.
//!
//! Whoever makes a batch runs the seeds of each point in their order and stops where the rule is
//! met, so nothing is made ahead in vain. What comes back are lines of a journal, in order of point
//! and seed. They follow from the plan alone, so a batch that was made twice, because a worker was
//! lost, has the same bytes twice; its file has a name that follows from its points, and is written
//! beside its place and renamed. Where batches begin and end does not reach the dataset.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::execute::make;
use crate::job::{Job, Opened};
use crate::{Outcome, Plan, Row, SweepError};

/// The folder of batches.
pub(crate) const BATCHES: &str = "batches";
/// What the name of a batch's file ends in.
const ENDING: &str = ".jsonl";

/// Points from `first` on, up to but without `end`, each with all its seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Batch {
    /// The first point.
    pub first: u64,
    /// The point behind the last one.
    pub end: u64,
}

impl Batch {
    /// The name of its file.
    pub fn name(self) -> String {
        format!("{:07}-{:07}{ENDING}", self.first, self.end)
    }

    /// Of the name of a file.
    pub fn of_name(name: &str) -> Option<Batch> {
        let (first, end) = name.strip_suffix(ENDING)?.split_once('-')?;
        let batch = Batch { first: first.parse().ok()?, end: end.parse().ok()? };
        (batch.name() == name).then_some(batch)
    }

    /// Its file in the directory of a sweep.
    pub fn path(self, folder: &Path) -> PathBuf {
        folder.join(BATCHES).join(self.name())
    }

    /// Makes its runs on this thread; `None`: `cancel` was true. An error if the plan has no such
    /// points.
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

    /// Writes its file, whole: at any instant there is all of it or nothing, whoever else writes
    /// the same.
    pub fn write(self, folder: &Path, rows: &[Row]) -> Result<PathBuf, SweepError> {
        let path = self.path(folder);
        let text: String = rows.iter().map(Row::line).collect();
        let mut written = place(&path, text.as_bytes());
        if written.as_ref().is_err_and(|cause| cause.kind() == io::ErrorKind::NotFound) {
            // Whoever made the dataset meanwhile has tidied up.
            written = place(&path, text.as_bytes());
        }
        match written {
            Ok(()) => Ok(path),
            Err(cause) => Err(SweepError::Write { path, stored: 0, cause }),
        }
    }
}

/// The runs of one point; whether it was not cancelled.
fn of_point(plan: &Plan, point: u64, cancel: &Arc<AtomicBool>, rows: &mut Vec<Row>) -> bool {
    let shape = plan.shape();
    let opened = Opened::default();
    let mut values = Vec::new();
    for replicate in 1..=shape.seeds {
        let job = Job { point, replicate, opened: Arc::clone(&opened), goes_on: false };
        let Some(row) = make(plan, &job, cancel) else { return false };
        values.extend(shape.rule_column().map(|column| row.outcome.value(column)));
        let is_last = matches!(row.outcome, Outcome::Unreadable(_));
        rows.push(row);
        let has_enough = |rule: &crate::Rule| values.len() >= 2 && rule.is_met(&values);
        if is_last || shape.rule.as_ref().is_some_and(has_enough) {
            break;
        }
    }
    !cancel.load(Ordering::Relaxed)
}

/// Writes beside the place, under a name that no other process or thread has, and renames. Machines
/// that share a folder may have equal numbers of processes: then the second one takes another name.
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
