//! Threads that run chunks of nodes: each chunk once in every window, by whoever is free.
//!
//! ```text
//! stretch   |--- windows, all threads ---|--- windows, one thread ---|      chosen by pace.rs
//! window    a thread claims its own chunks first, then what others have not come to; the one
//!           that finishes the last chunk opens the next window
//! ```
//! The claim of a chunk is the number of the window it was last run in, so that a late thread can
//! never run a chunk twice. Who waits for a window spins a little, then lets others have the core,
//! then sleeps for moments: nobody waits for a thread that has no chunk. A unit for a node in
//! another chunk rings a bell there; it is never due in the window in which it was sent, which is
//! asserted.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::group::Group;
use super::pace::{Governor, Pace, Stretch};
use super::{Sent, WindowNode};
use crate::Bells;

/// Some of the nodes, always run by one thread at a time.
#[derive(Debug)]
struct Chunk<N> {
    group: Group<N>,
    /// What nodes elsewhere get.
    sent: Sent,
    /// Units that nodes here took in.
    units: u64,
}

/// All nodes.
#[derive(Debug)]
struct Chunks<N> {
    all: Vec<Mutex<Chunk<N>>>,
    /// By place: nodes that get something from another chunk.
    bells: Bells,
    lookahead: u64,
}

fn locked<N>(chunk: &Mutex<Chunk<N>>) -> MutexGuard<'_, Chunk<N>> {
    // A panic ends the run anyway, see `Team::share`.
    chunk.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<N: WindowNode> Chunks<N> {
    /// Runs a chunk for a window. Returns the earliest instant at which anything is known to happen
    /// after it.
    fn run(&self, index: usize, start: u64, end: u64) -> u64 {
        let chunk = &mut *locked(&self.all[index]);
        let (first, behind) = chunk.group.places();
        let group = &mut chunk.group;
        self.bells.take(first as usize, behind as usize, |place| group.expect(place as u32, start));
        let next = group.run(end, &mut chunk.sent);
        chunk.units += next.units;
        let mut earliest = next.own.0;
        for (place, due) in chunk.sent.arrivals.drain(..) {
            assert!(due >= end, "a unit is due in the window in which it was sent");
            self.bells.ring(place as usize);
            earliest = earliest.min(due);
        }
        earliest
    }

    /// Units that all nodes took in.
    fn units(&self) -> u64 {
        self.all.iter().map(|chunk| locked(chunk).units).sum()
    }
}

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
        let count = chunks.all.len();
        let window_end = start.saturating_add(chunks.lookahead).min(end);
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
        let end = start.saturating_add(self.chunks.lookahead).min(self.end);
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
    chunks: Arc<Chunks<N>>,
    threads: usize,
    helpers: Vec<Helper<N>>,
    pace: Pace,
    governor: Option<Governor>,
    /// Stretches so far.
    stretches: usize,
    /// Nothing happens before this instant.
    next: u64,
}

impl<N: WindowNode> Team<N> {
    /// A team of up to `threads` threads, one chunk for each group.
    pub(super) fn new(
        groups: Vec<Group<N>>,
        sent: &Sent,
        lookahead: u64,
        threads: usize,
    ) -> Team<N> {
        let places = groups.last().map_or(0, |group| group.places().1) as usize;
        let bells = Bells::new(places);
        let chunk = |group| Mutex::new(Chunk { group, sent: sent.clone(), units: 0 });
        let all = groups.into_iter().map(chunk).collect();
        let governor = (threads > 1).then(|| Governor::new(threads));
        let chunks = Arc::new(Chunks { all, bells, lookahead });
        let pace = Pace::default();
        Team { chunks, threads, helpers: Vec::new(), pace, governor, stretches: 0, next: 0 }
    }

    pub(super) fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
    }

    /// Runs everything before `end`.
    pub(super) fn run_until(&mut self, end: u64) {
        while self.next < end {
            let Some(governor) = &self.governor else {
                self.run_windows(end, |_| true);
                return;
            };
            self.stretches += 1;
            let all = Stretch { threads: self.threads, time: Duration::from_secs(1) };
            match self.pace {
                Pace::Measured => self.measured(governor.next(), end),
                Pace::All => self.share(all, end, u64::MAX),
                Pace::Changing => {
                    let threads = 1 + self.stretches % self.threads;
                    self.share(Stretch { threads, ..all }, end, 3);
                }
            }
        }
    }

    /// A stretch as the governor wants it.
    fn measured(&mut self, stretch: Stretch, end: u64) {
        let (before, begun) = (self.chunks.units(), Instant::now());
        if stretch.threads > 1 {
            self.share(stretch, end, u64::MAX);
        } else {
            // Asking for the time takes as long as a short window.
            self.run_windows(end, |window| window % 16 != 0 || begun.elapsed() < stretch.time);
        }
        let units = self.chunks.units() - before;
        if let Some(governor) = &mut self.governor {
            governor.note(units, begun.elapsed());
        }
    }

    /// Runs windows on this thread as long as `more` says so.
    fn run_windows(&mut self, end: u64, mut more: impl FnMut(u64) -> bool) {
        let (chunks, mut window) = (&*self.chunks, 0);
        while self.next < end && more(window) {
            let window_end = self.next.saturating_add(chunks.lookahead).min(end);
            let run = |index| chunks.run(index, self.next, window_end);
            let earliest = (0..chunks.all.len()).map(run).min().unwrap_or(u64::MAX);
            self.next = earliest.max(window_end);
            window += 1;
        }
    }

    /// Runs a stretch on several threads.
    fn share(&mut self, stretch: Stretch, end: u64, most: u64) {
        while self.helpers.len() + 1 < stretch.threads {
            self.helpers.push(Helper::new(self.helpers.len() + 1));
        }
        let share = Arc::new(Share::new(self.chunks.clone(), (self.next, end), stretch, most));
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

impl<N> Team<N> {
    /// Shows all nodes, by place.
    pub(super) fn with_nodes(&self, look: impl FnOnce(Vec<&N>)) {
        let chunks: Vec<_> = self.chunks.all.iter().map(locked).collect();
        let mut nodes = Vec::new();
        for chunk in &chunks {
            chunk.group.collect(&mut nodes);
        }
        look(nodes);
    }

    /// Shows all nodes, by place.
    pub(super) fn with_nodes_mut(&mut self, look: impl FnOnce(Vec<&mut N>)) {
        let mut chunks: Vec<_> = self.chunks.all.iter().map(locked).collect();
        let mut nodes = Vec::new();
        for chunk in &mut chunks {
            chunk.group.collect_mut(&mut nodes);
        }
        look(nodes);
    }
}
