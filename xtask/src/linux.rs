//! NewReno compared with the TCP of this machine's kernel, in real time: `cargo xtask
//! beside-linux`.
//!
//! Each run sends for 10 s over the bed of `linux/bed.sh` and becomes a record (`record.rs`). Runs
//! that the machine disturbed are omitted. The claims are those of the test
//! `newreno_goes_through_the_cycle_of_linux` of `hopflow-network`, which otherwise reads the record
//! in its folder: the command makes it read the new ones. Everything that needs real time,
//! namespaces and other programs is here; where a machine lacks them the command reports it, and
//! judges nothing.

mod peer;
mod record;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

use crate::steps::{Chore, root};
use record::{Lateness, Record};

pub(crate) use peer::peer;

const BED: &str = include_str!("linux/bed.sh");
const FOLDER: &str = "target/beside-linux";
const TEST: &str = "newreno_goes_through_the_cycle_of_linux";
const SHIPPED: &str = "crates/hopflow-network/src/transport/tcp/tests/linux/reno.txt";
/// Each run sends for this time, in seconds.
const SECONDS: u64 = 10;
/// The shipped record is truncated here, in microseconds: some thousand segments.
const SHIPPED_MICROS: u64 = 6_500_000;
/// A run in which the link was idle for a greater part of the time was disturbed.
const MOST_LOST: f64 = 0.005;
/// With fewer undisturbed runs nothing is judged.
const LEAST_RUNS: usize = 3;

/// `cargo xtask beside-linux [--runs N] [--record]`.
pub(crate) fn beside_linux(args: &[&str]) -> Result<()> {
    let (runs, keep) = match args {
        [] => (5, false),
        ["--record"] => (5, true),
        ["--runs", runs] => (runs.parse().unwrap_or(0), false),
        _ => (0, false),
    };
    if !(LEAST_RUNS..=100).contains(&runs) {
        let args = args.join(" ");
        bail!("`beside-linux` takes `--record`, or `--runs N` with N from 3 to 100, not `{args}`");
    }
    let mut chore = Chore::begin("beside-linux");
    let folder = root().join(FOLDER);
    let mut fine = Vec::new();
    chore.step(&format!("{runs} runs of {SECONDS} s"), "cargo xtask beside-linux", || {
        fine = match measure(runs, &folder)? {
            Ok(fine) => fine,
            Err(why) => {
                eprintln!("    NOT JUDGED: {why}");
                Vec::new()
            }
        };
        Ok(())
    })?;
    if (1..LEAST_RUNS).contains(&fine.len()) {
        let count = fine.len();
        eprintln!(
            "    NOT JUDGED: {count} of {runs} runs were undisturbed, {LEAST_RUNS} are needed"
        );
    }
    if fine.len() >= LEAST_RUNS {
        let test = ["test", "-p", "hopflow-network", "--lib", TEST, "--", "--nocapture"];
        let folder = folder.to_str().context("the path of the project is not UTF-8")?;
        let title = "the claims on Linux and NewReno, on these runs";
        chore.cargo_with(title, &test, &[("HOPFLOW_LINUX_RECORDS", folder)])?;
        if keep {
            chore.step("the shipped record", SHIPPED, || ship(&fine[fine.len() / 2]))?;
        }
    }
    chore.end();
    Ok(())
}

/// Runs and keeps the undisturbed records, or says why nothing can be measured.
fn measure(runs: usize, folder: &Path) -> Result<Result<Vec<Record>, String>> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
    let mut fine = Vec::new();
    for run in 1..=runs {
        let record = match capture(folder)? {
            Ok(record) => record,
            Err(why) => return Ok(Err(why)),
        };
        let Some(late) = record.lateness() else {
            return Ok(Err("the connection ended early".to_owned()));
        };
        let is_fine = late.lost <= MOST_LOST;
        let verdict = if is_fine { "fine" } else { "disturbed, left out" };
        eprintln!("    run {run}: {}: {verdict}", lateness(&late));
        if is_fine {
            let path = folder.join(format!("run-{run:03}.txt"));
            fs::write(&path, record.text(u64::MAX)).context("write a record")?;
            fine.push(record);
        }
    }
    Ok(Ok(fine))
}

fn lateness(late: &Lateness) -> String {
    let [median, most_of, most] = late.micros;
    let lost = 100.0 * late.lost;
    format!(
        "late by {median} us in the median, {most_of} us at p99, {most} us at most; the link stood \
         still for {lost:.2} % of the time"
    )
}

/// One run, or why this machine cannot make one.
fn capture(folder: &Path) -> Result<Result<Record, String>> {
    let file = folder.join("capture.pcap");
    let own = std::env::current_exe().context("the path of this program")?;
    let seconds = SECONDS.to_string();
    let mut bed = Command::new("unshare");
    // As root nothing else is needed; other users become root in their own user namespace.
    if !is_root() {
        bed.args(["--user", "--map-root-user"]);
    }
    bed.args(["--net", "--mount", "sh", "-c", BED, "bed"]).arg(own).arg(&seconds).arg(&file);
    if let Some(why) = refused("unshare", bed.output()) {
        return Ok(Err(why));
    }
    let mut reader = Command::new("tcpdump");
    reader.args(["-n", "-tt", "--time-stamp-precision", "nano", "-r"]).arg(&file);
    let output = reader.output();
    let dump = match output {
        Ok(output) if output.status.success() => output.stdout,
        other => return Ok(Err(refused("tcpdump", other).unwrap_or_default())),
    };
    let dump = String::from_utf8_lossy(&dump);
    Ok(Record::from_dump(&dump).ok_or_else(|| "the capture has no whole segments".to_owned()))
}

/// Why a program did not do its work.
fn refused(program: &str, output: std::io::Result<Output>) -> Option<String> {
    match output {
        Ok(output) if output.status.success() => None,
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ");
            Some(format!("`{program}` gave {}: {text}", output.status))
        }
        Err(error) => Some(format!(
            "`{program}` could not be started ({error}); on Debian: apt-get install util-linux \
             iproute2 tcpdump"
        )),
    }
}

fn is_root() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("Uid:"));
    line.and_then(|line| line.split_whitespace().nth(2)).is_some_and(|id| id == "0")
}

/// Writes the record that the test command reads.
fn ship(record: &Record) -> Result<()> {
    let says = |program: &str, args: &[&str]| {
        let output = Command::new(program).args(args).output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        text.with_context(|| format!("`{program}` could not be started"))
    };
    let late = record.lateness().context("the record has acknowledgements")?;
    let mut text = String::from("# What a sender of the Linux kernel sent and heard.\n");
    let (date, release) = (says("date", &["--utc", "+%F"])?, says("uname", &["-r"])?);
    let release = release.split('-').next().unwrap_or_default();
    let _ = writeln!(text, "# {date}, Linux {release}, by `cargo xtask beside-linux --record`");
    text.push_str(
        "# reno without SACK, RACK, TLP and F-RTO; time stamps on; each segment acknowledged\n\
         # 8 Mb/s behind a queue of 30 packets of 1,514 bytes (tbf, burst 8000, limit 45420)\n",
    );
    let _ = writeln!(text, "# {}", lateness(&late));
    text.push_str("# MICROSECONDS s SEGMENT (sent), MICROSECONDS a SEGMENTS (acknowledged)\n");
    text.push_str(&record.text(SHIPPED_MICROS));
    fs::write(root().join(SHIPPED), text).with_context(|| format!("write {SHIPPED}"))
}
