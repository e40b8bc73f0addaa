//! One run, reported in one line: the process that `--instructions`, `--peers` and `--growth`
//! start.

use std::time::Instant;

use hopflow_engine::WindowedEngine;
use hopflow_network::{Engine, NetworkSpec, TraceFilter};
use hopflow_units::SimTime;
use serde_json::Value;

use crate::workloads::Workload;
use crate::{Format, hops};

/// VCs read at a time, as in large runs: counters of a million VCs take gigabytes.
const PART: usize = 4_096;

/// Runs `cells` data cells of a workload. Markdown: the cell-hops alone. JSON: one line with the
/// keys of the drivers in `benches/peers`.
pub(crate) fn run(workload: &Workload, cells: u64, format: Format) {
    let mut line = measure(&workload.network(cells), 1);
    line["workload"] = workload.name.into();
    match format {
        Format::Markdown => println!("{}", line["hops"]),
        Format::Json => println!("{line}"),
    }
}

/// Runs a network once. Set-up is timed separately.
pub(crate) fn measure(spec: &NetworkSpec, threads: usize) -> Value {
    let set_up = Instant::now();
    let mut engine = WindowedEngine::new(spec, TraceFilter::none(), threads);
    let set_up = set_up.elapsed().as_secs_f64();
    let start = Instant::now();
    engine.run_until(SimTime(spec.duration.0));
    let seconds = start.elapsed().as_secs_f64();
    let hops = hops(&engine);
    let (mut delivered, mut last) = (0, SimTime::ZERO);
    engine.counters_by_parts(PART, &mut |part, _| {
        for leaf in part.vcs.iter().flat_map(|vc| &vc.leaves) {
            delivered += leaf.delivered_packets;
            last = last.max(leaf.last.unwrap_or(SimTime::ZERO));
        }
    });
    let peak = peak_memory();
    serde_json::json!({
        "peer": "hopflow", "rx": delivered, "hops": hops, "setup_s": set_up,
        "run_s": seconds, "hops_per_s": hops as f64 / seconds, "sim_s": last.0 as f64 / 1e12,
        "rss_mb": peak.map(|kib| kib as f64 / 1024.0),
    })
}

/// The most memory this process has ever held, in KiB, if the system reports it (Linux).
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
