//! The directory that a command of several runs leaves: `--out`, or one named after its digest.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use hopflow_export::RunDirectory;

use crate::fail::Fail;

/// Starts the directory before the work, so that a place that cannot be written is told at once,
/// with the text of the scenario's file in it. Without `--out` it has a name of its own until the
/// digest is known.
pub(crate) fn begin(
    out: Option<&Path>,
    force: bool,
    name: &str,
    scenario: &str,
) -> Result<RunDirectory, Fail> {
    let provisional = || Path::new("runs").join(format!("{name}-{}", std::process::id()));
    let target = out.map_or_else(provisional, Path::to_owned);
    let directory = RunDirectory::create(&target, force || out.is_none()).map_err(Fail::input)?;
    directory.keep_scenario(scenario).map_err(Fail::input)?;
    Ok(directory)
}

/// Where it stays.
pub(crate) fn settled(out: Option<&Path>, name: &str, digest8: &str) -> PathBuf {
    out.map_or_else(|| Path::new("runs").join(format!("{name}-{digest8}")), Path::to_owned)
}

/// Writes a directory that was begun, if there is one, to where it stays by [`settled`].
pub(crate) fn keep<E: Display>(
    directory: Option<RunDirectory>,
    out: Option<&Path>,
    [name, digest8]: [&str; 2],
    write: impl FnOnce(RunDirectory, &Path) -> Result<PathBuf, E>,
) -> Result<Option<PathBuf>, Fail> {
    let Some(directory) = directory else { return Ok(None) };
    let kept = write(directory, &settled(out, name, digest8));
    kept.map(Some).map_err(|error| Fail::Unwritten(error.to_string()))
}

/// Says where the results are, or that it was interrupted after so many runs.
pub(crate) fn tell(kept: Option<&Path>, complete: bool, runs: usize) {
    if let Some(kept) = kept {
        let what = if complete { "Results" } else { "Interrupted: the runs that were done" };
        eprintln!("{what}: {0}/report.html and {0}/*.parquet", kept.display());
    } else if !complete {
        let nothing = if runs == 0 { ": no run was done" } else { "" };
        eprintln!("Interrupted{nothing}.");
    }
}
