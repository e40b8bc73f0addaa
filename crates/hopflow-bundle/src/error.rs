//! Errors of bundles: where, why, and the way out.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use hopflow::Diagnostics;
use hopflow_scenario::ControlError;
use hopflow_sweep::SweepError;
use thiserror::Error;

/// A bundle cannot be made, read or checked.
#[derive(Debug, Error)]
pub enum BundleError {
    /// The request cannot be done.
    #[error("{0}")]
    Input(String),
    /// The scenario of the results can no longer be read.
    #[error(transparent)]
    Wrong(#[from] Diagnostics),
    /// A file cannot be written.
    #[error("`{}` cannot be written: {cause}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A failure outside hopflow.
    #[error("{0}")]
    Fault(String),
    /// Threads cannot be started.
    #[error("{0}")]
    Threads(String),
    /// The check was cancelled.
    #[error("the check was given up before its end")]
    Cancelled,
}

impl BundleError {
    pub(crate) fn read(path: &Path, cause: impl Display) -> BundleError {
        BundleError::Input(format!("`{}` cannot be read: {cause}", path.display()))
    }

    pub(crate) fn write(path: &Path, cause: io::Error) -> BundleError {
        BundleError::Write { path: path.to_path_buf(), cause }
    }
}

impl From<ControlError> for BundleError {
    fn from(error: ControlError) -> BundleError {
        match error {
            ControlError::Wrong(wrong) | ControlError::NotModelled(wrong) => {
                BundleError::Wrong(wrong)
            }
            unknown @ ControlError::Unknown { .. } => BundleError::Input(unknown.to_string()),
        }
    }
}

impl From<SweepError> for BundleError {
    fn from(error: SweepError) -> BundleError {
        match error {
            SweepError::Wrong(wrong) => BundleError::Wrong(wrong),
            other => BundleError::Input(other.to_string()),
        }
    }
}
