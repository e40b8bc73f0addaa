//! What a command that was killed left behind: results, bundles and pages half-built or
//! half-replaced.
//!
//! ```text
//! .NAME.building-N   never completed: it holds nothing whole
//! .NAME.old-N        what NAME was before it was replaced; if there is no NAME, it is NAME itself
//! ```
//! A directory that is being built has a file that its process keeps locked, and a file that is
//! being built is locked itself, so that neither is taken for left over, on this machine.

use std::fs::{self, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use hopflow::scenario::regular;

/// The file in a directory being built that its process keeps locked.
pub(super) const LOCK: &str = ".lock";

/// A directory or a file that is left over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// Where it is.
    pub path: PathBuf,
    /// The place to which it goes back, if what it holds is all that there is of it.
    pub belongs_to: Option<PathBuf>,
}

impl Leftover {
    /// Puts it back where it belongs, or removes it.
    pub fn clean(&self) -> io::Result<()> {
        match &self.belongs_to {
            Some(place) => fs::rename(&self.path, place),
            None if self.path.is_dir() => fs::remove_dir_all(&self.path),
            None => fs::remove_file(&self.path),
        }
    }
}

/// What is left over in a folder, by name; none in one that cannot be read.
pub fn leftovers(folder: &Path) -> Vec<Leftover> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<Leftover> =
        entries.filter_map(|entry| leftover(&entry.ok()?.path())).collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn leftover(path: &Path) -> Option<Leftover> {
    let name = path.file_name()?.to_str()?;
    let (name, purpose) = name.strip_prefix('.')?.rsplit_once('.')?;
    let (purpose, number) = purpose.rsplit_once('-')?;
    number.parse::<u32>().ok()?;
    if name.is_empty() || is_in_use(path) {
        return None;
    }
    let place = path.with_file_name(name);
    match purpose {
        "building" => Some(Leftover { path: path.to_owned(), belongs_to: None }),
        "old" if path.is_dir() => {
            let belongs_to = (!place.exists()).then_some(place);
            Some(Leftover { path: path.to_owned(), belongs_to })
        }
        _ => None,
    }
}

fn is_in_use(path: &Path) -> bool {
    let lock = if path.is_dir() { &path.join(LOCK) } else { path };
    let Ok(lock) = regular::open(lock) else { return false };
    matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
}
