//! What stands beside the command in `share`, where systems look for it: man pages, and completions
//! of three shells. The command itself makes them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::printed;

/// The folder of data that do not depend on the machine, below the prefix of an installation.
pub(super) const FOLDER: &str = "share";
/// Where the pages are, below `share`.
pub(super) const PAGES: &str = "man/man1";
/// A shell, and the file in which it looks for the completions of `hopflow`, below `share`.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/hopflow"),
    ("fish", "fish/vendor_completions.d/hopflow.fish"),
    ("zsh", "zsh/site-functions/_hopflow"),
];

/// Writes them below `share`.
pub(super) fn write(command: &Path, share: &Path) -> Result<()> {
    printed(Command::new(command).arg("man").arg(share.join(PAGES)))?;
    for (shell, file) in SHELLS {
        let path = share.join(file);
        fs::create_dir_all(path.parent().unwrap_or(share)).context("make a folder")?;
        let text = printed(Command::new(command).args(["completions", shell]))? + "\n";
        fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
    }
    println!("{} man pages, completions of {} shells", pages(share)?, SHELLS.len());
    Ok(())
}

/// The number of man pages below `share`.
pub(super) fn pages(share: &Path) -> Result<usize> {
    let folder = share.join(PAGES);
    let list = fs::read_dir(&folder).with_context(|| format!("list {}", folder.display()))?;
    Ok(list.count())
}

/// Copies a folder with all that is in it.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    copy_files(from, to)?;
    for path in inside(from)?.iter().filter(|path| path.is_dir()) {
        copy(path, &to.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Copies the files of a folder, but none of its folders.
pub(super) fn copy_files(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("make {}", to.display()))?;
    for path in inside(from)?.iter().filter(|path| path.is_file()) {
        let to = to.join(path.file_name().unwrap_or_default());
        fs::copy(path, to).with_context(|| format!("copy {}", path.display()))?;
    }
    Ok(())
}

fn inside(folder: &Path) -> Result<Vec<PathBuf>> {
    let list = fs::read_dir(folder).with_context(|| format!("list {}", folder.display()))?;
    list.map(|one| Ok(one?.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::root;

    /// Claim: a folder is copied with what is in it, or with its files alone.
    #[test]
    fn folders_are_copied() {
        let to = std::env::temp_dir().join(format!("hopflow-share-{}", std::process::id()));
        let from = root().join("xtask");
        copy_files(&from, &to.join("files")).expect("it is copied");
        copy(&from, &to.join("all")).expect("it is copied");
        let has = |path: &str| to.join(path).exists();
        assert!(has("files/Cargo.toml") && !has("files/src"));
        assert!(has("all/Cargo.toml") && has("all/src/release/share.rs"));
        fs::remove_dir_all(&to).expect("it is ours");
    }
}
