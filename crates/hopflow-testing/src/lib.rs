//! Small networks for tests: a builder whose unit is the cell time, and random networks that
//! exercise every feature.
//!
//! Only tests use this crate: no crate depends on it but as a dev-dependency.

use hopflow_units::{Bytes, Cells, Picos, Rate, SimTime};

use hopflow_network::{
    CreditScheme, CreditSpec, DirectionId, DirectionSpec, EventSpec, HopControl, HopSpec, Jitter,
    LinkSpec, NetworkSpec, NodeKind, NodeSpec, RoundTrip, SourceSpec, VcSpec,
};

mod lanes;
mod marker;
mod random;
mod skipped;

pub use lanes::{pause, per_destination, ring, with_cbfc, with_lanes};
pub use marker::above;
pub use random::{
    random_bounded_network, random_fifo_only_network, random_network, random_slow_network,
    random_usual_network, with_backward_rm, with_bytes, with_calls, with_class_weights,
    with_copies, with_destinations, with_ends, with_false_credits, with_overhead,
    with_shared_credits, with_strict_envelopes, with_units, with_video, with_watchdogs, with_work,
};
pub use skipped::skip;

/// The rate of links made by the builder, in bits per second: a cell takes exactly [`CELL`].
pub const RATE_BPS: u64 = 424_000_000;

/// The cell time of links made by the builder: one microsecond.
pub const CELL: Picos = Picos(1_000_000);

/// `count` cell times, as a span.
pub fn cells(count: u64) -> Picos {
    CELL.checked_mul(count).expect("a test is shorter than 2^64 ps")
}

/// The instant `count` cell times after the start.
pub fn at(count: u64) -> SimTime {
    SimTime::ZERO + cells(count)
}

/// Builds a [`NetworkSpec`] in cell times. Nodes, links and VCs are numbered in order of calls.
/// Parts without a function of their own are changed in [`NetworkBuilder::spec`].
#[derive(Clone, Debug)]
pub struct NetworkBuilder {
    /// The network built so far.
    pub spec: NetworkSpec,
}

impl NetworkBuilder {
    /// An empty network that runs for `duration` cell times, seed 1.
    pub fn new(duration: u64) -> NetworkBuilder {
        NetworkBuilder {
            spec: NetworkSpec {
                nodes: Vec::new().into(),
                links: Vec::new().into(),
                vcs: Vec::new().into(),
                connections: Vec::new().into(),
                events: Vec::new(),
                machines: Vec::new().into(),
                duration: cells(duration),
                seed: 1,
                jitter: Jitter::Exact,
            },
        }
    }

    /// Adds a host without buffer limits; returns its number.
    pub fn host(&mut self, name: &str) -> usize {
        self.node(name, NodeKind::Host)
    }

    /// Adds a switch without buffer limits; returns its number.
    pub fn switch(&mut self, name: &str) -> usize {
        self.node(name, NodeKind::Switch)
    }

    fn node(&mut self, name: &str, kind: NodeKind) -> usize {
        let node = NodeSpec::new(name, kind);
        self.spec.nodes.push(node);
        self.spec.nodes.len() - 1
    }

    /// Adds a link of [`RATE_BPS`], `delay` cell times each way, R its true loop; returns its
    /// number. Its true loop is 2 x (`delay` + 1) cell times.
    pub fn link(&mut self, from: usize, to: usize, delay: u64) -> usize {
        let direction = plain_direction(RATE_BPS, cells(delay));
        self.link_of(LinkSpec {
            ends: [from, to],
            directions: [direction.clone(), direction],
            round_trip: RoundTrip::Loop,
        })
    }

    /// Adds any link; returns its number.
    pub fn link_of(&mut self, link: LinkSpec) -> usize {
        self.spec.links.push(link);
        self.spec.links.len() - 1
    }

    /// The hop over the first link that joins `from` to `to`, with no control.
    fn hop(&self, from: usize, to: usize, parent: Option<usize>) -> HopSpec {
        let found = self.spec.links.iter().enumerate().find_map(|(link, spec)| {
            (0..2)
                .find(|&side| spec.ends[side] == from && spec.ends[1 - side] == to)
                .map(|d| (link, d))
        });
        let (link, direction) = found.expect("the route follows links");
        HopSpec { link, direction, parent, control: HopControl::None }
    }

    /// Adds a VC along `route` (node numbers, first links found), priority 0, every hop under
    /// `control`; returns its number.
    pub fn vc(
        &mut self,
        name: &str,
        route: &[usize],
        control: HopControl,
        source: SourceSpec,
    ) -> usize {
        let mut hops = Vec::new();
        for (index, pair) in route.windows(2).enumerate() {
            hops.push(HopSpec { control, ..self.hop(pair[0], pair[1], index.checked_sub(1)) });
        }
        self.vc_of(name, hops, source)
    }

    /// Adds a VC over the tree given by `edges` (from, to), parents first; returns its number.
    pub fn tree(
        &mut self,
        name: &str,
        edges: &[(usize, usize)],
        control: HopControl,
        source: SourceSpec,
    ) -> usize {
        let mut hops = Vec::new();
        for &(from, to) in edges {
            let parent = edges.iter().position(|edge| edge.1 == from);
            hops.push(HopSpec { control, ..self.hop(from, to, parent) });
        }
        self.vc_of(name, hops, source)
    }

    /// Adds a VC with these hops, priority 0, from the start to the end; returns its number.
    pub fn vc_of(&mut self, name: &str, hops: Vec<HopSpec>, source: SourceSpec) -> usize {
        self.spec.vcs.push(VcSpec::new(name, hops, source));
        self.spec.vcs.len() - 1
    }

    /// Adds a change on the direction from `ends[side]` of `link`, `time` cell times after the
    /// start, and keeps events in order of time.
    pub fn event(&mut self, time: u64, direction: DirectionId, change: hopflow_network::Change) {
        let (link, direction) = (direction.link(), direction.side());
        self.spec.events.push(EventSpec { at: at(time), link, direction, change });
        self.spec.events.sort_by_key(|event| event.at);
    }
}

/// A direction without corruption and processing.
pub fn plain_direction(rate_bps: u64, delay: Picos) -> DirectionSpec {
    let rate = Rate::from_bps(rate_bps).expect("a test's rate is above zero");
    DirectionSpec::new(rate, delay)
}

/// Control by `scheme` without requests and redundant credits.
pub fn credit(scheme: CreditScheme, n2: u32, n3: u32) -> HopControl {
    HopControl::Credit(CreditSpec {
        scheme,
        unit: Bytes::CELL,
        n1: Cells::ZERO,
        n2: Cells(n2),
        n3: Cells(n3),
        request_after: None,
        redundant_every: None,
        per_cell: 1,
        allow_small_buffer: false,
    })
}

/// Control by N23, the paper's scheme.
pub fn n23(n2: u32, n3: u32) -> HopControl {
    credit(CreditScheme::N23, n2, n3)
}

/// A source that makes `count` cells, all at instant 0.
pub fn burst(count: usize) -> SourceSpec {
    SourceSpec::Replay { times: vec![Picos::ZERO; count] }
}
