//! Link control that VCs share on a link direction, by priority or destination: PFC, and lane
//! credits.

mod credit;
mod numbers;
mod smallest;
mod threshold;

use hopflow_control::lane::{Frames, PausedLink};
use hopflow_units::{Bytes, Picos};
use serde::{Deserialize, Serialize};

pub use credit::CreditLanes;
pub use hopflow_control::lane::LaneRule;
pub use numbers::{Lane, LaneKey, LaneNumbers};
pub use smallest::Smallest;
pub use threshold::{NoRoom, PauseNeed, ThresholdError, Thresholds};

use super::{DirectionId, Discard, HopControl, NetworkSpec, NodeKind, VcSpec};
use crate::CellKind;

/// The number of priorities of a port: 0 (first) to 7.
pub const LANES: usize = 8;

/// Which priorities of a link direction are lanes, and their control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanesSpec {
    /// Bit p: the VCs of priority p, with their ACKs, are on lanes. Not zero.
    #[serde(with = "priorities")]
    pub priorities: u8,
    /// Which of them are one lane.
    #[serde(default, skip_serializing_if = "LaneKey::is_priority")]
    pub per: LaneKey,
    /// The control of each lane.
    #[serde(flatten)]
    pub rule: LaneRule,
}

impl LanesSpec {
    /// Lanes of these priorities, bit p for priority p.
    pub const fn new(priorities: u8, rule: LaneRule) -> LanesSpec {
        LanesSpec { priorities, per: LaneKey::Priority, rule }
    }

    /// Whether the VCs of a priority are on lanes.
    pub const fn covers(&self, priority: u8) -> bool {
        self.priorities & (1 << priority) != 0
    }

    /// The priorities, in order.
    pub fn each_priority(self) -> impl Iterator<Item = u8> {
        (0..LANES as u8).filter(move |lane| self.covers(*lane))
    }

    /// Whether a port discards packets after too long a pause.
    pub fn has_watchdog(&self) -> bool {
        self.rule.watchdog().is_some()
    }

    /// The kind of the frames that the receiver returns.
    pub const fn frames(&self) -> CellKind {
        match self.rule.facts().frames {
            Frames::Pause => CellKind::Pause,
            Frames::Credit => CellKind::LaneCredit,
        }
    }
}

/// The bits of `priorities` as a list of numbers.
mod priorities {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use super::LANES;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(bits: &u8, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq((0..LANES as u8).filter(|lane| bits & (1 << lane) != 0))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
        let bit = |lane: u8| 1_u8.checked_shl(lane.into());
        let lanes = Vec::<u8>::deserialize(from)?.into_iter();
        let bits = lanes.map(bit).try_fold(0, |bits, lane| Some(bits | lane?));
        bits.ok_or_else(|| D::Error::custom("priorities are 0 to 7"))
    }
}

impl NetworkSpec {
    /// For each link direction: the largest packet of each priority; no less than an ACK cell.
    pub fn largest_of_lanes(&self) -> Vec<[Bytes; LANES]> {
        let mut largest = vec![[Bytes::CELL; LANES]; self.direction_count()];
        for vc in &self.vcs {
            for hop in &vc.hops {
                let of_lane = &mut largest[hop.direction_id().0][usize::from(vc.priority)];
                *of_lane = vc.traffic.size.most().max(*of_lane);
            }
        }
        largest
    }

    /// For each link direction: a multicast VC that leaves a node by it and by others, if any.
    pub fn branching(&self) -> Vec<Option<usize>> {
        let mut branching = vec![None; self.direction_count()];
        for (index, vc) in self.vcs.iter().enumerate() {
            for branches in vc.children().iter().filter(|children| children.len() > 1) {
                for hop in branches {
                    branching[vc.hops[*hop].direction_id().0] = Some(index);
                }
            }
        }
        branching
    }

    /// Whether a port may push out packets: because its node is full, or by its watchdog.
    pub fn pushes_out(&self, id: DirectionId) -> bool {
        let node = &self.nodes[self.from_node(id)];
        let watched = self.direction(id).lanes.is_some_and(|lanes| lanes.has_watchdog());
        node.discard != Discard::Arriving || watched
    }

    /// Asserts what the engines rely on about lanes.
    pub(super) fn assert_lanes_valid(&self) {
        if self.links.iter().flat_map(|link| &link.directions).all(|d| d.lanes.is_none()) {
            return;
        }
        let (largest, branching) = (self.largest_of_lanes(), self.branching());
        for id in (0..self.direction_count()).map(DirectionId) {
            let Some(lanes) = self.direction(id).lanes else { continue };
            assert!(lanes.priorities != 0, "lanes of some priority");
            for lane in lanes.each_priority() {
                lanes.rule.assert_valid(largest[id.0][usize::from(lane)]);
            }
            if lanes.per == LaneKey::Destination {
                assert!(lanes.rule.promise().is_some(), "pauses are per priority");
                let branches = |vc: &VcSpec| vc.children().iter().any(|next| next.len() > 1);
                let ends_twice = |vc: &VcSpec| lanes.covers(vc.priority) && branches(vc);
                let crosses = |vc: &VcSpec| vc.hops.iter().any(|hop| hop.direction_id() == id);
                let any = self.vcs.iter().any(|vc| ends_twice(vc) && crosses(vc));
                assert!(!any, "a VC on lanes per destination has one");
            }
            if lanes.has_watchdog() {
                let from = self.from_node(id);
                assert_eq!(self.nodes[from].kind, NodeKind::Switch, "hosts have no watchdog");
                let plain = branching[id.0].is_none();
                assert!(plain, "packets of a multicast VC cannot be pushed out");
            }
        }
    }
}

/// The inputs for the headroom of every lane of a network.
#[derive(Clone, Debug)]
pub struct PausedLanes<'a> {
    network: &'a NetworkSpec,
    largest: Vec<[Bytes; LANES]>,
    /// For each link direction: the number of hops with credit.
    credits: Vec<u32>,
    /// For each link direction: bit p, whether a VC of priority p crosses it.
    used: Vec<u8>,
    /// For each link direction and priority: the size of all packets, if they have one.
    only: Vec<[OneSize; LANES]>,
}

/// Whether packets have one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OneSize {
    /// There are none.
    Unused,
    /// All have this size.
    Only(Bytes),
    /// Sizes differ.
    Several,
}

impl OneSize {
    fn add(&mut self, size: Option<Bytes>) {
        *self = match (*self, size) {
            (OneSize::Unused, Some(size)) => OneSize::Only(size),
            (OneSize::Only(old), Some(size)) if old == size => OneSize::Only(size),
            _ => OneSize::Several,
        };
    }
}

impl<'a> PausedLanes<'a> {
    /// Reads all VCs once.
    pub fn new(network: &'a NetworkSpec) -> PausedLanes<'a> {
        let count = network.direction_count();
        let (mut credits, mut used) = (vec![0; count], vec![0; count]);
        let mut only = vec![[OneSize::Unused; LANES]; count];
        for vc in &network.vcs {
            for hop in &vc.hops {
                let lane = usize::from(vc.priority);
                only[hop.direction_id().0][lane].add(vc.traffic.size.fixed());
                if vc.has_way_back() {
                    only[hop.direction_id().reverse().0][lane].add(Some(Bytes::CELL));
                }
                credits[hop.direction_id().0] += u32::from(hop.control != HopControl::None);
                used[hop.direction_id().0] |= 1 << vc.priority;
            }
        }
        PausedLanes { network, largest: network.largest_of_lanes(), credits, used, only }
    }

    /// The network.
    pub const fn network(&self) -> &NetworkSpec {
        self.network
    }

    /// The size of all packets of a lane, ACKs included; `None` if there are none, or several.
    pub fn only_size(&self, id: DirectionId, lane: u8) -> Option<Bytes> {
        let OneSize::Only(size) = self.only[id.0][usize::from(lane)] else { return None };
        Some(size)
    }

    /// Whether a VC of this priority crosses a link direction.
    pub fn is_used(&self, id: DirectionId, lane: u8) -> bool {
        self.used[id.0] & (1 << lane) != 0
    }

    /// A lane of a simulated link direction: processing at both ends, no other response, control
    /// cells instead of pause frames. For every VC one credit or request may wait before a pause
    /// frame.
    pub fn link(&self, id: DirectionId, lane: u8) -> PausedLink {
        let back = id.reverse();
        let [of_there, of_back] = [id, back].map(|id| self.network.direction(id));
        let lanes = of_there.lanes.map_or(1, |lanes| lanes.priorities.count_ones());
        let frame_back = self.largest[back.0].into_iter().max();
        PausedLink {
            rate: of_there.rate,
            overhead: of_there.overhead,
            overhead_back: of_back.overhead,
            rate_back: of_back.rate,
            delay: of_there.delay + of_back.delay,
            interface: of_there.processing + of_back.processing,
            response: Picos::ZERO,
            frame: self.largest[id.0][usize::from(lane)],
            frame_back: frame_back.unwrap_or(Bytes::CELL),
            pause_frame: Bytes::CELL,
            frames_ahead: lanes - 1 + self.credits[id.0] + self.credits[back.0],
        }
    }
}
