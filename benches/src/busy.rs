//! One thread against all of them, beside so many loops that keep cores busy.
//!
//! ```text
//! busy loops   ========================================================
//! engine       | 1 thread | 2 threads | all | 1 thread | 2 threads | all | ...
//! ```
//! Runs follow each other in turn, so that what else happens on the machine meets all of them; the
//! table tells medians of rounds, and of the gains of each round. With no busy loop it is the gain
//! of threads, else what they cost those who share their cores: an engine that finds its threads to
//! be in the way falls back to one.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use hopflow_network::{TraceFilter, WindowedEngine};

use crate::workloads::Workload;
use crate::{median, timed};

/// Loops that keep cores busy until they are dropped.
struct Busy {
    stop: Arc<AtomicBool>,
    loops: Vec<JoinHandle<()>>,
}

impl Busy {
    fn new(count: usize) -> Busy {
        let stop = Arc::new(AtomicBool::new(false));
        let start = |_| {
            let stop = stop.clone();
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let mix = |sum: u64, n| sum.wrapping_mul(31).wrapping_add(n);
                    std::hint::black_box((0..10_000).fold(1, mix));
                }
            })
        };
        let loops = (0..count).map(start).collect();
        Busy { stop, loops }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let all_ran = self.loops.iter().all(|busy| !busy.is_finished());
        assert!(all_ran, "a busy loop runs as long as what it is beside");
        self.stop.store(true, Ordering::Relaxed);
        for busy in self.loops.drain(..) {
            // A loop cannot panic.
            let _ = busy.join();
        }
    }
}

/// How many times full size a run is: threads are chosen by measurement, which takes a while.
const LONGER: u64 = 8;

/// Prints the table for these workloads beside `busy` loops.
pub(crate) fn run(chosen: &[&Workload], busy: usize, rounds: u32, divide: u64) {
    let all = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut counts = vec![1, 2.min(all), all];
    counts.dedup();
    println!("Beside {busy} busy loops, load average before: {}.\n", load());
    println!("| workload | M cell-hops/s by threads | gain over one thread |\n|---|---|---|");
    for workload in chosen {
        let spec = workload.network(workload.full_size * LONGER / divide);
        let mut nanos = vec![Vec::new(); counts.len()];
        let _loops = Busy::new(busy);
        for _ in 0..rounds {
            for (nanos, threads) in nanos.iter_mut().zip(&counts) {
                let engine = WindowedEngine::new(&spec, TraceFilter::none(), *threads);
                nanos.push(timed(engine, &spec).0);
            }
        }
        let gain = |nanos: &Vec<f64>, alone: &Vec<f64>| {
            median(alone.iter().zip(nanos).map(|(alone, nanos)| alone / nanos).collect())
        };
        let tell = |tell: &dyn Fn(&Vec<f64>) -> f64, from: usize| {
            let told = counts.iter().zip(&nanos).skip(from);
            let told = told.map(|(threads, nanos)| format!("{threads}: {:.2}", tell(nanos)));
            told.collect::<Vec<_>>().join(", ")
        };
        let speeds = tell(&|nanos| 1e3 / median(nanos.clone()), 0);
        println!("| {} | {speeds} | {} |", workload.name, tell(&|n| gain(n, &nanos[0]), 1));
    }
    println!("\nLoad average after: {}.", load());
}

/// The load average of the last minute, where the system tells (Linux).
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}
