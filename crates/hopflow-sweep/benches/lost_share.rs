//! The cost of a sweep without its runs: 10,000 points of about 5 ms each, on all cores.
//!
//! ```text
//! lost = 1 - runs' CPU time / (wall time x threads)                                      (1)
//! lost = 1 - runs' CPU time / (CPU time of the sweep + waits for the store)              (2)
//! ```
//! (1) is for an otherwise idle machine, (2) for any. The CPU time of a run is that of
//! `hopflow::run` alone, on a scenario that was read before, mean over a sample of the points.
//! Waits are the times for which threads wait while another has the store. Linux only, because its
//! kernel reports the CPU time of a thread.
//!
//! `cargo bench -p hopflow-sweep --bench lost_share -- [POINTS] [DURATION]`

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use hopflow::record::RecordSpec;
use hopflow::{RunOptions, run};
use hopflow_scenario::{AS_IS, ScenarioFile};
use hopflow_sweep::{
    Executor, Job, Jobs, Local, Plan, Request, Row, Store, StoreOptions, SweepError, sweep,
};

const SCENARIO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/figure-14.toml");
/// The number of points whose runs are executed alone.
const SAMPLE: u64 = 200;

/// Adds up the CPU times of threads, and their waits for the store.
struct Metered {
    local: Local,
    cpu_ns: AtomicU64,
    waits_ns: AtomicU64,
}

struct Meter<'a> {
    jobs: &'a dyn Jobs,
    of: &'a Metered,
}

impl Meter<'_> {
    /// The time of a call in which this thread did not work.
    fn waits<T>(&self, call: impl FnOnce() -> T) -> T {
        let (start, cpu) = (Instant::now(), thread_ns());
        let result = call();
        let worked = thread_ns() - cpu;
        let took = start.elapsed().as_nanos() as u64;
        self.of.waits_ns.fetch_add(took.saturating_sub(worked), Ordering::Relaxed);
        result
    }
}

impl Jobs for Meter<'_> {
    fn next(&self) -> Option<Job> {
        let job = self.waits(|| self.jobs.next());
        if job.is_none() {
            // The thread ends: all of its CPU time.
            self.of.cpu_ns.fetch_add(thread_ns(), Ordering::Relaxed);
        }
        job
    }

    fn end(&self, job: &Job, row: Option<Row>) {
        self.waits(|| self.jobs.end(job, row));
    }
}

impl Executor for Metered {
    fn execute(
        &self,
        plan: &Plan,
        jobs: &dyn Jobs,
        cancel: &Arc<AtomicBool>,
    ) -> Result<(), SweepError> {
        self.local.execute(plan, &Meter { jobs, of: self }, cancel)
    }
}

/// CPU time of this thread, in ns.
fn thread_ns() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

fn main() {
    // `cargo bench` adds a word of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let points: u64 = words.first().map_or(10_000, |word| word.parse().expect("points"));
    let duration = words.get(1).map_or("14 ms", String::as_str);
    let side = points.isqrt();
    let settings = vec![format!("duration={duration}")];
    let file = ScenarioFile::load(SCENARIO.as_ref()).expect("the example is there");
    let plan = Plan::new(Request {
        file: file.with_settings(&settings).expect("a duration"),
        settings,
        control: AS_IS.to_owned(),
        axes: ["VC1", "VC2"].map(|vc| format!("flow.{vc}.weight=1..{side}/{side}")).into(),
        sweep_seed: 1,
        seeds: 1,
        until: None,
        measures: Vec::new(),
        series: Vec::new(),
    });
    let plan = plan.expect("a plan");
    let points = side * side;
    let mut alone = 0;
    for sample in 0..SAMPLE {
        let mut scenario = plan.point(sample * points / SAMPLE).expect("a scenario");
        scenario.record = RecordSpec::default();
        let before = thread_ns();
        run(&scenario, &RunOptions { describe: false, ..RunOptions::default() }).expect("it runs");
        alone += thread_ns() - before;
    }
    let alone = alone as f64 / SAMPLE as f64;
    let folder = std::env::temp_dir().join(format!("lost-share-{}", std::process::id()));
    let store = Store::open(&folder, plan.shape(), StoreOptions::default()).expect("a folder");
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let local = Local { threads };
    let metered = Metered { local, cpu_ns: AtomicU64::new(0), waits_ns: AtomicU64::new(0) };
    let (start, before) = (Instant::now(), thread_ns());
    sweep(&plan, store, &metered, &Arc::default(), None).expect("it is stored");
    let wall = start.elapsed().as_nanos() as f64;
    let own = (thread_ns() - before) as f64;
    std::fs::remove_dir_all(&folder).expect("it is ours");
    let of = |sum: &AtomicU64| sum.load(Ordering::Relaxed) as f64;
    let (cpu, waits) = (of(&metered.cpu_ns) + own, of(&metered.waits_ns));
    let runs = alone * points as f64;
    println!("{points} runs of {:.2} ms on {threads} threads", alone / 1e6);
    println!("wall {:.2} s, CPU {:.2} s, waits {:.2} s", wall / 1e9, cpu / 1e9, waits / 1e9);
    println!("(1) lost {:.1} %", 100.0 * (1.0 - runs / (wall * threads.get() as f64)));
    println!("(2) lost {:.1} %", 100.0 * (1.0 - runs / (cpu + waits)));
}
