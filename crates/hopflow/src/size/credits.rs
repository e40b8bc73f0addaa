//! Size: the credits that lanes need, of a given link or of a whole network.
//!
//! The formula is that of `hopflow-control/src/lane/size.rs`.
//! Checked by: `size/credits/tests.rs`, `docs/models/lanes.md`.

use hopflow_control::lane::LaneSizeError;
use hopflow_network::{CreditLanes, NetworkSpec};
use hopflow_record::direction_names;
use hopflow_units::{Bytes, Rate};

pub use hopflow_control::lane::{LaneLoop, LaneNeed};

use super::SizeError;

/// The credits of one lane of one link direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneCredit {
    /// The link direction, `FROM->TO`.
    pub link: String,
    /// The priority.
    pub priority: u8,
    /// Where the packets of the lane end, if there is a lane for each destination.
    pub destination: Option<String>,
    /// The unit of credits.
    pub block: Bytes,
    /// The largest packet of the lane.
    pub packet: Bytes,
    /// The number of freed blocks per credit.
    pub update: u32,
    /// The buffer with which its credit never holds the lane below its target.
    pub needed: LaneNeed,
    /// The buffer in the scenario, in blocks.
    pub given: u32,
    /// [`beyond_device`].
    pub beyond: Option<(u32, u64)>,
}

/// Where a lane needs more than a device can promise: the most that it promises, in blocks, and the
/// rate in b/s that the lane then reaches with its largest packets. `most`: of the device; `None`:
/// none is known.
pub fn beyond_device(lane: &LaneLoop, most: Option<u32>, needed: &LaneNeed) -> Option<(u32, u64)> {
    let most = most.filter(|most| needed.blocks > u64::from(*most))?;
    Some((most, lane.reached_bps(u64::from(most))))
}

/// The credits of a lane on a link.
pub fn lane_credit(lane: &LaneLoop) -> Result<LaneNeed, SizeError> {
    let LaneLoop { rate, target, delays, packet, block, update, .. } = *lane;
    lane.need().map_err(|error| match error {
        LaneSizeError::Empty => SizeError::EmptyLane { packet: packet.0, block: block.0, update },
        LaneSizeError::TargetAboveLink => SizeError::TargetAboveLink { target, rate },
        LaneSizeError::TooLong | LaneSizeError::TooMany => SizeError::LaneTooLarge { delays, rate },
    })
}

/// The credits of every used lane: `target` for each, at most the rate of its link; `None`: the
/// rate of each link.
pub fn size_lane_credits(
    network: &NetworkSpec,
    target: Option<Rate>,
) -> Result<Vec<LaneCredit>, SizeError> {
    let names = direction_names(network);
    let lanes = CreditLanes::new(network);
    let mut sizes = Vec::new();
    for (id, number, spec) in lanes.used() {
        let rate = network.direction(id).rate;
        let target = target.unwrap_or(rate).min(rate);
        let Some(lane) = lanes.link(id, number, target) else { continue };
        let Some(key) = lanes.numbers().get(id, number) else { continue };
        let needed = lane_credit(&lane)?;
        let beyond = beyond_device(&lane, spec.device_most, &needed);
        sizes.push(LaneCredit {
            link: names[id.0].clone(),
            priority: key.priority,
            destination: key.destination.map(|node| network.nodes[node].name.clone()),
            block: spec.block,
            packet: lane.packet,
            update: spec.update,
            needed,
            given: spec.buffer,
            beyond,
        });
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests;
