//! Files written whole: first under another name beside their place, then put there.
//!
//! A command that is killed leaves the file that was there, and `.NAME.building-N`, which
//! `leftover.rs` finds.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::{plain, sibling};

/// Writes a file at `target`, and replaces one that is there. An error leaves what was there, and
/// nothing beside it.
pub fn write_whole(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = &plain(target);
    let building = sibling(target, "building", std::process::id());
    let write = || {
        let mut file = File::create(&building)?;
        // Locked as long as it is written: so nobody takes it for left over. A file system without
        // locks: then doctor may.
        let _ = file.try_lock();
        file.write_all(bytes)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&building, target)
    };
    let written = write();
    if written.is_err() {
        // No incomplete file stays; the first cause is reported.
        let _ = fs::remove_file(&building);
    }
    written
}
