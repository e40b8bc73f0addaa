//! Parts of a network: nodes that short links join, in one direction or both, and the assignment of
//! parts.

use super::Reach;

const NONE: u32 = u32::MAX;

/// Nodes joined by links shorter than `window`, in either direction; parts ordered by least node.
pub(super) fn joined(nodes: usize, links: &[Reach], window: u64) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..nodes).collect();
    let root = |parent: &mut Vec<usize>, mut node: usize| {
        while parent[node] != node {
            parent[node] = parent[parent[node]];
            node = parent[node];
        }
        node
    };
    for link in links.iter().filter(|link| link.latency.0 < window) {
        let (a, b) = (root(&mut parent, link.from), root(&mut parent, link.to));
        parent[a.max(b)] = a.min(b);
    }
    let (mut place, mut parts) = (vec![NONE; nodes], Vec::<Vec<usize>>::new());
    for node in 0..nodes {
        let root = root(&mut parent, node);
        if place[root] == NONE {
            place[root] = parts.len() as u32;
            parts.push(Vec::new());
        }
        parts[place[root] as usize].push(node);
    }
    parts
}

/// The links inside each part, between nodes numbered by their places in it.
pub(super) fn inside(nodes: usize, parts: &[Vec<usize>], links: &[Reach]) -> Vec<Vec<Reach>> {
    let part_of = part_of(nodes, parts);
    let mut place = vec![0; nodes];
    for part in parts {
        part.iter().enumerate().for_each(|(index, node)| place[*node] = index);
    }
    let mut inside = vec![Vec::new(); parts.len()];
    for link in links.iter().filter(|link| part_of[link.from] == part_of[link.to]) {
        let renumbered = Reach { from: place[link.from], to: place[link.to], ..*link };
        inside[part_of[link.from] as usize].push(renumbered);
    }
    inside
}

/// For each node, the part that contains it.
pub(super) fn part_of(nodes: usize, parts: &[Vec<usize>]) -> Vec<u32> {
    let mut part_of = vec![NONE; nodes];
    for (index, part) in parts.iter().enumerate() {
        for node in part {
            part_of[*node] = index as u32;
        }
    }
    part_of
}

/// Parts in which every node is reached from every other by links shorter than `window`, in an
/// order in which such links lead only forward from part to part. A link that would have to hold
/// too much if its sender were a window ahead counts as leading in both directions.
pub(super) fn circles(nodes: usize, links: &[Reach], window: u64) -> Vec<Vec<usize>> {
    let mut walk = Walk {
        next: successors(nodes, links, window),
        number: vec![NONE; nodes],
        low: vec![NONE; nodes],
        done: vec![false; nodes],
        stack: Vec::new(),
        count: 0,
        parts: Vec::new(),
    };
    // The last part found comes first: start from the last node, so that nodes stay in order where
    // links leave a choice.
    for node in (0..nodes).rev() {
        if walk.number[node] == NONE {
            walk.visit(node);
        }
    }
    walk.parts.reverse();
    walk.parts.iter_mut().for_each(|part| part.sort_unstable());
    walk.parts
}

/// Units by which a sender may be ahead, in addition to those that its link's latency holds.
const UNITS_AHEAD: u64 = 64;

fn successors(nodes: usize, links: &[Reach], window: u64) -> Vec<Vec<u32>> {
    let mut next = vec![Vec::new(); nodes];
    for link in links.iter().filter(|link| link.latency.0 < window) {
        next[link.from].push(link.to as u32);
        let ahead = window - link.latency.0;
        if ahead / link.spacing.0 > UNITS_AHEAD {
            next[link.to].push(link.from as u32);
        }
    }
    next
}

/// Strongly connected components, [Tarjan72], without recursion.
struct Walk {
    next: Vec<Vec<u32>>,
    /// In the order of visits.
    number: Vec<u32>,
    /// The least number that is reachable.
    low: Vec<u32>,
    done: Vec<bool>,
    stack: Vec<usize>,
    count: u32,
    parts: Vec<Vec<usize>>,
}

impl Walk {
    fn visit(&mut self, first: usize) {
        self.enter(first);
        // Nodes on the current path, and how many of their links were followed.
        let mut way = vec![(first, 0)];
        while let Some((node, followed)) = way.last_mut() {
            let node = *node;
            if let Some(&to) = self.next[node].get(*followed) {
                *followed += 1;
                let to = to as usize;
                if self.number[to] == NONE {
                    self.enter(to);
                    way.push((to, 0));
                } else if !self.done[to] {
                    self.low[node] = self.low[node].min(self.number[to]);
                }
                continue;
            }
            way.pop();
            if let Some((before, _)) = way.last() {
                self.low[*before] = self.low[*before].min(self.low[node]);
            }
            if self.low[node] == self.number[node] {
                self.close(node);
            }
        }
    }

    fn enter(&mut self, node: usize) {
        (self.number[node], self.low[node]) = (self.count, self.count);
        self.count += 1;
        self.stack.push(node);
    }

    /// Everything on the stack down to `node` is a part.
    fn close(&mut self, node: usize) {
        let start = self.stack.iter().rposition(|other| *other == node);
        let part = self.stack.split_off(start.expect("a node that is not done is on the stack"));
        for node in &part {
            self.done[*node] = true;
        }
        self.parts.push(part);
    }
}

/// Assigns parts to at most `count` lots of about equal weight, keeping their order.
pub(super) fn deal(
    parts: &[usize],
    weight: impl Fn(&usize) -> f64,
    count: usize,
) -> Vec<Vec<usize>> {
    let total: f64 = parts.iter().map(&weight).sum();
    let (mut lots, mut lot, mut dealt) = (Vec::new(), Vec::new(), 0.0);
    for part in parts {
        dealt += weight(part);
        lot.push(*part);
        if dealt * count as f64 >= total * (lots.len() + 1) as f64 && lots.len() + 1 < count {
            lots.push(std::mem::take(&mut lot));
        }
    }
    if !lot.is_empty() {
        lots.push(lot);
    }
    lots
}
