//! All nodes, in groups that are each run by one thread at a time.
//!
//! Arrivals at nodes of another chunk are put into the inbox of that chunk, once per run and chunk:
//! the receiver and the instant. An arrival is never due before the instant up to which that chunk
//! was run, which is asserted.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use hopflow_units::{Picos, SimTime};

use super::group::{Group, Member};
use super::plan::{Layout, MemberPlan};
use super::{Sent, WindowNode};

/// Places and instants.
type Messages = Vec<(u32, SimTime)>;

/// A part of the nodes, always run by one thread at a time.
#[derive(Debug)]
struct Chunk<N> {
    group: Group<N>,
    /// Everything before this instant has been run.
    ran_to: SimTime,
    /// Arrivals at nodes of other chunks.
    sent: Sent,
    /// The same, by chunk.
    outbox: Vec<Messages>,
    /// Messages taken from the inbox.
    received: Messages,
    /// How long it has run, in ns.
    busy: u64,
}

/// A chunk and its inbox. In cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
struct Cell<N> {
    chunk: Mutex<Chunk<N>>,
    inbox: Mutex<Messages>,
}

/// All nodes.
#[derive(Debug)]
pub(super) struct Chunks<N> {
    all: Vec<Cell<N>>,
    /// For each place, its chunk.
    chunk_of: Vec<u32>,
    /// For each node, its place.
    places: Arc<[u32]>,
    /// Units received before the nodes were last rearranged.
    units: u64,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // // A panic ends the run anyway, see `workers.rs`.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<N: WindowNode> Chunks<N> {
    /// Nodes arranged by `layout`; nothing happens before `now`.
    pub(super) fn new(layout: &Layout, nodes: Vec<N>, now: u64) -> Chunks<N> {
        let places: Arc<[u32]> = layout.places().into();
        assert_eq!(places.len(), nodes.len(), "the plan is for these nodes");
        let sent = Sent { places: places.clone(), arrivals: Vec::new() };
        let mut builder = Builder { layout, now, first: 0, sent: sent.clone(), nodes: Vec::new() };
        builder.nodes = nodes.into_iter().map(Some).collect();
        let cell = |index: usize| {
            let (group, sent) = (builder.build(index), sent.clone());
            let outbox = vec![Messages::new(); layout.chunks];
            let ran_to = SimTime(now);
            let chunk = Chunk { group, ran_to, sent, outbox, received: Messages::new(), busy: 0 };
            Cell { chunk: Mutex::new(chunk), inbox: Mutex::default() }
        };
        let all = (0..layout.chunks).map(cell).collect();
        let mut chunk_of = vec![0; places.len()];
        for (place, chunk) in places.iter().zip(&layout.chunk_of) {
            chunk_of[*place as usize] = *chunk;
        }
        Chunks { all, chunk_of, places, units: 0 }
    }

    /// The same nodes in another arrangement.
    pub(super) fn arranged(self, layout: &Layout, now: u64) -> Chunks<N> {
        let units = self.units();
        let mut by_place = Vec::with_capacity(self.places.len());
        for cell in self.all {
            let chunk = cell.chunk.into_inner().unwrap_or_else(PoisonError::into_inner);
            chunk.group.dissolve(&mut by_place);
        }
        let mut by_place: Vec<Option<N>> = by_place.into_iter().map(Some).collect();
        let node = |place: &u32| by_place[*place as usize].take().expect("a node has one place");
        let nodes = self.places.iter().map(node).collect();
        Chunks { units, ..Chunks::new(layout, nodes, now) }
    }

    /// Units that all nodes received.
    pub(super) fn units(&self) -> u64 {
        self.units + self.all.iter().map(|cell| locked(&cell.chunk).group.units()).sum::<u64>()
    }

    /// Runs a chunk up to `end`, unless it has been run that far.
    pub(super) fn run(&self, index: usize, end: u64) {
        let (cell, end) = (&self.all[index], SimTime(end));
        let chunk = &mut *locked(&cell.chunk);
        let begun = Instant::now();
        std::mem::swap(&mut *locked(&cell.inbox), &mut chunk.received);
        for (place, due) in chunk.received.drain(..) {
            assert!(due >= chunk.ran_to, "a unit is due in a window that was run already");
            chunk.group.expect(place, due);
        }
        chunk.ran_to = chunk.ran_to.max(end);
        chunk.group.run(end, &mut chunk.sent);
        for (place, due) in chunk.sent.arrivals.drain(..) {
            chunk.outbox[self.chunk_of[place as usize] as usize].push((place, due));
        }
        for (messages, to) in chunk.outbox.iter_mut().zip(&self.all) {
            if !messages.is_empty() {
                locked(&to.inbox).append(messages);
            }
        }
        chunk.busy += begun.elapsed().as_nanos() as u64;
    }

    /// How long a chunk has run, in ns.
    pub(super) fn busy(&self, index: usize) -> u64 {
        locked(&self.all[index].chunk).busy
    }

    /// The first known instant at which something happens in a chunk.
    pub(super) fn next(&self, index: usize) -> u64 {
        let cell = &self.all[index];
        let own = locked(&cell.chunk).group.next();
        locked(&cell.inbox).iter().map(|(_, due)| *due).fold(own, SimTime::min).0
    }

    /// Runs the only chunk, window by window, up to `end` or until `more`, called with the number
    /// of windows so far, returns false. Nothing is known to happen before the returned instant.
    pub(super) fn run_alone(&self, end: u64, more: impl FnMut(u64) -> bool) -> u64 {
        assert_eq!(self.all.len(), 1, "all nodes are in one chunk");
        let Chunk { group, sent, .. } = &mut *locked(&self.all[0].chunk);
        let next = group.run_alone(SimTime(end), sent, more);
        assert!(sent.arrivals.is_empty(), "there are no nodes elsewhere");
        next.0
    }

    /// Runs all nodes of the only chunk up to the instant that the most advanced has reached.
    /// Nothing is known to happen before the returned instant.
    pub(super) fn align(&self) -> u64 {
        let Chunk { group, sent, .. } = &mut *locked(&self.all[0].chunk);
        group.align(sent).0
    }

    /// Calls `change` on every node, in order.
    pub(super) fn for_each(&self, mut change: impl FnMut(&mut N)) {
        let mut chunks: Vec<_> = self.all.iter().map(|cell| locked(&cell.chunk)).collect();
        let mut nodes = Vec::new();
        for chunk in &mut chunks {
            chunk.group.collect(&mut nodes);
        }
        for place in &self.places[..] {
            change(nodes[*place as usize]);
        }
    }
}

/// Arranges nodes into groups.
struct Builder<'a, N> {
    layout: &'a Layout,
    now: u64,
    /// The place of the next node.
    first: usize,
    sent: Sent,
    nodes: Vec<Option<N>>,
}

impl<N: WindowNode> Builder<'_, N> {
    /// The nodes of a group and of its subgroups.
    fn build(&mut self, group: usize) -> Group<N> {
        let (first, layout) = (self.first, self.layout);
        let group = &layout.groups[group];
        let mut members = Vec::with_capacity(group.members.len());
        for member in &group.members {
            members.push(match *member {
                MemberPlan::Node(node) => {
                    self.first += 1;
                    Member::Node(self.nodes[node].take().expect("a node has one place"))
                }
                MemberPlan::Group(child) => Member::Group(Box::new(self.build(child))),
            });
        }
        let mut lags: Vec<Picos> = group.lags.iter().copied().map(Picos).collect();
        lags.resize(members.len(), Picos::ZERO);
        let (lookahead, now) = (Picos(group.lookahead), SimTime(self.now));
        Group::new(members, first, lookahead, lags, now, self.sent.clone())
    }
}
