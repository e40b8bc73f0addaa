//! Link control shared by all VCs of a priority on a link direction: PFC, and lane credits.

use hopflow_control::credit::LaneSpec;
use hopflow_control::pause::PauseSpec;
use hopflow_units::Bytes;

use super::{DirectionId, Discard, NetworkSpec, NodeKind};

/// Priorities, and so lanes, that a port tells apart: 0 (first) to 7.
pub const LANES: usize = 8;

/// Which priorities of a link direction are held as lanes, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LanesSpec {
    /// Bit p: the VCs of priority p (their ACKs too) are one lane. Not zero.
    pub priorities: u8,
    /// How each of them is controlled.
    pub rule: LaneRule,
}

/// How a lane is controlled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneRule {
    /// Pause frames of PFC.
    Pause(PauseSpec),
    /// One credit for all VCs of the lane.
    Credit(LaneSpec),
}

impl LanesSpec {
    /// Whether the VCs of a priority are a lane.
    pub const fn covers(&self, priority: u8) -> bool {
        self.priorities & (1 << priority) != 0
    }

    /// The lanes, in order.
    pub fn lanes(self) -> impl Iterator<Item = u8> {
        (0..LANES as u8).filter(move |lane| self.covers(*lane))
    }

    /// Whether a port discards what has been paused too long.
    pub const fn has_watchdog(&self) -> bool {
        matches!(self.rule, LaneRule::Pause(PauseSpec { watchdog: Some(_), .. }))
    }
}

impl NetworkSpec {
    /// The largest packet that a lane of a link direction may carry; no less than an ACK cell.
    pub fn largest_of_lane(&self, id: DirectionId, lane: u8) -> Bytes {
        let vcs = self.vcs.iter().filter(|vc| vc.priority == lane);
        let ours = vcs.filter(|vc| vc.hops.iter().any(|hop| hop.direction_id() == id));
        ours.map(|vc| vc.traffic.size.most()).fold(Bytes::CELL, Bytes::max)
    }

    /// Whether a port may push out packets: its node does when it is full, or its watchdog does.
    pub fn pushes_out(&self, id: DirectionId) -> bool {
        let node = &self.nodes[self.from_node(id)];
        let watched = self.direction(id).lanes.is_some_and(|lanes| lanes.has_watchdog());
        node.discard != Discard::Arriving || watched
    }

    /// Asserts what the engines rely on in lanes.
    pub(super) fn assert_lanes_valid(&self) {
        for id in (0..self.direction_count()).map(DirectionId) {
            let Some(lanes) = self.direction(id).lanes else { continue };
            assert!(lanes.priorities != 0, "lanes of some priority");
            match lanes.rule {
                LaneRule::Pause(pause) => pause.assert_valid(),
                LaneRule::Credit(credit) => {
                    lanes.lanes().for_each(|l| credit.assert_valid(self.largest_of_lane(id, l)));
                }
            }
            if lanes.has_watchdog() {
                let from = self.from_node(id);
                assert_eq!(self.nodes[from].kind, NodeKind::Switch, "hosts have no watchdog");
                assert!(!self.branches_at(id), "packets of a multicast VC cannot be pushed out");
            }
        }
    }

    /// Whether a multicast VC leaves a node by a link direction and by others.
    fn branches_at(&self, id: DirectionId) -> bool {
        self.vcs.iter().any(|vc| {
            let ours = vc.hops.iter().filter(|hop| hop.direction_id() == id);
            ours.clone().any(|hop| vc.hops.iter().filter(|o| o.parent == hop.parent).count() > 1)
        })
    }
}
