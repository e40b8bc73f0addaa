//! Taking over a directory: what is in it is read, and what a crash left behind is put right.

use std::fs::{self, File};
use std::path::Path;

use super::Store;
use super::contents::{Contents, PARTS, journal, part, read_all, read_journal, read_part};
use super::files::{UNFINISHED, remove};
use super::series::SERIES;
use crate::{Batch, SweepError};

impl Store {
    /// Reads what is there, and removes what is there twice or unfinished.
    pub(super) fn take_over(&mut self) -> Result<(), SweepError> {
        self.remove_unfinished()?;
        let contents = Contents::of(&self.folder)?;
        if contents.has_all {
            self.has_series()?;
            let (folder, shape) = (self.folder.clone(), self.shape.clone());
            read_all(&folder, &shape, (None, false), &mut |row| {
                self.note(&row);
            })?;
        }
        for number in &contents.parts {
            let path = part(&self.folder, *number);
            let new = self.take_part(&path)?;
            if new == 0 {
                self.done(&path, remove(&path))?;
            }
        }
        for number in &contents.journals {
            self.take_journal(*number)?;
        }
        for batch in &contents.batches {
            self.take_batch(*batch)?;
        }
        let last = contents.parts.iter().chain(&contents.journals).max().copied().unwrap_or(0);
        if self.rows.is_empty() {
            self.number = last + 1;
        }
        Ok(())
    }

    /// The series of a dataset are beside it, or are lost.
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

    /// Reads a part; gives the number of runs that were not there before.
    fn take_part(&mut self, path: &Path) -> Result<u64, SweepError> {
        let shape = self.shape.clone();
        let mut new = 0;
        read_part(path, &shape, None, &mut |row| new += u64::from(self.note(&row)))?;
        Ok(new)
    }

    /// Reads a journal and goes on with it. One that a part was made of already has nothing new and
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

    /// Reads a batch that another process has made; it stays until the dataset is made. One that
    /// has nothing new is removed.
    fn take_batch(&mut self, batch: Batch) -> Result<(), SweepError> {
        let path = batch.path(&self.folder);
        let shape = self.shape.clone();
        let mut new = 0;
        read_journal(&path, &shape, &mut |row| new += u64::from(self.note(&row)))?;
        if new == 0 { self.done(&path, remove(&path)) } else { Ok(()) }
    }
}
