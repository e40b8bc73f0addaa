//! One run on one thread, told in one line: what `--instructions` and `--peers` start.

use std::time::Instant;

use hopflow_network::{Engine, TraceFilter, WindowedEngine};
use hopflow_units::SimTime;

use crate::workloads::Workload;
use crate::{Format, hops};

/// Runs `cells` data cells of a workload. Markdown: the cell-hops alone. JSON: one line with the
/// keys of the drivers in `benches/peers`; set-up is not timed.
pub(crate) fn run(workload: &Workload, cells: u64, format: Format) {
    let spec = workload.network(cells);
    let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
    let start = Instant::now();
    engine.run_until(SimTime(spec.duration.0));
    let seconds = start.elapsed().as_secs_f64();
    let hops = hops(&engine);
    if matches!(format, Format::Markdown) {
        println!("{hops}");
        return;
    }
    let counters = engine.counters();
    let leaves = || counters.vcs.iter().flat_map(|vc| &vc.leaves);
    let delivered: u64 = leaves().map(|leaf| leaf.delivered_cells).sum();
    let last = leaves().filter_map(|leaf| leaf.last).max().unwrap_or(SimTime::ZERO);
    let line = serde_json::json!({
        "peer": "hopflow", "workload": workload.name, "rx": delivered, "hops": hops,
        "run_s": seconds, "hops_per_s": hops as f64 / seconds, "sim_s": last.0 as f64 / 1e12,
        "rss_mb": peak_memory().map(|kib| kib as f64 / 1024.0),
    });
    println!("{line}");
}

/// The most memory this process has ever held, in KiB, where the system tells (Linux).
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
