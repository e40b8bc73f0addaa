//! The dataset: all rows of a sweep in one file, in an order that depends on the plan alone, and
//! their series in another file, which is written before.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::contents::{ALL, Contents, PARTS, journal, part};
use super::files::{UNFINISHED, remove, unless_missing, write_whole};
use super::series::SERIES;
use super::series::write::write_series;
use super::{Store, each_row, each_whole_row, write_rows};
use crate::batch::BATCHES;
use crate::rule::leading;
use crate::{Row, Shape, SweepError};

/// At most as many values of series as in this number of parts are in memory at once.
const PARTS_AT_ONCE: u64 = 8;

impl Store {
    /// Writes all series to `series.parquet` and all rows to `runs.parquet`, then removes journals,
    /// parts and batches. An incomplete sweep can continue afterwards. All rows are in memory
    /// meanwhile, but only some of the series at a time.
    pub fn compact(&mut self) -> Result<PathBuf, SweepError> {
        let contents = Contents::of(&self.folder)?;
        if contents.is_compact() {
            return Ok(self.folder.join(ALL));
        }
        self.build(&contents, &|_| true)
    }

    /// Writes the dataset of the rows to keep, then removes the other files of rows, `contents`.
    pub(super) fn build(
        &mut self,
        contents: &Contents,
        keep: &dyn Fn(&Row) -> bool,
    ) -> Result<PathBuf, SweepError> {
        let path = self.folder.join(ALL);
        let mut rows = Vec::new();
        if self.shape.series().is_empty() {
            each_row(&self.folder, &self.shape, &mut |row| rows.push((row.clone(), 0)))?;
        } else {
            each_whole_row(&self.folder, &self.shape, &mut |row| {
                let count = row.outcome.count();
                rows.push((row.bare(), count));
            })?;
        }
        rows.retain(|(row, _)| keep(row));
        leave_out(&mut rows, &self.shape);
        rows.sort_unstable_by_key(|(row, _)| (row.key, row.point, row.replicate));
        if !self.shape.series().is_empty() {
            let at_once = self.options.values_per_part.saturating_mul(PARTS_AT_ONCE);
            let (folder, shape, rows) = (&self.folder, &self.shape, &rows);
            let path = folder.join(SERIES);
            let written = write_whole(&self.open, &path, |out| {
                write_series(folder, shape, rows, at_once, out)
            });
            self.done(&path, written)?;
        }
        let in_order = rows.iter().map(|(row, _)| row);
        let written = write_rows(&self.open, &path, &self.shape, false, in_order);
        self.done(&path, written)?;
        self.sink = None;
        let folder = self.folder.clone();
        let parts = contents.parts.iter().map(|number| part(&folder, *number));
        let journals = contents.journals.iter().map(|number| journal(&folder, *number));
        let batches = contents.batches.iter().map(|batch| batch.path(&folder));
        for path in parts.chain(journals).chain(batches) {
            self.done(&path, remove(&path))?;
        }
        tidy(&folder.join(BATCHES));
        let parts = folder.join(PARTS);
        self.done(&parts, unless_missing(fs::remove_dir(&parts)))?;
        self.rows.clear();
        self.values = 0;
        self.number += 1;
        Ok(path)
    }
}

/// Removes unfinished batches of killed processes, and the folder if it is empty. A process that is
/// still writing a batch begins its file again.
fn tidy(batches: &Path) {
    let Ok(entries) = fs::read_dir(batches) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_some_and(|kind| kind == UNFINISHED) {
            let _ = fs::remove_file(path);
        }
    }
    let _ = fs::remove_dir(batches);
}

/// Leaves out runs beyond the number of seeds that meets the rule. A seed counts if all seeds
/// before it are stored.
fn leave_out(rows: &mut Vec<(Row, u64)>, shape: &Shape) {
    let Some((rule, column)) = shape.rule.as_ref().zip(shape.rule_column()) else { return };
    let mut points: BTreeMap<u64, BTreeMap<u32, f64>> = BTreeMap::new();
    for (row, _) in rows.iter() {
        let values = points.entry(row.point).or_default();
        values.insert(row.replicate, row.outcome.measured(column));
    }
    let enough: BTreeMap<u64, Option<usize>> =
        points.iter().map(|(point, values)| (*point, rule.least(&leading(values)))).collect();
    rows.retain(|(row, _)| enough[&row.point].is_none_or(|count| row.replicate as usize <= count));
}
