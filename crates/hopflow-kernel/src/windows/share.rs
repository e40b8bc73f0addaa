//! Several threads that run chunks of nodes: each chunk once in every window, by whoever is free.
//!
//! ```text
//! key of a chunk = the instant up to which it was run + its lag
//! window r of an epoch:   start + (r - 1) W  ->  start + r W                                (1)
//! ```
//! Nobody waits for all others at the end of a window. A chunk looks at its *neighbors* only, those
//! that it sends to or gets something from. It may run window r when
//! ```text
//! a neighbor that lags more has run window r                                               (2)
//! any other neighbor has run window r - 1                                                  (3)
//! ```
//! Then it knows all that is due in the window. What a neighbor of Eq. (3) sends in window r starts
//! at the key start + (r - 1) W or later, and is due a window later in keys: links between chunks
//! of a kind take W, and those to chunks that lag by d take at least W - d. What a neighbor of Eq.
//! (2), which lags by d, has not sent yet starts d before the end of window r or later, and a link
//! from there takes at least d (`plan/skew.rs`). Eqs. (2) and (3) hold senders back as well, so
//! that no link has more in it than the plan says. What is done by whom, and when, cannot influence
//! results.
//!
//! A thread runs its own chunks, which stay in the caches of its core, and others only after it has
//! waited for a while. Chunks of a kind are dealt to threads by the time that they took so far. The
//! count of windows of a chunk is its claim, too, odd while it is run, so that a late thread can
//! never run a window twice.
//!
//! After so many windows, an *epoch*, all meet: the last one looks for the first instant at which
//! something happens, the time and the work done, and opens the next epoch there.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::WindowNode;
use super::chunks::Chunks;
use super::plan::Layout;

/// Windows on several threads.
#[derive(Debug)]
pub(super) struct Share<N> {
    chunks: Arc<Chunks<N>>,
    slots: Vec<Slot>,
    /// By thread, its own chunks.
    own: Vec<Vec<usize>>,
    /// W, in ps.
    window: u64,
    /// Not past this instant.
    end: u64,
    /// So many windows in all.
    most: u64,
    /// Begin no epoch after so long.
    time: Duration,
    epoch: Epoch,
    /// Chunks that are done with the epoch.
    done: AtomicUsize,
    /// What only the thread knows that opens an epoch: when, and of how many windows.
    opened: [AtomicU64; 2],
    begun: Instant,
}

/// What a thread knows of a chunk without having it. In lines of the cache of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Slot {
    /// Twice the windows that were run; odd while one is run.
    windows: AtomicU64,
    /// Neighbors, and how many windows they may be behind: 0 or 1, Eqs. (2) and (3).
    neighbors: Vec<(u32, u64)>,
    lag: u64,
}

/// Windows until all meet. Who finds `last` as it is finds the others as they belong to it, as long
/// as a window up to `last` can be claimed.
#[derive(Debug)]
#[repr(align(128))]
struct Epoch {
    /// Number of its last window, or [`CLOSED`].
    last: AtomicU64,
    /// Number of the window before its first.
    before: AtomicU64,
    /// The key at which it starts.
    start: AtomicU64,
}

/// The number of a window that tells everyone to go home.
const CLOSED: u64 = u64::MAX;
/// An epoch is to take so long.
const EPOCH: Duration = Duration::from_millis(1);
const MOST_WINDOWS: u64 = 64;
/// For so long a thread waits for its own chunks before it runs one of another.
const LOYALTY: Duration = Duration::from_micros(40);
/// After so long it lets others have the core, for moments.
const SPINNING: Duration = Duration::from_micros(150);
const NAP: Duration = Duration::from_micros(20);

/// What a stretch of windows may take.
pub(super) struct Limits {
    /// Not past this instant.
    pub(super) end: u64,
    /// So many windows.
    pub(super) windows: u64,
    /// Not much more time.
    pub(super) time: Duration,
}

impl<N: WindowNode> Share<N> {
    /// Nothing happens before the key `start`. The first epoch has so many windows.
    pub(super) fn new(
        chunks: Arc<Chunks<N>>,
        layout: &Layout,
        threads: usize,
        (start, windows): (u64, u64),
        limits: &Limits,
    ) -> Share<N> {
        let slot = |(neighbors, lag): (&Vec<u32>, &u64)| {
            let behind = |chunk: &u32| (*chunk, u64::from(layout.lags[*chunk as usize] <= *lag));
            let neighbors = neighbors.iter().map(behind).collect();
            Slot { windows: AtomicU64::new(0), neighbors, lag: *lag }
        };
        let begun = Instant::now();
        Share {
            own: own(&chunks, layout, threads),
            slots: layout.neighbors.iter().zip(&layout.lags).map(slot).collect(),
            window: layout.lookahead,
            end: limits.end,
            most: limits.windows,
            time: limits.time,
            epoch: Epoch {
                last: AtomicU64::new(windows),
                before: AtomicU64::new(0),
                start: AtomicU64::new(start),
            },
            done: AtomicUsize::new(0),
            opened: [AtomicU64::new(0), AtomicU64::new(windows)],
            begun,
            chunks,
        }
    }

    /// Lets no chunk lag: all are run up to the end.
    pub(super) fn level(mut self) -> Share<N> {
        self.slots.iter_mut().for_each(|slot| slot.lag = 0);
        self
    }

    /// How far chunks have come: nothing happens before the first instant, and the second is how
    /// far some are ahead of it; 0 where all have come as far.
    pub(super) fn outcome(&self) -> (u64, u64) {
        let start = self.epoch.start.load(Ordering::Acquire);
        if start < self.end_key() {
            let lag = self.longest_lag();
            return (start.saturating_sub(lag), lag);
        }
        let next = |index| self.chunks.next(index);
        ((0..self.slots.len()).map(next).fold(u64::MAX, u64::min), 0)
    }

    /// How many windows the last epoch had.
    pub(super) fn windows_at_once(&self) -> u64 {
        self.opened[1].load(Ordering::Acquire)
    }

    /// What one thread does.
    pub(super) fn work(&self, thread: usize) {
        let own = &self.own[thread];
        let mut waiting: Option<Instant> = None;
        loop {
            let last = self.epoch.last.load(Ordering::Acquire);
            if last == CLOSED {
                return;
            }
            let mut ran = false;
            for &index in own {
                ran |= self.try_run(index, last);
            }
            if ran {
                waiting = None;
                continue;
            }
            let waited = waiting.get_or_insert_with(Instant::now).elapsed();
            if waited < LOYALTY {
                std::hint::spin_loop();
            } else if (0..self.slots.len()).any(|index| self.try_run(index, last)) {
                waiting = None;
            } else if waited < SPINNING {
                std::hint::spin_loop();
            } else {
                std::thread::sleep(NAP);
            }
        }
    }

    /// Runs the next window of a chunk, if it can be run and nobody else does.
    fn try_run(&self, index: usize, last: u64) -> bool {
        let slot = &self.slots[index];
        let ran = slot.windows.load(Ordering::Acquire);
        let window = ran / 2 + 1;
        let is_ready = |(neighbor, behind): &(u32, u64)| {
            let ran = self.slots[*neighbor as usize].windows.load(Ordering::Acquire) / 2;
            ran + behind >= window
        };
        if !ran.is_multiple_of(2) || window > last || !slot.neighbors.iter().all(is_ready) {
            return false;
        }
        let before = self.epoch.before.load(Ordering::Acquire);
        let start = self.epoch.start.load(Ordering::Acquire);
        let claimed =
            slot.windows.compare_exchange(ran, ran + 1, Ordering::AcqRel, Ordering::Relaxed);
        if claimed.is_err() {
            return false;
        }
        let closing = Closing(&self.epoch.last);
        let key = self.key(start, window - before);
        self.chunks.run(index, key.saturating_sub(slot.lag).min(self.end));
        std::mem::forget(closing);
        slot.windows.store(ran + 2, Ordering::Release);
        if window == last && self.done.fetch_add(1, Ordering::AcqRel) + 1 == self.slots.len() {
            self.open_next(last, key);
        }
        true
    }

    /// The key so many windows after `start`.
    fn key(&self, start: u64, windows: u64) -> u64 {
        start.saturating_add(self.window.saturating_mul(windows))
    }

    /// Opens the next epoch, or closes. `key`: where the last one ended.
    fn open_next(&self, last: u64, key: u64) {
        let next = |index: usize| self.chunks.next(index).saturating_add(self.slots[index].lag);
        let start = (0..self.slots.len()).map(next).fold(u64::MAX, u64::min).max(key);
        self.epoch.start.store(start, Ordering::Release);
        let now = Instant::now();
        if start >= self.end_key() || last == self.most || now - self.begun >= self.time {
            self.epoch.last.store(CLOSED, Ordering::Release);
            return;
        }
        let left = (self.end_key() - start).div_ceil(self.window).min(self.most - last);
        let windows = self.windows(now, start - key >= self.window).min(left);
        self.done.store(0, Ordering::Release);
        self.epoch.before.store(last, Ordering::Release);
        self.epoch.last.store(last + windows, Ordering::Release);
    }

    /// When all chunks have come to this key, none has anything to do before the end.
    fn end_key(&self) -> u64 {
        self.end.saturating_add(self.longest_lag())
    }

    fn longest_lag(&self) -> u64 {
        self.slots.iter().map(|slot| slot.lag).max().unwrap_or(0)
    }

    /// How many windows the next epoch has: more where the last one was short, fewer where it was
    /// long, or where time was idle.
    fn windows(&self, now: Instant, was_idle: bool) -> u64 {
        let [opened, windows] = self.opened.each_ref().map(|value| value.load(Ordering::Relaxed));
        let now = (now - self.begun).as_nanos() as u64;
        let took = Duration::from_nanos(now - opened);
        let windows = if was_idle || took > EPOCH { windows / 2 } else { windows * 2 };
        let windows = windows.clamp(1, MOST_WINDOWS);
        self.opened[0].store(now, Ordering::Relaxed);
        self.opened[1].store(windows, Ordering::Relaxed);
        windows
    }
}

/// By thread, its own chunks: of each kind about the same time.
fn own<N: WindowNode>(chunks: &Chunks<N>, layout: &Layout, threads: usize) -> Vec<Vec<usize>> {
    let mut own = vec![Vec::new(); threads];
    let all: Vec<(usize, u64)> = layout.lags.iter().copied().enumerate().collect();
    for kind in all.chunk_by(|a, b| a.1 == b.1) {
        let busy = |(index, _): &(usize, u64)| (*index, chunks.busy(*index) + 1);
        let busy: Vec<(usize, u64)> = kind.iter().map(busy).collect();
        let total: u64 = busy.iter().map(|(_, busy)| busy).sum();
        let mut before = 0;
        for (index, busy) in busy {
            own[((before + busy / 2) as usize * threads) / total as usize].push(index);
            before += busy;
        }
    }
    own
}

/// Sends all threads home if a node panics, so that the panic is seen instead of a hang.
struct Closing<'a>(&'a AtomicU64);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.store(CLOSED, Ordering::Release);
    }
}
