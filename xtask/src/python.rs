//! `cargo xtask python`: the wheel of the Python package, and its tests.
//!
//! It makes environments of its own below the target folder, from `python/requirements-test.txt`;
//! nothing of the machine's own Python is changed. Where there is no Python the steps are skipped
//! by name in `cargo xtask test`, and `cargo xtask python` says what to install.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::steps::{COMMAND, Chore, root, target_folder};

/// The oldest Python of the wheel.
const PYTHON: (u32, u32) = (3, 11);
/// Where an environment has its programs.
pub(crate) const BIN: &str = if cfg!(windows) { "Scripts" } else { "bin" };
/// The query to an interpreter: its version, and whether it can make environments.
const ASKED: &str = "import sys, venv, ensurepip; print(*sys.version_info[:2])";
/// The packages for the tests; a copy in an environment shows that nothing has changed.
const REQUIREMENTS: &str = "python/requirements-test.txt";
/// Further packages for the tests of `--all`.
const MORE: &str = "python/requirements-all.txt";
/// Other installers of a wheel.
const TOOLS: &str = "python/requirements-tools.txt";
/// The first lines of a new user.
pub(crate) const FIRST_LINES: &str = "\
import hopflow
result = hopflow.run(hopflow.template())
assert len(result.flows) == len(result.scenario.flows) > 0, result.flows
assert len(result.digest) == 16, result.digest
";

/// `cargo xtask python [--test | --all]`.
pub(crate) fn python(args: &[&str]) -> Result<()> {
    let (tests, all) = match args {
        [] => (false, false),
        ["--test"] => (true, false),
        ["--all"] => (true, true),
        _ => bail!("`python` takes `--test`, `--all` or nothing, not `{}`", args.join(" ")),
    };
    let mut chore = Chore::begin("python");
    let Some(interpreter) = interpreter() else { bail!("{}", missing()) };
    environment(&mut chore, &interpreter)?;
    let wheel = build(&mut chore, all || !tests)?;
    if tests {
        if all {
            more(&mut chore);
        }
        test(&mut chore, &interpreter, &wheel, all)?;
    }
    chore.end();
    eprintln!("the wheel is {}", wheel.display());
    Ok(())
}

/// The steps in `cargo xtask test`, skipped where the machine lacks what they need: else the
/// interpreter, and the wheel that was tested.
pub(crate) fn steps(chore: &mut Chore) -> Result<Option<(PathBuf, PathBuf)>> {
    let Some(interpreter) = interpreter() else {
        chore.skip("the Python package", &missing());
        return Ok(None);
    };
    if let Err(error) = environment(chore, &interpreter) {
        let why = format!("what {REQUIREMENTS} names cannot be installed here: {error:#}");
        chore.skip("the Python package", &why);
        return Ok(None);
    }
    let wheel = build(chore, false)?;
    test(chore, &interpreter, &wheel, false)?;
    Ok(Some((interpreter, wheel)))
}

/// An interpreter that is new enough and has `venv` and `pip`: the one that the environment names,
/// otherwise one of the usual names.
pub(crate) fn interpreter() -> Option<PathBuf> {
    let named = env::var_os("HOPFLOW_PYTHON").map(PathBuf::from);
    let usual = ["python3", "python3.14", "python3.13", "python3.12", "python3.11"];
    let mut all = named.into_iter().chain(usual.map(PathBuf::from));
    all.find(|program| {
        let output = Command::new(program).args(["-c", ASKED]).output();
        let output = output.ok().filter(|output| output.status.success());
        output.and_then(|output| version(&output.stdout)).is_some_and(|it| it >= PYTHON)
    })
}

fn version(printed: &[u8]) -> Option<(u32, u32)> {
    let mut words = std::str::from_utf8(printed).ok()?.split_whitespace().map(str::parse);
    Some((words.next()?.ok()?, words.next()?.ok()?))
}

pub(crate) fn missing() -> String {
    let (major, minor) = PYTHON;
    format!(
        "Python {major}.{minor} or later with venv and pip is not installed; on Debian: python3 \
         python3-venv. HOPFLOW_PYTHON may name the interpreter"
    )
}

/// A folder of ours below the target folder, as an absolute path.
pub(crate) fn folder(name: &str) -> PathBuf {
    root().join(target_folder()).join("python").join(name)
}

fn program(name: &str) -> PathBuf {
    folder("venv/bin").join(name)
}

/// The environment with maturin, pytest and the readers of tables. It is made once.
pub(crate) fn environment(chore: &mut Chore, interpreter: &Path) -> Result<()> {
    let wanted = fs::read_to_string(root().join(REQUIREMENTS)).context(REQUIREMENTS)?;
    let stamp = folder("venv/requirements-test.txt");
    if fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(());
    }
    let repeat = format!("python3 -m venv VENV && VENV/bin/pip install -r {REQUIREMENTS}");
    chore.step("an environment of Python for the tests", &repeat, || {
        fresh(interpreter, &folder("venv"))?;
        let install = ["install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS];
        run(Command::new(program("pip")).args(install))?;
        fs::write(&stamp, &wanted).context("keep the list of what is installed")
    })
}

/// An empty environment.
pub(crate) fn fresh(interpreter: &Path, place: &Path) -> Result<()> {
    run(Command::new(interpreter).args(["-m", "venv", "--clear"]).arg(place))
}

/// Builds the wheel; `ships`: as it is released, otherwise as for tests.
pub(crate) fn build(chore: &mut Chore, ships: bool) -> Result<PathBuf> {
    let profile = if ships { "dist" } else { "dev" };
    let wheels = folder("wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels).context("remove old wheels")?;
    }
    let repeat = format!("cd python && maturin build --locked --profile {profile} --strip");
    chore.step("the wheel", &repeat, || {
        let mut maturin = Command::new(program("maturin"));
        maturin.args(["build", "--quiet", "--locked", "--strip", "--profile", profile, "--out"]);
        maturin.arg(&wheels).arg("--interpreter").arg(program("python"));
        run(maturin.current_dir(root().join("python")))
    })?;
    let mut wheels = fs::read_dir(&wheels).context("list the wheels")?;
    Ok(wheels.next().context("maturin has made no wheel")??.path())
}

/// Further packages for the tests of `--all`: heavy, and if they cannot be installed the tests that
/// need them are skipped.
fn more(chore: &mut Chore) {
    let mut pip = Command::new(program("pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check", "-r", MORE]);
    if let Err(error) = run(&mut pip) {
        chore.skip("sweeps by Ray", &format!("{MORE} cannot be installed here: {error:#}"));
    }
}

fn test(chore: &mut Chore, interpreter: &Path, wheel: &Path, all: bool) -> Result<()> {
    let repeat = "cargo xtask python --test";
    chore.cargo("the command that the wheel is compared with", &COMMAND)?;
    chore.step("types of the Python package", "mypy --strict python/hopflow", || {
        let mut mypy = Command::new(program("mypy"));
        mypy.args(["--strict", "--no-error-summary", "--cache-dir"]).arg(folder("mypy"));
        run(mypy.arg("python/hopflow"))
    })?;
    chore.step("tests and examples of the Python package", repeat, || {
        let install = ["install", "--quiet", "--disable-pip-version-check", "--no-deps"];
        let again = ["--no-index", "--force-reinstall"];
        run(Command::new(program("pip")).args(install).args(again).arg(wheel))?;
        let mut pytest = Command::new(program("pytest"));
        pytest.args([
            "-q",
            "-rs",
            "-c",
            "python/pyproject.toml",
            "--pyargs",
            "python/tests",
            "hopflow",
        ]);
        if all {
            // Replaces the selection in pyproject.toml.
            pytest.args(["-m", "all or not all"]);
        }
        let command = root().join(target_folder()).join("debug/hopflow");
        run(pytest.env("HOPFLOW", command).env_remove("PYTHONDONTWRITEBYTECODE"))
    })?;
    chore.step("the wheel where there is no Rust", repeat, || clean(interpreter, wheel))?;
    if !has_tools(interpreter) {
        chore.skip("the wheel by pipx and uvx", "they cannot be installed here");
        return Ok(());
    }
    chore.step("the wheel by pipx and uvx", repeat, || by_tools(wheel))
}

/// A fresh environment without a network, and a search path with nothing but its programs.
fn clean(interpreter: &Path, wheel: &Path) -> Result<()> {
    let place = folder("clean");
    fresh(interpreter, &place)?;
    let bin = place.join("bin");
    let here = |name: &str| {
        let mut command = Command::new(bin.join(name));
        command.env_clear().env("PATH", &bin);
        command
    };
    run(here("pip").args(["install", "--quiet", "--no-index"]).arg(wheel))?;
    run(here("python").args(["-c", FIRST_LINES]))?;
    run(here("python").args(["-m", "hopflow", "--version"]))?;
    run(here("hopflow").args(["size", "--rate", "400 Gb/s", "--delay", "300 m", "--format", "csv"]))
}

/// Whether pipx and uvx are in an environment of their own, or can be installed there.
fn has_tools(interpreter: &Path) -> bool {
    let place = folder("tools");
    let there = ["pipx", "uvx"].iter().all(|name| place.join("bin").join(name).exists());
    let install = ["install", "--quiet", "--disable-pip-version-check", "-r", TOOLS];
    let pip = || Command::new(place.join("bin/pip"));
    there || fresh(interpreter, &place).is_ok() && run(pip().args(install)).is_ok()
}

/// The command by pipx and uvx, from the wheel alone.
fn by_tools(wheel: &Path) -> Result<()> {
    let places = [("PIPX_HOME", folder("pipx")), ("PIPX_BIN_DIR", folder("pipx/bin"))];
    // The script that uvx makes calls `realpath` and `dirname` of the system.
    let path = [folder("tools/bin"), "/usr/bin".into(), "/bin".into()];
    let path = env::join_paths(path).context("a folder with a colon in its name")?;
    let tool = |name: &str| {
        let mut command = Command::new(folder("tools/bin").join(name));
        command.envs(places.iter().map(|(key, place)| (key, place)));
        command.env("PATH", &path);
        command
    };
    let says: [&OsStr; 2] = ["hopflow".as_ref(), "--version".as_ref()];
    run(tool("pipx").args(["run", "--no-cache", "--spec"]).arg(wheel).args(says))?;
    let python = program("python");
    let uvx = ["--offline", "--no-cache", "--python"];
    run(tool("uvx").args(uvx).arg(python).arg("--from").arg(wheel).args(says))
}

/// Runs a program from the root, or where it says.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    if command.get_current_dir().is_none() {
        command.current_dir(root());
    }
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("`{name}` could not be started"))?;
    if status.success() { Ok(()) } else { bail!("`{name}` gave {status}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: two numbers are a version, in their order as numbers; anything else is none.
    #[test]
    fn versions_are_read() {
        assert_eq!(version(b"3 11\n"), Some((3, 11)));
        assert!(version(b"3 9\n") < Some(PYTHON) && version(b"3 14\n") > Some(PYTHON));
        assert_eq!(version(b"Python 3.11\n"), None);
        assert_eq!(version(b"3\n"), None);
    }
}
