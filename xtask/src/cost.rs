//! The cost of a build: how many crates the command is built from, how many CPU seconds
//! `cargo build --release` takes from an empty target folder, and how many of these a program with
//! an algorithm of its own takes, which leaves out all features of the command.
//!
//! The number of crates is a rule of the house (`cargo xtask check --rules`). The CPU seconds need
//! whole builds, so only `cargo xtask build-cost` measures them. They are those that the shell
//! counts for its children (`times` of POSIX): rustc, the linker, build scripts and cargo itself.
//! For the seconds of each crate, cargo calls this program in place of rustc (`RUSTC_WRAPPER`),
//! which calls rustc and leaves a file with its `times`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::finding::Finding;
use crate::steps::{Chore, cargo, output, root};

/// Crates of the command at most, with its own and with those of build scripts.
const MOST_CRATES: usize = 140;
/// CPU time of a release build at most, 480 s. Measured: see docs/build.md.
const MOST_CPU: Duration = Duration::from_mins(8);
/// A program without the features takes at most 1 / 2 of that.
const LEAST_RATIO: f64 = 2.0;
/// Where the measured build goes; removed before and after.
const FOLDER: &str = "target/build-cost";
/// The most expensive crates are printed.
const SHOWN: usize = 10;
/// Runs its arguments, then prints the CPU time of the shell and of its children.
const TIMED: &str = "\"$@\"; code=$?; times; exit $code";
/// The same, into the file that its first argument names.
const TIMED_TO: &str = "file=$1; shift; \"$@\"; code=$?; times > \"$file\"; exit $code";
/// Names the folder of the files with the times of each rustc, for [`wrapped`].
pub(crate) const OF_CRATES: &str = "HOPFLOW_BUILD_COST";

/// `cargo xtask build-cost`.
pub(crate) fn build_cost() -> Result<()> {
    let mut chore = Chore::begin("build-cost");
    chore.step("crates of the command", "cargo tree --edges normal,build", || {
        let count = crates()?.len();
        println!("{count} crates (at most {MOST_CRATES})");
        judge_crates(count).map_or(Ok(()), |found| bail!("{found}"))
    })?;
    let repeat = |args: &[&str]| format!("CARGO_TARGET_DIR={FOLDER} cargo {}", args.join(" "));
    let mut whole = Duration::ZERO;
    chore.step("a release build from nothing", &repeat(&WHOLE), || {
        let cost = measure(&WHOLE)?;
        cost.print();
        whole = cost.cpu;
        let [seconds, most] = [whole, MOST_CPU].map(|span| span.as_secs_f64());
        if whole > MOST_CPU {
            bail!("the build takes {seconds:.0} CPU seconds, more than {most:.0}");
        }
        Ok(())
    })?;
    chore.step("the same without the features of the command", &repeat(&SMALL), || {
        let cost = measure(&SMALL)?;
        cost.print();
        judge_ratio(whole, cost.cpu)
    })?;
    chore.end();
    Ok(())
}

const WHOLE: [&str; 3] = ["build", "--release", "--locked"];
const SMALL: [&str; 6] =
    ["build", "--release", "--locked", "--package", "hopflow-cli", "--no-default-features"];

/// What a build took.
struct Cost {
    wall: Duration,
    cpu: Duration,
    /// Of each crate, by rustc and the linker.
    crates: BTreeMap<String, Duration>,
}

impl Cost {
    /// Prints the sum and the most expensive crates.
    fn print(&self) {
        let [wall, cpu] = [self.wall, self.cpu].map(|span| span.as_secs_f64());
        println!("{cpu:.0} CPU seconds, {wall:.0} s on the clock, of which by crate:");
        let mut crates: Vec<(&String, &Duration)> = self.crates.iter().collect();
        crates.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        let line = |span: Duration, what: &str| println!("{:8.1}  {what}", span.as_secs_f64());
        for (name, span) in crates.iter().take(SHOWN) {
            line(**span, name);
        }
        let rest = crates.iter().skip(SHOWN);
        let count = rest.clone().count();
        line(rest.map(|(_, span)| **span).sum(), &format!("{count} others"));
        let all: Duration = self.crates.values().sum();
        line(self.cpu.saturating_sub(all), "C compiler, build scripts, cargo");
    }
}

/// The rule on a program without the features.
fn judge_ratio(whole: Duration, small: Duration) -> Result<()> {
    let ratio = whole.as_secs_f64() / small.as_secs_f64();
    println!("The command takes {ratio:.2} times as many (at least {LEAST_RATIO}).");
    if ratio < LEAST_RATIO {
        bail!("a program without the features takes more than half of the CPU seconds");
    }
    Ok(())
}

/// Calls rustc as cargo asks for it, with `args`, and leaves its CPU time in `folder`. Returns its
/// exit code.
pub(crate) fn wrapped(folder: &OsStr, args: &[OsString]) -> Result<u8> {
    let place = args.iter().position(|arg| arg == "--crate-name").map(|at| at + 1);
    let name = place.and_then(|place| args.get(place)?.to_str()).unwrap_or("rustc");
    let file = Path::new(folder).join(format!("{name}.{}", std::process::id()));
    let mut shell = Command::new("sh");
    let status = shell.args(["-c", TIMED_TO, "sh"]).arg(file).args(args).status();
    let code = status.context("a POSIX shell `sh` is needed to measure the CPU time")?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

/// The CPU time of each crate, from the files that [`wrapped`] left.
fn of_crates(folder: &Path) -> Result<BTreeMap<String, Duration>> {
    let mut crates: BTreeMap<String, Duration> = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let times = fs::read_to_string(&path)?;
        let cpu = children(&times).with_context(|| format!("`times` gave `{times}`"))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        *crates.entry(name).or_default() += cpu;
    }
    Ok(crates)
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

/// Calls cargo with `args` for a build in an empty folder.
fn measure(args: &[&str]) -> Result<Cost> {
    let folder = root().join(FOLDER);
    let times_of_crates = folder.join("times-of-crates");
    let remove = || match fs::remove_dir_all(&folder) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => Err(cause),
        _ => Ok(()),
    };
    remove().with_context(|| format!("remove {FOLDER}"))?;
    fs::create_dir_all(&times_of_crates).with_context(|| format!("create {FOLDER}"))?;
    let began = Instant::now();
    let mut shell = Command::new("sh");
    shell.args(["-c", TIMED, "sh"]).arg(cargo()).args(args).env("CARGO_TARGET_DIR", &folder);
    // It also replaces a cache of compiled crates, which would hide what they cost.
    shell.env("RUSTC_WRAPPER", std::env::current_exe().context("the name of this program")?);
    shell.env(OF_CRATES, &times_of_crates);
    let built = shell.current_dir(root()).stderr(Stdio::inherit()).output();
    let built = built.context("a POSIX shell `sh` is needed to measure the CPU time")?;
    let wall = began.elapsed();
    if !built.status.success() {
        bail!("cargo gave {}", built.status);
    }
    let crates = of_crates(&times_of_crates).context("the times of crates")?;
    remove().with_context(|| format!("remove {FOLDER}"))?;
    let times = String::from_utf8_lossy(&built.stdout);
    let cpu = children(&times).with_context(|| format!("`times` of the shell gave `{times}`"))?;
    Ok(Cost { wall, cpu, crates })
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

    /// Claim: the times of a crate that is compiled twice, such as for a build script, are added; a
    /// file without times is refused.
    #[test]
    fn times_of_a_crate_are_added() {
        let folder = std::env::temp_dir().join(format!("hopflow-cost-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("libc.1"), "0m0s 0m0s\n0m1.5s 0m0.5s\n").expect("a file");
        fs::write(folder.join("libc.2"), "0m0s 0m0s\n0m1.0s 0m0s\n").expect("a file");
        fs::write(folder.join("serde.3"), "0m0s 0m0s\n1m0s 0m0s\n").expect("a file");
        let crates = of_crates(&folder).expect("they are times");
        fs::write(folder.join("syn.4"), "killed\n").expect("a file");
        let refused = of_crates(&folder).is_err();
        fs::remove_dir_all(&folder).expect("it is removed");
        assert!(refused);
        let expected = [("libc", Duration::from_secs(3)), ("serde", Duration::from_mins(1))];
        assert_eq!(crates, expected.map(|(name, span)| (name.to_owned(), span)).into());
    }

    /// Claim: half of the seconds is allowed, and more is not.
    #[test]
    fn half_is_allowed() {
        let seconds = Duration::from_secs;
        assert!(judge_ratio(seconds(300), seconds(150)).is_ok());
        assert!(judge_ratio(seconds(300), seconds(151)).is_err());
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
