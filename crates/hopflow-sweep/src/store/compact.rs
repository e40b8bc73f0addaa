//! The dataset: all rows of a sweep in one file, in an order that follows from the plan, and their
//! series in another one, which is in its place before.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::contents::{ALL, Contents, PARTS, journal, part};
use super::files::{UNFINISHED, remove, write_whole};
use super::series::SERIES;
use super::series::write::write_series;
use super::{Store, each_row, each_whole_row, write_rows};
use crate::batch::BATCHES;
use crate::{Row, Shape, SweepError};

/// As many values of series as of so many parts are in memory at once.
const PARTS_AT_ONCE: u64 = 8;

impl Store {
    /// Puts all series into `series.parquet` and all rows into `runs.parquet`, then removes
    /// journals and parts. A sweep that is not complete goes on afterwards as before. The rows are
    /// all in memory meanwhile, of the series some at a time.
    pub fn compact(&mut self) -> Result<PathBuf, SweepError> {
        let path = self.folder.join(ALL);
        let contents = Contents::of(&self.folder)?;
        if contents.is_compact() {
            return Ok(path);
        }
        let mut rows = Vec::new();
        if self.shape.series().is_empty() {
            each_row(&self.folder, &self.shape, &mut |row| rows.push((row.clone(), 0)))?;
        } else {
            each_whole_row(&self.folder, &self.shape, &mut |row| {
                rows.push((row.bare(), row.outcome.count()));
            })?;
        }
        leave_out(&mut rows, &self.shape);
        rows.sort_unstable_by_key(|(row, _)| (row.key, row.point, row.replicate));
        if !self.shape.series().is_empty() {
            let at_once = self.options.values_per_part.saturating_mul(PARTS_AT_ONCE);
            let (folder, shape, rows) = (&self.folder, &self.shape, &rows);
            let path = folder.join(SERIES);
            let written = write_whole(&self.open, &path, |out| {
                write_series(folder, shape, (rows, at_once), out)
            });
            self.done(&path, written)?;
        }
        let table = self.shape.table();
        let in_order = rows.iter().map(|(row, _)| (row, false));
        let written = write_rows(&self.open, &path, (&self.shape, &table), in_order);
        self.done(&path, written)?;
        self.sink = None;
        for number in &contents.parts {
            let path = part(&self.folder, *number);
            self.done(&path, remove(&path))?;
        }
        for number in &contents.journals {
            let path = journal(&self.folder, *number);
            self.done(&path, remove(&path))?;
        }
        for batch in &contents.batches {
            let path = batch.path(&self.folder);
            self.done(&path, remove(&path))?;
        }
        tidy(&self.folder.join(BATCHES));
        let parts = self.folder.join(PARTS);
        let removed = match fs::remove_dir(&parts) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause),
            _ => Ok(()),
        };
        self.done(&parts, removed)?;
        self.rows.clear();
        self.values = 0;
        self.number += 1;
        Ok(path)
    }
}

/// Removes what processes that were killed left of batches, and the folder if nothing is left. One
/// that is still writing a batch begins its file again.
fn tidy(batches: &Path) {
    let Ok(entries) = fs::read_dir(batches) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_some_and(|kind| kind == UNFINISHED) {
            let _ = fs::remove_file(path);
        }
    }
    let _ = fs::remove_dir(batches);
}

/// Leaves out what was run past the number of seeds by which the rule is met. Seeds count as far as
/// all before them are there.
fn leave_out(rows: &mut Vec<(Row, u64)>, shape: &Shape) {
    let Some((rule, column)) = shape.rule.as_ref().zip(shape.rule_column()) else { return };
    let mut points: BTreeMap<u64, BTreeMap<u32, Option<f64>>> = BTreeMap::new();
    for (row, _) in rows.iter() {
        let values = points.entry(row.point).or_default();
        values.insert(row.replicate, row.outcome.value(column));
    }
    let enough = |values: BTreeMap<u32, Option<f64>>| {
        let in_order = values.into_iter().zip(1..).take_while(|((one, _), place)| one == place);
        rule.least(&in_order.map(|((_, value), _)| value).collect::<Vec<_>>())
    };
    let enough: BTreeMap<u64, Option<usize>> =
        points.into_iter().map(|(point, values)| (point, enough(values))).collect();
    rows.retain(|(row, _)| enough[&row.point].is_none_or(|count| row.replicate as usize <= count));
}
