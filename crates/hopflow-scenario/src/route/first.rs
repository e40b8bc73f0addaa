//! The first of all shortest paths: the one that a search breadth first comes upon, links in the
//! order of the file. Several destinations give a tree.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use hopflow_network::DirectionId;

use super::Router;
use crate::Code;
use crate::diagnostic::Sink;
use crate::hops::Hops;
use crate::paths::MOST_STEPS;

impl Router<'_> {
    /// The union of the first paths to one or more final hosts.
    pub(super) fn first(
        &mut self,
        source: usize,
        ends: Vec<(usize, Range<usize>)>,
        sink: &mut Sink,
    ) -> Option<Hops> {
        let start = self.only_switch(source).map_or(source, |(_, switch)| switch);
        let mut search = self.searches.remove(&start).unwrap_or_else(|| Search::from(start));
        let hops = self.tree_of_paths(&mut search, source, ends, sink);
        self.searches.insert(start, search);
        hops
    }

    /// The switch that a host with a single link is at, and the way there.
    fn only_switch(&self, host: usize) -> Option<(DirectionId, usize)> {
        let [only] = self.links.leaving[host][..] else { return None };
        (!self.nodes.is_host(only.1)).then_some(only)
    }

    /// The union of the paths to these ends.
    fn tree_of_paths(
        &mut self,
        search: &mut Search,
        source: usize,
        ends: Vec<(usize, Range<usize>)>,
        sink: &mut Sink,
    ) -> Option<Hops> {
        let mut hops = Hops::new();
        let mut reached: BTreeMap<usize, usize> = BTreeMap::new();
        for (end, span) in ends {
            if end == source {
                self.to_itself(end, &span, sink)?;
            }
            if !self.search(search, end, &span, sink)? {
                if self.links.incomplete {
                    return None;
                }
                let (a, b) = (self.nodes.name(source), self.nodes.name(end));
                let message = format!("no path of links and switches leads from `{a}` to `{b}`");
                sink.error(Code::UNCONNECTED, &span, message);
                return None;
            }
            let before = hops.len();
            self.add_path(search, source, end, &mut hops, &mut reached);
            let other = hops[before..].iter().find(|(_, parent)| parent.is_none());
            if let (Some((other, _)), true) = (other, before > 0) {
                return self.two_first_links(source, [hops[0].0, *other], &span, sink);
            }
        }
        Some(hops)
    }

    /// Goes on breadth first until `end` is reached. `None` when the work gets too much.
    fn search(
        &mut self,
        search: &mut Search,
        end: usize,
        span: &Range<usize>,
        sink: &mut Sink,
    ) -> Option<bool> {
        if !search.fed_by.contains_key(&end)
            && let Some(direction) = self.way_to_done(search, end)
        {
            search.fed_by.insert(end, direction);
        }
        while !search.fed_by.contains_key(&end) {
            let Some(node) = search.next.pop_front() else {
                return Some(false);
            };
            if let Some(direction) = self.links.direction(node, end, 1) {
                // Found without a look at all the others; the search goes on here if need be.
                search.fed_by.insert(end, direction);
                search.next.push_front(node);
                return Some(true);
            }
            search.done.insert(node, search.done.len());
            let leaving = &self.links.leaving[node];
            self.steps += leaving.len() as u64;
            if self.steps > MOST_STEPS {
                let message = "the search for the shortest paths of all flows exceeds its limit";
                sink.error(Code::TOO_MUCH, span, message).hint("give each flow its `route`");
                return None;
            }
            for &(direction, to) in leaving {
                if !self.nodes.is_host(to)
                    && !search.fed_by.contains_key(&to)
                    && to != search.source
                {
                    search.fed_by.insert(to, direction);
                    search.next.push_back(to);
                }
            }
        }
        Some(true)
    }

    /// The direction that leads to `end` from the first of the nodes that are done with.
    fn way_to_done(&self, search: &Search, end: usize) -> Option<DirectionId> {
        let beside = self.links.leaving[end].iter().map(|(_, node)| *node);
        let first = beside.filter(|node| search.done.contains_key(node));
        self.links.direction(first.min_by_key(|node| search.done[node])?, end, 1)
    }

    fn add_path(
        &self,
        search: &Search,
        source: usize,
        end: usize,
        hops: &mut Hops,
        reached: &mut BTreeMap<usize, usize>,
    ) {
        let mut way = Vec::new();
        let mut node = end;
        while node != source && !reached.contains_key(&node) {
            let first = self.only_switch(source).filter(|_| node == search.source);
            let direction = first.map_or_else(|| search.fed_by[&node], |(first, _)| first);
            way.push((node, direction));
            node = self.links.sender(direction);
        }
        let mut parent = reached.get(&node).copied();
        for (node, direction) in way.into_iter().rev() {
            hops.push((direction, parent));
            reached.insert(node, hops.len() - 1);
            parent = Some(hops.len() - 1);
        }
    }
}

/// A breadth-first search that stops when it has found enough, and can go on.
#[derive(Debug)]
pub(super) struct Search {
    source: usize,
    /// By node: the direction that leads to it.
    fed_by: BTreeMap<usize, DirectionId>,
    next: VecDeque<usize>,
    /// Nodes all of whose neighbors have been looked at, with their numbers in that order.
    done: BTreeMap<usize, usize>,
}

impl Search {
    fn from(source: usize) -> Search {
        let next = VecDeque::from([source]);
        Search { source, fed_by: BTreeMap::new(), next, done: BTreeMap::new() }
    }
}
