//! The lateness of a thread on this machine that does nothing else.

use std::thread;
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;

/// How long it measures.
const TIME: Duration = Duration::from_secs(4);
/// Shorter times between two clock readings are those of the loop itself, in ns.
const LOOP: u64 = 500;

/// A row of the table. For a random instant in a gap of g, the next reading is later by 0 to g,
/// uniformly: the share of instants that wait longer than x is the sum of g - x over all g > x.
pub(crate) fn row() -> String {
    let (gaps, total) = thread::spawn(gaps).join().expect("it only looks");
    let beyond = |x: u64| gaps.iter().map(|gap| gap.saturating_sub(x) as f64).sum::<f64>() / total;
    let most = gaps.iter().copied().max().unwrap_or(0);
    let quantile = |share: f64| {
        let (mut low, mut high) = (0, most);
        while low < high {
            let middle = u64::midpoint(low, high);
            if beyond(middle) > share { low = middle + 1 } else { high = middle }
        }
        low as f64 / 1e3
    };
    let [p50, p99, p999] = [0.5, 0.01, 0.001].map(quantile);
    format!(
        "| the clock alone | {p50:.1} | {p99:.1} | {p999:.1} | {:.0} | | | |",
        most as f64 / 1e3
    )
}

/// The gaps between clock readings on processor 0, and their total, in ns.
fn gaps() -> (Vec<u64>, f64) {
    let mut set = CpuSet::new();
    // If that is not permitted, the figures are of all processors.
    let _ = set.set(0).and_then(|()| sched_setaffinity(Pid::from_raw(0), &set));
    let mut gaps = Vec::with_capacity(1 << 20);
    let begun = Instant::now();
    let mut before = begun;
    while before - begun < TIME {
        let now = Instant::now();
        let gap = (now - before).as_nanos() as u64;
        if gap > LOOP {
            gaps.push(gap);
        }
        before = now;
    }
    (gaps, (before - begun).as_nanos() as f64)
}
