//! The steps of each chore.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::anchors::replaced;
use crate::finding::Finding;
use crate::steps::{Chore, cargo, output, root};
use crate::{
    algorithms, circles, claims, cost, documents, files, history, house, places, primary, rooms,
    short, source, style, supply,
};

/// The number of broken scenario files of `cargo xtask fuzz`, unless specified.
const MUTANTS: &str = "1000000";
/// The workloads whose speed and instructions are in documents: one of each kind.
const KINDS: &str = "tandem-n23,many-flows-n23,fabric-n23,large-fabric-n23,mostly-idle-n23,\
                     tandem-fifo,fabric-fifo,fabric-pfc,fabric-virtual-clock,tandem-abr,cai97-1,\
                     test-one,tcp-over-cells";
/// Where the wider bands are kept.
const BANDS: &str = "papers/bands";
/// The test of `hopflow-scenario` that makes them; it reads how many from `HOPFLOW_MUTANTS`.
const MUTANTS_TEST: &str = "mutants";

/// `cargo xtask check`.
pub(crate) fn check() -> Result<()> {
    let mut chore = Chore::begin("check");
    check_steps(&mut chore)?;
    chore.end();
    Ok(())
}

/// `cargo xtask check --rules`.
pub(crate) fn rules() -> Result<()> {
    let mut chore = Chore::begin("check");
    rule_step(&mut chore)?;
    chore.end();
    Ok(())
}

/// `cargo xtask fuzz [--runs N]`.
pub(crate) fn fuzz(args: &[&str]) -> Result<()> {
    let runs = match args {
        [] => MUTANTS,
        ["--runs", runs] if runs.parse::<u64>().is_ok_and(|runs| runs > 0) => runs,
        _ => bail!("`fuzz` takes `--runs N` with N at least 1, not `{}`", args.join(" ")),
    };
    let mut chore = Chore::begin("fuzz");
    let test = ["test", "--release", "-p", "hopflow-scenario", "--test", MUTANTS_TEST];
    let env = [("HOPFLOW_MUTANTS", runs)];
    chore.cargo_with(&format!("{runs} broken scenario files"), &test, &env)?;
    chore.end();
    Ok(())
}

/// `cargo xtask bench [ARGS]`. With `--growth`, `--write` puts the table and the picture into docs.
pub(crate) fn bench(args: &[&str]) -> Result<()> {
    let mut chore = Chore::begin("bench");
    if benchmark(&mut chore, "speed of the engines", args)? {
        if !args.contains(&"--growth") {
            bail!("`bench --write` is for `--growth`; `readme speed` writes the table of speeds");
        }
        chore.step("table and picture, into docs", "--write", || {
            let picture = root().join("docs/pictures/growth.svg");
            fs::write(&picture, saved("growth/growth.svg")?).context("write growth.svg")?;
            put("docs/engine.md", "growth", &saved("growth/table.md")?)
        })?;
    }
    chore.end();
    Ok(())
}

/// `cargo xtask bench-peers [ARGS]`. `--write` puts the long table into docs/engine.md, the ratios
/// into docs/speed.md and a line of them into the README.
pub(crate) fn bench_peers(args: &[&str]) -> Result<()> {
    let mut chore = Chore::begin("bench-peers");
    let args = [&["--peers"], args].concat();
    if benchmark(&mut chore, "hopflow beside other simulators", &args)? {
        chore.step("tables, into docs and README.md", "--write", || {
            let ratios = saved("peers/ratios.md")?;
            put("docs/engine.md", "peers", &saved("peers/table.md")?)?;
            put("docs/speed.md", "ratios", &ratios)?;
            put("README.md", "speed", &short::speed(&ratios)?)
        })?;
    }
    chore.end();
    Ok(())
}

/// Runs the benchmark with all arguments except `--write`; returns whether that was given.
fn benchmark(chore: &mut Chore, title: &str, args: &[&str]) -> Result<bool> {
    let run = ["run", "--profile", "dist", "-p", "hopflow-bench", "--"];
    let measure: Vec<&str> = args.iter().copied().filter(|arg| *arg != "--write").collect();
    chore.cargo(title, &[&run[..], &measure].concat())?;
    Ok(measure.len() < args.len())
}

/// A file that the benchmark saved in `target`.
fn saved(path: &str) -> Result<String> {
    let path = root().join("target").join(path);
    fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))
}

/// Replaces the part of a document between anchors.
fn put(document: &str, part: &str, text: &str) -> Result<()> {
    let path = root().join(document);
    let old = fs::read_to_string(&path).with_context(|| format!("read {document}"))?;
    let new = replaced(&old, part, text);
    let new = new.with_context(|| format!("{document} has no anchors `{part}`"))?;
    fs::write(&path, new).with_context(|| format!("write {document}"))
}

/// `cargo xtask readme PART`: measures the figures of a part of the README or docs again and writes
/// them.
pub(crate) fn readme(part: &str) -> Result<()> {
    const BENCH: [&str; 6] = ["run", "--profile", "dist", "-p", "hopflow-bench", "--"];
    const LIVE: [&str; 6] = ["bench", "-p", "hopflow-live", "--bench", "live", "--"];
    let (args, document): (Vec<&str>, &str) = match part {
        "verdicts" => {
            let summary = ["run", "--release", "--", "reproduce", "--summary", "--numbers"];
            ([&summary[..], &["--format", "markdown"]].concat(), "docs/verdicts.md")
        }
        "bands" => return bands(),
        "times" => {
            let times = ["run", "--release", "--", "reproduce", "--times", "--quiet"];
            ([&times[..], &["--format", "markdown"]].concat(), "docs/reproduce.md")
        }
        "speed" => ([&BENCH[..], &["--workload", KINDS]].concat(), "docs/speed.md"),
        "instructions" => {
            ([&BENCH[..], &["--instructions", "--workload", KINDS]].concat(), "docs/engine.md")
        }
        "live-speed" => ([&LIVE[..], &["speed"]].concat(), "docs/emulate.md"),
        "live-experiments" => ([&LIVE[..], &["experiments"]].concat(), "docs/emulate.md"),
        _ => bail!(
            "the parts are `verdicts`, `bands`, `times`, `speed`, `instructions`, `live-speed` and \
             `live-experiments`, not `{part}`"
        ),
    };
    let mut chore = Chore::begin("readme");
    chore.step(part, &format!("cargo {}", args.join(" ")), || {
        let table = output(&args)?;
        if part != "verdicts" {
            return put(document, part, &table);
        }
        let [headline, long, joint, numbers] = short::summary(&table)?;
        put(document, part, long)?;
        put(document, "joint", joint)?;
        put("docs/numbers.md", "counts", &places::counts(numbers)?)?;
        put("docs/numbers.md", "numbers", &places::by_place(numbers)?)?;
        let short = short::by_paper(headline)?;
        put(document, "printed", &short)?;
        put("README.md", part, &short)
    })?;
    chore.end();
    Ok(())
}

/// `cargo xtask readme bands`: runs the wider bands of all papers, and keeps them in `papers/bands`
/// with the commit of the program; writes their joint lines.
fn bands() -> Result<()> {
    let run = ["run", "--release", "--", "reproduce", "--bands", "--out", BANDS];
    let args = [&run[..], &["--format", "markdown", "--quiet"]].concat();
    let mut chore = Chore::begin("readme");
    chore.step("bands", &format!("cargo {}", args.join(" ")), || {
        let commit =
            history::head().context("bands are kept with a commit: commit the changes first")?;
        let printed = output(&args)?;
        for entry in fs::read_dir(root().join(BANDS)).context("papers/bands")? {
            let path = entry?.path();
            let text = fs::read_to_string(&path).context("a file of bands")?;
            let stamped = short::stamped(&text, &commit).context("a file of bands")?;
            fs::write(&path, stamped).context("a file of bands")?;
        }
        put("docs/verdicts.md", "bands", &short::table(&printed))
    })?;
    chore.end();
    Ok(())
}

/// Makes sure that the formatter and the lints are installed; rustup fetches missing ones.
pub(crate) fn set_up() -> Result<()> {
    let works = |tool: &str| {
        let output = Command::new(cargo()).args([tool, "--version"]).current_dir(root()).output();
        output.is_ok_and(|output| output.status.success())
    };
    if works("fmt") && works("clippy") {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    let status =
        rustup.args(["component", "add", "rustfmt", "clippy"]).current_dir(root()).status();
    if !status.context("rustfmt or clippy is missing, and rustup too")?.success() {
        bail!("rustup could not add rustfmt and clippy");
    }
    Ok(())
}

/// The steps of `cargo xtask check`.
pub(crate) fn check_steps(chore: &mut Chore) -> Result<()> {
    chore.cargo("formatting", &["fmt", "--all", "--check"])?;
    rule_step(chore)?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    chore.cargo("lints, missing documentation included", &clippy)?;
    let small = ["clippy", "--package", "hopflow-cli", "--no-default-features", "--all-targets"];
    let small = [&small[..], &["--", "-D", "warnings"]].concat();
    chore.cargo("lints of the command without its features", &small)
}

fn rule_step(chore: &mut Chore) -> Result<()> {
    let title = "rules of the house: arrows, crates, style, documents";
    chore.step(title, "cargo xtask check --rules", || report(&findings()?))
}

/// All that the project's own rules find.
fn findings() -> Result<Vec<Finding>> {
    let sources = source::read_all(root())?;
    let mut found = house::check(&house::imports(&metadata()?));
    let architecture = sources.iter().find(|source| source.path == "ARCHITECTURE.md");
    found.extend(claims::check());
    found.extend(primary::check());
    found.extend(cost::check()?);
    let architecture = architecture.map_or("", |source| source.text.as_str());
    found.extend(house::check_table(architecture));
    found.extend(rooms::check_table(architecture));
    let crates = files::crates(&sources);
    found.extend(circles::check(&crates));
    found.extend(circles::check_calls(&crates, &sources));
    found.extend(algorithms::check(&sources)?);
    found.extend(rooms::check(&crates));
    found.extend(sources.iter().flat_map(style::check));
    found.extend(supply::check(&sources));
    found.extend(documents::check(&sources, &|path| root().join(path).exists()));
    found.sort();
    Ok(found)
}

fn report(found: &[Finding]) -> Result<()> {
    for finding in found {
        eprintln!("{finding}");
    }
    match found.len() {
        0 => Ok(()),
        1 => bail!("a rule is broken"),
        count => bail!("rules are broken in {count} places"),
    }
}

/// The metadata of the workspace from cargo; fails if Cargo.lock is not up to date.
fn metadata() -> Result<serde_json::Value> {
    let text = output(&["metadata", "--format-version", "1", "--no-deps", "--locked"])?;
    serde_json::from_str(&text).context("cargo metadata is not JSON")
}
