//! Benchmarks of the windowed engine: cell-hops per second on 1, 2 and 4 threads.

mod workloads;

use std::time::Instant;

use hopflow_network::{Engine, TraceFilter, WindowedEngine};
use hopflow_units::SimTime;

fn main() {
    for workload in workloads::Workload::ALL {
        let spec = workload.network(workload.full_size());
        for threads in [1, 2, 4] {
            let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), threads);
            let start = Instant::now();
            engine.run_until(SimTime(spec.duration.0));
            let seconds = start.elapsed().as_secs_f64();
            let counters = engine.counters();
            let hops: u64 =
                counters.directions.iter().map(|d| d.data_cells + d.control_cells).sum();
            let digest = hopflow_record::digest(&spec, &counters);
            let nanos = seconds * 1e9 / hops as f64;
            println!("{} {threads} threads: {nanos:.1} ns/hop, {digest:016x}", workload.name());
        }
    }
}
