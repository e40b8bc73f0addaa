//! Threads that run chunks of nodes: each chunk once in every window, by whoever is free.
//!
//! ```text
//! stretch   |--- windows, all threads ---|--- windows, one thread ---|      chosen by pace.rs
//! window    a thread claims its own chunks first, then what others have not come to; the one
//!           that finishes the last chunk opens the next window
//! ```
//! The claim of a chunk is the number of the window it was last run in, so that a late thread can
//! never run a chunk twice. Who waits for a window spins a little, then lets others have the core,
//! then sleeps for moments: nobody waits for a thread that has no chunk.
//!
//! One thread has a layout of its own, with longer windows: nodes are put together anew when
//! stretches on one thread and on several follow each other.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::chunks::Chunks;
use super::pace::{Governor, Pace, Stretch};
use super::{WindowNode, WindowPlan};

/// A stretch of windows on several threads.
#[derive(Debug)]
struct Share<N> {
    chunks: Arc<Chunks<N>>,
    threads: usize,
    /// Number of the window from 1, or [`CLOSED`].
    window: AtomicU64,
    start: AtomicU64,
    window_end: AtomicU64,
    /// By chunk, the window it was last claimed in.
    claims: Vec<AtomicU64>,
    finished: AtomicUsize,
    earliest: AtomicU64,
    /// Not past this instant.
    end: u64,
    /// Not much longer than so long, and so many windows.
    deadline: Instant,
    most: u64,
}

/// The number of a window that tells everyone to go home.
const CLOSED: u64 = u64::MAX;

impl<N: WindowNode> Share<N> {
    fn new(chunks: Arc<Chunks<N>>, (start, end): (u64, u64), stretch: Stretch, most: u64) -> Self {
        let count = chunks.count();
        let window_end = start.saturating_add(chunks.lookahead()).min(end);
        Share {
            chunks,
            threads: stretch.threads,
            window: AtomicU64::new(1),
            start: AtomicU64::new(start),
            window_end: AtomicU64::new(window_end),
            claims: (0..count).map(|_| AtomicU64::new(0)).collect(),
            finished: AtomicUsize::new(0),
            earliest: AtomicU64::new(u64::MAX),
            end,
            deadline: Instant::now() + stretch.time,
            most,
        }
    }

    /// What one thread does.
    fn work(&self, thread: usize) {
        let (mut patience, mut seen) = (0, 0);
        loop {
            let window = self.window.load(Ordering::Acquire);
            if window == CLOSED {
                return;
            }
            if window == seen {
                wait(&mut patience);
                continue;
            }
            (patience, seen) = (0, window);
            self.run_window(thread, window);
        }
    }

    /// Runs the chunks that nobody else has run in this window, own ones first.
    fn run_window(&self, thread: usize, window: u64) {
        // Both belong to this window as long as one of its chunks can be claimed.
        let start = self.start.load(Ordering::Acquire);
        let end = self.window_end.load(Ordering::Acquire);
        let count = self.claims.len();
        let own = thread * count / self.threads;
        for index in (own..count).chain(0..own) {
            let claim = &self.claims[index];
            if claim.load(Ordering::Relaxed) == window {
                continue;
            }
            let claimed =
                claim.compare_exchange(window - 1, window, Ordering::AcqRel, Ordering::Relaxed);
            if claimed.is_err() {
                continue;
            }
            let closing = Closing(&self.window);
            let earliest = self.chunks.run(index, start, end);
            std::mem::forget(closing);
            self.earliest.fetch_min(earliest, Ordering::AcqRel);
            if self.finished.fetch_add(1, Ordering::AcqRel) + 1 == count {
                self.open_next(window, end);
                return;
            }
        }
    }

    /// Opens the next window, or closes. Called by one thread only.
    fn open_next(&self, window: u64, window_end: u64) {
        let start = self.earliest.load(Ordering::Acquire).max(window_end);
        self.start.store(start, Ordering::Release);
        if start >= self.end || window == self.most || Instant::now() >= self.deadline {
            self.window.store(CLOSED, Ordering::Release);
            return;
        }
        self.earliest.store(u64::MAX, Ordering::Release);
        self.finished.store(0, Ordering::Release);
        let end = start.saturating_add(self.chunks.lookahead()).min(self.end);
        self.window_end.store(end, Ordering::Release);
        self.window.store(window + 1, Ordering::Release);
    }
}

/// Sends all threads home if a node panics, so that the panic is seen instead of a hang.
struct Closing<'a>(&'a AtomicU64);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.store(CLOSED, Ordering::Release);
    }
}

/// Spins a little, then lets others have the core, then sleeps for moments.
fn wait(patience: &mut u32) {
    const SPINS: u32 = 1_000;
    const YIELDS: u32 = 20;
    *patience += 1;
    if *patience < SPINS {
        std::hint::spin_loop();
    } else if *patience < SPINS + YIELDS {
        std::thread::yield_now();
    } else {
        std::thread::sleep(Duration::from_micros(20));
    }
}

/// What a helper tells: that it is done, or how it panicked.
type Done = Result<(), Box<dyn Any + Send>>;

/// A thread that waits for stretches to help with.
#[derive(Debug)]
struct Helper<N> {
    /// `None` when it is to go home.
    jobs: Option<Sender<Arc<Share<N>>>>,
    done: Receiver<Done>,
    thread: Option<JoinHandle<()>>,
}

impl<N: WindowNode> Helper<N> {
    fn new(number: usize) -> Helper<N> {
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
        let thread = Some(thread.expect("the system lets a program have a few threads"));
        Helper { jobs: Some(jobs), done, thread }
    }
}

impl<N> Drop for Helper<N> {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // Its panic was told to the team already.
            let _ = thread.join();
        }
    }
}

/// All nodes, and the threads that run them.
#[derive(Debug)]
pub(super) struct Team<N> {
    plan: WindowPlan,
    /// `None` only while nodes are put together anew.
    chunks: Option<Arc<Chunks<N>>>,
    /// Whether they are put together for several threads.
    is_shared: bool,
    helpers: Vec<Helper<N>>,
    pace: Pace,
    /// Where several threads have something to do.
    governor: Option<Governor>,
    /// Stretches so far.
    stretches: usize,
    /// Nothing happens before this instant.
    next: u64,
}

impl<N: WindowNode> Team<N> {
    /// A team for the windows of `plan`.
    pub(super) fn new(nodes: Vec<N>, plan: WindowPlan) -> Team<N> {
        let governor = (plan.threads() > 1).then(|| Governor::new(plan.threads()));
        Team {
            chunks: Some(Arc::new(Chunks::new(&plan.alone, nodes, 0))),
            plan,
            is_shared: false,
            helpers: Vec::new(),
            pace: Pace::default(),
            governor,
            stretches: 0,
            next: 0,
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
                self.next = self.chunks().run_alone(end, |_| true).max(end);
                return;
            };
            self.stretches += 1;
            let threads = self.plan.threads();
            let all = Stretch { threads, time: Duration::from_secs(1) };
            match self.pace {
                Pace::Measured => self.measured(governor.next(), end),
                Pace::All => self.share(all, end, u64::MAX),
                Pace::Changing if self.stretches.is_multiple_of(threads + 1) => {
                    self.alone(end, |window| window < 3);
                }
                Pace::Changing => {
                    let threads = 1 + self.stretches % threads;
                    self.share(Stretch { threads, ..all }, end, 3);
                }
            }
        }
    }

    /// A stretch as the governor wants it.
    fn measured(&mut self, stretch: Stretch, end: u64) {
        let (before, begun) = (self.chunks().units(), Instant::now());
        if stretch.threads > 1 {
            self.share(stretch, end, u64::MAX);
        } else {
            // Asking for the time takes as long as a short window.
            let asks = |window: u64| window.is_power_of_two() || window.is_multiple_of(16);
            self.alone(end, |window| !asks(window) || begun.elapsed() < stretch.time);
        }
        let units = self.chunks().units() - before;
        if let Some(governor) = &mut self.governor {
            governor.note(units, begun.elapsed());
        }
    }

    /// Puts nodes together for one thread, or for several.
    fn arrange(&mut self, is_shared: bool) {
        if self.is_shared == is_shared {
            return;
        }
        self.is_shared = is_shared;
        if is_shared {
            self.next = self.chunks().align();
        }
        let chunks = self.chunks.take().expect("nodes are together between two calls");
        let chunks = Arc::into_inner(chunks).expect("helpers let go before they are done");
        let layout = self.plan.shared.as_ref().filter(|_| is_shared).unwrap_or(&self.plan.alone);
        self.chunks = Some(Arc::new(chunks.arranged(layout, self.next)));
    }

    /// Runs windows on this thread as long as `more` says so, given their number so far.
    fn alone(&mut self, end: u64, more: impl FnMut(u64) -> bool) {
        self.arrange(false);
        // Nothing is due before what is due next.
        self.next = self.chunks().run_alone(end, more);
    }

    /// Runs a stretch on several threads.
    fn share(&mut self, stretch: Stretch, end: u64, most: u64) {
        self.arrange(true);
        if self.next >= end {
            return;
        }
        while self.helpers.len() + 1 < stretch.threads {
            self.helpers.push(Helper::new(self.helpers.len() + 1));
        }
        let share = Arc::new(Share::new(self.chunks().clone(), (self.next, end), stretch, most));
        let helpers = &self.helpers[..stretch.threads - 1];
        for helper in helpers {
            let jobs = helper.jobs.as_ref().expect("helpers stay as long as their team");
            jobs.send(share.clone()).expect("helpers stay as long as their team");
        }
        let own = catch_unwind(AssertUnwindSafe(|| share.work(0)));
        let others = helpers
            .iter()
            .map(|helper| helper.done.recv().expect("helpers tell when they are done"));
        // All of them are waited for.
        let results: Vec<Done> = std::iter::once(own).chain(others).collect();
        if let Some(panic) = results.into_iter().find_map(Result::err) {
            resume_unwind(panic);
        }
        self.next = share.start.load(Ordering::Acquire);
    }
}
