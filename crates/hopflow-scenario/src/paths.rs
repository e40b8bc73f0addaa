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
//! Paths between hosts of the same two switches differ in their first and last link only: what is
//! found for a pair of switches (`paths/pair.rs`) serves all flows between them. Where the pairs of
//! one destination have taken the work of labels for all sources, it has such labels. Where those
//! of one source have, its labels limit the search to nodes on shortest paths (links carry both
//! directions, so distances are the same both ways). So the work follows the flows, not the size of
//! the network.
//!
//! Not modelled: metrics of links other than 1.

mod pair;

use std::collections::BTreeMap;

use hopflow_network::{DirectionId, NetworkSpec, NodeKind};

use pair::{Meeting, Pair};

/// Directions that all searches of one scenario may look at.
pub(crate) const MOST_STEPS: u64 = 100_000_000;
/// The most nodes and links of the pairs that are kept: some 30 MB.
const MOST_KEPT: usize = 1 << 21;

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
    /// The number of link directions between switches.
    trunks: u64,
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
    /// By source and destination, both switches; `None`: no path leads from one to the other.
    pairs: BTreeMap<(usize, usize), Option<Pair>>,
    /// What `pairs` takes of [`MOST_KEPT`].
    kept: usize,
    /// By switch: the work of the pairs in which it is a source or a destination.
    work: Vec<u64>,
    meeting: Meeting,
    steps: u64,
}

/// What Eq. (1) and (2) say of the nodes on the paths.
#[derive(Clone, Copy, Debug)]
enum Labels<'p> {
    /// Of one pair of switches.
    Pair(&'p Pair),
    /// Of all nodes around the destination.
    Toward(&'p Toward),
}

impl<'p> Labels<'p> {
    /// The next links of a switch that is on a path.
    fn next(self, node: usize) -> &'p [Next] {
        match self {
            Labels::Pair(pair) => pair.next(node),
            Labels::Toward(toward) => &toward.labels[&node].next,
        }
    }
}

/// All shortest paths from one host to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paths<'p> {
    graph: &'p Graph,
    labels: Labels<'p>,
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
        let leaving: Vec<Vec<Next>> = leaving.iter().enumerate().map(of).collect();
        let switches = leaving.iter().zip(&is_host).filter(|(_, is_host)| !**is_host);
        let trunks = switches.map(|(links, _)| links.len() as u64).sum();
        let work = vec![0; leaving.len()];
        EqualPaths {
            graph: Graph { leaving, is_host, trunks },
            toward: BTreeMap::new(),
            pairs: BTreeMap::new(),
            kept: 0,
            work,
            meeting: Meeting::default(),
            steps: 0,
        }
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
        let is_known = self.pairs.contains_key(&(source, root));
        let is_switch = source != from && root != to;
        let is_worth = |node: usize| self.work[node] >= self.graph.trunks;
        let labels = if !is_switch || !is_known && is_worth(root) {
            self.widen_until(root, from)?;
            Labels::Toward(&self.toward[&root])
        } else {
            if !is_known {
                self.search(source, root, to)?;
            }
            let Some(pair) = &self.pairs[&(source, root)] else { return Ok(None) };
            Labels::Pair(pair)
        };
        let paths = Paths { graph: &self.graph, labels, from, to, root };
        Ok((!paths.starts().is_empty()).then_some(paths))
    }

    /// Finds the paths between the switches of two hosts, of which `to` is the second.
    fn search(&mut self, source: usize, root: usize, to: usize) -> Result<(), TooMuchWork> {
        let before = self.steps;
        let pair = if self.work[source] >= self.graph.trunks {
            self.widen_until(source, to)?;
            self.among_labels_of(source, root)
        } else {
            self.meeting.between(&self.graph, [source, root], &mut self.steps)
        };
        for end in [source, root] {
            self.work[end] += self.steps - before;
        }
        let size = pair.as_ref().map_or(1, Pair::size);
        if self.kept + size > MOST_KEPT {
            self.pairs.clear();
            self.kept = 0;
        }
        self.kept += size;
        self.pairs.insert((source, root), pair);
        Ok(())
    }

    /// The links from a source to a root where all around the source have labels.
    fn among_labels_of(&mut self, source: usize, root: usize) -> Option<Pair> {
        let around = &self.toward[&source];
        let all = around.distance(root)?;
        let mut between = Toward::new(root);
        let fits = |node: usize, distance: u32| around.distance(node) == Some(all - distance);
        for _ in 0..all {
            between.widen(&self.graph, &mut self.steps, fits);
        }
        let labels = between.labels.into_iter();
        Some(
            labels
                .flat_map(|(node, label)| label.next.into_iter().map(move |next| (node, next)))
                .collect(),
        )
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
        let Labels::Toward(toward) = self.labels else {
            // The source is at one switch, the first of the pair.
            return self.graph.leaving[self.from].clone();
        };
        let left = |node: usize| {
            if node == self.to {
                return Some(0);
            }
            let after = u32::from(self.root != self.to);
            toward.distance(node).filter(|_| !self.graph.is_host[node]).map(|d| d + after)
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
            next = self.labels.next(node);
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
                    self.labels.next(node)
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
