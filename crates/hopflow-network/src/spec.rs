//! What is simulated: nodes, links, VCs, sources and faults, resolved to plain numbers.
//!
//! Indices are positions in the vectors below, which keep the order of the scenario file; that
//! order is part of the model (ports by the order of links, VCs by the order of flows).
//! Everything here has been checked by the scenario's author (`hopflow-scenario`); the engines
//! assert what they rely on ([`NetworkSpec::assert_valid`]).

use hopflow_units::{Bytes, Cells, Picos, Probability, Rate, SimTime};

/// A whole network and its traffic.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkSpec {
    /// Hosts and switches.
    pub nodes: Vec<NodeSpec>,
    /// Links, each with two directions.
    pub links: Vec<LinkSpec>,
    /// Virtual circuits.
    pub vcs: Vec<VcSpec>,
    /// Changes on the timeline, sorted by time (stable).
    pub events: Vec<EventSpec>,
    /// The run covers `[0, duration)`.
    pub duration: Picos,
    /// Root of every random stream.
    pub seed: u64,
}

/// A host or a switch.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeSpec {
    /// Unique name.
    pub name: String,
    /// Hosts start and end VCs; switches forward them.
    pub kind: NodeKind,
    /// The most cells the node holds in all (shared memory); an arriving or newly made cell
    /// that finds it full is dropped. `None`: no limit.
    pub buffer: Option<Cells>,
    /// The most cells the node holds of any one VC. `None`: no limit.
    pub vc_buffer: Option<Cells>,
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
    /// The two nodes, different from each other.
    pub ends: [usize; 2],
    /// What holds in each direction.
    pub directions: [DirectionSpec; 2],
    /// R, the span over which N23's E looks back.
    pub round_trip: RoundTrip,
}

/// One direction of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectionSpec {
    /// Bits per second.
    pub rate: Rate,
    /// Propagation delay.
    pub delay: Picos,
    /// Time the receiving end needs for any unit before it takes effect.
    pub processing: Picos,
    /// The chance that a data (or ACK) cell is corrupted on the way.
    pub corrupt_data: Probability,
    /// The chance that a credit (or request) cell is corrupted on the way.
    pub corrupt_credits: Probability,
}

/// How R is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundTrip {
    /// The true loop: both latencies (cell time + delay + processing).
    Loop,
    /// A span set in the scenario.
    Fixed(Picos),
    /// Measured by a looping cell at start-up; until it is back, no data cell starts.
    Measured,
}

/// One virtual circuit: a tree of hops from one source host to one or more final hosts.
#[derive(Clone, Debug, PartialEq)]
pub struct VcSpec {
    /// Unique name.
    pub name: String,
    /// 0 is served first.
    pub priority: u8,
    /// The links crossed. `hops[0]` leaves the source host; parents come before children.
    pub hops: Vec<HopSpec>,
    /// Where cells come from.
    pub source: SourceSpec,
    /// When the source begins.
    pub start: SimTime,
    /// When the source ends: no cell is born at or after it.
    pub stop: Option<SimTime>,
    /// End-to-end control from the final host back to the source. Unicast only.
    pub window: Option<WindowSpec>,
    /// How branches of a multicast VC hold each other, the same at every branching switch.
    pub multicast: MulticastSpec,
}

/// One link crossed by a VC.
#[derive(Clone, Debug, PartialEq)]
pub struct HopSpec {
    /// The link.
    pub link: usize,
    /// Its direction, 0 or 1.
    pub direction: usize,
    /// The hop that feeds this one, `None` for the first.
    pub parent: Option<usize>,
    /// Link-by-link control on this hop.
    pub control: HopControl,
}

/// Link-by-link control on one hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HopControl {
    /// None: cells start whenever the link is free.
    None,
    /// A credit scheme.
    Credit(CreditSpec),
}

/// A credit scheme on one hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditSpec {
    /// Which scheme.
    pub scheme: CreditScheme,
    /// Cells freed per credit cell, at least 1.
    pub n2: Cells,
    /// The buffer behind N2, in cells. N2 + N3 is the initial credit (CUP: the allocation).
    pub n3: Cells,
    /// A sender that has waited so long for credit, with a cell in hand, asks for it
    /// (Sender-Request-Credit), and again each time as long. Not zero.
    pub request_after: Option<Picos>,
    /// The receiver sends a redundant credit each time this span has passed. Not zero.
    pub redundant_every: Option<Picos>,
}

/// Which credit scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditScheme {
    /// N23, E taken when a credit arrives.
    N23,
    /// N23, E taken at every instant.
    N23Continuous,
    /// N123: E is not subtracted; N1 more cells of buffer absorb what is in flight.
    N123 {
        /// The third zone.
        n1: Cells,
    },
    /// N123+: as N123, and at most N1 cells start in any R.
    N123Plus {
        /// The third zone and the most cells per R.
        n1: Cells,
    },
    /// Exact counters.
    Cup,
    /// Additive credit.
    Additive,
}

impl CreditSpec {
    /// The cells the receiver must have room for: N2 + N3, and N1 where the scheme has it.
    pub fn buffer(&self) -> Cells {
        let n1 = match self.scheme {
            CreditScheme::N123 { n1 } | CreditScheme::N123Plus { n1 } => n1,
            _ => Cells::ZERO,
        };
        n1 + self.n2 + self.n3
    }

    /// The initial credit, N2 + N3.
    pub fn initial_credit(&self) -> Cells {
        self.n2 + self.n3
    }
}

/// An end-to-end sliding window with ACK cells on the reverse path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSpec {
    /// W, at least 1.
    pub cells: Cells,
    /// An ACK cell after every so many delivered cells, at least 1.
    pub ack_every: Cells,
}

/// How branches of a multicast VC hold each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MulticastSpec {
    /// A branch may start a cell only if at most so many older cells are still held for slower
    /// branches. `None`: branches run ahead as far as there are cells.
    pub run_ahead: Option<Cells>,
    /// A branch whose next cell has waited so long loses cells instead of holding the VC.
    pub give_up_after: Option<Picos>,
}

/// Where the cells of a VC come from. Every span of cells at the source's speed uses the cell
/// time of the first hop's link.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceSpec {
    /// Always has one more cell; a cell is born at its first start.
    Greedy,
    /// Cell n is due at start + n x k cell times.
    EveryKth {
        /// k, at least 1.
        k: u64,
    },
    /// Cell n is due at start + ceil(n x bits / rate).
    Constant {
        /// Counted with the 53 bytes of a cell.
        rate: Rate,
    },
    /// Bursts of back-to-back cells (one per cell time) with silence between. The first burst
    /// begins after one silence drawn from `off`, unless `burst_first`.
    OnOff {
        /// Cells in a burst.
        burst: LengthLaw,
        /// Silence between the end of a burst's last cell time and the next burst.
        off: SpanLaw,
        /// Whether the first burst begins at once.
        burst_first: bool,
    },
    /// A constant rate that alternates: `low` for `half_period`, then `high` as long.
    Alternating {
        /// The first rate.
        low: Rate,
        /// The second rate.
        high: Rate,
        /// How long each lasts.
        half_period: Picos,
    },
    /// A recorded trace: instants relative to `start`, not decreasing.
    Replay {
        /// When each cell is due.
        times: Vec<Picos>,
    },
}

/// The law of a number of cells, at least 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LengthLaw {
    /// Always so many, at least 1.
    Fixed(u64),
    /// Geometric on 1, 2, ... with this mean, at least 1.
    Geometric(f64),
    /// Exponential with this mean, rounded up to a whole cell.
    Exponential(f64),
}

/// The law of a span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpanLaw {
    /// Always so long.
    Fixed(Picos),
    /// A whole number of cell times, geometric on 0, 1, ... with this mean in cell times.
    GeometricCells(f64),
    /// Exponential with this mean, rounded up to a whole picosecond.
    Exponential(Picos),
}

/// A change on the timeline, before anything else at its instant.
#[derive(Clone, Debug, PartialEq)]
pub struct EventSpec {
    /// When.
    pub at: SimTime,
    /// The link.
    pub link: usize,
    /// Its direction, 0 or 1.
    pub direction: usize,
    /// What changes.
    pub change: Change,
}

/// What changes on a link direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// A new chance of corruption for data cells.
    CorruptData(Probability),
    /// A new chance of corruption for credit cells.
    CorruptCredits(Probability),
    /// Corrupt the next so many credit cells that start, of one VC or of any.
    CorruptNextCredits {
        /// How many; adds to what is left of earlier ones.
        count: u32,
        /// Only credits of this VC.
        vc: Option<usize>,
    },
    /// While true, no data cell starts here (control cells still do).
    Blocked(bool),
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

impl HopSpec {
    /// The link direction crossed.
    pub const fn direction_id(&self) -> DirectionId {
        DirectionId::new(self.link, self.direction)
    }
}

impl NetworkSpec {
    /// How many link directions there are.
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

    /// The time one cell takes on a link direction, rounded up to a whole picosecond.
    pub fn cell_time(&self, id: DirectionId) -> Picos {
        let rate = self.direction(id).rate;
        rate.transmit_time(Bytes::CELL).expect("a cell of 424 bits at 1 b/s or more fits 2^64 ps")
    }

    /// From a cell's start to its effect at the other end: cell time + delay + processing.
    pub fn latency(&self, id: DirectionId) -> Picos {
        let direction = self.direction(id);
        self.cell_time(id) + direction.delay + direction.processing
    }

    /// The true loop of a link: a cell out, a credit back.
    pub fn loop_time(&self, link: usize) -> Picos {
        self.latency(DirectionId::new(link, 0)) + self.latency(DirectionId::new(link, 1))
    }

    /// R as the senders on `link` use it (a measured R is the true loop, see `RoundTrip`).
    pub fn round_trip(&self, link: usize) -> Picos {
        match self.links[link].round_trip {
            RoundTrip::Fixed(span) => span,
            RoundTrip::Loop | RoundTrip::Measured => self.loop_time(link),
        }
    }

    /// The hops of `vc` that no other hop follows, in order: one per final host.
    pub fn leaves(&self, vc: usize) -> Vec<usize> {
        let hops = &self.vcs[vc].hops;
        (0..hops.len()).filter(|&h| !hops.iter().any(|o| o.parent == Some(h))).collect()
    }

    /// Asserts what the engines rely on. The scenario check has turned every such mistake of a
    /// user into an error before; a failure here is a bug of the caller.
    pub fn assert_valid(&self) {
        for link in &self.links {
            assert_ne!(link.ends[0], link.ends[1], "a link joins two different nodes");
        }
        for vc in &self.vcs {
            assert!(!vc.hops.is_empty(), "VC {} crosses at least one link", vc.name);
            assert!(vc.hops[0].parent.is_none(), "hop 0 of VC {} leaves its source", vc.name);
            for (index, hop) in vc.hops.iter().enumerate().skip(1) {
                let parent = hop.parent.expect("only hop 0 has no parent");
                assert!(parent < index, "parents come before children in VC {}", vc.name);
                let joint = self.to_node(vc.hops[parent].direction_id());
                assert_eq!(joint, self.from_node(hop.direction_id()), "hops of {} join", vc.name);
                assert_eq!(self.nodes[joint].kind, NodeKind::Switch, "only switches forward");
            }
            if vc.window.is_some() {
                assert!(vc.hops.iter().skip(1).enumerate().all(|(i, h)| h.parent == Some(i)));
            }
        }
        assert!(self.events.is_sorted_by_key(|e| e.at), "events are sorted by time");
    }
}
