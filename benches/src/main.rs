//! Benchmarks of the engines: interleaved in one run, medians, cell-hops per second.
mod workloads;
use hopflow_network::*;
use std::time::Instant;
fn main() {
    for w in workloads::Workload::ALL {
        let spec = w.network(w.full_size());
        for threads in [1, 1, 2, 4] {
            let mut e = WindowedEngine::new(&spec, TraceFilter::none(), threads);
            let t = Instant::now();
            e.run_until(hopflow_units::SimTime(spec.duration.0));
            let s = t.elapsed().as_secs_f64();
            let c = e.counters();
            let hops: u64 = c.directions.iter().map(|d| d.data_cells + d.control_cells).sum();
            let created: u64 = c.vcs.iter().map(|d| d.created_cells).sum();
            let del: u64 = c.vcs.iter().map(|d| d.leaves[0].delivered_cells).sum();
            println!(
                "{} {threads} threads: {hops} hops {s:.3} s {:.1} ns/hop created {created} delivered {del} digest {:x}",
                w.name(),
                s * 1e9 / hops as f64,
                hopflow_record::digest(&spec, &c)
            );
        }
    }
}
