//! `cargo xtask test` and what `--all` adds.
//!
//! The command of the README needs nothing but the pinned toolchain. It reads no clock, asks for no
//! cores, load, namespaces, privileges or other programs, and draws the same random cases each
//! time (`.cargo/config.toml` sets the seed). With `--all` come the steps that take longer, draw
//! fresh cases, or need more than the toolchain; where something is missing, the step is skipped
//! and listed at the end with its reason. The same holds in the usual tier for the lab, which needs
//! Node.js and, for its tests, Chromium, and for the Python package, which needs Python.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};

use crate::steps::{Chore, root};
use crate::{advisories, chores, guard, lab, python, rustdoc, site};

/// Random networks on which both engines must agree, those with a planted cause, and how many times
/// as many for bounds.
const MORE: [(&str, &str); 4] = [
    ("HOPFLOW_NETWORKS", "4000"),
    ("HOPFLOW_PLANTED", "2000"),
    ("HOPFLOW_KILLS", "50"),
    ("SEEDS", "4"),
];

/// `cargo xtask test [--all]`. The tests of the workspace end the usual tier.
pub(crate) fn test(args: &[&str]) -> Result<()> {
    let all = match args {
        [] => false,
        ["--all"] => true,
        _ => bail!("`test` takes `--all` or nothing, not `{}`", args.join(" ")),
    };
    let mut chore = Chore::begin("test");
    chore.step("set-up", "rustup component add rustfmt clippy", chores::set_up)?;
    chores::check_steps(&mut chore)?;
    rustdoc::step(&mut chore)?;
    guard::steps(&mut chore)?;
    // Before all tests, so that the whole command stays in the folder of what is built.
    let small = ["test", "--package", "hopflow-cli", "--no-default-features"];
    chore.cargo("tests of the command without its features", &small)?;
    chore.cargo("all tests, examples in the documentation included", &["test", "--workspace"])?;
    lab::steps(&mut chore)?;
    if let Some((interpreter, wheel)) = python::steps(&mut chore)? {
        site::steps(&mut chore, &interpreter, &wheel)?;
    }
    if all {
        more(&mut chore)?;
    } else {
        chore.skip("fresh cases, loom, licences, fuzz target, peers", "see cargo xtask test --all");
    }
    chore.end();
    Ok(())
}

/// `cargo xtask loom`.
pub(crate) fn loom() -> Result<()> {
    let mut chore = Chore::begin("loom");
    loom_step(&mut chore)?;
    chore.end();
    Ok(())
}

/// What `--all` adds.
fn more(chore: &mut Chore) -> Result<()> {
    let release = ["test", "--release", "-p", "hopflow-engine", "--test", "digests"];
    chore.cargo("fingerprints of seeded runs, in release", &release)?;
    loom_step(chore)?;
    fresh(chore)?;
    chore.cargo_with(
        "a million broken scenario files",
        &["test", "--release", "-p", "hopflow-scenario", "--test", "mutants"],
        &[("HOPFLOW_MUTANTS", "1000000")],
    )?;
    let memory = ["bench", "-p", "hopflow", "--bench", "memory"];
    if cfg!(target_os = "linux") {
        chore.cargo("the estimate of memory against what runs take", &memory)?;
    } else {
        chore.skip("the estimate of memory", "peaks are read from /proc, which only Linux has");
    }
    if cfg!(target_os = "linux") {
        let live = ["bench", "-p", "hopflow-live", "--bench", "live", "--"];
        let live = [&live[..], &["experiments", "--check", "10"]].concat();
        chore.cargo("experiments with real hosts, in real time", &live)?;
    } else {
        chore.skip("experiments with real hosts", "they need Linux");
    }
    advisories::steps(chore)?;
    fuzz_target(chore)?;
    own_algorithms(chore)?;
    peers(chore)
}

fn loom_step(chore: &mut Chore) -> Result<()> {
    let args = ["test", "-p", "hopflow-kernel", "--lib", "ring::model"];
    let env = [("RUSTFLAGS", "--cfg loom"), ("CARGO_TARGET_DIR", "target/loom")];
    chore.cargo_with("the ring under every order of its loads and stores", &args, &env)
}

/// Property tests with a seed that was not used before; the heading has the line that repeats it.
fn fresh(chore: &mut Chore) -> Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("a clock after 1970")?;
    let seed = now.as_secs().to_string();
    let env = [&MORE[..], &[("PROPTEST_RNG_SEED", seed.as_str())]].concat();
    let tests = ["test", "--workspace", "--lib", "--bins", "--tests"];
    chore.cargo_with("all tests with fresh random cases, and more of them", &tests, &env)
}

fn fuzz_target(chore: &mut Chore) -> Result<()> {
    let args = ["build", "--quiet", "--manifest-path", "fuzz/Cargo.toml"];
    chore.cargo_with("the fuzz target", &args, &[("CARGO_TARGET_DIR", "target/fuzz")])
}

/// Programs with their own algorithm, built as separate crates; the usual tier builds them as
/// examples of the command. They have the versions of the project.
fn own_algorithms(chore: &mut Chore) -> Result<()> {
    let names = [
        "own_scheduler",
        "own_source",
        "own_congestion",
        "own_credit",
        "own_paced_credit",
        "own_lane",
        "own_marker",
    ];
    for name in names {
        let folder = Path::new("examples").join(name);
        let lock = folder.join("Cargo.lock");
        fs::copy(root().join("Cargo.lock"), root().join(&lock))
            .with_context(|| format!("write {}", lock.display()))?;
        let manifest = folder.join("Cargo.toml").display().to_string();
        let args = ["test", "--quiet", "--manifest-path", &manifest];
        let env = [("CARGO_TARGET_DIR", "target/own")];
        chore.cargo_with(&format!("{name}, outside of the workspace"), &args, &env)?;
    }
    Ok(())
}

/// The drivers of other simulators build, as far as what they drive is there.
fn peers(chore: &mut Chore) -> Result<()> {
    let nexosim = ["build", "--quiet", "--manifest-path", "benches/peers/nexosim/Cargo.toml"];
    let env = [("CARGO_TARGET_DIR", "target/peers/nexosim-check")];
    chore.cargo_with("the driver of nexosim", &nexosim, &env)?;
    for driver in ["simpy", "nspy"] {
        let file = format!("benches/peers/{driver}/peerbench.py");
        let check = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
        program(chore, &format!("the driver of {driver}"), "python3", &["-c", check, &file])?;
    }
    let file = "benches/peers/ns3/peerbench.cc";
    let title = "the driver of ns-3";
    let headers = ["/usr/include/ns3", "/usr/local/include/ns3"];
    if headers.iter().any(|folder| fs::exists(folder).unwrap_or(false)) {
        program(chore, title, "c++", &["-std=c++17", "-fsyntax-only", file])
    } else {
        chore.skip(title, "ns-3 is not installed; on Debian: apt-get install libns3-dev");
        Ok(())
    }
}

/// Runs a program of the system, or skips the step where there is none.
fn program(chore: &mut Chore, title: &str, program: &str, args: &[&str]) -> Result<()> {
    if Command::new(program).arg("--version").output().is_err() {
        chore.skip(title, &format!("`{program}` is not installed"));
        return Ok(());
    }
    chore.step(title, &format!("{program} {}", args.join(" ")), || {
        let status = Command::new(program).args(args).current_dir(root()).status();
        let status = status.with_context(|| format!("`{program}` could not be started"))?;
        if status.success() { Ok(()) } else { bail!("`{program}` gave {status}") }
    })
}
