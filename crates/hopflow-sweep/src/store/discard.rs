//! Removes a stored sweep, so that it begins anew.

use std::path::Path;

use super::begin::lock;
use super::contents::{ALL, Contents, PARTS, journal, part};
use super::files::{remove, unless_missing};
use super::series::SERIES;
use super::{PLAN, SCENARIO};
use crate::SweepError;
use crate::batch::BATCHES;

/// Other files that a sweep writes.
const BESIDE: [&str; 3] = ["report.html", "batches.txt", "slurm.sbatch"];

/// Removes the sweep in a directory, if there is one, and no other files. The plan is last, so a
/// kill meanwhile leaves a sweep that lacks runs. A sweep that is being written is an error.
pub fn discard(folder: &Path) -> Result<(), SweepError> {
    if !folder.join(PLAN).exists() {
        return Ok(());
    }
    let _lock = lock(folder)?;
    let contents = Contents::of(folder)?;
    let parts = contents.parts.iter().map(|number| part(folder, *number));
    let journals = contents.journals.iter().map(|number| journal(folder, *number));
    let batches = contents.batches.iter().map(|batch| batch.path(folder));
    let named = |name: &&str| folder.join(name);
    let rows = [ALL, SERIES].iter().map(named).chain(parts).chain(journals).chain(batches);
    let beside = BESIDE.iter().chain(&[PLAN, SCENARIO]).map(named);
    for path in rows.chain(beside) {
        let failed = |cause| SweepError::Write { path: path.clone(), stored: 0, cause };
        remove(&path).map_err(failed)?;
    }
    for name in [PARTS, BATCHES] {
        // A folder that has other files stays.
        let _ = unless_missing(std::fs::remove_dir(folder.join(name)));
    }
    Ok(())
}
