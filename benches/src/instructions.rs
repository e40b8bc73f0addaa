//! Instructions per cell-hop, counted by callgrind: repeatable where times are not.
//!
//! The benchmark runs itself under `valgrind --tool=callgrind` with two lengths of a workload; the
//! difference of instructions over the difference of cell-hops leaves set-up out.

use std::process::Command;

use crate::workloads::Workload;

/// How many times shorter than full size the two lengths are: `cai97-1` has sent next to nothing in
/// the first seconds.
const fn divide(workload: &Workload) -> [u64; 2] {
    if workload.shorter == 2 { [3, 4] } else { [3 * workload.shorter, 6 * workload.shorter] }
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
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(myself)
        .args(["--once", "--workload", workload.name, "--divide", &divide.to_string()])
        .output()
        .map_err(|cause| format!("valgrind cannot be run ({cause}): install it to count"))?;
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let hops = out.trim().parse().map_err(|_| format!("no cell-hops in `{out}`:\n{err}"))?;
    let instructions = collected(&err).ok_or_else(|| format!("no count in:\n{err}"))?;
    Ok((instructions, hops))
}

/// The number behind `Collected :` in callgrind's words.
fn collected(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.contains("Collected"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: callgrind's count is found in what it says, and nothing else is.
    #[test]
    fn the_count_is_read() {
        let text = "==1== Events    : Ir\n==1== Collected : 335165081\n==1==\n";
        assert_eq!(collected(text), Some(335_165_081));
        assert_eq!(collected("==1== Events : Ir\n"), None);
    }
}
