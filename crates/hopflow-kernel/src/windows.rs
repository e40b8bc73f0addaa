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
//! In a chunk only those nodes are run whose time has come or whose bell was rung: an idle node
//! costs memory and no time, and idle time is jumped over.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hopflow_units::{Picos, SimTime};

use crate::Bells;
use crate::bits::BitSet;

/// A node as the executor sees it.
pub trait WindowNode: Send {
    /// Runs everything at this node before `end`. A node that writes to another rings its bell.
    fn run_window(&mut self, end: SimTime) -> Next;

    /// Roughly how much work the node is, compared with others; at least 1.
    fn weight(&self) -> u64;
}

/// What a node knows of the time after its window. [`SimTime::NEVER`] stands for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// When it has something to do itself, as far as it knows.
    pub own: SimTime,
    /// When the first unit that it wrote in this window arrives.
    pub written: SimTime,
}

/// Some of the nodes, always run by one thread at a time.
#[derive(Debug)]
struct Chunk<N> {
    nodes: Vec<N>,
    /// Number of the first node.
    first: usize,
    /// Whether a node is to be run in the next window, by place.
    due: BitSet,
    /// When nodes have something to do later than the next window: (instant, place).
    later: BinaryHeap<Reverse<(u64, usize)>>,
    /// The earliest instant in `later` of each node.
    scheduled: Vec<u64>,
}

impl<N: WindowNode> Chunk<N> {
    fn new(first: usize, nodes: Vec<N>) -> Chunk<N> {
        let count = nodes.len();
        // Every node has its say in the first window.
        let mut due = BitSet::new(count);
        (0..count).for_each(|place| due.insert(place));
        let scheduled = vec![u64::MAX; count];
        Chunk { nodes, first, due, later: BinaryHeap::new(), scheduled }
    }

    /// Runs all nodes that have something to do before `end`. Returns the earliest instant at
    /// which anything is known to happen after it.
    fn run(&mut self, end: SimTime, soon: u64, bells: &Bells) -> SimTime {
        let (first, count) = (self.first, self.nodes.len());
        let due = &mut self.due;
        bells.take(first, first + count, |node| due.insert(node - first));
        self.call_scheduled(end);
        let (mut earliest, mut from) = (SimTime::NEVER, 0);
        while let Some(place) = self.due.take_from(from) {
            from = place + 1;
            let next = self.nodes[place].run_window(end);
            earliest = earliest.min(next.own).min(next.written);
            self.plan(place, next.own.0, soon);
        }
        let later = self.later.peek().map_or(u64::MAX, |Reverse((at, _))| *at);
        earliest.min(SimTime(later))
    }

    /// Nodes whose own time comes before `end` are due. What a node had planned before it planned
    /// something earlier is passed over.
    fn call_scheduled(&mut self, end: SimTime) {
        while let Some(&Reverse((at, place))) = self.later.peek() {
            if at >= end.0 {
                break;
            }
            self.later.pop();
            if self.scheduled[place] == at {
                self.scheduled[place] = u64::MAX;
                self.due.insert(place);
            }
        }
    }

    /// Sees to it that a node is run when its own time has come.
    fn plan(&mut self, place: usize, own: u64, soon: u64) {
        if own < soon {
            self.due.insert(place);
        } else if own < self.scheduled[place] {
            self.scheduled[place] = own;
            self.later.push(Reverse((own, place)));
        }
    }
}

fn locked<N>(chunk: &Mutex<Chunk<N>>) -> MutexGuard<'_, Chunk<N>> {
    // A panic ends the run anyway, see `Closing`.
    chunk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nodes and the clock of their windows.
#[derive(Debug)]
pub struct WindowExecutor<N> {
    chunks: Vec<Mutex<Chunk<N>>>,
    bells: Bells,
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
    /// on `threads` threads (at least 1; no more than there are nodes are used). `bells` has one
    /// bell per node.
    pub fn new(nodes: Vec<N>, bells: Bells, lookahead: Picos, threads: usize) -> WindowExecutor<N> {
        assert!(lookahead > Picos::ZERO, "a window has a length");
        assert!(threads > 0, "at least one thread");
        let threads = threads.min(nodes.len().max(1));
        let count = if threads == 1 { 1 } else { threads * CHUNKS_PER_THREAD };
        let mut first = 0;
        let mut chunks = Vec::new();
        for nodes in deal(nodes, count) {
            let length = nodes.len();
            chunks.push(Mutex::new(Chunk::new(first, nodes)));
            first += length;
        }
        WindowExecutor {
            chunks,
            bells,
            lookahead,
            threads,
            now: SimTime::ZERO,
            next: SimTime::ZERO,
        }
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
            locked(chunk).nodes.iter().for_each(&mut look);
        }
    }

    /// Calls `change` on every node, in order.
    pub fn for_each_mut(&mut self, mut change: impl FnMut(&mut N)) {
        for chunk in &mut self.chunks {
            locked(chunk).nodes.iter_mut().for_each(&mut change);
        }
    }

    fn run_alone(&mut self, end: SimTime) -> SimTime {
        let mut start = self.next.max(self.now);
        while start < end {
            let window_end = start.saturating_add(self.lookahead).min(end);
            let soon = window_end.0.saturating_add(self.lookahead.0);
            let mut next = SimTime::NEVER;
            for chunk in &self.chunks {
                next = next.min(locked(chunk).run(window_end, soon, &self.bells));
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
        let (chunks, bells) = (&self.chunks, &self.bells);
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| shared.work(chunks, bells));
            }
            shared.work(chunks, bells);
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

    fn work<N: WindowNode>(&self, chunks: &[Mutex<Chunk<N>>], bells: &Bells) {
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
            let soon = window_end.0.saturating_add(self.lookahead);
            let earliest = locked(&chunks[claimed as usize]).run(window_end, soon, bells);
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
    use crate::Bell;
    use crate::ring::{InFlight, RingReader, RingWriter, ring};

    /// Passes every unit on after `latency`, and notes when it came.
    struct Relay {
        input: RingReader,
        output: RingWriter,
        bell: Bell,
        latency: u64,
        first: Option<u64>,
        seen: Vec<u64>,
    }

    impl WindowNode for Relay {
        fn run_window(&mut self, end: SimTime) -> Next {
            let (mut own, mut written) = (u64::MAX, u64::MAX);
            let mut due = Vec::new();
            if self.first.is_some_and(|first| first < end.0) {
                due.extend(self.first.take());
            }
            let rest = self.input.take_until(end.0, |unit| due.push(unit.due));
            own = own.min(rest.unwrap_or(u64::MAX)).min(self.first.unwrap_or(u64::MAX));
            for time in due {
                self.seen.push(time);
                let due = time + self.latency;
                self.output.push(InFlight { due, words: [0; 2] });
                written = written.min(due);
            }
            self.output.publish();
            if written < u64::MAX {
                self.bell.ring();
            }
            Next { own: SimTime(own), written: SimTime(written) }
        }

        fn weight(&self) -> u64 {
            1
        }
    }

    /// Three relays in a circle, one unit on its way round for ever.
    fn circle(bells: &Bells) -> Vec<Relay> {
        let (writers, readers): (Vec<_>, Vec<_>) = (0..3).map(|_| ring(16)).unzip();
        let mut readers: Vec<_> = readers.into_iter().map(Some).collect();
        writers
            .into_iter()
            .enumerate()
            .map(|(index, output)| Relay {
                input: readers[(index + 2) % 3].take().unwrap(),
                output,
                bell: bells.bell((index + 1) % 3),
                latency: 7 + index as u64,
                first: (index == 0).then_some(1_000),
                seen: Vec::new(),
            })
            .collect()
    }

    fn seen(threads: usize, cuts: &[u64]) -> Vec<Vec<u64>> {
        let bells = Bells::new(3);
        let mut executor = WindowExecutor::new(circle(&bells), bells, Picos(7), threads);
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
            fn run_window(&mut self, end: SimTime) -> Next {
                self.1 += 1;
                let own = if end.0 > self.0 { SimTime::NEVER } else { SimTime(self.0) };
                Next { own, written: SimTime::NEVER }
            }
            fn weight(&self) -> u64 {
                1
            }
        }
        let mut executor =
            WindowExecutor::new(vec![Once(1_000_000, 0)], Bells::new(1), Picos(1), 1);
        executor.run_until(SimTime(u64::MAX));
        executor.for_each(|once| assert_eq!(once.1, 2));
    }

    /// Claim: a panic in a node on one thread reaches the caller; the others do not wait for ever.
    #[test]
    #[should_panic(expected = "broken node")]
    fn a_panic_in_one_node_ends_the_run() {
        struct Broken(bool);
        impl WindowNode for Broken {
            fn run_window(&mut self, end: SimTime) -> Next {
                assert!(!self.0 || end.0 < 50, "broken node");
                Next { own: end, written: SimTime::NEVER }
            }
            fn weight(&self) -> u64 {
                1
            }
        }
        let nodes = (0..8).map(|n| Broken(n == 5)).collect();
        let mut executor = WindowExecutor::new(nodes, Bells::new(8), Picos(10), 2);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            executor.run_until(SimTime(1_000));
        }));
        assert!(result.is_err());
        panic!("broken node");
    }
}
