//! The description of a simulation: nodes, links, VCs, sources and faults, resolved to plain
//! numbers.
//!
//! Indices are positions in the vectors below, which keep the order of the scenario file; that
//! order is part of the model (ports by the order of links, VCs by the order of flows).
//! `hopflow-scenario` has checked everything here; the engines assert what they rely on
//! ([`NetworkSpec::assert_valid`]).

mod admission;
mod connection;
mod credit;
mod dynamic;
mod event;
mod lanes;
mod limit;
mod machines;
mod rate;
mod reservations;
mod reserve;
mod shared;
mod shared_buffer;
mod times;
mod traffic;
mod valid;
mod vc;
mod windows;
mod work;

use std::collections::BTreeMap;

use hopflow_control::marking::MarkingSpec;
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_units::{Bytes, Picos, Probability, Rate};

pub use crate::traffic::SourceSpec;
pub use hopflow_control::credit::CreditScheme;

pub use admission::{Admission, Jitter, MOST_JITTER};
pub use connection::{ConnectionSpec, FramingSpec, ProtocolSpec};
pub use credit::{CreditSpec, HopControl};
pub use dynamic::{Alpha, DynamicThreshold, Held};
pub use event::{Change, CreditsOf, EventSpec, FALSE_MOST};
pub use hopflow_units::Wire;
pub use lanes::{
    CreditLanes, LANES, Lane, LaneKey, LaneNumbers, LaneRule, LanesSpec, NoRoom, PauseNeed,
    PausedLanes, Smallest, ThresholdError, Thresholds,
};
pub use limit::{Limit, Load, Units, fits, taken};
pub use machines::{
    ConnectionFacts, CreditFacts, FlowFacts, LaneFacts, Machine, Make, MakeCongestion, MakeCredit,
    MakeLaneRule, MakeMarker, MakeRateRule, MakeScheduler, MakeSource, MarkerFacts, PortFacts,
    RateRuleFacts, RatedFlow, SourceFacts,
};
pub use rate::{RateSpec, Segment, VirtualInput, VirtualRate, VirtualSpec, VirtualUpdate};
pub use reserve::Reserve;
pub use shared::Shared;
pub use shared_buffer::SharedBufferSpec;
pub use traffic::{
    EnvelopeRule, EnvelopeSpec, Excess, LengthLaw, PolicingRule, PolicingSpec, SizeLaw, SpanLaw,
    TrafficSpec,
};
pub use vc::{HopSpec, MulticastSpec, VcSpec, WindowSpec};
pub use windows::{EndlessFlows, WindowFacts};
pub use work::WorkSpec;

/// A whole network and its traffic.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkSpec {
    /// Hosts and switches.
    pub nodes: Shared<Vec<NodeSpec>>,
    /// Links, each with two directions.
    pub links: Shared<Vec<LinkSpec>>,
    /// Virtual circuits.
    pub vcs: Shared<Vec<VcSpec>>,
    /// Transport connections, each over two VCs.
    pub connections: Shared<Vec<ConnectionSpec>>,
    /// Changes on the timeline, sorted by time (stable).
    pub events: Vec<EventSpec>,
    /// Machines from outside hopflow, by the indices that ports and VCs use.
    pub machines: Shared<Vec<Machine>>,
    /// The run covers `[0, duration)`.
    pub duration: Picos,
    /// Root of every random stream.
    pub seed: u64,
    /// When packets are admitted to buffers that can drop them.
    pub jitter: Jitter,
}

/// A host or a switch.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeSpec {
    /// Unique name.
    pub name: String,
    /// Hosts start and end VCs; switches forward them.
    pub kind: NodeKind,
    /// The most that the node holds in total, shared by its outputs. `None`: no limit.
    pub buffer: Option<Limit>,
    /// The most that the node holds of any one VC. `None`: no limit.
    pub vc_buffer: Option<Limit>,
    /// The most that the node holds for any one output. `None`: no limit.
    pub port_buffer: Option<Limit>,
    /// Memory is handed out in cells of this size, at least 1 B; limits in bytes count them.
    /// `None`: a packet takes its bytes.
    pub cell: Option<Bytes>,
    /// Alpha of its dynamic thresholds; then `buffer` is in bytes, and arriving packets are
    /// dropped. `None`: no thresholds.
    pub alpha: Option<Alpha>,
    /// What each of its class queues has for itself; only beside `alpha`.
    pub reserve: Reserve,
    /// Which packet is dropped when a packet finds the node, or its output, full.
    pub discard: Discard,
    /// Whether a switch drops frames rather than cells of VCs with AAL5 framing.
    pub frame_discard: FrameDiscardSpec,
    /// The link to the application of a slow host, which consumes arrived packets at its own rate.
    /// Such a host is of kind [`NodeKind::Switch`], because it holds and forwards the packets for
    /// its application; VCs start at it. `None`: a switch, or a host that consumes everything at
    /// once.
    pub drain: Option<usize>,
    /// The processor of a host, which works on what it sends and receives. `None`: both take no
    /// time.
    pub work: Option<WorkSpec>,
}

/// Whether a switch drops whole frames instead of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameDiscardSpec {
    /// It drops cells.
    #[default]
    None,
    /// Partial packet discard: the rest of a frame that has lost a cell, but not its last cell.
    Partial,
    /// Early packet discard, and partial if that is not enough: a frame is dropped whole if it
    /// begins with a cell that does not fit below a fill of the node, or of the frame's VC there.
    Early {
        /// What the node holds. `None`: no such condition.
        node: Option<Limit>,
        /// What the node holds of the VC. `None`: no such condition.
        vc: Option<Limit>,
    },
}

impl NodeSpec {
    /// A node without limits.
    pub fn new(name: impl Into<String>, kind: NodeKind) -> NodeSpec {
        let (buffer, vc_buffer, port_buffer) = (None, None, None);
        let discard = Discard::Arriving;
        let frame_discard = FrameDiscardSpec::None;
        let (name, cell, alpha, drain, work) = (name.into(), None, None, None, None);
        NodeSpec {
            name,
            kind,
            buffer,
            vc_buffer,
            port_buffer,
            cell,
            alpha,
            reserve: Reserve::default(),
            discard,
            frame_discard,
            drain,
            work,
        }
    }
}

/// Which packet is dropped when a buffer is full. A packet in transmission is never dropped. A VC
/// at its own limit always loses the packet that arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Discard {
    /// The packet that arrives.
    #[default]
    Arriving,
    /// The packet that would be served last at the output of the longest queue, including the one
    /// that arrives. Only for nodes whose ports all have a scheduler.
    LastOfLongest,
    /// The packet that would be served last at the output of the arriving one. Only for nodes whose
    /// ports all have a scheduler.
    LastOfOwn,
}

/// Hosts start and end VCs; switches forward them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// An end system.
    Host,
    /// An output-queued switch with shared memory.
    Switch,
}

/// A full-duplex link. Direction 0 runs from `ends[0]` to `ends[1]`, direction 1 back.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSpec {
    /// The two nodes, which differ.
    pub ends: [usize; 2],
    /// The settings of each direction.
    pub directions: [DirectionSpec; 2],
    /// R, the span of N23's E.
    pub round_trip: RoundTrip,
}

/// One direction of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectionSpec {
    /// Bits per second.
    pub rate: Rate,
    /// Bytes that every unit takes of the link in addition to its own: the preamble and the gap of
    /// Ethernet, 20 bytes. They take time only: no counter of bytes, no buffer and no scheduler
    /// includes them.
    pub overhead: Bytes,
    /// Propagation delay.
    pub delay: Picos,
    /// Processing time of the receiving end before a unit takes effect.
    pub processing: Picos,
    /// The probability that a data (or ACK) cell is corrupted in flight.
    pub corrupt_data: Probability,
    /// The probability that a credit (or request) cell is corrupted in flight.
    pub corrupt_credits: Probability,
    /// The order in which the sending port serves its VCs.
    pub scheduler: SchedulerSpec,
    /// Whether the lengths of the queue at the sending port are recorded
    /// ([`crate::counters::DirectionCounters::lengths`]).
    pub count_lengths: bool,
    /// Control shared by all VCs of a priority, in addition to that of each VC on its hop. `None`:
    /// none.
    pub lanes: Option<LanesSpec>,
    /// The memory at the receiving end that VCs under adaptive credit share.
    pub shared_buffer: Option<SharedBufferSpec>,
    /// The rate control of the sending port, which belongs to a switch, for its VCs.
    pub rate_control: Option<RateSpec>,
    /// Which packets the sending port, which belongs to a switch, marks with congestion
    /// experienced. `None`: none.
    pub marking: Option<MarkingSpec>,
    /// The most that the sending node holds for this output. `None`: the limit of the node for
    /// each output ([`NodeSpec::port_buffer`]).
    pub buffer: Option<Limit>,
}

impl DirectionSpec {
    /// A direction without processing and corruption, round robin at its port.
    pub const fn new(rate: Rate, delay: Picos) -> DirectionSpec {
        DirectionSpec {
            rate,
            overhead: Bytes(0),
            delay,
            processing: Picos::ZERO,
            corrupt_data: Probability::ZERO,
            corrupt_credits: Probability::ZERO,
            scheduler: SchedulerSpec::RoundRobin,
            count_lengths: false,
            lanes: None,
            shared_buffer: None,
            rate_control: None,
            marking: None,
            buffer: None,
        }
    }
}

impl DirectionSpec {
    /// The rate and the overhead.
    pub const fn wire(&self) -> Wire {
        Wire { rate: self.rate, overhead: self.overhead }
    }

    /// From a unit's last bit on the wire to its effect at the other end.
    pub fn beyond(&self) -> Picos {
        self.delay + self.processing
    }
}

/// How R is determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundTrip {
    /// The true loop: both latencies (cell time + delay + processing).
    Loop,
    /// A span set in the scenario.
    Fixed(Picos),
    /// Measured by a looping cell at start-up; no data cell starts before its return.
    Measured,
}

/// The identity of a link direction: 2 x link + direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirectionId(pub usize);

impl DirectionId {
    /// The direction `direction` (0 or 1) of `link`.
    pub const fn new(link: usize, direction: usize) -> DirectionId {
        DirectionId(2 * link + direction)
    }

    /// The other direction of the same link.
    #[must_use]
    pub const fn reverse(self) -> DirectionId {
        DirectionId(self.0 ^ 1)
    }

    /// The link's index.
    pub const fn link(self) -> usize {
        self.0 / 2
    }

    /// 0 or 1.
    pub const fn side(self) -> usize {
        self.0 % 2
    }
}

impl NetworkSpec {
    /// The number of link directions.
    pub fn direction_count(&self) -> usize {
        2 * self.links.len()
    }

    /// The settings of a link direction.
    pub fn direction(&self, id: DirectionId) -> &DirectionSpec {
        &self.links[id.link()].directions[id.side()]
    }

    /// The node that sends into a link direction.
    pub fn from_node(&self, id: DirectionId) -> usize {
        self.links[id.link()].ends[id.side()]
    }

    /// The node that a link direction leads to.
    pub fn to_node(&self, id: DirectionId) -> usize {
        self.links[id.link()].ends[1 - id.side()]
    }

    /// The name of every link direction, in order: `FROM->TO`, and `#k` appended for the k-th of
    /// several links between the same two nodes, k from 2.
    pub fn direction_names(&self) -> impl Iterator<Item = String> {
        let mut parallel: BTreeMap<[usize; 2], u32> = BTreeMap::new();
        (0..self.direction_count()).map(DirectionId).map(move |id| {
            let ends = [self.from_node(id), self.to_node(id)];
            let count = parallel.entry(ends).or_default();
            *count += 1;
            let [from, to] = ends.map(|node| &self.nodes[node].name);
            if *count == 1 { format!("{from}->{to}") } else { format!("{from}->{to}#{count}") }
        })
    }

    /// The most that a port holds, unless its node limits it further.
    pub fn port_limit(&self, id: DirectionId) -> Option<Limit> {
        self.direction(id).buffer.or(self.nodes[self.from_node(id)].port_buffer)
    }

    /// The direction by which the application of a slow host consumes arrived packets.
    pub fn drain(&self, node: usize) -> Option<DirectionId> {
        let link = self.nodes[node].drain?;
        Some(DirectionId::new(link, usize::from(self.links[link].ends[0] != node)))
    }

    /// The room of a slow host for packets that its application has not yet consumed; `None`: no
    /// limit, or not a slow host.
    pub fn receive_buffer(&self, node: usize) -> Option<Limit> {
        self.direction(self.drain(node)?).buffer
    }

    /// Whether a link leads from a slow host to its application.
    pub fn is_drain(&self, link: usize) -> bool {
        self.links[link].ends.iter().any(|node| self.nodes[*node].drain == Some(link))
    }

    /// Whether a node is a host for the user, including slow hosts.
    pub fn is_host(&self, node: usize) -> bool {
        self.nodes[node].kind == NodeKind::Host || self.nodes[node].drain.is_some()
    }

    /// The hops of `vc` that no other hop follows, in order: one per final host.
    pub fn leaves(&self, vc: usize) -> Vec<usize> {
        let feeds = self.vcs[vc].feeds();
        (0..feeds.len()).filter(|hop| !feeds[*hop]).collect()
    }
}
