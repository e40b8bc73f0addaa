//! Beginning in a directory: whether a sweep may be in it, and the lock of its one writer.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use super::read::plan_of;
use super::{PLAN, SCENARIO};
use crate::{Shape, SweepError};

const LOCK: &str = ".lock";

/// Whether a sweep begins here; else it goes on. An error if it may do neither.
pub(super) fn begins(folder: &Path, shape: &Shape) -> Result<bool, SweepError> {
    if folder.join(PLAN).exists() {
        let stored = plan_of(folder)?;
        return match stored.differs(shape.file()) {
            Some(differs) => Err(SweepError::Another { path: folder.into(), differs }),
            None => Ok(false),
        };
    }
    let ours = |name: &str| {
        [LOCK, SCENARIO].contains(&name) || Path::new(name).extension().is_some_and(|e| e == "tmp")
    };
    let entries = match fs::read_dir(folder) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(true),
        entries => entries.map_err(|cause| SweepError::read(folder, cause))?,
    };
    for entry in entries {
        let name = entry.map_err(|cause| SweepError::read(folder, cause))?.file_name();
        if !ours(&name.to_string_lossy()) {
            return Err(SweepError::Input(format!(
                "`{}` is no sweep, and `{}` is in it: choose another place with --out",
                folder.display(),
                name.display()
            )));
        }
    }
    Ok(true)
}

/// The lock of its one writer.
pub(super) fn lock(folder: &Path) -> Result<File, SweepError> {
    let path = folder.join(LOCK);
    let failed = |cause| SweepError::Write { path: path.clone(), stored: 0, cause };
    let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(SweepError::Busy { path: folder.to_path_buf() }),
        // A file system without locks: the user sees to it that there is one writer.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}
