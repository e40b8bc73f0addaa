//! The window plan: which nodes share a clock, and how long their windows are. One short link must
//! not impose short windows on a whole network.
//!
//! ```text
//! lookahead W of a group, members in order:
//!   W <= latency of every link to an earlier member, or to the same                      (1)
//! links to a later member may be shorter: it runs afterwards, and sees what is due         (2)
//! ```
//! Let G(W) be the links shorter than W. If G(W) has no cycle, its nodes can be put in an order
//! that meets Eqs. (1) and (2). A cycle of G(W) is merged into a member with windows of its own,
//! found in the same way; so the strongly connected components of G(W) [Tarjan72] are the members
//! of a group with lookahead W. W is chosen among all latencies and twice the longest so that the
//! number of member runs per second is least, where groups count twice:
//! ```text
//! cost(part) = min over W that cut it of  sum over its members of
//!              1 / W for a node, 2 / W + cost(member) for a group                       (3)
//! ```
//! Every other member of the whole network may then lag, which doubles the window: `skew.rs`. For
//! several threads nodes are assigned to chunks: `dealt.rs`.
//!
//! A link that never carries anything must be omitted from the description of the network.
//!
//! Checked by: `windows/plan/tests.rs`.

mod areas;
mod dealt;
mod levels;
mod parts;
mod skew;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use hopflow_units::Picos;

use levels::{Levels, PartId};

/// One direction of a link between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The sender.
    pub from: usize,
    /// The receiver.
    pub to: usize,
    /// The least time from a start to its arrival; not zero.
    pub latency: Picos,
    /// The least time from one start to the next; not zero.
    pub spacing: Picos,
}

/// The windows of a network, see the module documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowPlan {
    /// On one thread.
    pub(super) alone: Layout,
    /// On several threads, if that can pay.
    pub(super) shared: Option<Layout>,
    threads: usize,
}

/// How nodes are arranged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The lookahead of windows between chunks.
    pub(super) lookahead: u64,
    /// The first groups are the chunks; the others follow their parents.
    pub(super) groups: Vec<GroupPlan>,
    pub(super) chunks: usize,
    /// For each chunk, how far it lags behind windows between chunks, in ps; empty if there is one
    /// chunk.
    pub(super) lags: Vec<u64>,
    /// For each chunk, those that it sends to or receives from; empty if there is one chunk.
    pub(super) neighbors: Vec<Vec<u32>>,
    /// For each node, its group.
    group_of: Vec<u32>,
    /// For each node, its chunk.
    pub(super) chunk_of: Vec<u32>,
    /// For each node, the member of the first group that contains it; empty if no member lags.
    member_of: Vec<u32>,
}

/// Nodes that share a clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GroupPlan {
    parent: Option<usize>,
    pub(super) lookahead: u64,
    /// In the order in which they run.
    pub(super) members: Vec<MemberPlan>,
    /// For each member, its lag in ps; empty if no member lags.
    pub(super) lags: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemberPlan {
    Node(usize),
    Group(usize),
}

/// The ratio between the latencies that are considered.
const APART: (u64, u64) = (5, 4);

impl WindowPlan {
    /// The windows of `nodes` nodes joined by `links`, on up to `threads` threads (at least 1).
    pub fn new(nodes: usize, links: &[Reach], threads: usize) -> WindowPlan {
        assert!(threads > 0, "at least one thread");
        let positive = |link: &Reach| link.latency > Picos::ZERO && link.spacing > Picos::ZERO;
        assert!(links.iter().all(positive), "a window has a length");
        let shared = if threads > 1 { Layout::dealt(nodes, links, threads) } else { None };
        let threads = shared.as_ref().map_or(1, |shared| threads.min(shared.most_at_once()));
        WindowPlan { alone: Layout::alone(nodes, links), shared, threads }
    }

    /// The number of threads that can be busy at once.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// The time for which a node is run at once, in the mean of all nodes: of n nodes with windows
    /// W(i), n / sum of 1 / W(i). A run that is stopped once in this time runs nodes at most twice
    /// as often. If no node affects another there are no windows: 1 ps.
    pub fn mean_window(&self) -> Picos {
        let layouts = std::iter::once(&self.alone).chain(&self.shared);
        Picos(layouts.map(Layout::mean_window).max().unwrap_or(1))
    }

    /// How far one node may be ahead of another that it sends to.
    pub fn window_between(&self, from: usize, to: usize) -> Picos {
        let shared = self.shared.as_ref().map_or(0, |shared| shared.window_between(from, to));
        Picos(self.alone.window_between(from, to).max(shared))
    }
}

impl Layout {
    fn new(nodes: usize, chunks: usize, lookahead: u64) -> Layout {
        let chunk = GroupPlan { lookahead, ..GroupPlan::default() };
        Layout {
            lookahead,
            groups: vec![chunk; chunks],
            chunks,
            lags: Vec::new(),
            neighbors: Vec::new(),
            group_of: vec![0; nodes],
            chunk_of: vec![0; nodes],
            member_of: Vec::new(),
        }
    }

    /// All nodes in one chunk.
    fn alone(nodes: usize, links: &[Reach]) -> Layout {
        let mut layout = Layout::new(nodes, 1, u64::MAX);
        layout.fill(0, &(0..nodes).collect::<Vec<_>>(), links);
        skew::skew(&mut layout, links);
        layout.note_groups();
        layout
    }

    fn mean_window(&self) -> u64 {
        let (mut nodes, mut rate) = (0_u64, 0.0);
        for group in &self.groups {
            let own = group.members.iter().filter(|member| matches!(member, MemberPlan::Node(_)));
            let own = own.count() as u64;
            nodes += own;
            if group.lookahead < u64::MAX {
                rate += own as f64 / group.lookahead as f64;
            }
        }
        if rate > 0.0 { (nodes as f64 / rate) as u64 } else { 1 }
    }

    fn window_between(&self, from: usize, to: usize) -> u64 {
        let ancestors = |node: usize| {
            let first = Some(self.group_of[node] as usize);
            std::iter::successors(first, |group| self.groups[*group].parent)
        };
        let common = ancestors(from).find(|group| ancestors(to).any(|other| other == *group));
        common.map_or_else(
            || self.between_chunks(from, to),
            |group| {
                let group = &self.groups[group];
                if group.lags.is_empty() { group.lookahead } else { skew::ahead(self, from, to) }
            },
        )
    }

    /// The same if they are in different chunks (`share.rs`): chunks of one kind run at once; one
    /// that lags runs first, up to its lag before the end of a window.
    fn between_chunks(&self, from: usize, to: usize) -> u64 {
        let lag = |node: usize| self.lags[self.chunk_of[node] as usize];
        match (lag(from), lag(to)) {
            (from, to) if from == to => self.lookahead,
            (from, to) if from > to => self.lookahead - from,
            (_, to) => to,
        }
    }

    /// How many chunks can run at once.
    fn most_at_once(&self) -> usize {
        let lagging = self.lags.iter().filter(|lag| **lag > 0).count();
        lagging.max(self.chunks - lagging)
    }

    /// Creates one chunk for each lot of parts, with the lag of the lot. `links` are those of the
    /// network.
    fn put_chunks(&mut self, lots: &[(Vec<usize>, u64)], parts: &[Vec<usize>], links: &[Reach]) {
        let inside = parts::inside(self.group_of.len(), parts, links);
        for (chunk, (lot, lag)) in lots.iter().enumerate() {
            self.lags.push(*lag);
            for part in lot {
                self.add_member(chunk, &parts[*part], &inside[*part]);
            }
        }
        self.note_groups();
        let mut neighbors = vec![BTreeSet::new(); self.chunks];
        for link in links {
            let [from, to] = [link.from, link.to].map(|node| self.chunk_of[node]);
            if from != to {
                neighbors[from as usize].insert(to);
                neighbors[to as usize].insert(from);
            }
        }
        self.neighbors = neighbors.into_iter().map(Vec::from_iter).collect();
    }

    /// Adds nodes to a group: a single node as such, several as a subgroup. `links`: see
    /// [`Self::fill`].
    fn add_member(&mut self, group: usize, nodes: &[usize], links: &[Reach]) {
        if let [only] = *nodes {
            self.groups[group].members.push(MemberPlan::Node(only));
            return;
        }
        let child = self.groups.len();
        self.groups.push(GroupPlan { parent: Some(group), ..GroupPlan::default() });
        self.groups[group].members.push(MemberPlan::Group(child));
        self.fill(child, nodes, links);
    }

    /// Gives a group its lookahead and its members. `links` are those between `nodes`, identified
    /// by their places in it.
    fn fill(&mut self, group: usize, nodes: &[usize], links: &[Reach]) {
        let levels = Levels::new(nodes.len(), links);
        self.fill_from(group, nodes, &levels, levels.whole());
    }

    /// Gives a group the members that make up one part of a level.
    fn fill_from(&mut self, group: usize, nodes: &[usize], levels: &Levels, part: PartId) {
        let Some(best) = levels.best(part) else {
            // Nodes without links do not affect each other.
            self.groups[group].lookahead = u64::MAX;
            self.groups[group].members.extend(nodes.iter().map(|node| MemberPlan::Node(*node)));
            return;
        };
        self.groups[group].lookahead = levels.window(best);
        for inner in levels.inside(part, best) {
            if let [only] = *levels.nodes(inner) {
                self.groups[group].members.push(MemberPlan::Node(nodes[only]));
                continue;
            }
            let child = self.groups.len();
            self.groups.push(GroupPlan { parent: Some(group), ..GroupPlan::default() });
            self.groups[group].members.push(MemberPlan::Group(child));
            self.fill_from(child, nodes, levels, inner);
        }
    }

    /// For each node, its place in the order of a sequential run.
    pub(super) fn places(&self) -> Vec<u32> {
        let (mut places, mut next) = (vec![0; self.group_of.len()], 0);
        for chunk in 0..self.chunks {
            self.place_members(chunk, &mut places, &mut next);
        }
        places
    }

    fn place_members(&self, group: usize, places: &mut [u32], next: &mut u32) {
        for member in &self.groups[group].members {
            match *member {
                MemberPlan::Node(node) => {
                    places[node] = *next;
                    *next += 1;
                }
                MemberPlan::Group(child) => self.place_members(child, places, next),
            }
        }
    }

    fn note_groups(&mut self) {
        // Groups follow their parents.
        let mut chunks: Vec<u32> = Vec::with_capacity(self.groups.len());
        for (index, group) in self.groups.iter().enumerate() {
            let chunk = group.parent.map_or(index as u32, |parent| chunks[parent]);
            chunks.push(chunk);
            for member in &group.members {
                if let MemberPlan::Node(node) = member {
                    self.group_of[*node] = index as u32;
                    self.chunk_of[*node] = chunk;
                }
            }
        }
    }
}

/// For each node, the most units per picosecond that it may send or receive.
fn weights(nodes: usize, links: &[Reach]) -> Vec<f64> {
    let mut weights = vec![0.0; nodes];
    for link in links {
        let units = 1.0 / link.spacing.0 as f64;
        weights[link.from] += units;
        weights[link.to] += units;
    }
    weights
}

/// Window lengths to consider: latencies that are well separated, the least one among them, and
/// twice the longest.
fn windows_of(links: &[Reach]) -> Vec<u64> {
    let mut latencies: Vec<u64> = links.iter().map(|link| link.latency.0).collect();
    latencies.sort_unstable();
    let mut windows: Vec<u64> = Vec::new();
    for &latency in &latencies {
        let is_apart = |last: &u64| latency / APART.0 >= last / APART.1;
        if windows.last().is_none_or(is_apart) {
            windows.push(latency);
        }
    }
    windows.extend(latencies.last().map(|longest| longest.saturating_mul(2)));
    windows
}
