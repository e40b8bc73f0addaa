//! The wheel, with the notices of third parties among its licences, and with man pages and
//! completions in its data.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{LIBRARY_NOTICE, NOTICE, Release, share};
use crate::python::{self, BIN};
use crate::steps::{Chore, root};

/// Names the version of maturin that the wheel is tested with.
const REQUIREMENTS: &str = include_str!("../../../python/requirements-test.txt");

/// Builds the wheel into the folder of the release.
pub(super) fn build(chore: &mut Chore, interpreter: &Path, release: &Release) -> Result<PathBuf> {
    let place = python::folder("release");
    let program = |name: &str| place.join(BIN).join(name);
    let maturin = maturin(REQUIREMENTS).context("python/requirements-test.txt has no maturin")?;
    let repeat = format!("python3 -m venv VENV && VENV/bin/pip install {maturin}");
    chore.step("an environment of Python with maturin", &repeat, || {
        python::fresh(interpreter, &place)?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", maturin];
        python::run(Command::new(program("python")).args(install))
    })?;
    let repeat = "cd python && maturin build --locked --profile dist --strip";
    let repeat = [&[repeat], release.features()].concat().join(" ");
    chore.step("the wheel", &repeat, || {
        let _placed = Placed::new(&release.inside)?;
        let mut build = Command::new(program("maturin"));
        build.args(["build", "--quiet", "--locked", "--strip", "--profile", "dist", "--out"]);
        build.arg(&release.out).arg("--interpreter").arg(program("python"));
        build.args(release.features());
        python::run(build.current_dir(root().join("python")))
    })?;
    let list = fs::read_dir(&release.out).context("list what is released")?;
    let mut paths = list.filter_map(|one| Some(one.ok()?.path()));
    let wheel = paths.find(|path| path.extension().is_some_and(|end| end == "whl"));
    wheel.context("maturin has made no wheel")
}

/// The line of maturin.
fn maturin(requirements: &str) -> Option<&str> {
    requirements.lines().find(|line| line.starts_with("maturin=="))
}

/// What maturin takes into the data of a wheel, by its name: pip puts `data/share` into the prefix.
const DATA: &str = "python/hopflow._hopflow.data";

/// The notices and the data in the folder of the Python package, as long as the wheel is built: the
/// pattern `THIRD-PARTY*` in python/pyproject.toml takes the notices.
struct Placed(Vec<PathBuf>);

impl Placed {
    fn new(from: &Path) -> Result<Placed> {
        let mut placed = Placed(Vec::new());
        for name in [NOTICE, LIBRARY_NOTICE] {
            if from.join(name).is_file() {
                let to = root().join("python").join(name);
                placed.0.push(to.clone());
                fs::copy(from.join(name), to).with_context(|| format!("copy {name}"))?;
            }
        }
        let data = root().join(DATA);
        placed.0.push(data.clone());
        share::copy(&from.join(share::FOLDER), &data.join("data").join(share::FOLDER))?;
        Ok(placed)
    }
}

impl Drop for Placed {
    fn drop(&mut self) {
        // One that could not be written is not there.
        for path in &self.0 {
            drop(if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the list of the tests pins a version of maturin, and that line alone is taken.
    #[test]
    fn maturin_is_pinned() {
        let line = maturin(REQUIREMENTS).expect("the tests need it");
        assert!(line.split("==").nth(1).is_some_and(|it| it.split('.').count() == 3), "{line}");
        assert_eq!(maturin("numpy==1\n"), None);
    }
}
