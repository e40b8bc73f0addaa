//! `cargo xtask lab`: the page in lab/ as static files, and its tests.
//!
//! The engine is compiled for `wasm32-unknown-unknown`. Rustup fetches the standard library for it;
//! a compiler of the system, such as Debian's, compiles that library from its source. The page is
//! built by Vite from what `lab/package-lock.json` names. Where something is missing the steps are
//! skipped by name in `cargo xtask test`, and `cargo xtask lab` says what to install.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Error, Result, bail};

use crate::steps::{COMMAND, Chore, cargo, root, target_folder};

const TARGET: &str = "wasm32-unknown-unknown";
/// The oldest Node.js that Vite runs on.
const NODE: (u32, u32) = (20, 19);

/// `cargo xtask lab [--test | --all]`.
pub(crate) fn lab(args: &[&str]) -> Result<()> {
    let tests = match args {
        [] => None,
        ["--test"] => Some(false),
        ["--all"] => Some(true),
        _ => bail!("`lab` takes `--test`, `--all` or nothing, not `{}`", args.join(" ")),
    };
    let mut chore = Chore::begin("lab");
    let library = tools().map_err(Error::msg)?;
    build(&mut chore, &library)?;
    if let Some(all) = tests {
        test(&mut chore, all)?;
    }
    chore.end();
    eprintln!("the page is in lab/dist: any web server can hold these files");
    Ok(())
}

/// The steps in `cargo xtask test`, skipped where the machine lacks what they need.
pub(crate) fn steps(chore: &mut Chore) -> Result<()> {
    match tools() {
        Ok(library) => build(chore, &library)?,
        Err(missing) => {
            chore.skip("the lab", &missing);
            return Ok(());
        }
    }
    test(chore, false)
}

/// The tools for the page; or those that this machine lacks, and how to install them.
fn tools() -> Result<Library, String> {
    let (major, least) = NODE;
    match node_version() {
        None => return Err(format!("Node.js is not installed; version {major}.{least} or later")),
        Some((has, minor)) if (has, minor) < NODE => {
            let wanted = format!("version {major}.{least} or later is needed");
            return Err(format!("Node.js is {has}.{minor}; {wanted}"));
        }
        Some(_) if !works("npm") => return Err("npm is not installed".to_owned()),
        Some(_) => {}
    }
    Library::here().ok_or_else(|| {
        format!(
            "the library of {TARGET} is missing. With rustup: rustup target add {TARGET}. With the \
             compiler of Debian: the packages rust-web-src and lld-19"
        )
    })
}

fn works(program: &str) -> bool {
    let output = Command::new(program).arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}

fn node_version() -> Option<(u32, u32)> {
    let output = Command::new("node").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut parts = text.trim().trim_start_matches('v').split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??))
}

/// Where the standard library for the browser comes from.
enum Library {
    /// It is compiled already, for a compiler that rustup has fetched.
    Compiled,
    /// It is compiled with the engine, from the source beside the compiler of the system.
    Source { linker: &'static str },
}

impl Library {
    /// What this machine has, or can get.
    fn here() -> Option<Library> {
        if compiled() {
            return Some(Library::Compiled);
        }
        let mut rustup = Command::new("rustup");
        rustup.args(["target", "add", TARGET]).current_dir(root()).stderr(Stdio::null());
        if rustup.status().is_ok_and(|status| status.success()) && compiled() {
            return Some(Library::Compiled);
        }
        let source = printed(&["--print", "sysroot"])?.join("lib/rustlib/src/rust/library/std");
        let mut linkers = ["wasm-ld-19", "wasm-ld", "rust-lld"].into_iter();
        source
            .is_dir()
            .then(|| linkers.find(|linker| works(linker)))?
            .map(|linker| Library::Source { linker })
    }

    /// Further arguments of the build, and its environment.
    fn build(&self) -> (&'static [&'static str], Vec<(&'static str, &'static str)>) {
        match self {
            Library::Compiled => (&[], Vec::new()),
            Library::Source { linker } => (
                &["-Z", "build-std=std,panic_abort"],
                // A stable compiler takes an option that begins with -Z only with the first.
                vec![
                    ("RUSTC_BOOTSTRAP", "1"),
                    ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker),
                ],
            ),
        }
    }
}

/// Whether the library for the browser is there.
fn compiled() -> bool {
    let folder = printed(&["--print", "target-libdir", "--target", TARGET]);
    let files = folder.and_then(|folder| fs::read_dir(folder).ok());
    files.is_some_and(|mut files| files.next().is_some())
}

/// The path that the compiler prints.
fn printed(args: &[&str]) -> Option<PathBuf> {
    let output = Command::new("rustc").args(args).current_dir(root()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(text.trim()))
}

/// The engine and the page.
fn build(chore: &mut Chore, library: &Library) -> Result<()> {
    let wasm = ["build", "--profile", "wasm", "--target", TARGET, "-p", "hopflow-wasm", "--lib"];
    let (more, env) = library.build();
    chore.cargo_with("the engine for the browser", &[&wasm, more].concat(), &env)?;
    let from = target_folder().join(TARGET).join("wasm/hopflow_wasm.wasm");
    let to = root().join("lab/src/engine/hopflow.wasm");
    fs::copy(&from, &to).with_context(|| format!("copy {}", from.display()))?;
    npm(chore, "what the page is built with", &["ci", "--no-audit", "--no-fund"])?;
    npm(chore, "the page", &["run", "build"])
}

fn test(chore: &mut Chore, all: bool) -> Result<()> {
    npm(chore, "the page's types", &["run", "check"])?;
    served(chore)?;
    chore.cargo("the command that the page is compared with", &COMMAND)?;
    let command = target_folder().join("debug/hopflow");
    five_minutes(chore, &command)?;
    let Some(chromium) = chromium() else {
        chore.skip("the page in a browser", "Chromium is not installed; on Debian: chromium");
        return Ok(());
    };
    let (title, flag) = if all {
        ("the page in a browser, and every digest whole", "1")
    } else {
        ("the page in a browser, and the digests of the command", "0")
    };
    let env: [(&str, &Path); 3] =
        [("HOPFLOW", &command), ("CHROMIUM", &chromium), ("HOPFLOW_LAB_ALL", Path::new(flag))];
    npm_with(chore, title, &["test"], &env)
}

/// The first commands of a new user, in an empty folder.
fn five_minutes(chore: &mut Chore, command: &Path) -> Result<()> {
    let script = "docs/five-minutes.sh";
    if !works("bash") {
        chore.skip("the first five minutes", "bash is not installed");
        return Ok(());
    }
    chore.step("the first five minutes", &format!("bash {script}"), || {
        let mut bash = Command::new("bash");
        let output = bash.arg(script).env("HOPFLOW", command).current_dir(root()).output();
        let output = output.context("bash could not be started")?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("{script} gave {}:\n{said}", output.status)
    })
}

/// `hopflow lab`: code that is built only with the page inside the binary.
fn served(chore: &mut Chore) -> Result<()> {
    let features = ["--features", "hopflow-cli/lab,hopflow-lab/page"];
    let both = ["-p", "hopflow-cli", "-p", "hopflow-lab"];
    let lints = [&["clippy"], &both[..], &features, &["--all-targets", "--", "-D", "warnings"]];
    chore.cargo("lints of the server with the page", &lints.concat())?;
    let whole = ["test", "-p", "hopflow-lab", "--features", "page"];
    chore.cargo("the files of the page in the binary", &whole)?;
    // Of the whole workspace, so that only what has the page is compiled again.
    let command = ["test", "--workspace", "--test", "commands", features[0], features[1], "lab::"];
    chore.cargo("hopflow lab", &command)
}

fn chromium() -> Option<PathBuf> {
    let named = env::var_os("CHROMIUM").map(PathBuf::from);
    let usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    named.into_iter().chain(usual.map(PathBuf::from)).find(|path| path.exists())
}

fn npm(chore: &mut Chore, title: &str, args: &[&str]) -> Result<()> {
    npm_with(chore, title, args, &[])
}

fn npm_with(chore: &mut Chore, title: &str, args: &[&str], env: &[(&str, &Path)]) -> Result<()> {
    let repeat = format!("cd lab && npm {}", args.join(" "));
    chore.step(title, &repeat, || {
        let mut command = Command::new("npm");
        command.args(args).current_dir(root().join("lab")).stdin(Stdio::null());
        command.envs(env.iter().copied()).env("CARGO", cargo());
        let status = command.status().context("npm could not be started")?;
        if status.success() { Ok(()) } else { bail!("npm gave {status}") }
    })
}
