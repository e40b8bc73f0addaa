//! All nodes, and the threads that run them: stretches on one thread and on several.
//!
//! ```text
//! stretch   |--- windows, all threads ---|--- windows, one thread ---|      chosen by pace.rs
//! ```
//! One thread has a layout of its own: nodes are rearranged between stretches on one thread and on
//! several. Before that all of them are run up to the same instant.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::chunks::Chunks;
use super::pace::{Governor, Pace, Stretch};
use super::share::{Limits, Share};
use super::{WindowNode, WindowPlan};

/// The report of a worker: that it is done, or how it panicked.
type Done = Result<(), Box<dyn Any + Send>>;

/// A thread that waits for stretches to run.
#[derive(Debug)]
struct Worker<N> {
    /// `None` when it shall stop.
    jobs: Option<Sender<Arc<Share<N>>>>,
    done: Receiver<Done>,
    thread: Option<JoinHandle<()>>,
}

impl<N: WindowNode> Worker<N> {
    /// `None` if the system refuses another thread.
    fn new(number: usize) -> Option<Worker<N>> {
        let (jobs, inbox) = channel::<Arc<Share<N>>>();
        let (tell, done) = channel();
        let work = move || {
            for share in inbox {
                let done = catch_unwind(AssertUnwindSafe(|| share.work(number)));
                drop(share);
                if tell.send(done).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name(format!("windows {number}")).spawn(work);
        Some(Worker { jobs: Some(jobs), done, thread: Some(thread.ok()?) })
    }
}

impl<N> Drop for Worker<N> {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // The pool has already received its panic.
            let _ = thread.join();
        }
    }
}

/// All nodes, and the threads that run them.
#[derive(Debug)]
pub(super) struct WorkerPool<N> {
    plan: WindowPlan,
    /// `None` only while nodes are rearranged.
    chunks: Option<Arc<Chunks<N>>>,
    /// Whether they are arranged for several threads.
    is_shared: bool,
    workers: Vec<Worker<N>>,
    pace: Pace,
    /// Present if several threads can be busy.
    governor: Option<Governor>,
    /// Stretches so far.
    stretches: usize,
    /// Nothing happens before this instant.
    next: u64,
    /// How far some chunks are ahead of it, those that lag least; 0 if all are at the same instant.
    ahead: u64,
    /// The number of windows of the last epoch.
    windows: u64,
}

impl<N: WindowNode> WorkerPool<N> {
    /// A pool for the windows of `plan`.
    pub(super) fn new(nodes: Vec<N>, plan: WindowPlan) -> WorkerPool<N> {
        WorkerPool {
            chunks: Some(Arc::new(Chunks::new(&plan.alone, nodes, 0))),
            governor: Governor::new(plan.threads()),
            plan,
            is_shared: false,
            workers: Vec::new(),
            pace: Pace::default(),
            stretches: 0,
            next: 0,
            ahead: 0,
            windows: 1,
        }
    }

    pub(super) const fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
    }

    pub(super) fn chunks(&self) -> &Arc<Chunks<N>> {
        self.chunks.as_ref().expect("nodes are together between two calls")
    }

    /// Runs everything before `end`.
    pub(super) fn run_until(&mut self, end: u64) {
        while self.next < end {
            let Some(governor) = &self.governor else {
                self.alone(end, |_| true);
                continue;
            };
            self.stretches += 1;
            let threads = governor.threads();
            let most = |windows| Limits { end, windows, time: Duration::from_secs(1) };
            match self.pace {
                Pace::Measured => self.measured(governor.next(), end),
                Pace::All => self.share(threads, &most(u64::MAX)),
                Pace::Changing if self.stretches.is_multiple_of(threads + 1) => {
                    self.alone(end, |window| window < 3);
                }
                Pace::Changing => self.share(1 + self.stretches % threads, &most(3)),
            }
        }
    }

    /// Runs a stretch as requested by the governor.
    fn measured(&mut self, stretch: Stretch, end: u64) {
        let (before, begun) = (self.chunks().units(), Instant::now());
        if stretch.threads > 1 {
            self.share(stretch.threads, &Limits { end, windows: u64::MAX, time: stretch.time });
        } else {
            // Reading the time takes as long as a short window.
            let asks = |window: u64| window.is_power_of_two() || window.is_multiple_of(16);
            self.alone(end, |window| !asks(window) || begun.elapsed() < stretch.time);
        }
        let units = self.chunks().units() - before;
        if let Some(governor) = &mut self.governor {
            governor.note(units, begun.elapsed());
        }
    }

    /// Arranges nodes for one thread, or for several. Nothing may be run past `end` before.
    fn arrange(&mut self, is_shared: bool, end: u64) {
        if self.is_shared == is_shared {
            return;
        }
        if is_shared {
            self.next = self.chunks().align();
        } else if self.ahead > 0 {
            let end = end.min(self.next + self.ahead);
            let limits = Limits { end, windows: 1, time: Duration::MAX };
            self.run(self.workers.len() + 1, Share::level, &limits);
        }
        self.is_shared = is_shared;
        let chunks = self.chunks.take().expect("nodes are together between two calls");
        let chunks = Arc::into_inner(chunks).expect("workers release chunks before they report");
        let layout = self.plan.shared.as_ref().filter(|_| is_shared).unwrap_or(&self.plan.alone);
        self.chunks = Some(Arc::new(chunks.arranged(layout, self.next)));
    }

    /// Runs windows on this thread until `more`, called with the number of windows so far, returns
    /// false.
    fn alone(&mut self, end: u64, more: impl FnMut(u64) -> bool) {
        self.arrange(false, end);
        if self.next < end {
            // Nothing is due before the next instant.
            self.next = self.chunks().run_alone(end, more);
        }
    }

    /// Runs a stretch on several threads.
    fn share(&mut self, threads: usize, limits: &Limits) {
        self.arrange(true, limits.end);
        if self.next < limits.end {
            self.run(threads, |share| share, limits);
        }
    }

    /// Runs windows on this number of threads, or as many as there are.
    fn run(&mut self, threads: usize, change: fn(Share<N>) -> Share<N>, limits: &Limits) {
        let workers = self.start_workers(threads - 1);
        let layout = self.plan.shared.as_ref().expect("several threads have a layout");
        let (start, windows) = (self.next + self.ahead, self.windows.min(limits.windows));
        let share = Share::new(self.chunks().clone(), layout, workers + 1, start, windows, limits);
        let share = Arc::new(change(share));
        let workers = &self.workers[..workers];
        for worker in workers {
            let jobs = worker.jobs.as_ref().expect("workers stay as long as their pool");
            jobs.send(share.clone()).expect("workers stay as long as their pool");
        }
        let own = catch_unwind(AssertUnwindSafe(|| share.work(0)));
        let others = workers
            .iter()
            .map(|worker| worker.done.recv().expect("a worker reports when it is done"));
        // Waits for all of them.
        let results: Vec<Done> = std::iter::once(own).chain(others).collect();
        if let Some(panic) = results.into_iter().find_map(Result::err) {
            resume_unwind(panic);
        }
        (self.next, self.ahead) = share.outcome();
        self.windows = share.windows_at_once();
    }

    /// Starts workers up to this number, or as many as the system allows; returns their number.
    fn start_workers(&mut self, workers: usize) -> usize {
        while self.workers.len() < workers {
            let Some(worker) = Worker::new(self.workers.len() + 1) else {
                self.governor = Governor::new(self.workers.len() + 1);
                break;
            };
            self.workers.push(worker);
        }
        workers.min(self.workers.len())
    }
}
