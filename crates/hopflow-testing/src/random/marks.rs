//! Marks in a random network: ports of switches that mark at low thresholds, and VCs whose packets
//! they may mark.

use hopflow_control::marking::{Length, MarkingRule, MarkingSpec, Moment};

use super::Dice;
use hopflow_network::{DirectionId, NetworkSpec, NodeKind};

/// Adds to `spec` in place, last of all: marks change a run only where an endpoint reacts to them.
pub(super) fn add(spec: &mut NetworkSpec, dice: &mut Dice) {
    for id in (0..spec.direction_count()).map(DirectionId) {
        let is_switch = spec.nodes[spec.from_node(id)].kind == NodeKind::Switch;
        if is_switch && dice.chance(80) {
            let marking = Some(random_marking(dice));
            spec.links[id.link()].directions[id.side()].marking = marking;
        }
    }
    for vc in &mut spec.vcs {
        let is_path = vc.hops.iter().enumerate().all(|(at, hop)| hop.parent == at.checked_sub(1));
        vc.ecn_capable |= is_path && dice.chance(50);
    }
}

fn random_marking(dice: &mut Dice) -> MarkingSpec {
    let threshold = if dice.chance(60) {
        Length::Packets(dice.below(4) as u32)
    } else {
        Length::Bytes(dice.below(400))
    };
    let moment = if dice.chance(50) { Moment::Arrival } else { Moment::Departure };
    MarkingSpec { rule: MarkingRule::Step(threshold), moment }
}
