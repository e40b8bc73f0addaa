//! All nodes, in groups that are each run by one thread at a time.
//!
//! A unit for a node in another chunk rings a bell there; it is never due in the window in which it
//! was sent, which is asserted.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hopflow_units::SimTime;

use super::group::{Group, Member};
use super::plan::{Layout, MemberPlan};
use super::{Sent, WindowNode};
use crate::Bells;

/// Some of the nodes, always run by one thread at a time.
#[derive(Debug)]
struct Chunk<N> {
    group: Group<N>,
    /// What nodes elsewhere get.
    sent: Sent,
}

/// All nodes.
#[derive(Debug)]
pub(super) struct Chunks<N> {
    all: Vec<Mutex<Chunk<N>>>,
    /// By place: nodes that get something from another chunk.
    bells: Bells,
    lookahead: u64,
    /// By node, its place.
    places: Arc<[u32]>,
    /// Units taken in before nodes were put together so.
    units: u64,
}

fn locked<N>(chunk: &Mutex<Chunk<N>>) -> MutexGuard<'_, Chunk<N>> {
    // A panic ends the run anyway, see `team.rs`.
    chunk.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<N: WindowNode> Chunks<N> {
    /// Nodes put together as `layout` says; nothing happens before `now`.
    pub(super) fn new(layout: &Layout, nodes: Vec<N>, now: u64) -> Chunks<N> {
        let places: Arc<[u32]> = layout.places().into();
        assert_eq!(places.len(), nodes.len(), "the plan is for these nodes");
        let sent = Sent { places: places.clone(), arrivals: Vec::new() };
        let mut builder = Builder { layout, now, first: 0, sent: sent.clone(), nodes: Vec::new() };
        builder.nodes = nodes.into_iter().map(Some).collect();
        let chunk = |group| Mutex::new(Chunk { group, sent: sent.clone() });
        let all = (0..layout.chunks).map(|group| chunk(builder.build(group))).collect();
        let bells = Bells::new(if layout.chunks > 1 { places.len() } else { 0 });
        Chunks { all, bells, lookahead: layout.lookahead, places, units: 0 }
    }

    /// The same nodes put together in another way.
    pub(super) fn arranged(self, layout: &Layout, now: u64) -> Chunks<N> {
        let units = self.units();
        let mut by_place = Vec::with_capacity(self.places.len());
        for chunk in self.all {
            let chunk = chunk.into_inner().unwrap_or_else(PoisonError::into_inner);
            chunk.group.dissolve(&mut by_place);
        }
        let mut by_place: Vec<Option<N>> = by_place.into_iter().map(Some).collect();
        let node = |place: &u32| by_place[*place as usize].take().expect("a node has one place");
        let nodes = self.places.iter().map(node).collect();
        Chunks { units, ..Chunks::new(layout, nodes, now) }
    }

    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// Of windows between chunks, in ps.
    pub(super) const fn lookahead(&self) -> u64 {
        self.lookahead
    }

    /// Units that all nodes took in.
    pub(super) fn units(&self) -> u64 {
        self.units + self.all.iter().map(|chunk| locked(chunk).group.units()).sum::<u64>()
    }

    /// Runs a chunk for a window. Returns the earliest instant at which anything is known to happen
    /// after it.
    pub(super) fn run(&self, index: usize, start: u64, end: u64) -> u64 {
        let Chunk { group, sent } = &mut *locked(&self.all[index]);
        let (first, behind) = group.places();
        self.bells.take(first as usize, behind as usize, |place| group.expect(place as u32, start));
        let mut earliest = group.run(end, sent).own.0;
        for (place, due) in sent.arrivals.drain(..) {
            assert!(due >= end, "a unit is due in the window in which it was sent");
            self.bells.ring(place as usize);
            earliest = earliest.min(due);
        }
        earliest
    }

    /// Runs the only chunk, window by window, up to `end` or as long as `more` says so, given their
    /// number so far. Nothing is known to happen before the instant returned.
    pub(super) fn run_alone(&self, end: u64, more: impl FnMut(u64) -> bool) -> u64 {
        assert_eq!(self.all.len(), 1, "all nodes are in one chunk");
        let Chunk { group, sent } = &mut *locked(&self.all[0]);
        let next = group.run_alone(end, sent, more);
        assert!(sent.arrivals.is_empty(), "there are no nodes elsewhere");
        next
    }

    /// Runs all nodes of the only chunk up to where the first has come. Nothing is known to happen
    /// before the instant returned.
    pub(super) fn align(&self) -> u64 {
        let Chunk { group, sent } = &mut *locked(&self.all[0]);
        group.align(sent)
    }

    /// Calls `look` on every node, in order.
    pub(super) fn for_each(&self, mut look: impl FnMut(&N)) {
        let chunks: Vec<_> = self.all.iter().map(locked).collect();
        let mut nodes = Vec::new();
        for chunk in &chunks {
            chunk.group.collect(&mut nodes);
        }
        for place in &self.places[..] {
            look(nodes[*place as usize]);
        }
    }

    /// Calls `change` on every node, in order.
    pub(super) fn for_each_mut(&self, mut change: impl FnMut(&mut N)) {
        let mut chunks: Vec<_> = self.all.iter().map(locked).collect();
        let mut nodes = Vec::new();
        for chunk in &mut chunks {
            chunk.group.collect_mut(&mut nodes);
        }
        for place in &self.places[..] {
            change(nodes[*place as usize]);
        }
    }
}

/// Puts nodes into groups.
struct Builder<'a, N> {
    layout: &'a Layout,
    now: u64,
    /// The place of the next node.
    first: usize,
    sent: Sent,
    nodes: Vec<Option<N>>,
}

impl<N: WindowNode> Builder<'_, N> {
    /// The nodes of a group and of the groups in it.
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
        let clock = (SimTime(self.now), self.sent.clone());
        let mut lags = group.lags.clone();
        lags.resize(members.len(), 0);
        Group::new(members, first, (group.lookahead, lags), clock)
    }
}
