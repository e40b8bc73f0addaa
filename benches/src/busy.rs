//! One thread compared with all threads, beside a number of loops that keep cores busy.
//!
//! ```text
//! busy loops   ========================================================
//! engine       | 1 thread | 2 threads | all | 1 thread | 2 threads | all | ...
//! ```
//! Runs alternate, so that other load on the machine affects all of them; the table has medians of
//! rounds, and of the gains of each round. Without busy loops it shows the gain of threads,
//! otherwise their cost to those who share their cores: an engine that finds its threads to be in
//! the way falls back to one.
//!
//! Two more figures show what the machine allows. *Copies*: this number of engines of one thread
//! each, run concurrently, does this many times the work of one alone. They share the memory and
//! the last level of cache, and wait for no other, so threads of one run can hardly do better. *A
//! word* is passed from thread to thread in a circle; if that takes long, as between cores that
//! share no cache, threads that work on one network pay for it.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::JoinHandle;
use std::time::Instant;

use hopflow_engine::WindowedEngine;
use hopflow_network::{NetworkSpec, TraceFilter};

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
        assert!(all_ran, "a busy loop runs until it is stopped");
        self.stop.store(true, Ordering::Relaxed);
        for busy in self.loops.drain(..) {
            // A loop cannot panic.
            let _ = busy.join();
        }
    }
}

/// The factor on the full size of a run: threads are chosen by measurement, which takes a while.
const LONGER: u64 = 8;

/// Prints the table for these workloads beside `busy` loops.
pub(crate) fn run(chosen: &[&Workload], busy: usize, rounds: u32, divide: u64) {
    let all = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut counts = vec![1, 2.min(all), all];
    counts.dedup();
    println!(
        "Beside {busy} busy loops, load average before: {}; a word: {:.0} ns.\n",
        load(),
        handed_over(all)
    );
    println!(
        "| workload | M cell-hops/s by threads | gain over one thread | copies |\n|---|---|---|---|"
    );
    for workload in chosen {
        let spec = workload.network(workload.full_size * LONGER / divide);
        let mut nanos = vec![Vec::new(); counts.len()];
        let mut copies_nanos = vec![Vec::new(); counts.len()];
        let _loops = Busy::new(busy);
        for _ in 0..rounds {
            for (nanos, threads) in nanos.iter_mut().zip(&counts) {
                nanos.push(timed(engine(&spec, *threads), &spec).0);
            }
            for (nanos, count) in copies_nanos.iter_mut().zip(&counts).skip(1) {
                nanos.push(copies(&spec, *count));
            }
        }
        let gain = |other: &Vec<f64>| {
            median(nanos[0].iter().zip(other).map(|(alone, other)| alone / other).collect())
        };
        let tell = |of: &[Vec<f64>], tell: &dyn Fn(&Vec<f64>) -> f64, from: usize| {
            let pairs = counts.iter().zip(of).skip(from);
            let texts = pairs.map(|(threads, nanos)| format!("{threads}: {:.2}", tell(nanos)));
            texts.collect::<Vec<_>>().join(", ")
        };
        let speeds = tell(&nanos, &|nanos| 1e3 / median(nanos.clone()), 0);
        let (gains, copies) = (tell(&nanos, &gain, 1), tell(&copies_nanos, &gain, 1));
        println!("| {} | {speeds} | {gains} | {copies} |", workload.name);
    }
    println!("\nLoad average after: {}; a word: {:.0} ns.", load(), handed_over(all));
}

fn engine(spec: &NetworkSpec, threads: usize) -> WindowedEngine {
    WindowedEngine::new(spec, TraceFilter::none(), threads)
}

/// Nanoseconds per cell-hop of `count` engines of one thread each that run at once.
fn copies(spec: &NetworkSpec, count: usize) -> f64 {
    let (start, hops) = (Barrier::new(count + 1), AtomicUsize::new(0));
    let begun = std::thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(|| {
                let engine = engine(spec, 1);
                start.wait();
                let run = timed(engine, spec);
                hops.fetch_add(run.1 as usize, Ordering::Relaxed);
            });
        }
        start.wait();
        Instant::now()
    });
    begun.elapsed().as_secs_f64() * 1e9 / hops.into_inner().max(1) as f64
}

/// Nanoseconds to pass a word from one thread to the next, `threads` in a circle; 0 for one thread.
fn handed_over(threads: usize) -> f64 {
    const HANDED: usize = 20_000;
    if threads < 2 {
        return 0.0;
    }
    let (word, begun) = (AtomicUsize::new(0), Instant::now());
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let word = &word;
            scope.spawn(move || {
                let mut patience = 0;
                for value in (thread..HANDED).step_by(threads) {
                    while word.load(Ordering::Acquire) != value {
                        patience += 1;
                        // Beside other load, the next thread may have no core.
                        if patience % 10_000 == 0 {
                            std::thread::yield_now();
                        }
                        std::hint::spin_loop();
                    }
                    word.store(value + 1, Ordering::Release);
                }
            });
        }
    });
    begun.elapsed().as_secs_f64() * 1e9 / HANDED as f64
}

/// The load average of the last minute, if the system reports it (Linux).
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}
