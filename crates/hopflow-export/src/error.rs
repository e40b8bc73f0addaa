//! What can go wrong when results are written or read: where, why, and the way out.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use thiserror::Error;

/// A run directory could not be written or read.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The target is there already.
    #[error(
        "`{}` exists: choose another place with --out, or replace it with --force",
        .path.display()
    )]
    Exists {
        /// The target.
        path: PathBuf,
    },
    /// The target is there and is not of hopflow, so it is not replaced even when asked to.
    #[error("`{}` is not replaced: {why}. Choose another place with --out", .path.display())]
    NotARun {
        /// The target.
        path: PathBuf,
        /// What is there.
        why: String,
    },
    /// Nothing was left behind at the target.
    #[error("`{}` cannot be written: {cause}", .path.display())]
    Write {
        /// The file or directory, as it would have been named.
        path: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// There is no run at a place.
    #[error(
        "`{}` is not a run directory (it has no manifest.json): name one that `hopflow run` made",
        .path.display()
    )]
    NoRun {
        /// The place.
        path: PathBuf,
    },
    /// A directory of results of several runs, where one run is asked for.
    #[error("`{}` has the results of several {of}: {way_out}", .path.display())]
    Several {
        /// The place.
        path: PathBuf,
        /// What it has several of: `seeds` or `controls`.
        of: &'static str,
        /// What to type instead.
        way_out: String,
    },
    /// A file of a run directory is missing or broken.
    #[error("`{}` cannot be read: {cause}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
}

impl ExportError {
    pub(crate) fn write(path: &Path, cause: io::Error) -> ExportError {
        ExportError::Write { path: path.to_path_buf(), cause }
    }

    pub(crate) fn read(path: &Path, cause: impl Display) -> ExportError {
        ExportError::Read { path: path.to_path_buf(), cause: format!("{cause}") }
    }
}

/// The error of the file below where there is one: `No space left on device`, not `External`.
pub(crate) fn io_cause(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
