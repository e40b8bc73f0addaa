//! The cost of a build: how many crates the command is built from, and how many CPU seconds
//! `cargo build --release` takes from an empty target folder.
//!
//! The number of crates is a rule of the house (`cargo xtask check --rules`). The CPU seconds need
//! a whole build, so only `cargo xtask build-cost` measures them. They are those that the shell
//! counts for its children (`times` of POSIX): rustc, the linker, build scripts and cargo itself.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::finding::Finding;
use crate::steps::{Chore, cargo, output, root};

/// Crates of the command at most, with its own and with those of build scripts.
const MOST_CRATES: usize = 140;
/// CPU time of a release build at most, 480 s. Measured: see docs/build.md.
const MOST_CPU: Duration = Duration::from_mins(8);
/// Where the measured build goes; removed before and after.
const FOLDER: &str = "target/build-cost";
/// Runs its arguments, then prints the CPU time of the shell and of its children.
const TIMED: &str = "\"$@\"; code=$?; times; exit $code";

/// `cargo xtask build-cost`.
pub(crate) fn build_cost() -> Result<()> {
    let mut chore = Chore::begin("build-cost");
    chore.step("crates of the command", "cargo tree --edges normal,build", || {
        let count = crates()?.len();
        println!("{count} crates (at most {MOST_CRATES})");
        judge_crates(count).map_or(Ok(()), |found| bail!("{found}"))
    })?;
    let build = format!("CARGO_TARGET_DIR={FOLDER} cargo build --release --locked");
    chore.step("a release build from nothing", &build, || {
        let (wall, cpu) = measure()?;
        let [wall, seconds, most] = [wall, cpu, MOST_CPU].map(|span| span.as_secs_f64());
        println!("{seconds:.0} CPU seconds (at most {most:.0}), {wall:.0} s on the clock");
        if cpu > MOST_CPU {
            bail!("the build takes {seconds:.0} CPU seconds, more than {most:.0}");
        }
        Ok(())
    })?;
    chore.end();
    Ok(())
}

/// The rule on the number of crates.
pub(crate) fn check() -> Result<Option<Finding>> {
    Ok(judge_crates(crates()?.len()))
}

fn judge_crates(count: usize) -> Option<Finding> {
    (count > MOST_CRATES).then(|| Finding {
        file: "Cargo.lock".to_owned(),
        line: 1,
        rule: "crates",
        what: format!("the command is built from {count} crates, more than {MOST_CRATES}"),
        way_out: "do without the new library, choose fewer of its features, or keep the older \
                  version of a library that has grown (docs/build.md)",
    })
}

/// Name and version of every crate that is built for the command on this system.
fn crates() -> Result<BTreeSet<String>> {
    let tree = ["tree", "--locked", "--package", "hopflow-cli", "--edges", "normal,build"];
    let form = ["--prefix", "none", "--no-dedupe", "--format", "{p}"];
    Ok(names(&output(&[&tree[..], &form].concat())?))
}

/// The first two words of each line: `serde v1.0.229 (proc-macro)`.
pub(crate) fn names(tree: &str) -> BTreeSet<String> {
    let words = |line: &str| line.split(' ').take(2).collect::<Vec<&str>>().join(" ");
    tree.lines().filter(|line| !line.is_empty()).map(words).collect()
}

/// Builds in an empty folder; gives the time on the clock and the CPU time.
fn measure() -> Result<(Duration, Duration)> {
    let folder = root().join(FOLDER);
    let remove = || match fs::remove_dir_all(&folder) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => Err(cause),
        _ => Ok(()),
    };
    remove().with_context(|| format!("remove {FOLDER}"))?;
    let began = Instant::now();
    let mut shell = Command::new("sh");
    shell.args(["-c", TIMED, "sh"]).arg(cargo()).args(["build", "--release", "--locked"]);
    // A cache of compiled crates would hide what they cost.
    shell.env("CARGO_TARGET_DIR", &folder).env("RUSTC_WRAPPER", "");
    let built = shell.current_dir(root()).stderr(Stdio::inherit()).output();
    let built = built.context("a POSIX shell `sh` is needed to measure the CPU time")?;
    let wall = began.elapsed();
    if !built.status.success() {
        bail!("cargo gave {}", built.status);
    }
    remove().with_context(|| format!("remove {FOLDER}"))?;
    let times = String::from_utf8_lossy(&built.stdout);
    let cpu = children(&times).with_context(|| format!("`times` of the shell gave `{times}`"))?;
    Ok((wall, cpu))
}

/// The sum of the second of the two lines of `times`: user and system time of all children.
fn children(times: &str) -> Option<Duration> {
    let mut words = times.lines().nth(1)?.split_whitespace().map(span);
    let [user, system] = [words.next()??, words.next()??];
    Some(user + system)
}

/// `3m12.500s` as a time.
fn span(word: &str) -> Option<Duration> {
    let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
    let seconds = Duration::try_from_secs_f64(seconds.replace(',', ".").parse().ok()?).ok()?;
    Some(Duration::from_secs(60 * minutes.parse::<u64>().ok()?) + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the second line of `times` counts, in minutes and seconds, with the decimal comma of
    /// some languages; anything else is refused.
    #[test]
    fn times_of_children_are_read() {
        let times = "0m0.010s 0m0.020s\n12m34.500s 1m0.250s\n";
        assert_eq!(children(times), Some(Duration::from_millis(754_500 + 60_250)));
        assert_eq!(children("0m0s 0m0s\n0m1,5s 0m0,5s\n"), Some(Duration::from_secs(2)));
        assert_eq!(children("0m0.010s 0m0.020s\n"), None);
        assert_eq!(children("a\n12m34.5s\n"), None);
        assert_eq!(children("a\n12:34 1m0s\n"), None);
    }

    /// Claim: a crate that several others use counts once, two versions of it count twice, and the
    /// limit itself is allowed.
    #[test]
    fn each_version_counts_once() {
        let tree =
            "hopflow-cli v0.1.0 (/a)\nserde v1.0.2\nsyn v2.0.1\n\nserde v1.0.2 (*)\nsyn v3.0.9\n";
        assert_eq!(names(tree).len(), 4);
        assert!(judge_crates(MOST_CRATES).is_none());
        let found = judge_crates(MOST_CRATES + 1).expect("one too many");
        assert!(found.what.contains("141 crates, more than 140"), "{found}");
    }
}
