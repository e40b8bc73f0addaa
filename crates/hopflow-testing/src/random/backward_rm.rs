//! Backward RM cells that the switches of a random network create.

use hopflow_control::rate::{BackwardMark, BackwardRmSpec};
use hopflow_network::{DirectionId, NetworkSpec, NodeKind, RateSpec, Segment};

use super::{Dice, cells};

/// `spec` with ports of switches that create backward RM cells while congested: most ports that
/// have rate control and no virtual source, and some that had none. The same for the same `seed`.
/// The networks of [`super::random_network`] stay the same.
pub fn with_backward_rm(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0006);
    for id in (0..spec.direction_count()).map(DirectionId) {
        let is_switch = spec.nodes[spec.from_node(id)].kind == NodeKind::Switch;
        let rate = &mut spec.links[id.link()].directions[id.side()].rate_control;
        let chance = if rate.is_some() { 80 } else { 40 };
        let is_virtual = rate.is_some_and(|rate| matches!(rate.segment, Segment::Virtual(_)));
        if is_switch && !is_virtual && dice.chance(chance) {
            let plain = RateSpec { rule: None, segment: Segment::Through, backward_rm: None };
            let created = BackwardRmSpec {
                above: dice.below(4),
                mark: *dice.pick(&[BackwardMark::Ci, BackwardMark::Ni]),
                gap: cells(dice.between(1, 200)),
            };
            *rate = Some(RateSpec { backward_rm: Some(created), ..rate.unwrap_or(plain) });
        }
    }
    spec.assert_valid();
    spec
}
