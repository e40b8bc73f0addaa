//! Several threads that run chunks of nodes: each chunk once in every window, by any free thread.
//!
//! ```text
//! key of a chunk = the instant up to which it was run + its lag
//! window r of an epoch:   start + (r - 1) W  ->  start + r W                                (1)
//! ```
//! No chunk waits for all others at the end of a window. A chunk checks its *neighbors* only, those
//! that it sends to or receives from. It may run window r when
//! ```text
//! a neighbor that lags more has run window r                                               (2)
//! any other neighbor has run window r - 1                                                  (3)
//! ```
//! Then it knows all that is due in the window. Units that a neighbor of Eq. (3) sends in window r
//! start at the key start + (r - 1) W or later, and are due a window later in keys: links between
//! chunks of one kind take at least W, and those to chunks that lag by d take at least W - d. Units
//! that a neighbor of Eq. (2), which lags by d, has not sent yet start d before the end of window r
//! or later, and a link from there takes at least d (`plan/skew.rs`). Eqs. (2) and (3) also hold
//! senders back, so that no link holds more than the plan allows. Which thread runs a chunk, and
//! when, cannot influence results.
//!
//! A thread runs its own chunks, which stay in the caches of its core, and others only after it has
//! waited for a while. Chunks of a kind are assigned to threads by the time that they took so far.
//! The window count of a chunk is also its claim: it is odd while the chunk runs, so that a late
//! thread can never run a window twice.
//!
//! After a number of windows, an *epoch*, all threads synchronize: the last one determines the
//! first instant at which something happens, the time and the work done, and opens the next epoch
//! there.

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
    /// For each thread, its own chunks.
    own: Vec<Vec<usize>>,
    /// W, in ps.
    window: u64,
    /// No window passes this instant.
    end: u64,
    /// The most windows in all.
    most: u64,
    /// No epoch begins after this time.
    time: Duration,
    epoch: Epoch,
    /// The number of chunks that have finished the epoch.
    done: AtomicUsize,
    /// Known only to the thread that opens an epoch: when, and of how many windows.
    opened: [AtomicU64; 2],
    begun: Instant,
}

/// The state of a chunk that a thread reads without holding it. In cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Slot {
    /// Twice the number of windows run; odd while one is run.
    windows: AtomicU64,
    /// Neighbors, and how many windows they may be behind: 0 or 1, Eqs. (2) and (3).
    neighbors: Vec<(u32, u64)>,
    lag: u64,
}

/// The windows until the next synchronization. While a window up to `last` can be claimed, a thread
/// that reads `last` also reads the values of the other fields that belong to it.
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

/// The window number that tells all threads to stop.
const CLOSED: u64 = u64::MAX;
/// The intended duration of an epoch.
const EPOCH: Duration = Duration::from_millis(1);
const MOST_WINDOWS: u64 = 64;
/// How long a thread waits for its own chunks before it runs one of another.
const WAIT_FOR_OWN: Duration = Duration::from_micros(40);
/// How long it spins before it yields the core.
const SPINNING: Duration = Duration::from_micros(150);
/// How long it then sleeps at a time.
const SLEEP: Duration = Duration::from_micros(20);

/// The limits of a stretch of windows.
pub(super) struct Limits {
    /// No window passes this instant.
    pub(super) end: u64,
    /// The number of windows.
    pub(super) windows: u64,
    /// The approximate duration.
    pub(super) time: Duration,
}

impl<N: WindowNode> Share<N> {
    /// Nothing happens before the key `start`. The first epoch has this number of windows.
    pub(super) fn new(
        chunks: Arc<Chunks<N>>,
        layout: &Layout,
        threads: usize,
        start: u64,
        windows: u64,
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

    /// Removes all lags: every chunk runs up to the end.
    pub(super) fn level(mut self) -> Share<N> {
        self.slots.iter_mut().for_each(|slot| slot.lag = 0);
        self
    }

    /// The progress of the chunks: nothing happens before the first instant; the second is how far
    /// some chunks are ahead of it, 0 if all are at the same instant.
    pub(super) fn outcome(&self) -> (u64, u64) {
        let start = self.epoch.start.load(Ordering::Acquire);
        if start < self.end_key() {
            let lag = self.longest_lag();
            return (start.saturating_sub(lag), lag);
        }
        let next = |index| self.chunks.next(index);
        ((0..self.slots.len()).map(next).fold(u64::MAX, u64::min), 0)
    }

    /// The number of windows of the last epoch.
    pub(super) fn windows_at_once(&self) -> u64 {
        self.opened[1].load(Ordering::Acquire)
    }

    /// The work of one thread.
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
            if waited < WAIT_FOR_OWN {
                std::hint::spin_loop();
            } else if (0..self.slots.len()).any(|index| self.try_run(index, last)) {
                waiting = None;
            } else if waited < SPINNING {
                std::hint::spin_loop();
            } else {
                std::thread::sleep(SLEEP);
            }
        }
    }

    /// Runs the next window of a chunk, if it can be run and no other thread runs it.
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

    /// The key this number of windows after `start`.
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

    /// When all chunks have reached this key, none has anything to do before the end.
    fn end_key(&self) -> u64 {
        self.end.saturating_add(self.longest_lag())
    }

    fn longest_lag(&self) -> u64 {
        self.slots.iter().map(|slot| slot.lag).max().unwrap_or(0)
    }

    /// The number of windows of the next epoch: more if the last one was short, fewer if it was
    /// long or idle.
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

/// For each thread, its own chunks: of each kind about the same time.
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

/// Stops all threads if a node panics, so that the panic is seen instead of a hang.
struct Closing<'a>(&'a AtomicU64);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.store(CLOSED, Ordering::Release);
    }
}
