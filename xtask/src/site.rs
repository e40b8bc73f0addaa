//! `cargo xtask docs`: the site of the documentation, in `target/site`.
//!
//! Its pages are those in `docs`; `docs/site/conf.py` says what is made of them. Notebooks are run,
//! so the wheel is built first, as tests are. Each warning of Sphinx is an error, and so is a cell
//! that fails, a link that leads nowhere, a public name of the package that the site lacks, and
//! anything that a page would load from elsewhere (`docs/site/checks.py`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::python::{self, BIN, run};
use crate::steps::{Chore, root, target_folder};

/// What the site is built with; kept in its environment, it tells that nothing has changed.
const REQUIREMENTS: &str = "python/requirements-docs.txt";
/// The folder of the site, below the target folder.
const SITE: &str = "site";

/// `cargo xtask docs`.
pub(crate) fn docs(args: &[&str]) -> Result<()> {
    if !args.is_empty() {
        bail!("`docs` takes nothing, not `{}`", args.join(" "));
    }
    let mut chore = Chore::begin("docs");
    let Some(interpreter) = python::interpreter() else { bail!("{}", python::missing()) };
    python::environment(&mut chore, &interpreter)?;
    let wheel = python::build(&mut chore, false)?;
    environment(&mut chore, &interpreter)?;
    build(&mut chore, &wheel)?;
    chore.end();
    eprintln!("the site is {}", place().join("index.html").display());
    Ok(())
}

/// The site as a step of `cargo xtask test`, of the wheel that was tested; skipped where its tools
/// cannot be installed.
pub(crate) fn steps(chore: &mut Chore, interpreter: &Path, wheel: &Path) -> Result<()> {
    if let Err(error) = environment(chore, interpreter) {
        let why = format!("what {REQUIREMENTS} names cannot be installed here: {error:#}");
        chore.skip("the site of the documentation", &why);
        return Ok(());
    }
    build(chore, wheel)
}

fn place() -> PathBuf {
    root().join(target_folder()).join(SITE)
}

fn program(name: &str) -> PathBuf {
    python::folder("docs").join(BIN).join(name)
}

/// The environment with Sphinx and the kernel of the notebooks. It is made once.
fn environment(chore: &mut Chore, interpreter: &Path) -> Result<()> {
    let wanted = fs::read_to_string(root().join(REQUIREMENTS)).context(REQUIREMENTS)?;
    let stamp = python::folder("docs/requirements-docs.txt");
    if fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(());
    }
    let repeat = format!("python3 -m venv VENV && VENV/bin/pip install -r {REQUIREMENTS}");
    chore.step("an environment of Python for the site", &repeat, || {
        python::fresh(interpreter, &python::folder("docs"))?;
        let install = ["install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS];
        run(Command::new(program("pip")).args(install))?;
        fs::write(&stamp, &wanted).context("keep the list of what is installed")
    })
}

/// Installs the wheel and builds every page anew.
fn build(chore: &mut Chore, wheel: &Path) -> Result<()> {
    let title = "the site of the documentation, its notebooks run";
    chore.step(title, "cargo xtask docs", || {
        let install = ["install", "--quiet", "--disable-pip-version-check", "--no-deps"];
        let again = ["--no-index", "--force-reinstall"];
        run(Command::new(program("pip")).args(install).args(again).arg(wheel))?;
        let (site, known) = (place(), python::folder("site-doctrees"));
        for old in [&site, &known] {
            if old.exists() {
                fs::remove_dir_all(old).context("remove the old site")?;
            }
        }
        let mut sphinx = Command::new(program("sphinx-build"));
        sphinx.args(["-W", "-T", "--keep-going", "--nitpicky", "--quiet", "-b", "html", "-c"]);
        sphinx.args(["docs/site", "docs"]).arg(&site).arg("-d").arg(&known);
        run(&mut sphinx).context("the warnings above say which page is wrong, and where")
    })
}
