//! Whether the files of a release work: they are unpacked, installed and run, away from the
//! project.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{LIBRARY_NOTICE, LICENCES, NOTICE, Release, VERSION, empty, exe, pack, printed};
use crate::python::{self, BIN};
use crate::steps::{Chore, root};

/// Contains the digest of the first scenario.
const DOCUMENT: &str = include_str!("../../../docs/python.md");

/// Steps that fail if the packed files do not work.
pub(super) fn check(
    chore: &mut Chore,
    interpreter: &Path,
    release: &Release,
    wheel: &Path,
) -> Result<()> {
    let repeat = "cargo xtask release";
    let wanted = digest_in(DOCUMENT).context("docs/python.md tells no digest of the first run")?;
    let folder = release.inside.with_file_name("check");
    let packed = |args: &[&Path]| pack(interpreter, args);
    chore.step("the sums of the files", repeat, || packed(&["check".as_ref(), &release.out]))?;
    chore.step("the command from the archive: doctor and digest", repeat, || {
        empty(&folder)?;
        packed(&["unpack".as_ref(), &release.archive(), &folder])?;
        let name = release.inside.file_name().context("the archive has a name")?;
        works(&folder.join(name).join(exe("hopflow")), &folder, wanted)
    })?;
    chore.step("licences and notices in the wheel", repeat, || {
        let notices = [NOTICE, LIBRARY_NOTICE].map(|name| release.inside.join(name));
        let notices = notices.into_iter().filter(|path| path.is_file());
        let licences = LICENCES[1..].iter().map(|name| root().join(name));
        let files: Vec<PathBuf> = licences.chain(notices).collect();
        let files = files.iter().map(PathBuf::as_path);
        packed(&["licences".as_ref(), wheel].into_iter().chain(files).collect::<Vec<_>>())
    })?;
    chore.step("the command from the wheel: doctor and digest", repeat, || {
        let (folder, place) = (folder.join("wheel"), python::folder("release-check"));
        empty(&folder)?;
        python::fresh(interpreter, &place)?;
        let mut pip = Command::new(place.join(BIN).join("python"));
        pip.args(["-m", "pip", "install", "--quiet", "--no-index"]).arg(wheel);
        python::run(&mut pip)?;
        works(&place.join(BIN).join(exe("hopflow")), &folder, wanted)?;
        let mut import = Command::new(place.join(BIN).join("python"));
        import.args(["-c", python::FIRST_LINES]).current_dir(&folder);
        python::run(&mut import)
    })
}

/// Runs a command in `folder`: its version, `doctor`, and the digest of its first scenario.
fn works(command: &Path, folder: &Path, wanted: &str) -> Result<()> {
    let run = |args: &[&str]| printed(Command::new(command).args(args).current_dir(folder));
    let version = run(&["--version"])?;
    if version != format!("hopflow {VERSION}") {
        bail!("`--version` prints `{version}`, but this is hopflow {VERSION}");
    }
    println!("{version}\n{}", run(&["doctor"])?);
    run(&["init", "first.toml"])?;
    let result = run(&["run", "first.toml", "--format", "json"])?;
    let result: Value = serde_json::from_str(&result).context("read the result of the run")?;
    let digest = result["manifest"]["digest"].as_str().unwrap_or_default();
    if digest != wanted {
        bail!("the first scenario has the digest `{digest}`, docs/python.md says `{wanted}`");
    }
    println!("the first scenario has its digest {digest}");
    Ok(())
}

/// The digest in the line of the document that prints it.
fn digest_in(document: &str) -> Option<&str> {
    let line = document.lines().find(|line| line.contains("print(result.digest)"))?;
    let digest = line.split_once("# ")?.1.get(..16)?;
    digest.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the document contains a digest of 16 digits; another text in its place is refused.
    #[test]
    fn digest_is_read_from_the_document() {
        assert_eq!(digest_in(DOCUMENT).map(str::len), Some(16));
        let line = "print(result.digest)    # 0123456789abcdef, as ever";
        assert_eq!(digest_in(line), Some("0123456789abcdef"));
        assert_eq!(digest_in("print(result.digest)    # a digest of the run"), None);
        assert_eq!(digest_in("print(result.digest)"), None);
    }
}
