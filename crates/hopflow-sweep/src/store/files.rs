//! Files of a sweep: written beside their place and renamed when they are on the disk, so that a
//! file under its own name is whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// What a file is called while it is written.
pub(super) const UNFINISHED: &str = "tmp";

/// A file being written.
pub(crate) trait Sink: Write + Send {
    /// All has been written: make sure that it is on the disk.
    fn complete(&mut self) -> io::Result<()>;
}

impl Sink for File {
    fn complete(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Opens a file, new or (`true`) to be written on at its end; tests put one in that fails.
pub(crate) type Opener = Box<dyn Fn(&Path, bool) -> io::Result<Box<dyn Sink>> + Send + Sync>;

/// Files of the system.
pub(crate) fn system() -> Opener {
    Box::new(|path, at_end| {
        let mut options = OpenOptions::new();
        let options = if at_end {
            options.create(true).append(true)
        } else {
            options.create(true).write(true).truncate(true)
        };
        Ok(Box::new(options.open(path)?))
    })
}

/// Writes a whole file and puts it in its place. On an error its place is as before.
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
        // What is left of it is also removed when the directory is opened again.
        let _ = fs::remove_file(&unfinished);
    }
    placed?;
    sync_folder(path)
}

/// Makes sure that a new name is on the disk, where the system can do so.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// Removes a file that may be gone already.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause),
        _ => Ok(()),
    }
}
