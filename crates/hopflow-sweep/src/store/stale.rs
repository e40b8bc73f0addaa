//! Removes stale rows from a directory.

use std::collections::{BTreeMap, BTreeSet};

use super::contents::Contents;
use super::files::{remove, write_whole};
use super::read::{each_of_any, plan_of};
use super::{KeyOfRun, PLAN, REPORT, Store};
use crate::stale::Stale;
use crate::{Row, RunKey, Shape, SweepError};

impl Store {
    /// Removes the rows that are not those of the plan as it reads now, and writes the plan again
    /// if it was that of another program, machine or file. The rows that are left become the
    /// dataset.
    pub(super) fn remove_stale(&mut self, of_run: Option<KeyOfRun<'_>>) -> Result<(), SweepError> {
        let (stored, now) = (plan_of(&self.folder)?, self.shape.file().clone());
        let is_same = stored.makes_the_rows_of(&now);
        let of_run = of_run.filter(|_| now.may_name_files() || !stored.reads_as(&now));
        if !is_same || of_run.is_some() {
            let found = Found::of(&self.folder, &self.shape)?;
            let places = found.stale(&self.shape, of_run);
            self.stale = Stale {
                program: found.others.len() as u64,
                input: (places.len() - found.others.len()) as u64,
                programs: [stored.program, now.program.clone()],
                machines: stored.machines != now.machines,
            };
            if !places.is_empty() {
                // It shows rows that are removed.
                let report = self.folder.join(REPORT);
                self.done(&report, remove(&report))?;
                let shape = self.shape.clone();
                self.build(&Contents::of(&self.folder)?, &|row| {
                    !places.contains(&shape.place(row.point, row.replicate))
                })?;
            }
        }
        if !is_same {
            let path = self.folder.join(PLAN);
            let text = now.text();
            let written = write_whole(&self.open, &path, |out| out.write_all(text.as_bytes()));
            self.done(&path, written)?;
        }
        Ok(())
    }
}

/// The rows of a directory.
#[derive(Default)]
struct Found {
    /// The keys of those of this program, by point and seed.
    own: BTreeMap<(u64, u32), RunKey>,
    /// The indices of runs of which there are only rows of other programs.
    others: BTreeSet<u64>,
}

impl Found {
    fn of(folder: &std::path::Path, shape: &Shape) -> Result<Found, SweepError> {
        let mut found = Found::default();
        each_of_any(folder, shape, &mut |row: &Row| {
            if row.key.is_of(shape.program()) {
                found.own.entry((row.point, row.replicate)).or_insert(row.key);
            } else {
                found.others.insert(shape.place(row.point, row.replicate));
            }
        })?;
        for (point, replicate) in found.own.keys() {
            found.others.remove(&shape.place(*point, *replicate));
        }
        Ok(found)
    }

    /// The indices of all stale rows.
    fn stale(&self, shape: &Shape, of_run: Option<KeyOfRun<'_>>) -> BTreeSet<u64> {
        let mut stale = self.others.clone();
        if let Some(of_run) = of_run {
            let differs =
                self.own.iter().filter(|((point, seed), key)| of_run(*point, *seed) != **key);
            stale.extend(differs.map(|((point, seed), _)| shape.place(*point, *seed)));
        }
        stale
    }
}
