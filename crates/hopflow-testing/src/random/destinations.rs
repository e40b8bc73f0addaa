//! Lanes per destination in a random network.

use super::Dice;
use hopflow_network::{DirectionId, LaneKey, NetworkSpec};

/// `spec` with lanes per destination on most links whose lanes are under credit, where no VC has
/// several destinations. The same for the same `seed`.
pub fn with_destinations(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0008);
    if spec.vcs.iter().any(|vc| vc.children().iter().any(|next| next.len() > 1)) {
        return spec;
    }
    for id in (0..spec.direction_count()).map(DirectionId) {
        let direction = &mut spec.links[id.link()].directions[id.side()];
        let Some(lanes) = &mut direction.lanes else { continue };
        if lanes.rule.promise().is_some() && dice.chance(80) {
            lanes.per = LaneKey::Destination;
        }
    }
    spec.assert_valid();
    spec
}
