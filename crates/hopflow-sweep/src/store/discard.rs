//! Removes a stored sweep, so that it begins anew.
//!
//! All files of the directory are looked at before the first is removed: beside a file of another
//! origin a new sweep would not begin, and the old one would be lost. A directory that has the name
//! of a file of the sweep, or the reverse, is of another origin, too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::begin::{LOCK, lock};
use super::contents::{ALL, PARTS, journal_number, part_number};
use super::files::{UNFINISHED, remove, unless_missing};
use super::series::SERIES;
use super::{LIST, LOG, PLAN, REPORT, SCENARIO, SCRIPT};
use crate::batch::BATCHES;
use crate::{Batch, SweepError};

/// Removes the sweep in a directory, if there is one, with its logs and what a kill has left. A
/// file of another origin is an error, and then nothing is removed. The plan is last, so a kill
/// meanwhile leaves a sweep that lacks runs. A sweep that is being written is an error.
pub fn discard(folder: &Path) -> Result<(), SweepError> {
    if !folder.join(PLAN).exists() {
        return Ok(());
    }
    let _lock = lock(folder)?;
    Own::of(folder)?.remove(folder)
}

/// What a directory has of a sweep, without the lock, the plan and the scenario.
#[derive(Default)]
pub(super) struct Own {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Own {
    /// Looks at the whole directory; a file of another origin is an error.
    pub(super) fn of(folder: &Path) -> Result<Own, SweepError> {
        let mut own = Own::default();
        for (name, path, is_folder) in entries(folder)? {
            let is_own: &dyn Fn(&str) -> bool = match name.as_str() {
                PARTS if is_folder => &|name| part_number(name).is_some(),
                BATCHES if is_folder => &|name| Batch::of_name(name).is_some(),
                _ if is_folder || !is_beside(&name) => return Err(foreign(folder, &name)),
                LOCK | PLAN | SCENARIO => continue,
                _ => {
                    own.files.push(path);
                    continue;
                }
            };
            for (below, path, is_folder) in entries(&path)? {
                if is_folder || !(is_own(&below) || is_unfinished(&below)) {
                    return Err(foreign(folder, &format!("{name}/{below}")));
                }
                own.files.push(path);
            }
            own.folders.push(path);
        }
        Ok(own)
    }

    /// Removes all, then the plan. A new sweep begins beside a scenario that is left.
    pub(super) fn remove(self, folder: &Path) -> Result<(), SweepError> {
        for path in self.files {
            removed(&path, remove(&path))?;
        }
        for path in self.folders {
            match unless_missing(fs::remove_dir(&path)) {
                Err(cause) if cause.kind() == io::ErrorKind::DirectoryNotEmpty => {
                    return Err(SweepError::Input(format!(
                        "a file came into `{}` while the sweep was removed: end the tasks that \
                         write to it, then repeat the command",
                        path.display()
                    )));
                }
                done => removed(&path, done)?,
            }
        }
        for path in [PLAN, SCENARIO].map(|name| folder.join(name)) {
            removed(&path, remove(&path))?;
        }
        Ok(())
    }
}

/// Names, paths, and whether each is a directory.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf, bool)>, SweepError> {
    let failed = |cause| SweepError::read(folder, cause);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        let name = entry.file_name().to_string_lossy().into_owned();
        found.push((name, entry.path(), is_folder));
    }
    found.sort_unstable();
    Ok(found)
}

/// Whether a sweep writes a file of this name beside its folders.
fn is_beside(name: &str) -> bool {
    [LOCK, PLAN, SCENARIO, ALL, SERIES, REPORT, LIST, SCRIPT].contains(&name)
        || journal_number(name).is_some()
        || is_log(name)
        || is_unfinished(name)
}

/// Whether a task of an array writes its output to a file of this name.
fn is_log(name: &str) -> bool {
    let number = name.strip_prefix(LOG).and_then(|rest| rest.strip_suffix(".out"));
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Whether a kill has left this file while it was written.
fn is_unfinished(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|kind| kind == UNFINISHED)
}

fn foreign(folder: &Path, name: &str) -> SweepError {
    SweepError::Input(format!(
        "`{name}` in `{}` is not of the sweep, so nothing was removed: move it elsewhere, then \
         repeat the command, or choose another place with --out",
        folder.display()
    ))
}

fn removed(path: &Path, result: io::Result<()>) -> Result<(), SweepError> {
    result.map_err(|cause| SweepError::Write { path: path.to_path_buf(), stored: 0, cause })
}
