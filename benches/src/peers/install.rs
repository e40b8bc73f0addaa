//! Fetches and builds the other simulators in `target/peers`, and reports each step. A simulator
//! that cannot be installed is reported and skipped.
//!
//! * SimPy and ns.py: a virtual environment of Python, `pip install` of the versions in
//!   `benches/peers/requirements.txt`;
//! * nexosim: `cargo build --release` of the driver in `benches/peers/nexosim`;
//! * ns-3: `apt-get install libns3-dev` where the headers are missing, only as root; then the
//!   driver in `benches/peers/ns3` with `g++ -O3 -march=native`.

use std::path::Path;
use std::process::Command;

use crate::root;

const NS3_LIBRARIES: [&str; 5] =
    ["-lns3-core", "-lns3-network", "-lns3-internet", "-lns3-point-to-point", "-lns3-applications"];

/// All of them.
pub(super) fn all(folder: &Path) {
    for (name, outcome) in
        [("SimPy and ns.py", python(folder)), ("nexosim", nexosim(folder)), ("ns-3", ns3(folder))]
    {
        match outcome {
            Ok(()) => eprintln!("{name}: installed"),
            Err(why) => eprintln!("{name}: cannot be had: {why}"),
        }
    }
}

fn python(folder: &Path) -> Result<(), String> {
    let place = text(&folder.join("python"));
    let python = format!("{place}/bin/python");
    let wanted = text(&root().join("benches/peers/requirements.txt"));
    run("python3", &["-m", "venv", &place])?;
    run(&python, &["-m", "pip", "install", "--quiet", "--requirement", &wanted])
}

fn nexosim(folder: &Path) -> Result<(), String> {
    let manifest = text(&root().join("benches/peers/nexosim/Cargo.toml"));
    let place = text(&folder.join("nexosim"));
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let to = ["--manifest-path", &manifest, "--target-dir", &place];
    run(&cargo, &[&["build", "--quiet", "--release"][..], &to].concat())
}

fn ns3(folder: &Path) -> Result<(), String> {
    let place = folder.join("ns3");
    std::fs::create_dir_all(&place).map_err(|cause| cause.to_string())?;
    if !Path::new("/usr/include/ns3").exists() && !Path::new("/usr/include/ns3.37").exists() {
        if !is_root() {
            return Err("as root: apt-get install libns3-dev; then once more".to_owned());
        }
        run("apt-get", &["update", "--quiet"])?;
        run("apt-get", &["install", "--quiet", "--yes", "--no-install-recommends", "libns3-dev"])?;
    }
    let source = text(&root().join("benches/peers/ns3/peerbench.cc"));
    let program = text(&place.join("peerbench"));
    let flags = ["-O3", "-march=native", "-std=c++17", &source, "-o", &program];
    run("g++", &[&flags[..], &NS3_LIBRARIES].concat())
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Prints a command and runs it; its output goes where ours goes.
fn run(program: &str, args: &[&str]) -> Result<(), String> {
    eprintln!("    {program} {}", args.join(" "));
    let status = Command::new(program).args(args).status();
    let status = status.map_err(|cause| format!("`{program}` cannot be run: {cause}"))?;
    status.success().then_some(()).ok_or_else(|| format!("`{program}` gave {status}"))
}
