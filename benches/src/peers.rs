//! hopflow beside other simulators: every round runs all workloads and simulators, each on one
//! pinned thread; medians and ratios.
//!
//! Every simulator runs in its own process and prints one line of JSON with its packet-hops, its
//! rate (of the event loop, without set-up), its peak memory and the arrival of its last packet. A
//! line counts only if packets and hops are those of the workload at that size. A ratio is
//! hopflow's rate over the other's in the same round. Slow simulators run a shorter stretch, which
//! hardly affects their rate.
//!
//! A simulator that is not installed, or fails, is marked in the table, without further effect.
//! Drivers and how they are built: `benches/peers/README.md`.

mod install;
mod machine;
mod ratios;
mod simulator;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::workloads::{self, Workload};
use simulator::Simulator;
use table::Row;

pub(crate) use machine::{load, machine, today};

/// The options.
pub(crate) struct Request {
    pub(crate) install: bool,
    /// The workloads to run, of those that others run; empty: all.
    pub(crate) only: Vec<&'static Workload>,
    pub(crate) rounds: u32,
    pub(crate) divide: u64,
    /// No round begins that would end later than this number of minutes after the first began.
    pub(crate) minutes: Option<f64>,
}

/// Measures, prints the tables and saves them, as Markdown and as JSON, in `target/peers`.
pub(crate) fn run(request: &Request) -> Result<(), String> {
    let folder = folder();
    std::fs::create_dir_all(&folder)
        .map_err(|cause| format!("`{}` cannot be made: {cause}", folder.display()))?;
    if request.install {
        install::all(&folder);
    }
    let chosen: Vec<&Workload> = workloads::ALL
        .iter()
        .filter(|workload| workload.driver.is_some())
        .filter(|one| request.only.is_empty() || request.only.iter().any(|o| o.name == one.name))
        .collect();
    if chosen.is_empty() {
        return Err("other simulators run only the workloads whose names have `fifo`".to_owned());
    }
    let pin = machine::pin();
    let before = machine::load();
    let mut rows: Vec<Row> =
        chosen.into_iter().flat_map(|one| rows(one, request, &folder)).collect();
    let rounds = measure(&mut rows, request, &folder, &pin);
    let about = machine::about(&pin, [before, machine::load()], rounds, request);
    let table = table::markdown(&rows);
    let ratios = ratios::markdown(&rows);
    let data = table::json(&rows, &about);
    println!("{table}\n{ratios}\n{about}");
    for (name, content) in [
        ("table.md", format!("{table}\n{about}")),
        ("ratios.md", format!("{ratios}\n{about}")),
        ("table.json", format!("{data:#}\n")),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, content)
            .map_err(|cause| format!("`{}` cannot be written: {cause}", path.display()))?;
    }
    eprintln!("saved in target/peers: table.md, ratios.md, table.json");
    Ok(())
}

/// The folder of installed, built and saved files.
fn folder() -> PathBuf {
    crate::root().join("target").join("peers")
}

/// The part of a simulator's output in one round that counts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    hops_per_second: f64,
    peak_mib: Option<f64>,
    /// When the last packet arrived, in simulated seconds.
    end: f64,
}

/// All simulators that can run a workload.
fn rows(workload: &'static Workload, request: &Request, folder: &Path) -> Vec<Row> {
    let able = Simulator::ALL.into_iter().filter(|simulator| simulator.can(workload));
    let mut rows: Vec<Row> =
        able.map(|simulator| Row::new(workload, simulator, request.divide)).collect();
    for row in &mut rows {
        row.missing = row.simulator.installed(folder).err();
    }
    rows
}

/// Runs all rows in every round, for the requested number of rounds or as many as fit the time.
/// Returns the number of rounds.
fn measure(rows: &mut [Row], request: &Request, folder: &Path, pin: &[String]) -> u32 {
    let began = Instant::now();
    let expected: Vec<_> = rows.iter().map(|row| expected(row.workload, row.cells)).collect();
    for round in 1..=request.rounds {
        for (row, expected) in rows.iter_mut().zip(&expected) {
            if row.missing.is_some() {
                continue;
            }
            let words = row.simulator.command(row.workload, row.cells, folder);
            match sample(&words, pin, *expected) {
                Ok(sample) => row.samples.push(sample),
                Err(why) => row.missing = Some(why),
            }
        }
        let spent = began.elapsed().as_secs_f64() / 60.0;
        eprintln!("round {round} of {}: after {spent:.1} minutes", request.rounds);
        let next = spent * f64::from(round + 1) / f64::from(round);
        if request.minutes.is_some_and(|minutes| next > minutes) {
            return round;
        }
    }
    request.rounds
}

/// Packets and hops of a workload of FIFO at this size.
fn expected(workload: &'static Workload, cells: u64) -> (u64, u64) {
    let spec = workload.network(cells);
    let each = (cells / spec.vcs.len() as u64).max(1);
    let routes: u64 = spec.vcs.iter().map(|vc| vc.hops.len() as u64).sum();
    (each * spec.vcs.len() as u64, each * routes)
}

/// Runs a command and reads its line.
fn sample(words: &[String], pin: &[String], expected: (u64, u64)) -> Result<Sample, String> {
    let words = [pin, words].concat();
    let output = Command::new(&words[0])
        .args(&words[1..])
        .output()
        .map_err(|cause| format!("`{}` cannot be run: {cause}", words[0]))?;
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if !output.status.success() {
        let last = err.lines().last().unwrap_or("without a word").trim();
        return Err(format!("failed: {last}"));
    }
    read(&out, expected)
}

/// The sample in the output of a simulator.
fn read(out: &str, expected: (u64, u64)) -> Result<Sample, String> {
    let line = out.lines().rev().find(|line| line.starts_with('{')).ok_or("printed no figures")?;
    let line: Value = serde_json::from_str(line).map_err(|cause| format!("no JSON: {cause}"))?;
    let found = (line["rx"].as_u64(), line["hops"].as_u64());
    if found != (Some(expected.0), Some(expected.1)) {
        let (packets, hops) = expected;
        let found = format!("{} packets, {} hops", line["rx"], line["hops"]);
        return Err(format!("did other work: {found}, not {packets} and {hops}"));
    }
    let number = |key: &str| line[key].as_f64().ok_or_else(|| format!("printed no `{key}`"));
    let (hops_per_second, end) = (number("hops_per_s")?, number("sim_s")?);
    Ok(Sample { hops_per_second, peak_mib: line["rss_mb"].as_f64(), end })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: the last line of JSON is read, and only if it reports the same work.
    #[test]
    fn only_the_same_work_counts() {
        let out = "a warning\n{\"rx\":2,\"hops\":12,\"hops_per_s\":5.5,\"sim_s\":0.25,\
                   \"rss_mb\":3.5}\n";
        let expected = Sample { hops_per_second: 5.5, peak_mib: Some(3.5), end: 0.25 };
        assert_eq!(read(out, (2, 12)), Ok(expected));
        let wrong = read(out, (3, 18)).unwrap_err();
        assert_eq!(wrong, "did other work: 2 packets, 12 hops, not 3 and 18");
        assert!(read("no figures\n", (2, 12)).is_err());
    }

    /// Claim: packets and hops of a workload follow from its routes: six hops of a tandem, three of
    /// many flows whose cells are divided evenly, six of each packet of a shifted fabric.
    #[test]
    fn work_follows_from_routes() {
        let of = |name| workloads::named(name).unwrap();
        assert_eq!(expected(of("tandem-fifo"), 100), (100, 600));
        assert_eq!(expected(of("many-flows-fifo"), 2_500), (2_000, 6_000));
        assert_eq!(expected(of("fabric-fifo-shift"), 64 * 3), (192, 1_152));
    }
}
