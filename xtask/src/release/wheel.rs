//! The wheel, with the notices of third parties among its licences, and with man pages and
//! completions in its data.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{LIBRARY_NOTICE, NOTICE, Release, share};
use crate::python::{self, BIN};
use crate::steps::{Chore, root};

/// Names maturin, in the version that the wheel is tested with, and the sums of its files.
const REQUIREMENTS: &str = "python/requirements-release.txt";

/// Builds the wheel into the folder of the release.
pub(super) fn build(chore: &mut Chore, interpreter: &Path, release: &Release) -> Result<PathBuf> {
    let place = python::folder("release");
    let program = |name: &str| place.join(BIN).join(name);
    let repeat =
        format!("python3 -m venv VENV && VENV/bin/pip install --require-hashes -r {REQUIREMENTS}");
    chore.step("an environment of Python with maturin", &repeat, || {
        python::fresh(interpreter, &place)?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        let safe = ["--require-hashes", "--only-binary", ":all:", "-r", REQUIREMENTS];
        python::run(Command::new(program("python")).args(install).args(safe))
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
    /// Claim: the wheel is built by the maturin of the tests, from files with a sum.
    #[test]
    fn maturin_is_that_of_the_tests() {
        let [release, tests] = [
            include_str!("../../../python/requirements-release.txt"),
            include_str!("../../../python/requirements-test.txt"),
        ];
        let maturin = |list: &'static str| list.lines().find(|it| it.starts_with("maturin=="));
        let [ours, theirs] = [release, tests].map(|list| maturin(list).expect("maturin is there"));
        assert_eq!(ours.trim_end_matches(" \\"), theirs);
        assert!(release.matches("--hash=sha256:").count() > 5, "{release}");
    }
}
