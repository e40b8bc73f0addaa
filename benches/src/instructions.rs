//! Instructions per cell-hop, counted by callgrind: repeatable where times are not.
//!
//! The benchmark runs itself under `valgrind --tool=callgrind` with two lengths of a workload; the
//! difference of instructions over the difference of cell-hops excludes set-up. Only instructions
//! of this program count, including the standard library in it, but not those of the system's
//! libraries, which differ between machines.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::workloads::Workload;

/// How many times shorter than full size the two lengths are.
fn divide(workload: &Workload) -> [u64; 2] {
    let sources = workload.driver.map_or(1, |driver| driver.sources);
    match workload.shorter {
        2 => [3, 4],
        // Every source has at least one cell.
        _ if workload.full_size / 120 < sources => [10, 20],
        _ => [60, 120],
    }
}

/// Instructions per cell-hop of one workload on one thread.
pub(crate) fn per_hop(workload: &Workload) -> Result<f64, String> {
    let divide = divide(workload);
    let (long, short) = (count(workload, divide[0])?, count(workload, divide[1])?);
    Ok((long.0 - short.0) as f64 / (long.1 - short.1) as f64)
}

/// Instructions and cell-hops of one run.
fn count(workload: &Workload, divide: u64) -> Result<(u64, u64), String> {
    let myself = std::env::current_exe().map_err(|cause| cause.to_string())?;
    let file = std::env::temp_dir().join(format!("callgrind.{}.out", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", &format!("--callgrind-out-file={}", file.display())])
        .arg(&myself)
        .args(["--once", "--workload", workload.name, "--divide", &divide.to_string()])
        .output()
        .map_err(|cause| format!("valgrind cannot be run ({cause}): install it to count"))?;
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let hops = out.trim().parse().map_err(|_| format!("no cell-hops in `{out}`:\n{err}"))?;
    let profile = std::fs::read_to_string(&file);
    let profile = profile.map_err(|cause| format!("callgrind wrote no profile: {cause}\n{err}"))?;
    std::fs::remove_file(&file).map_err(|cause| format!("`{}`: {cause}", file.display()))?;
    let name = myself.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match of_object(&profile, name) {
        0 => Err(format!("callgrind counted nothing in `{name}`:\n{err}")),
        instructions => Ok((instructions, hops)),
    }
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

    /// Claim: in a profile in callgrind's format only the lines of the named object count, 3 + 4 +
    /// 16, not the calls from there, 700 and 5, nor the costs of another object, 700 and 9.
    #[test]
    fn only_own_instructions_count() {
        let profile = "version: 1\npositions: line\nevents: Ir\nob=(1) /lib/libc.so.6\nfn=(1) x\n\
                       12 700\nob=(2) /a/target/bench\nfl=(3) a.rs\nfn=(2) main\n16 3\n+2 4\n\
                       cob=(1)\ncfn=(1)\ncalls=1 12\n* 700\ncob=(3) /lib/libm.so.6\ncfn=(4)\n\
                       calls=2 9\n+1 5\n-4 16\nob=(3)\nfn=(4) y\n9 9\ntotals: 732\n";
        assert_eq!(of_object(profile, "bench"), 23);
        assert_eq!(of_object(profile, "libm.so.6"), 9);
        assert_eq!(of_object(profile, "other"), 0);
    }
}
