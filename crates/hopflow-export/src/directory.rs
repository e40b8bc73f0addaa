//! Run directories: built beside their place under another name, and put there when complete.
//!
//! ```text
//! runs/.a-run.building-0/   while it is written
//! runs/a-run/               when all of it is written
//! ```
//! So a directory under its own name is whole: a full disk or any other error leaves nothing
//! there. A run that was interrupted is finished all the same, with `"complete": false` in its
//! manifest; it never replaces a complete one, but is put beside it, as `NAME.incomplete`. A
//! directory that is replaced stays until the new one is complete; only what hopflow wrote is
//! replaced (`own.rs`).

mod leftover;
mod own;
mod whole;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use hopflow::write_json;
use serde::Serialize;

use crate::ExportError;

pub use leftover::{Leftover, leftovers};
pub use own::is_page;
use own::{There, there};
pub use whole::write_whole;

/// A file being written.
pub trait Sink: Write + Send {
    /// All has been written: make sure that it is on the disk.
    fn complete(&mut self) -> io::Result<()>;
}

impl Sink for File {
    fn complete(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Makes files; tests put one in that fails.
pub(crate) type Opener = Box<dyn Fn(&Path) -> io::Result<Box<dyn Sink>> + Send>;

fn open_file(path: &Path) -> io::Result<Box<dyn Sink>> {
    Ok(Box::new(File::create(path)?))
}

/// A run directory being built. Dropped before [`RunDirectory::finish_as`], it leaves nothing.
pub struct RunDirectory {
    target: PathBuf,
    building: PathBuf,
    /// Locked as long as the directory is being built: so nobody takes it for left over.
    lock: Option<File>,
    force: bool,
    open: Opener,
}

impl RunDirectory {
    /// Starts a directory that will be at `target`. A target that exists is an error, unless it is
    /// empty, or `force` is set and hopflow wrote all that is in it.
    pub fn create(target: &Path, force: bool) -> Result<RunDirectory, ExportError> {
        RunDirectory::create_with(target, force, Box::new(open_file))
    }

    pub(crate) fn create_with(
        target: &Path,
        force: bool,
        open: Opener,
    ) -> Result<RunDirectory, ExportError> {
        let target = &plain(target);
        if target.file_name().is_none() {
            let (path, why) = (target.clone(), "it has no name of its own".to_owned());
            return Err(ExportError::NotARun { path, why });
        }
        check_target(target, force)?;
        let failed = |cause| ExportError::write(target, cause);
        let folder = parent(target);
        fs::create_dir_all(folder).map_err(|cause| no_room(folder, &cause))?;
        let building = new_sibling(target, "building")?;
        let lock = File::create(building.join(leftover::LOCK)).map_err(failed)?;
        // A file system without locks: then doctor may take the directory for left over.
        let lock = lock.try_lock().is_ok().then_some(lock);
        Ok(RunDirectory { target: target.clone(), building, lock, force, open })
    }

    /// Where the directory will be.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Keeps the text of the scenario's file as `scenario.toml`, so that what is here can be run
    /// again. Files that the scenario names are not kept.
    pub fn keep_scenario(&self, text: &str) -> Result<(), ExportError> {
        self.write("scenario.toml", text.as_bytes())
    }

    /// Writes a whole file.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ExportError> {
        self.write_with(name, |sink| sink.write_all(bytes))
    }

    /// Writes plain data as JSON, which is never all in memory as text.
    pub(crate) fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), ExportError> {
        self.write_with(name, |sink| {
            let mut out = BufWriter::new(sink);
            write_json(&mut out, value)?;
            out.flush()
        })
    }

    fn write_with(
        &self,
        name: &str,
        write: impl FnOnce(&mut Box<dyn Sink>) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        let mut sink = self.open(name)?;
        let written = write(&mut sink).and_then(|()| sink.flush());
        written.and_then(|()| sink.complete()).map_err(|cause| self.failed(name, cause))
    }

    /// Opens a file to be written piece by piece.
    pub(crate) fn open(&self, name: &str) -> Result<Box<dyn Sink>, ExportError> {
        (self.open)(&self.building.join(name)).map_err(|cause| self.failed(name, cause))
    }

    /// An error of the file `name`, under the name it would have had.
    pub(crate) fn failed(&self, name: &str, cause: io::Error) -> ExportError {
        ExportError::write(&self.target.join(name), cause)
    }

    /// All is written: the directory goes to `target`, its own or another place in the same parent
    /// directory, such as one whose name was not known before the run. If the results are not
    /// `complete` and complete ones are there, it goes beside them. Returns the place.
    pub fn finish_as(mut self, target: &Path, complete: bool) -> Result<PathBuf, ExportError> {
        let target = &plain(target);
        let beside = (!complete && there(target) == There::Results { complete: true })
            .then(|| incomplete_beside(target));
        let target = beside.as_deref().unwrap_or(target);
        check_target(target, self.force)?;
        let failed = |cause| ExportError::write(target, cause);
        drop(self.lock.take());
        fs::remove_file(self.building.join(leftover::LOCK)).map_err(failed)?;
        if target.exists() {
            let old = new_sibling(target, "old")?;
            fs::rename(target, &old).map_err(failed)?;
            if let Err(cause) = fs::rename(&self.building, target) {
                // The old one goes back; if even that fails it is still there under its new name.
                let _ = fs::rename(&old, target);
                return Err(failed(cause));
            }
            fs::remove_dir_all(&old).map_err(|cause| ExportError::write(&old, cause))?;
        } else {
            fs::rename(&self.building, target).map_err(failed)?;
        }
        Ok(target.to_path_buf())
    }
}

impl Drop for RunDirectory {
    fn drop(&mut self) {
        // After `finish_as` it has another name, and there is nothing to remove.
        let _ = fs::remove_dir_all(&self.building);
    }
}

/// A place without what changes nothing in it: `d` for `d/` and `d/.`. The system
/// refuses to rename a directory that is named so, and follows a link that is.
fn plain(target: &Path) -> PathBuf {
    target.components().collect()
}

/// The directory in which `target` is.
fn parent(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Whether `target` may be written.
fn check_target(target: &Path, force: bool) -> Result<(), ExportError> {
    let path = target.to_path_buf();
    match there(target) {
        There::Nothing => Ok(()),
        There::Results { .. } if force => Ok(()),
        There::Results { .. } => Err(ExportError::Exists { path }),
        There::Other(why) => Err(ExportError::NotARun { path, why }),
    }
}

/// The place for incomplete results beside complete ones: that of incomplete ones from before, or a
/// new one.
fn incomplete_beside(target: &Path) -> PathBuf {
    let name = target.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let place = |suffix: String| parent(target).join(format!("{name}.incomplete{suffix}"));
    let is_free = |place: &PathBuf| match there(place) {
        There::Nothing => true,
        There::Results { complete } => !complete,
        There::Other(_) => false,
    };
    let numbered = (2..u32::MAX).map(|number| place(format!("-{number}")));
    let mut places = std::iter::once(place(String::new())).chain(numbered);
    places.find(is_free).unwrap_or_else(|| place(String::new()))
}

/// The error of a folder in which results are to be, without the name that they are built under.
fn no_room(folder: &Path, cause: &io::Error) -> ExportError {
    let why = format!("no directory can be made there: {cause}");
    ExportError::write(folder, io::Error::new(cause.kind(), why))
}

/// The hidden place beside `target` that a number distinguishes.
fn sibling(target: &Path, purpose: &str, number: u32) -> PathBuf {
    let name = target.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    parent(target).join(format!(".{name}.{purpose}-{number}"))
}

/// A new hidden directory beside `target`.
fn new_sibling(target: &Path, purpose: &str) -> Result<PathBuf, ExportError> {
    for number in 0..u32::MAX {
        let path = sibling(target, purpose, number);
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {}
            Err(cause) => return Err(no_room(parent(target), &cause)),
        }
    }
    Err(ExportError::Exists { path: target.to_path_buf() })
}

#[cfg(test)]
mod tests;
