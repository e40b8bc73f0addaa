//! The beginning of a sweep: whether the directory is suitable, and the lock of its only writer.

use std::fs::{File, TryLockError};
use std::path::Path;

use hopflow_scenario::regular;

use super::contents::files;
use super::read::plan_of;
use super::{PLAN, SCENARIO};
use crate::{Shape, SweepError};

pub(super) const LOCK: &str = ".lock";

/// Whether a sweep begins in this directory; else it continues. An error if it may do neither.
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
    match files(folder, &|name| (!ours(name)).then(|| name.to_owned()))?.first() {
        None => Ok(true),
        Some(name) => Err(SweepError::Input(format!(
            "`{}` is not a sweep, and `{name}` is in it: choose another place with --out",
            folder.display()
        ))),
    }
}

/// The lock of the only writer.
pub(super) fn lock(folder: &Path) -> Result<File, SweepError> {
    let path = folder.join(LOCK);
    let failed = |cause| SweepError::Write { path: path.clone(), stored: 0, cause };
    regular::may_be_written(&path).map_err(failed)?;
    let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(SweepError::Busy { path: folder.to_path_buf() }),
        // On a file system without locks the user must ensure that there is one writer.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}
