//! Errors of a sweep: the place, the cause, and the way out.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use hopflow::Diagnostics;
use hopflow_export::ExportError;
use thiserror::Error;

/// A sweep cannot begin or continue.
#[derive(Debug, Error)]
pub enum SweepError {
    /// The request is wrong.
    #[error("{0}")]
    Input(String),
    /// The first point is not a valid scenario.
    #[error(transparent)]
    Wrong(#[from] Diagnostics),
    /// Another program writes to the directory.
    #[error(
        "`{}` is being written by another sweep: wait for its end, or choose another place with \
         --out",
        .path.display()
    )]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// The directory holds another sweep.
    #[error(
        "`{}` holds another sweep: {differs}. Choose another place with --out, or repeat its own \
         command to go on with it",
        .path.display()
    )]
    Another {
        /// The directory.
        path: PathBuf,
        /// The difference, with both values.
        differs: String,
    },
    /// A file cannot be written; the runs stored before are safe.
    #[error(
        "`{}` cannot be written: {cause}. All {stored} runs stored so far are safe; {}, then \
         repeat the command: it continues from there",
        .path.display(),
        way_out(cause)
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// The number of stored runs.
        stored: u64,
        /// The cause.
        cause: io::Error,
    },
    /// A file of a sweep cannot be read.
    #[error("`{}` cannot be read: {cause}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause, and the way out.
        cause: String,
    },
    /// Threads cannot be started.
    #[error("{0}")]
    Threads(String),
}

/// What has to be done before a file can be written.
fn way_out(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room",
        io::ErrorKind::IsADirectory | io::ErrorKind::DirectoryNotEmpty => {
            "move the directory away that has its name"
        }
        io::ErrorKind::PermissionDenied => "give yourself the right to write there",
        io::ErrorKind::ReadOnlyFilesystem => {
            "mount it for writing, or copy the directory elsewhere and name the copy with --out"
        }
        _ => "mend this",
    }
}

impl SweepError {
    pub(crate) fn read(path: &Path, cause: impl Display) -> SweepError {
        SweepError::Read { path: path.to_path_buf(), cause: cause.to_string() }
    }
}

impl From<ExportError> for SweepError {
    fn from(error: ExportError) -> SweepError {
        match error {
            ExportError::Read { path, cause } => SweepError::Read { path, cause },
            other => SweepError::Input(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: a file that the system does not let be written has the way out of its cause.
    #[test]
    fn a_refused_file_has_its_way_out() {
        let said = |kind: io::ErrorKind| {
            let error = SweepError::Write { path: "w/a".into(), stored: 7, cause: kind.into() };
            error.to_string()
        };
        let denied = said(io::ErrorKind::PermissionDenied);
        assert!(
            denied.starts_with("`w/a` cannot be written: permission denied. All 7"),
            "{denied}"
        );
        assert!(denied.contains("safe; give yourself the right to write there, then"), "{denied}");
        let read_only = said(io::ErrorKind::ReadOnlyFilesystem);
        assert!(read_only.contains("name the copy with --out, then repeat"), "{read_only}");
        assert!(said(io::ErrorKind::QuotaExceeded).contains("make room, then repeat"));
    }
}
