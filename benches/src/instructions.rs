//! Instructions per cell-hop, counted by callgrind: repeatable where times are not.
//!
//! The benchmark runs itself under `valgrind --tool=callgrind` with two lengths of a workload; the
//! difference of instructions over the difference of cell-hops leaves set-up out. For a pin only
//! instructions of this program count, the standard library in it included, not those of the
//! system's libraries, which differ between machines ([`per_hop`]). Two builds on one machine are
//! compared by all instructions of the process, so that work moved into `memcpy` counts
//! ([`compare`]).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workloads::Workload;

/// How many times shorter than full size the two lengths are.
fn divide(workload: &Workload) -> [u64; 2] {
    let cells = workload.full_size / 120;
    let sources = workload.network(cells).vcs.len() as u64;
    match workload.shorter {
        2 => [3, 4],
        // Every source has several packets: the allocator's work in set-up depends on addresses, so
        // that it differs between two lengths, and it must be small beside their difference.
        _ if cells < 4 * sources => [10, 20],
        _ => [60, 120],
    }
}

/// Instructions per cell-hop of one workload on one thread, those of this program.
pub(crate) fn per_hop(workload: &Workload) -> Result<f64, String> {
    let myself = myself()?;
    let name = myself.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    difference(&myself, workload, |profile| of_object(profile, name))
}

/// Prints, for each workload, all instructions of the process per cell-hop: of the build at
/// `before` and of this one. The last line has the sums.
pub(crate) fn compare(chosen: &[&Workload], before: &Path) -> Result<(), String> {
    let myself = myself()?;
    println!("| workload | before | this build | change |\n|---|---:|---:|---:|");
    let row = |name: &str, [before, now]: [f64; 2]| {
        println!("| {name} | {before:.1} | {now:.1} | {:+.2} % |", (now / before - 1.0) * 100.0);
    };
    let mut sums = [0.0; 2];
    for workload in chosen {
        let [was, is] = [before, myself.as_path()].map(|build| difference(build, workload, total));
        let both = [was?, is?];
        row(workload.name, both);
        sums.iter_mut().zip(both).for_each(|(sum, count)| *sum += count);
    }
    row("sum", sums);
    Ok(())
}

fn myself() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|cause| cause.to_string())
}

/// What `counted` finds in the profiles of two lengths, per cell-hop of their difference.
fn difference(
    program: &Path,
    workload: &Workload,
    counted: impl Fn(&str) -> u64,
) -> Result<f64, String> {
    let [long, short] = divide(workload).map(|divide| profile(program, workload, divide, &counted));
    let (long, short) = (long?, short?);
    Ok((long.0 - short.0) as f64 / (long.1 - short.1) as f64)
}

/// What `counted` finds in the profile of one run, and its cell-hops.
fn profile(
    program: &Path,
    workload: &Workload,
    divide: u64,
    counted: impl Fn(&str) -> u64,
) -> Result<(u64, u64), String> {
    let file = std::env::temp_dir().join(format!("callgrind.{}.out", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", &format!("--callgrind-out-file={}", file.display())])
        .arg(program)
        .args(["--once", "--workload", workload.name, "--divide", &divide.to_string()])
        .output()
        .map_err(|cause| format!("valgrind cannot be run ({cause}): install it to count"))?;
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let hops = out.trim().parse().map_err(|_| format!("no cell-hops in `{out}`:\n{err}"))?;
    let text = std::fs::read_to_string(&file);
    let text = text.map_err(|cause| format!("callgrind wrote no profile: {cause}\n{err}"))?;
    std::fs::remove_file(&file).map_err(|cause| format!("`{}`: {cause}", file.display()))?;
    match counted(&text) {
        0 => Err(format!("callgrind counted nothing in `{}`:\n{err}", program.display())),
        instructions => Ok((instructions, hops)),
    }
}

/// All instructions of a profile.
fn total(profile: &str) -> u64 {
    let totals = profile.lines().find_map(|line| line.strip_prefix("totals: "));
    totals.and_then(|totals| totals.trim().parse().ok()).unwrap_or(0)
}

/// The instructions that a profile attributes to one object, by its file name. A line `ob=(ID)
/// PATH`, later `ob=(ID)`, names the object of the following lines `POSITION COUNT`; the line after
/// `calls=` belongs to the called function and is counted there.
fn of_object(profile: &str, name: &str) -> u64 {
    let mut objects = BTreeMap::new();
    let (mut own, mut called, mut sum) = (false, false, 0);
    for line in profile.lines() {
        if let Some(object) = line.strip_prefix("ob=").or_else(|| line.strip_prefix("cob=")) {
            let (id, path) = object.split_once(' ').unwrap_or((object, ""));
            if !path.is_empty() {
                objects.insert(id, Path::new(path).file_name().is_some_and(|file| file == name));
            }
            if line.starts_with("ob=") {
                own = objects.get(id).copied().unwrap_or(false);
            }
        } else if line.starts_with("calls=") {
            called = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            let count = line.split(' ').nth(1).and_then(|count| count.parse::<u64>().ok());
            sum += count.filter(|_| own && !called).unwrap_or(0);
            called = false;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: of a profile in callgrind's format only the lines of the named object count, 3 + 4 +
    /// 16, not what is called from there, 700 and 5, nor what another object spends, 700 and 9.
    /// The total has all.
    #[test]
    fn only_own_instructions_count() {
        let profile = "version: 1\npositions: line\nevents: Ir\nob=(1) /lib/libc.so.6\nfn=(1) x\n\
                       12 700\nob=(2) /a/target/bench\nfl=(3) a.rs\nfn=(2) main\n16 3\n+2 4\n\
                       cob=(1)\ncfn=(1)\ncalls=1 12\n* 700\ncob=(3) /lib/libm.so.6\ncfn=(4)\n\
                       calls=2 9\n+1 5\n-4 16\nob=(3)\nfn=(4) y\n9 9\ntotals: 732\n";
        assert_eq!(of_object(profile, "bench"), 23);
        assert_eq!(of_object(profile, "libm.so.6"), 9);
        assert_eq!(of_object(profile, "other"), 0);
        assert_eq!(total(profile), 732);
    }
}
