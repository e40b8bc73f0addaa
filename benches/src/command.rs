//! The whole command: CPU time of `hopflow run` from start to exit, set-up, summary and files
//! included, on the largest workloads that a scenario file has.
//!
//! Each sample is [`RUNS`] consecutive runs, because a shell counts CPU time in hundredths of a
//! second. With `--against` another build of the command alternates with this one in every round,
//! and the ratio is the median of the ratios of the rounds.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{median, peers, root};

/// The scenarios: files of benches/scenarios.
const SCENARIOS: [&str; 4] =
    ["many-flows-fifo", "many-flows-n23", "large-fabric-fifo-shift", "large-fabric-fifo"];
/// The options of the command. `@` stands for the directory.
const WAYS: [(&str, &[&str]); 3] = [
    ("table", &["--no-directory"]),
    ("JSON", &["--no-directory", "--format", "json"]),
    ("directory", &["--out", "@", "--force"]),
];
/// Runs of a sample.
const RUNS: usize = 5;
/// Runs the command some times, then prints the CPU time of the shell and of its children.
const TIMED: &str = "runs=$1; shift; while [ $runs -gt 0 ]; do \"$@\" >/dev/null || exit 1; \
                     runs=$((runs - 1)); done; times";

/// Measures, and prints a table as Markdown.
pub(crate) fn run(rounds: u32, against: Option<&Path>) -> Result<(), String> {
    build()?;
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let own = root().join(target).join("release/hopflow");
    let commands: Vec<PathBuf> = against.map(Path::to_path_buf).into_iter().chain([own]).collect();
    let folder = std::env::temp_dir().join(format!("hopflow-bench-{}", std::process::id()));
    let before = peers::load();
    let cases = SCENARIOS.iter().flat_map(|scenario| WAYS.iter().map(move |way| (scenario, way)));
    let mut rows: Vec<_> =
        cases.map(|case| (case, vec![Vec::<f64>::new(); commands.len()])).collect();
    for round in 1..=rounds {
        for ((scenario, (_, way)), samples) in &mut rows {
            for (command, samples) in commands.iter().zip(samples) {
                samples.push(sample(command, scenario, way, &folder)?);
            }
        }
        eprintln!("round {round} of {rounds}");
    }
    // The last directory; absent if no run wrote one.
    let _ = std::fs::remove_dir_all(&folder);
    let mut text = head(against.is_some());
    for ((scenario, (way, _)), samples) in rows {
        text.push_str(&row(scenario, way, &samples));
    }
    let [first, last] = [before, peers::load()].map(|load| load.unwrap_or_else(|| "?".to_owned()));
    println!("{text}\n{rounds} rounds of {RUNS} runs; load average {first} to {last}.");
    Ok(())
}

fn build() -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--release", "--package", "hopflow-cli"]);
    let status = command.current_dir(root()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo build gave {status}")),
        Err(cause) => Err(format!("cargo could not be started: {cause}")),
    }
}

/// The CPU time of one run, in ms.
fn sample(command: &Path, scenario: &str, way: &[&str], folder: &Path) -> Result<f64, String> {
    let mut shell = Command::new("sh");
    shell.args(["-c", TIMED, "sh", &RUNS.to_string()]).arg(command).arg("run");
    shell.arg(root().join(format!("benches/scenarios/{scenario}.toml")));
    shell.args(["--quiet", "--threads", "1"]);
    for word in way {
        match *word {
            "@" => shell.arg(folder),
            word => shell.arg(word),
        };
    }
    let output = shell.stderr(Stdio::inherit()).output();
    let output = output.map_err(|cause| format!("a POSIX shell `sh` is needed: {cause}"))?;
    let times = String::from_utf8_lossy(&output.stdout);
    let seconds = children(&times).filter(|_| output.status.success());
    let seconds = seconds.ok_or_else(|| format!("{}: a run failed", command.display()))?;
    Ok(1000.0 * seconds / RUNS as f64)
}

/// The sum of the second of the two lines of `times`, in seconds: user and system time of all
/// children.
fn children(times: &str) -> Option<f64> {
    let mut words = times.lines().nth(1)?.split_whitespace();
    let mut span = || {
        let (minutes, seconds) = words.next()?.strip_suffix('s')?.split_once('m')?;
        let seconds: f64 = seconds.replace(',', ".").parse().ok()?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds)
    };
    Some(span()? + span()?)
}

fn head(has_other: bool) -> String {
    if has_other {
        "| workload | prints or writes | before, CPU ms | now, CPU ms | as fast |\n\
         |---|---|---:|---:|---:|\n"
            .to_owned()
    } else {
        "| workload | prints or writes | CPU ms |\n|---|---|---:|\n".to_owned()
    }
}

fn row(scenario: &str, way: &str, samples: &[Vec<f64>]) -> String {
    let mut text = format!("| {scenario} | {way} |");
    for samples in samples {
        let least = samples.iter().copied().fold(f64::INFINITY, f64::min);
        let most = samples.iter().copied().fold(0.0, f64::max);
        let middle = median(samples.clone());
        write!(text, " {middle:.0} [{least:.0}-{most:.0}] |").expect("a string takes all");
    }
    if let [before, now] = samples {
        let ratios = before.iter().zip(now).map(|(before, now)| before / now);
        write!(text, " {:.1} |", median(ratios.collect())).expect("a string takes all");
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the second line of `times` counts; a row has medians, ranges and the median ratio.
    #[test]
    fn a_row_is_made_of_rounds() {
        assert_eq!(children("0m1s 0m1s\n1m2.500000s 0m0.250000s\n"), Some(62.75));
        assert_eq!(children("0m1s 0m1s\n"), None);
        let rounds = [vec![40.0, 60.0, 50.0], vec![10.0, 30.0, 20.0]];
        assert_eq!(row("a", "b", &rounds), "| a | b | 50 [40-60] | 20 [10-30] | 2.5 |\n");
        assert_eq!(row("a", "b", &rounds[..1]), "| a | b | 50 [40-60] |\n");
    }
}
