//! Windowed executor: runs each node alone for a whole window, on any number of threads.
//!
//! Whatever passes between two nodes takes at least the lookahead L (the least latency of any
//! link). So in a window no longer than L a node cannot be affected by what the others do in
//! that window, and the order in which nodes are run cannot matter: results do not depend on
//! the number of threads.
//! ```text
//! window k:   |----- L -----|          start(k+1) = max(end(k), earliest instant any node knows)
//! node A      run............
//! node B      run............          units written in window k are due at or after end(k)
//! ```
//! There is no global event queue. Nodes are dealt to chunks; in each window threads claim
//! chunks until none is left, and the thread that finishes the last one opens the next window.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hopflow_units::{Picos, SimTime};

/// A node as the executor sees it.
pub trait WindowNode: Send {
    /// Runs everything at this node before `end`. Returns the earliest instant, at or after
    /// `end`, at which it knows something to happen: here, or at another node because of a unit
    /// written in this call. [`SimTime::NEVER`] when it knows of nothing.
    fn run_window(&mut self, end: SimTime) -> SimTime;

    /// Roughly how much work the node is, compared with others; at least 1.
    fn weight(&self) -> u64;
}

/// Nodes and the clock of their windows.
#[derive(Debug)]
pub struct WindowExecutor<N> {
    chunks: Vec<Mutex<Vec<N>>>,
    lookahead: Picos,
    threads: usize,
    /// Everything before this instant has been run.
    now: SimTime,
    /// Nothing happens before this instant.
    next: SimTime,
}

/// Chunks per thread: enough to even out unequal nodes, few enough to claim cheaply.
const CHUNKS_PER_THREAD: usize = 4;

impl<N: WindowNode> WindowExecutor<N> {
    /// An executor over `nodes`, kept in order, with windows of at most `lookahead` (not zero),
    /// on `threads` threads (at least 1; no more than there are nodes are used).
    pub fn new(nodes: Vec<N>, lookahead: Picos, threads: usize) -> WindowExecutor<N> {
        assert!(lookahead > Picos::ZERO, "a window has a length");
        assert!(threads > 0, "at least one thread");
        let threads = threads.min(nodes.len().max(1));
        let count = if threads == 1 { 1 } else { threads * CHUNKS_PER_THREAD };
        let chunks = deal(nodes, count).into_iter().map(Mutex::new).collect();
        WindowExecutor { chunks, lookahead, threads, now: SimTime::ZERO, next: SimTime::ZERO }
    }

    /// Runs everything before `end`.
    pub fn run_until(&mut self, end: SimTime) {
        assert!(end >= self.now, "time does not run backwards");
        self.next = if self.threads == 1 { self.run_alone(end) } else { self.run_shared(end) };
        self.now = end;
    }

    /// Calls `look` on every node, in order.
    pub fn for_each(&self, mut look: impl FnMut(&N)) {
        for chunk in &self.chunks {
            chunk.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(&mut look);
        }
    }

    /// Calls `change` on every node, in order.
    pub fn for_each_mut(&mut self, mut change: impl FnMut(&mut N)) {
        for chunk in &mut self.chunks {
            chunk
                .get_mut()
                .unwrap_or_else(PoisonError::into_inner)
                .iter_mut()
                .for_each(&mut change);
        }
    }

    fn run_alone(&mut self, end: SimTime) -> SimTime {
        let mut start = self.next.max(self.now);
        while start < end {
            let window_end = start.saturating_add(self.lookahead).min(end);
            let mut next = SimTime::NEVER;
            for chunk in &mut self.chunks {
                for node in chunk.get_mut().unwrap_or_else(PoisonError::into_inner) {
                    next = next.min(node.run_window(window_end));
                }
            }
            start = next.max(window_end);
        }
        start
    }

    fn run_shared(&mut self, end: SimTime) -> SimTime {
        let start = self.next.max(self.now);
        if start >= end {
            return start;
        }
        let shared = Shared::new(start, end, self.lookahead, self.chunks.len());
        let chunks = &self.chunks;
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| shared.work(chunks));
            }
            shared.work(chunks);
        });
        SimTime(shared.start.load(Ordering::Acquire))
    }
}

/// Deals nodes to at most `count` chunks of about equal weight, keeping their order.
fn deal<N: WindowNode>(nodes: Vec<N>, count: usize) -> Vec<Vec<N>> {
    let total: u64 = nodes.iter().map(N::weight).sum();
    let mut chunks: Vec<Vec<N>> = Vec::with_capacity(count);
    let (mut chunk, mut weight) = (Vec::new(), 0);
    for node in nodes {
        weight += node.weight();
        chunk.push(node);
        let share = total * (chunks.len() as u64 + 1) / count as u64;
        if weight >= share && chunks.len() + 1 < count {
            chunks.push(std::mem::take(&mut chunk));
        }
    }
    if !chunk.is_empty() {
        chunks.push(chunk);
    }
    chunks
}

/// What the threads of one call share. `ticket` holds the number of the window and how many of
/// its chunks are claimed, so that a late thread can never claim a chunk of a later window.
struct Shared {
    /// Start of the present window, later the first instant past `end`.
    start: AtomicU64,
    window_end: AtomicU64,
    ticket: AtomicU64,
    finished: AtomicUsize,
    earliest: AtomicU64,
    end: u64,
    lookahead: u64,
    chunk_count: u64,
}

/// The window number of a ticket that tells everyone to go home.
const CLOSED: u64 = u64::MAX >> 32;

impl Shared {
    fn new(start: SimTime, end: SimTime, lookahead: Picos, chunk_count: usize) -> Shared {
        let window_end = start.0.saturating_add(lookahead.0).min(end.0);
        Shared {
            start: AtomicU64::new(start.0),
            window_end: AtomicU64::new(window_end),
            ticket: AtomicU64::new(0),
            finished: AtomicUsize::new(0),
            earliest: AtomicU64::new(u64::MAX),
            end: end.0,
            lookahead: lookahead.0,
            chunk_count: chunk_count as u64,
        }
    }

    fn work<N: WindowNode>(&self, chunks: &[Mutex<Vec<N>>]) {
        let mut patience = 0;
        loop {
            let ticket = self.ticket.load(Ordering::Acquire);
            let (window, claimed) = (ticket >> 32, ticket & 0xFFFF_FFFF);
            if window == CLOSED {
                return;
            }
            if claimed >= self.chunk_count {
                wait(&mut patience);
                continue;
            }
            // The end belongs to the ticket just read: it only changes after all chunks of this
            // window are done, and then the exchange below fails.
            let window_end = SimTime(self.window_end.load(Ordering::Acquire));
            let claim = self.ticket.compare_exchange(
                ticket,
                ticket + 1,
                Ordering::AcqRel,
                Ordering::Relaxed,
            );
            if claim.is_err() {
                continue;
            }
            patience = 0;
            let closing = Closing(self);
            let mut earliest = SimTime::NEVER;
            let mut chunk = chunks[claimed as usize].lock().unwrap_or_else(PoisonError::into_inner);
            for node in chunk.iter_mut() {
                earliest = earliest.min(node.run_window(window_end));
            }
            drop(chunk);
            std::mem::forget(closing);
            self.earliest.fetch_min(earliest.0, Ordering::AcqRel);
            let finished = self.finished.fetch_add(1, Ordering::AcqRel) + 1;
            if finished as u64 == self.chunk_count {
                self.open_next(window, window_end);
            }
        }
    }

    /// Opens the next window, or closes when the end is reached. Called by one thread only.
    fn open_next(&self, window: u64, window_end: SimTime) {
        let start = self.earliest.load(Ordering::Acquire).max(window_end.0);
        self.start.store(start, Ordering::Release);
        if start >= self.end {
            self.ticket.store(CLOSED << 32, Ordering::Release);
            return;
        }
        self.earliest.store(u64::MAX, Ordering::Release);
        self.finished.store(0, Ordering::Release);
        let end = start.saturating_add(self.lookahead).min(self.end);
        self.window_end.store(end, Ordering::Release);
        // Numbers of windows wrap below CLOSED; two windows in a row always differ.
        self.ticket.store(((window + 1) % CLOSED) << 32, Ordering::Release);
    }
}

/// Sends all threads home if a node panics, so that the panic is seen instead of a hang.
struct Closing<'a>(&'a Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.ticket.store(CLOSED << 32, Ordering::Release);
    }
}

/// Spins a little, then lets others have the core.
fn wait(patience: &mut u32) {
    *patience += 1;
    if *patience < 300 {
        std::hint::spin_loop();
    } else {
        std::thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::{InFlight, RingReader, RingWriter, ring};

    /// Passes every unit on after `latency`, and notes when it came.
    struct Relay {
        input: RingReader,
        output: RingWriter,
        latency: u64,
        first: Option<u64>,
        seen: Vec<u64>,
    }

    impl WindowNode for Relay {
        fn run_window(&mut self, end: SimTime) -> SimTime {
            let mut next = u64::MAX;
            let mut due = Vec::new();
            if self.first.is_some_and(|first| first < end.0) {
                due.extend(self.first.take());
            }
            let rest = self.input.take_until(end.0, |unit| due.push(unit.due));
            next = next.min(rest.unwrap_or(u64::MAX)).min(self.first.unwrap_or(u64::MAX));
            for time in due {
                self.seen.push(time);
                let due = time + self.latency;
                self.output.push(InFlight { due, words: [0, 0] });
                next = next.min(due);
            }
            self.output.publish();
            SimTime(next)
        }

        fn weight(&self) -> u64 {
            1
        }
    }

    /// Three relays in a circle, one unit on its way round for ever.
    fn circle() -> Vec<Relay> {
        let (writers, readers): (Vec<_>, Vec<_>) = (0..3).map(|_| ring(16)).unzip();
        let mut readers: Vec<_> = readers.into_iter().map(Some).collect();
        writers
            .into_iter()
            .enumerate()
            .map(|(index, output)| Relay {
                input: readers[(index + 2) % 3].take().unwrap(),
                output,
                latency: 7 + index as u64,
                first: (index == 0).then_some(1_000),
                seen: Vec::new(),
            })
            .collect()
    }

    fn seen(threads: usize, cuts: &[u64]) -> Vec<Vec<u64>> {
        let mut executor = WindowExecutor::new(circle(), Picos(7), threads);
        for &cut in cuts {
            executor.run_until(SimTime(cut));
        }
        let mut all = Vec::new();
        executor.for_each(|relay| all.push(relay.seen.clone()));
        all
    }

    /// Claim: the unit comes by at 1000 + 24 k and offsets 7, 15, whatever the threads and
    /// wherever the run is cut.
    #[test]
    fn results_depend_neither_on_threads_nor_on_cuts() {
        let expected: Vec<Vec<u64>> =
            [0, 7, 15].iter().map(|offset| (1_000 + offset..5_000).step_by(24).collect()).collect();
        for threads in 1..=3 {
            assert_eq!(seen(threads, &[5_000]), expected, "{threads} threads");
            assert_eq!(seen(threads, &[3, 1_001, 1_001, 4_999, 5_000]), expected, "cuts");
        }
    }

    /// Claim: idle time is jumped over: a lone unit in a window of 1 ps needs no million windows.
    #[test]
    fn idle_time_is_jumped_over() {
        struct Once(u64, u64);
        impl WindowNode for Once {
            fn run_window(&mut self, end: SimTime) -> SimTime {
                self.1 += 1;
                if end.0 > self.0 { SimTime::NEVER } else { SimTime(self.0) }
            }
            fn weight(&self) -> u64 {
                1
            }
        }
        let mut executor = WindowExecutor::new(vec![Once(1_000_000, 0)], Picos(1), 1);
        executor.run_until(SimTime(u64::MAX));
        executor.for_each(|once| assert_eq!(once.1, 2));
    }

    /// Claim: a panic in a node on one thread reaches the caller; the others do not wait for ever.
    #[test]
    #[should_panic(expected = "broken node")]
    fn a_panic_in_one_node_ends_the_run() {
        struct Broken(bool);
        impl WindowNode for Broken {
            fn run_window(&mut self, end: SimTime) -> SimTime {
                assert!(!self.0 || end.0 < 50, "broken node");
                end
            }
            fn weight(&self) -> u64 {
                1
            }
        }
        let nodes = (0..8).map(|n| Broken(n == 5)).collect();
        let mut executor = WindowExecutor::new(nodes, Picos(10), 2);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            executor.run_until(SimTime(1_000));
        }));
        assert!(result.is_err());
        panic!("broken node");
    }
}
