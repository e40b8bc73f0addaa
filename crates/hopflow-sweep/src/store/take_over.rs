//! Takes over a directory: reads its contents, and repairs it after a crash.

use std::fs::{self, File};
use std::path::Path;

use super::Store;
use super::contents::{Contents, PARTS, journal, part, read_all, read_journal, read_part};
use super::files::{UNFINISHED, remove};
use super::series::SERIES;
use crate::{Row, Shape, SweepError};

impl Store {
    /// Reads the directory, and removes duplicate and unfinished files.
    pub(super) fn take_over(&mut self) -> Result<(), SweepError> {
        self.remove_unfinished()?;
        let contents = Contents::of(&self.folder)?;
        if contents.has_all {
            self.has_series()?;
            let (folder, shape) = (self.folder.clone(), self.shape.clone());
            read_all(&folder, &shape, None, false, &mut |row| {
                self.note(&row);
            })?;
        }
        for number in &contents.parts {
            let path = part(&self.folder, *number);
            self.take_file(&path, |shape, each| read_part(&path, shape, None, each))?;
        }
        for number in &contents.journals {
            self.take_journal(*number)?;
        }
        // A batch of another process stays until the dataset is built.
        for batch in &contents.batches {
            let path = batch.path(&self.folder);
            self.take_file(&path, |shape, each| read_journal(&path, shape, each).map(drop))?;
        }
        let last = contents.parts.iter().chain(&contents.journals).max().copied().unwrap_or(0);
        if self.rows.is_empty() {
            self.number = last + 1;
        }
        Ok(())
    }

    /// Checks that the series of a dataset exist; if not, they are lost.
    fn has_series(&self) -> Result<(), SweepError> {
        let path = self.folder.join(SERIES);
        if self.shape.series().is_empty() || path.exists() {
            return Ok(());
        }
        let why = "it is not there, and the series of the runs in runs.parquet are nowhere else: \
                   put it back, or remove runs.parquet, too, and these runs are made again";
        Err(SweepError::read(&path, why))
    }

    fn remove_unfinished(&mut self) -> Result<(), SweepError> {
        for folder in [self.folder.clone(), self.folder.join(PARTS)] {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries {
                let path = entry.map_err(|cause| SweepError::read(&folder, cause))?.path();
                if path.extension().is_some_and(|kind| kind == UNFINISHED) {
                    self.done(&path, remove(&path))?;
                }
            }
        }
        Ok(())
    }

    /// Reads a file of rows, and removes it if all of them are in earlier files.
    fn take_file(
        &mut self,
        path: &Path,
        read: impl FnOnce(&Shape, &mut dyn FnMut(Row)) -> Result<(), SweepError>,
    ) -> Result<(), SweepError> {
        let (shape, before) = (self.shape.clone(), self.count());
        read(&shape, &mut |row| {
            self.note(&row);
        })?;
        if self.count() == before { self.done(path, remove(path)) } else { Ok(()) }
    }

    /// Reads a journal and continues it. A journal that was converted to a part has no new rows and
    /// is removed; one that is not the last becomes a part.
    fn take_journal(&mut self, number: u32) -> Result<(), SweepError> {
        if !self.rows.is_empty() {
            self.rotate()?;
        }
        let path = journal(&self.folder, number);
        let shape = self.shape.clone();
        let mut new = Vec::new();
        let good = read_journal(&path, &shape, &mut |row| {
            if self.note(&row) {
                new.push(row);
            }
        })?;
        if new.is_empty() {
            return self.done(&path, remove(&path));
        }
        let cut = File::options().write(true).open(&path).and_then(|file| file.set_len(good));
        self.done(&path, cut)?;
        self.values = new.iter().map(|row| row.outcome.count()).sum();
        (self.rows, self.number) = (new, number);
        self.rotate_if_full()
    }
}
