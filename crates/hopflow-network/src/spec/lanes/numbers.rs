//! Which packets of a link direction are one lane: those of a priority, or those of a priority to
//! one destination.
//!
//! ```text
//! per priority      lane p       = the packets of priority p, 0 to 7
//! per destination   lanes 0, 1.. = the pairs (priority, destination) that cross, in order
//! ```
//! Each lane has one machine at each end of the link, so that its packets share one credit and one
//! buffer. Per destination, packets that wait for one busy host hold nobody up who goes elsewhere,
//! as with credit per VC, and the buffer that a link promises grows with the hosts behind it, not
//! with the VCs.
//!
//! The destination of a packet is the last host of its VC, that of an ACK the first one.

use hopflow_units::Bytes;
use serde::{Deserialize, Serialize};

use super::{LANES, LanesSpec};
use crate::spec::{DirectionId, HopSpec, NetworkSpec, VcSpec};

/// What the packets of a lane have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LaneKey {
    /// The priority.
    #[default]
    Priority,
    /// The priority and the destination.
    Destination,
}

impl LaneKey {
    /// Their names, the usual one first.
    pub const WORDS: &'static [&'static str] = &["priority", "destination"];

    /// The key of this name.
    pub fn of_word(word: &str) -> LaneKey {
        if word == LaneKey::WORDS[1] { LaneKey::Destination } else { LaneKey::Priority }
    }

    /// Whether it is the usual one, which manifests leave out.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn is_priority(&self) -> bool {
        *self == LaneKey::Priority
    }
}

/// A lane of a link direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The priority of its packets.
    pub priority: u8,
    /// The node where they end; `None`: any.
    pub destination: Option<usize>,
    /// Its largest packet; no less than an ACK cell.
    pub largest: Bytes,
}

/// The lanes of all link directions by number, computed once.
#[derive(Clone, Debug)]
pub struct LaneNumbers {
    directions: Vec<Direction>,
    /// For each VC: its priority, its last and its first node.
    vcs: Vec<(u8, [usize; 2])>,
}

#[derive(Clone, Debug, Default)]
struct Direction {
    of: Option<LanesSpec>,
    /// By number. Per priority a number may have no lane; per destination they are in order.
    lanes: Vec<Option<Lane>>,
    /// Whether packets cross that have no lane, since there are [`LaneNumbers::MOST`] already.
    overflows: bool,
}

impl Direction {
    fn new(of: LanesSpec) -> Direction {
        let lane = |priority| {
            let lane = Lane { priority, destination: None, largest: Bytes::CELL };
            of.covers(priority).then_some(lane)
        };
        let lanes = match of.per {
            LaneKey::Priority => (0..LANES as u8).map(lane).collect(),
            LaneKey::Destination => Vec::new(),
        };
        Direction { of: Some(of), lanes, overflows: false }
    }

    /// The lane of packets, or where among the lanes it would stand.
    fn find(&self, priority: u8, destination: usize) -> Option<Result<usize, usize>> {
        let of = self.of.filter(|of| of.covers(priority))?;
        Some(match of.per {
            LaneKey::Priority => Ok(usize::from(priority)),
            LaneKey::Destination => {
                let key = (priority, Some(destination));
                let place =
                    |lane: &Option<Lane>| lane.map(|lane| (lane.priority, lane.destination));
                self.lanes.binary_search_by_key(&Some(key), place)
            }
        })
    }

    /// Packets of at most this size cross.
    fn add(&mut self, priority: u8, destination: usize, size: Bytes) {
        let place = match self.find(priority, destination) {
            None => return,
            Some(Ok(place)) => place,
            Some(Err(_)) if self.lanes.len() == LaneNumbers::MOST => {
                self.overflows = true;
                return;
            }
            Some(Err(place)) => {
                let destination = Some(destination);
                self.lanes.insert(place, Some(Lane { priority, destination, largest: size }));
                place
            }
        };
        let lane = self.lanes[place].as_mut().expect("it is covered");
        lane.largest = lane.largest.max(size).max(Bytes::CELL);
    }
}

impl LaneNumbers {
    /// The most lanes of a link direction: one number of 16 bits stands for none.
    pub const MOST: usize = 65_535;

    /// Whether more destinations are behind a link direction than it can have lanes. Then some of
    /// its VCs have none, and no engine runs the network.
    pub fn overflows(&self, id: DirectionId) -> bool {
        self.directions[id.0].overflows
    }

    /// Reads all VCs once.
    pub fn new(network: &NetworkSpec) -> LaneNumbers {
        let all = (0..network.direction_count()).map(DirectionId);
        let direction =
            |id| network.direction(id).lanes.map_or_else(Direction::default, Direction::new);
        let mut directions: Vec<Direction> = all.map(direction).collect();
        let mut vcs = Vec::new();
        if directions.iter().all(|direction| direction.of.is_none()) {
            return LaneNumbers { directions, vcs };
        }
        for vc in &network.vcs {
            // A scenario with mistakes has VCs without a path while its sizes are worked out.
            let ends = ends(network, vc).unwrap_or_default();
            let (priority, size) = (vc.priority, vc.traffic.size.most());
            for id in vc.hops.iter().map(HopSpec::direction_id) {
                directions[id.0].add(priority, ends[0], size);
                if vc.has_way_back() {
                    directions[id.reverse().0].add(priority, ends[1], Bytes::CELL);
                }
            }
            vcs.push((priority, ends));
        }
        LaneNumbers { directions, vcs }
    }

    /// The lane by which data, or ACKs, of a VC cross a link direction, if it has lanes for them.
    pub fn of_vc(&self, id: DirectionId, vc: usize, is_ack: bool) -> Option<u16> {
        let direction = &self.directions[id.0];
        direction.of?;
        let (priority, ends) = self.vcs[vc];
        let place = direction.find(priority, ends[usize::from(is_ack)])?;
        assert!(place.is_ok() || direction.overflows, "each VC that crosses has a lane");
        Some(place.ok()? as u16)
    }

    /// A lane by its number.
    pub fn get(&self, id: DirectionId, lane: u16) -> Option<&Lane> {
        self.directions[id.0].lanes.get(usize::from(lane))?.as_ref()
    }

    /// What a message calls a lane: `lane 3`, or `lane 3 (to `H`)`.
    pub fn words(&self, network: &NetworkSpec, id: DirectionId, lane: u16) -> String {
        match self.get(id, lane).and_then(|lane| lane.destination) {
            Some(node) => format!("lane {lane} (to `{}`)", network.nodes[node].name),
            None => format!("lane {lane}"),
        }
    }

    /// The lanes of a link direction, with their numbers, in order.
    pub fn of(&self, id: DirectionId) -> impl Iterator<Item = (u16, &Lane)> {
        let lanes = (0..).zip(&self.directions[id.0].lanes);
        lanes.filter_map(|(number, lane)| Some((number, lane.as_ref()?)))
    }

    /// How many numbers there are, those without a lane too.
    pub fn count(&self, id: DirectionId) -> usize {
        self.directions[id.0].lanes.len()
    }
}

/// The last and the first node of a VC.
fn ends(network: &NetworkSpec, vc: &VcSpec) -> Option<[usize; 2]> {
    let [first, last] = [vc.hops.first()?, vc.hops.last()?].map(HopSpec::direction_id);
    Some([network.to_node(last), network.from_node(first)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_control::lane::{LaneCreditSpec, LaneRule};

    /// Claim: the 65,535 lanes of a link direction have the numbers 0 to 65,534; one destination
    /// more has no lane, and the direction says so.
    #[test]
    fn lanes_that_have_no_number_are_noticed() {
        let rule = LaneRule::Credit(LaneCreditSpec {
            block: Bytes::CELL,
            buffer: 9,
            update: 1,
            refresh: None,
        });
        let of = LanesSpec { per: LaneKey::Destination, ..LanesSpec::new(1, rule) };
        let mut direction = Direction::new(of);
        (0..LaneNumbers::MOST).for_each(|node| direction.add(0, node, Bytes::CELL));
        assert_eq!(direction.find(0, 65_534), Some(Ok(65_534)));
        assert!(!direction.overflows);
        direction.add(0, LaneNumbers::MOST, Bytes::CELL);
        assert!(direction.overflows && direction.lanes.len() == LaneNumbers::MOST);
    }
}
