//! A bundle in its own folder, in the system's folder for temporary files, for as long as it is
//! needed.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};

use crate::{Bundle, BundleError};

/// A folder that is removed with this value.
pub(crate) struct Unpacked {
    folder: PathBuf,
}

impl Unpacked {
    /// An empty folder.
    pub(crate) fn empty() -> Result<Unpacked, BundleError> {
        Ok(Unpacked { folder: new_folder()? })
    }

    /// Writes all files of `bundle`, whose names were checked when it was read or made.
    pub(crate) fn new(bundle: &Bundle) -> Result<Unpacked, BundleError> {
        let unpacked = Unpacked::empty()?;
        for (name, bytes) in bundle.files() {
            let path = unpacked.folder.join(name);
            let failed = |cause| BundleError::write(&path, cause);
            fs::create_dir_all(path.parent().unwrap_or(&unpacked.folder)).map_err(failed)?;
            fs::write(&path, bytes).map_err(failed)?;
        }
        Ok(unpacked)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        // The system also empties the folder for temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A new folder that no other user may read.
fn new_folder() -> Result<PathBuf, BundleError> {
    let all = std::env::temp_dir();
    for number in 0..u32::MAX {
        let path = all.join(format!("hopflow-bundle-{}-{number}", std::process::id()));
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt as _;
            builder.mode(0o700);
        }
        match builder.create(&path) {
            Ok(()) => return Ok(path),
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {}
            Err(cause) => return Err(BundleError::write(&path, cause)),
        }
    }
    Err(BundleError::Fault(format!("`{}` has no room for a folder", all.display())))
}
