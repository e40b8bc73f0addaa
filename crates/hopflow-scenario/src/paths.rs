//! Equal paths: all shortest paths between two hosts, as the next links of each switch.
//!
//! A path has the fewest links; hosts do not forward; each of several parallel links counts as a
//! path of its own. Switches are labelled breadth first from the destination, level by level, until
//! the source is reached:
//! ```text
//! d(v)    =  links from switch v to the destination's switch                     (1)
//! next(v) =  the links from v to switches u with d(u) = d(v) - 1                 (2)
//! f(u,v)  =  f(u) / |next(u)|,   f(v) = sum of f(u,v),   f(source) = 1           (3)
//! ```
//! Eq. (3) is an even split: each switch divides what it has of the flow evenly over its next
//! links.
//!
//! What is found serves all flows to the same destination. Where one source has many destinations,
//! its own labels limit the search to nodes on shortest paths (links carry both directions, so
//! distances are the same both ways). So the work follows the flows, not the size of the network.
//!
//! Not modelled: metrics of links other than 1.

use std::collections::BTreeMap;

use hopflow_network::{DirectionId, NetworkSpec, NodeKind};

/// Directions that all searches of one scenario may look at.
pub(crate) const MOST_STEPS: u64 = 100_000_000;
/// How often a switch is a destination before it has labels of its own in any case.
const OFTEN: u32 = 8;

/// A link that a path may take next, and the node it leads to.
pub(crate) type Next = (DirectionId, usize);

/// The searches take more than [`MOST_STEPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMuchWork;

/// Where paths may lead.
#[derive(Debug)]
struct Graph {
    /// By node, in order of links: of switches the links to other switches; of hosts all.
    leaving: Vec<Vec<Next>>,
    is_host: Vec<bool>,
}

impl Graph {
    /// The switch of a host that has a single link, else the host itself.
    fn root(&self, host: usize) -> usize {
        match self.leaving[host][..] {
            [(_, only)] if !self.is_host[only] => only,
            _ => host,
        }
    }
}

/// What Eq. (1) and (2) say of one switch.
#[derive(Debug)]
struct Label {
    distance: u32,
    next: Vec<Next>,
}

/// The labels of nodes around a destination.
#[derive(Debug)]
struct Toward {
    labels: BTreeMap<usize, Label>,
    /// The nodes of the last level.
    frontier: Vec<usize>,
}

impl Toward {
    fn new(root: usize) -> Toward {
        let labels = BTreeMap::from([(root, Label { distance: 0, next: Vec::new() })]);
        Toward { labels, frontier: vec![root] }
    }

    fn distance(&self, node: usize) -> Option<u32> {
        self.labels.get(&node).map(|label| label.distance)
    }

    /// Labels one more level, of the nodes that `fits` takes at their distance. Adds the work to
    /// `steps`.
    fn widen(&mut self, graph: &Graph, steps: &mut u64, fits: impl Fn(usize, u32) -> bool) {
        let mut reached = Vec::new();
        for node in std::mem::take(&mut self.frontier) {
            let distance = self.labels[&node].distance + 1;
            *steps += graph.leaving[node].len() as u64;
            for &(direction, to) in &graph.leaving[node] {
                if graph.is_host[to] || !fits(to, distance) {
                    continue;
                }
                let label = self.labels.entry(to).or_insert_with(|| {
                    reached.push(to);
                    Label { distance, next: Vec::new() }
                });
                if label.distance == distance {
                    label.next.push((direction.reverse(), node));
                }
            }
        }
        for node in &reached {
            let label = self.labels.get_mut(node).expect("it has just been labelled");
            label.next.sort_unstable();
        }
        self.frontier = reached;
    }
}

/// The shortest paths of a network. What is found is kept.
#[derive(Debug)]
pub(crate) struct EqualPaths {
    graph: Graph,
    /// By destination: a switch, or a host with several links.
    toward: BTreeMap<usize, Toward>,
    /// How often each was a source or a destination.
    asked: BTreeMap<usize, u32>,
    /// Labels for one pair only.
    between: Toward,
    steps: u64,
}

/// All shortest paths from one host to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paths<'p> {
    graph: &'p Graph,
    toward: &'p Toward,
    from: usize,
    to: usize,
    root: usize,
}

impl EqualPaths {
    /// Of nodes and the links that leave each.
    pub(crate) fn new(leaving: &[Vec<Next>], is_host: Vec<bool>) -> EqualPaths {
        let of = |(node, links): (usize, &Vec<Next>)| {
            let kept = links.iter().copied();
            kept.filter(|(_, to)| is_host[node] || !is_host[*to]).collect()
        };
        let leaving = leaving.iter().enumerate().map(of).collect();
        let graph = Graph { leaving, is_host };
        let (toward, asked) = (BTreeMap::new(), BTreeMap::new());
        EqualPaths { graph, toward, asked, between: Toward::new(0), steps: 0 }
    }

    /// Of a network.
    pub(crate) fn of(network: &NetworkSpec) -> EqualPaths {
        let mut leaving = vec![Vec::new(); network.nodes.len()];
        for id in (0..network.direction_count()).map(DirectionId) {
            leaving[network.from_node(id)].push((id, network.to_node(id)));
        }
        let is_host = network.nodes.iter().map(|node| node.kind == NodeKind::Host).collect();
        EqualPaths::new(&leaving, is_host)
    }

    /// The node at which the paths to and from a host come together: its only switch, or itself.
    pub(crate) fn root(&self, host: usize) -> usize {
        self.graph.root(host)
    }

    /// The paths from one host to another; `None`: there is none.
    pub(crate) fn between(
        &mut self,
        from: usize,
        to: usize,
    ) -> Result<Option<Paths<'_>>, TooMuchWork> {
        if self.steps > MOST_STEPS {
            return Err(TooMuchWork);
        }
        let (source, root) = (self.graph.root(from), self.graph.root(to));
        let [source_asked, root_asked] = [source, root].map(|node| {
            let asked = self.asked.entry(node).or_insert(0);
            *asked += 1;
            *asked
        });
        let ends_at_hosts = source == from || root == to;
        let own = self.toward.contains_key(&root) || ends_at_hosts || root_asked >= OFTEN;
        if own || (root_asked >= source_asked && !self.toward.contains_key(&source)) {
            self.widen_until(root, from)?;
            let toward = &self.toward[&root];
            let paths = Paths { graph: &self.graph, toward, from, to, root };
            return Ok((!paths.starts().is_empty()).then_some(paths));
        }
        self.widen_until(source, to)?;
        let around = &self.toward[&source];
        let Some(all) = around.distance(root) else { return Ok(None) };
        self.between = Toward::new(root);
        let fits = |node: usize, distance: u32| around.distance(node) == Some(all - distance);
        for _ in 0..all {
            self.between.widen(&self.graph, &mut self.steps, fits);
        }
        let toward = &self.between;
        Ok(Some(Paths { graph: &self.graph, toward, from, to, root }))
    }

    /// Labels what is around `root` until a switch of `host` has a label, or all have that can.
    fn widen_until(&mut self, root: usize, host: usize) -> Result<(), TooMuchWork> {
        let toward = self.toward.entry(root).or_insert_with(|| Toward::new(root));
        let beside = &self.graph.leaving[host];
        while !beside.iter().any(|(_, node)| toward.labels.contains_key(node))
            && !toward.frontier.is_empty()
        {
            toward.widen(&self.graph, &mut self.steps, |_, _| true);
            if self.steps > MOST_STEPS {
                return Err(TooMuchWork);
            }
        }
        Ok(())
    }
}

impl Paths<'_> {
    /// The links that the source host may take, those with the fewest links to go.
    fn starts(&self) -> Vec<Next> {
        let left = |node: usize| {
            if node == self.to {
                return Some(0);
            }
            let after = u32::from(self.root != self.to);
            self.toward.distance(node).filter(|_| !self.graph.is_host[node]).map(|d| d + after)
        };
        let leaving = self.graph.leaving[self.from].iter().copied();
        let reaching: Vec<(u32, Next)> =
            leaving.filter_map(|next| Some((left(next.1)?, next))).collect();
        let least = reaching.iter().map(|(left, _)| *left).min();
        let shortest = reaching.into_iter().filter(|(left, _)| Some(*left) == least);
        shortest.map(|(_, next)| next).collect()
    }

    /// The link from the last switch to the destination, if the search did not begin at the
    /// destination itself.
    fn last(&self) -> Option<DirectionId> {
        (self.root != self.to).then(|| self.graph.leaving[self.to][0].0.reverse())
    }

    /// One path: `choose` gets a node, how many switches are behind it, and its equal next links,
    /// in order of links and at least two, and says which. Also whether there was a choice.
    pub(crate) fn walk<E>(
        &self,
        mut choose: impl FnMut(usize, usize, &[Next]) -> Result<usize, E>,
    ) -> Result<(Vec<DirectionId>, bool), E> {
        let (mut way, mut chosen) = (Vec::new(), false);
        let (mut node, starts) = (self.from, self.starts());
        let mut next = &starts[..];
        loop {
            let index = match next.len() {
                1 => 0,
                _ => choose(node, way.len().saturating_sub(1), next)?,
            };
            chosen |= next.len() > 1;
            let (direction, to) = next[index];
            way.push(direction);
            node = to;
            if node == self.root || node == self.to {
                break;
            }
            next = &self.toward.labels[&node].next;
        }
        if node != self.to {
            way.extend(self.last());
        }
        Ok((way, chosen))
    }

    /// The part of a flow that each link carries where every node splits it evenly, Eq. (3).
    pub(crate) fn split(&self) -> Vec<(DirectionId, f64)> {
        let mut parts = Vec::new();
        let mut level = BTreeMap::from([(self.from, 1.0_f64)]);
        let starts = self.starts();
        while !level.is_empty() {
            let mut below = BTreeMap::new();
            for (node, part) in level {
                let next = if node == self.from {
                    &starts
                } else if node == self.root || node == self.to {
                    continue;
                } else {
                    &self.toward.labels[&node].next
                };
                let each = part / next.len() as f64;
                for &(direction, to) in next {
                    parts.push((direction, each));
                    *below.entry(to).or_insert(0.0) += each;
                }
            }
            level = below;
        }
        parts.extend(self.last().map(|last| (last, 1.0)));
        parts
    }
}

#[cfg(test)]
mod tests;
