//! The next links on the shortest paths between two switches, and on no others.
//!
//! Two searches breadth first, one from each end, go on level by level, always the one with fewer
//! links to look at, until a node is reached by both:
//! ```text
//! d(s,v) + d(v,t) = d(s,t)      v is on a shortest path from s to t               (1)
//! ```
//! So the work follows the ports around both ends, not the size of the network: between two pods of
//! a fat tree of k-port switches about k^2 links, of k^3 in all.

use hopflow_network::DirectionId;

use super::{Graph, Next};

/// No search has reached the node.
const FAR: u32 = u32::MAX;

/// The next links of the nodes between two switches.
#[derive(Debug, Default)]
pub(super) struct Pair {
    /// The nodes in ascending order, and where the links of each begin in `next`.
    nodes: Vec<(usize, usize)>,
    next: Vec<Next>,
}

impl Pair {
    /// The links of a node that is on a path, in order.
    pub(super) fn next(&self, node: usize) -> &[Next] {
        let at = self.nodes.binary_search_by_key(&node, |(node, _)| *node);
        let at = at.expect("only nodes on the paths are asked for");
        let end = self.nodes.get(at + 1).map_or(self.next.len(), |(_, begin)| *begin);
        &self.next[self.nodes[at].1..end]
    }

    /// A measure of the memory that it takes.
    pub(super) fn size(&self) -> usize {
        self.nodes.len() + self.next.len()
    }
}

/// Nodes and their next links, in ascending order of both.
impl FromIterator<(usize, Next)> for Pair {
    fn from_iter<I: IntoIterator<Item = (usize, Next)>>(links: I) -> Pair {
        let mut pair = Pair::default();
        for (node, next) in links {
            if pair.nodes.last().is_none_or(|(last, _)| *last != node) {
                pair.nodes.push((node, pair.next.len()));
            }
            pair.next.push(next);
        }
        pair
    }
}

/// A link that one of the searches has followed to a node one level further from its end.
#[derive(Clone, Copy, Debug)]
struct Followed {
    near: usize,
    direction: DirectionId,
    far: usize,
}

/// The search from one end.
#[derive(Debug, Default)]
struct Half {
    /// By node; kept between searches, in which few nodes are reached.
    distance: Vec<u32>,
    reached: Vec<usize>,
    /// Where the nodes of the last level begin in `reached`.
    last: usize,
    /// The links to each level, nearest first.
    levels: Vec<Vec<Followed>>,
}

impl Half {
    fn begin(&mut self, end: usize, nodes: usize) {
        self.distance.resize(nodes, FAR);
        self.reached.drain(..).for_each(|node| self.distance[node] = FAR);
        self.levels.clear();
        self.distance[end] = 0;
        self.reached.push(end);
        self.last = 0;
    }

    /// The number of links to look at for one more level.
    fn work(&self, graph: &Graph) -> usize {
        self.reached[self.last..].iter().map(|node| graph.leaving[*node].len()).sum()
    }

    /// Reaches one more level.
    fn widen(&mut self, graph: &Graph) {
        let level = self.levels.len() as u32 + 1;
        let frontier = self.last..self.reached.len();
        self.last = frontier.end;
        let mut links = Vec::new();
        for at in frontier {
            let near = self.reached[at];
            for &(direction, far) in &graph.leaving[near] {
                if self.distance[far] == FAR {
                    self.distance[far] = level;
                    self.reached.push(far);
                }
                if self.distance[far] == level {
                    links.push(Followed { near, direction, far });
                }
            }
        }
        self.levels.push(links);
    }
}

/// Searches between pairs of switches.
#[derive(Debug, Default)]
pub(super) struct Meeting {
    halves: [Half; 2],
}

impl Meeting {
    /// The next links between two switches; `None`: no path leads from one to the other. Adds the
    /// work to `steps`.
    pub(super) fn between(
        &mut self,
        graph: &Graph,
        ends: [usize; 2],
        steps: &mut u64,
    ) -> Option<Pair> {
        for (half, end) in self.halves.iter_mut().zip(ends) {
            half.begin(end, graph.leaving.len());
        }
        if ends[0] == ends[1] {
            return Some(Pair::default());
        }
        loop {
            let work = self.halves.each_ref().map(|half| half.work(graph));
            let side = usize::from(work[1] < work[0]);
            *steps += work[side] as u64;
            self.halves[side].widen(graph);
            let [half, other] = [&self.halves[side], &self.halves[1 - side]];
            let new = &half.reached[half.last..];
            if new.is_empty() {
                return None;
            }
            let met = |node: &usize| other.distance[*node] != FAR;
            if new.iter().any(met) {
                let mut on_path = vec![false; graph.leaving.len()];
                new.iter().copied().filter(|node| met(node)).for_each(|node| on_path[node] = true);
                return Some(self.links(&mut on_path));
            }
        }
    }

    /// The links on the paths, from the nodes at which the searches have met back to both ends.
    fn links(&self, on_path: &mut [bool]) -> Pair {
        let [there, back] = &self.halves;
        let mut links: Vec<(usize, Next)> = Vec::new();
        for &Followed { near, direction, far } in there.levels.iter().rev().flatten() {
            if on_path[far] {
                on_path[near] = true;
                links.push((near, (direction, far)));
            }
        }
        for &Followed { near, direction, far } in back.levels.iter().rev().flatten() {
            if on_path[far] {
                on_path[near] = true;
                links.push((far, (direction.reverse(), near)));
            }
        }
        links.sort_unstable();
        links.into_iter().collect()
    }
}
