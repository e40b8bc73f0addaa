//! Chores of the project: `cargo xtask check`, `test`, `fuzz`, `bench`.
//!
//! One entry point, so that a person and the continuous integration run the same commands.

mod advisories;
mod algorithms;
mod anchors;
mod chores;
mod circles;
mod claims;
mod cost;
mod documents;
mod files;
mod finding;
mod guard;
mod history;
mod house;
mod lab;
mod lexer;
mod lines;
mod linux;
mod methods;
mod names;
mod places;
mod primary;
mod python;
mod release;
mod rooms;
mod rustdoc;
mod short;
mod site;
mod skipped;
mod source;
mod steps;
mod style;
mod supply;
mod tiers;

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

const HELP: &str = "\
Chores of the hopflow project.

    cargo xtask check [--rules]   formatting, lints, the arrows of the house, style, documents;
                                  with --rules only the last three, which need no build
    cargo xtask test [--all]      set-up, check, documentation, the guard, all tests; with --all
                                  also what takes longer, draws fresh random cases, or needs more
                                  than the toolchain
    cargo xtask loom              the ring between threads under every order of loads and stores
    cargo xtask lab [--test | --all]   the page in lab/ as static files in lab/dist; with --test its
                                  tests in Chromium and the digests of the command; with --all every
                                  scenario whole, times of frames, and a soak
    cargo xtask python [--test | --all]   the wheel of the Python package, as it ships; with --test
                                  its tests, of a wheel that is built as tests are; with --all of
                                  the one that ships
    cargo xtask docs              the site of the documentation in target/site, with the wheel built
                                  as tests are: notebooks are run, warnings are errors
    cargo xtask release [--notice] [--without-lab]   the archive and the wheel for this system, with
                                  the page of lab/dist, man pages, the notice of third parties and
                                  sums, each tried, in target/release-files; with --notice the
                                  notice alone, which needs no build
    cargo xtask guard [--renew]   instructions per cell-hop of an optimised build, and its digests,
                                  against their pins; --renew moves the pinned instructions
    cargo xtask lines [--files] [BASE [TIP]]   lines of code of each crate; with commits, what
                                  changed between them (TIP: HEAD): files and lines of product,
                                  tests, documents; --files lists the files
    cargo xtask lines --algorithms [--files]   how many product files name each algorithm
    cargo xtask build-cost        crates and CPU seconds of a release build from nothing, by crate,
                                  and of one without the command's features, against their limits
    cargo xtask fuzz [--runs N]   broken scenario files from a seeded mutator (1000000)
    cargo xtask bench [ARGS]      the speed of the engines, in the profile that is shipped;
                                  --growth measures how time and memory grow with networks,
                                  --growth --write puts table and picture into docs;
                                  --command measures the whole command from start to exit
    cargo xtask beside-linux [--runs N | --record]   NewReno beside the TCP of this machine's
                                  kernel, in real time, where it can; --record ships a run anew
    cargo xtask bench-peers [ARGS]   hopflow beside ns-3, SimPy, ns.py and nexosim, as far as they
                                  are installed; --install fetches them into target/peers;
                                  --write puts the tables into docs/engine.md and docs/speed.md
                                  and the line of the README
    cargo xtask readme bands      run the wider bands again, and keep them with their commit
    cargo xtask readme verdicts   measure the verdicts in docs/verdicts.md and the README again
    cargo xtask readme times      measure how long each paper takes, for docs/reproduce.md
    cargo xtask readme speed      measure the table of speeds in docs/speed.md again
    cargo xtask readme instructions   count the instructions in docs/engine.md again
    cargo xtask readme live-speed   how late and how fast real time is, for docs/emulate.md
    cargo xtask readme live-experiments   claims with TCP of this machine, for docs/emulate.md
    cargo xtask help              this text
";

fn main() -> ExitCode {
    if let Some(folder) = std::env::var_os(cost::OF_CRATES) {
        return in_place_of_rustc(&folder);
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["check"] => chores::check(),
        ["check", "--rules"] => chores::rules(),
        ["test", rest @ ..] => tiers::test(rest),
        ["loom"] => tiers::loom(),
        ["lab", rest @ ..] => lab::lab(rest),
        ["python", rest @ ..] => python::python(rest),
        ["docs", rest @ ..] => site::docs(rest),
        ["release", rest @ ..] => release::release(rest),
        ["lines", rest @ ..] => lines::lines(rest),
        ["build-cost"] => cost::build_cost(),
        ["guard", rest @ ..] => guard::guard(rest),
        ["fuzz", rest @ ..] => chores::fuzz(rest),
        ["beside-linux", rest @ ..] => linux::beside_linux(rest),
        ["beside-linux-peer", rest @ ..] => linux::peer(rest),
        ["bench", rest @ ..] => chores::bench(rest),
        ["bench-peers", rest @ ..] => chores::bench_peers(rest),
        ["readme", part] => chores::readme(part),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        other => {
            eprint!("error: there is no chore `{}`\n\n{HELP}", other.join(" "));
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Calls rustc for `build-cost`, which measures it.
fn in_place_of_rustc(folder: &OsStr) -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    match cost::wrapped(folder, &args) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
