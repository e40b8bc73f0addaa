//! Routing: which of several equal paths flows take, and what follows for the links.
//!
//! | kind      | the path of a flow with `from` and one `to`                        |
//! |-----------|--------------------------------------------------------------------|
//! | `ecmp`    | by hash(route seed, flow, node) at each node: `route/equal.rs`, (1)|
//! | `d-mod-k` | by the destination's number in a fat tree: `route/equal.rs`, (2)   |
//! | `first`   | the first that a search comes upon: `route/first.rs`               |
//!
//! A route is chosen once, when the file is read. Flows to several hosts take the first paths.

mod hottest;

use hopflow_network::{DirectionId, NetworkSpec};

use crate::described::{Choice, Reads};
use crate::diagnostic::Sink;
use crate::keys::run::{ROUTE_SEED, ROUTING, Routings};
use crate::origin::Origin;
use crate::paths::EqualPaths;
use crate::section::Section;

pub use hottest::HotLink;

/// Which of several shortest paths a flow takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoutingKind {
    /// One chosen by a hash at each node.
    #[default]
    Ecmp,
    /// That of the number of its destination in a fat tree.
    DModK,
    /// The first in the order of links.
    First,
}

impl RoutingKind {
    /// All of them, in the order of their words.
    const ALL: [RoutingKind; Routings::WORDS.len()] =
        [RoutingKind::Ecmp, RoutingKind::DModK, RoutingKind::First];

    /// Its word in scenario files.
    pub fn word(self) -> &'static str {
        Routings::WORDS[self as usize]
    }
}

/// How routes are chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) kind: RoutingKind,
    /// Of the hash.
    pub(crate) seed: u64,
    /// Whether `route-seed` pins it.
    pinned: bool,
}

impl Rule {
    /// Reads `routing` and `route-seed`; `seed` is the scenario's.
    pub(crate) fn read(root: &Section<'_>, seed: u64, sink: &mut Sink) -> Rule {
        let word = ROUTING.read(root, &(), sink);
        let kind = RoutingKind::ALL.into_iter().find(|kind| Some(kind.word()) == word);
        let own = ROUTE_SEED.read(root, &(), sink).flatten();
        Rule { kind: kind.unwrap_or_default(), seed: own.unwrap_or(seed), pinned: own.is_some() }
    }
}

/// How routes were chosen where several paths are equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Routing {
    /// By which rule.
    pub kind: RoutingKind,
    /// The seed of the hash: `route-seed`, or the scenario's seed.
    pub seed: u64,
    /// Whether `route-seed` holds the routes while the scenario's seed changes.
    pub pinned: bool,
    /// The VCs whose path is one of several equal ones, in ascending order; of a connection both.
    pub equal: Vec<usize>,
    /// The link that these VCs load most, although they could go round it.
    pub hottest: Option<HotLink>,
    /// From what the scenario was read, where another seed may give other routes.
    pub(crate) origin: Origin,
}

impl Routing {
    pub(crate) fn new(rule: Rule, equal: Vec<usize>) -> Routing {
        let Rule { kind, seed, pinned } = rule;
        Routing { kind, seed, pinned, equal, hottest: None, origin: Origin::default() }
    }

    /// Whether another seed of the scenario may give other routes.
    pub fn follows_seed(&self) -> bool {
        self.kind == RoutingKind::Ecmp && !self.pinned && !self.equal.is_empty()
    }

    /// The part of each VC that each link direction carries: all of it along its route, but where
    /// several paths are equal an even split over them. `None`: that takes too much work.
    pub fn split(&self, network: &NetworkSpec) -> Option<Vec<Vec<(DirectionId, f64)>>> {
        let along = |vc: &hopflow_network::VcSpec| {
            vc.hops.iter().map(|hop| (hop.direction_id(), 1.0)).collect()
        };
        let mut parts: Vec<Vec<(DirectionId, f64)>> = network.vcs.iter().map(along).collect();
        let mut paths = EqualPaths::of(network);
        for &vc in &self.equal {
            let (from, to) = ends(network, vc);
            parts[vc] = paths.between(from, to).ok()??.split();
        }
        Some(parts)
    }
}

/// The first and the last host of a VC with one receiver.
fn ends(network: &NetworkSpec, vc: usize) -> (usize, usize) {
    let hops = &network.vcs[vc].hops;
    let (first, last) = (&hops[0], &hops[hops.len() - 1]);
    (network.from_node(first.direction_id()), network.to_node(last.direction_id()))
}
