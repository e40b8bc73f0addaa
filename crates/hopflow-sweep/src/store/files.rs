//! Files of a sweep: written under another name and renamed after they are synced to the disk, so
//! that a file under its own name is complete.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use hopflow_export::Sink;
use hopflow_scenario::regular;

/// The extension of a file while it is written.
pub(super) const UNFINISHED: &str = "tmp";

/// Opens a file, new or (`true`) to append to it. Tests substitute one that fails.
pub(crate) type Opener = Box<dyn Fn(&Path, bool) -> io::Result<Box<dyn Sink>> + Send + Sync>;

/// Files of the system.
pub(crate) fn system() -> Opener {
    Box::new(|path, at_end| {
        regular::may_be_written(path)?;
        let mut options = OpenOptions::new();
        options.create(true).append(at_end).write(true).truncate(!at_end);
        Ok(Box::new(options.open(path)?))
    })
}

/// Writes a whole file and renames it to `path`. On an error `path` is unchanged.
pub(super) fn write_whole(
    opener: &Opener,
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
) -> io::Result<()> {
    let unfinished = path.with_extension(UNFINISHED);
    let written = opener(&unfinished, false).and_then(|sink| {
        let mut out = BufWriter::new(sink);
        write(&mut out)?;
        out.flush()?;
        out.get_mut().complete()
    });
    let placed = written.and_then(|()| fs::rename(&unfinished, path));
    if placed.is_err() {
        // If this fails too, opening the directory again removes the file.
        let _ = fs::remove_file(&unfinished);
    }
    placed?;
    sync_folder(path)
}

/// Syncs a new name to the disk, on systems that support it.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// Removes a file, if it exists.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    unless_missing(fs::remove_file(path))
}

/// Accepts that a file or folder does not exist.
pub(super) fn unless_missing(removed: io::Result<()>) -> io::Result<()> {
    removed
        .or_else(|cause| if cause.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(cause) })
}
