//! Random networks at the edge of what FIFO-only nodes can do: ports of switches with limits that
//! are reached, and others that never are; packets that are admitted with jitter.

use hopflow_units::Cells;

use super::{Dice, random_fifo_only_network};
use hopflow_network::{DirectionId, Jitter, NetworkSpec, NodeKind};

/// [`random_fifo_only_network`] with limits of ports, the same for the same `seed`.
pub fn random_bounded_network(seed: u64) -> NetworkSpec {
    let mut spec = random_fifo_only_network(seed);
    let dice = &mut Dice(seed ^ 0x5EED_0F0F_1F0F_0009);
    add_limits(&mut spec, dice);
    spec.assert_valid();
    spec
}

/// Limits of most ports of switches, sometimes of a host.
fn add_limits(spec: &mut NetworkSpec, dice: &mut Dice) {
    if dice.chance(70) {
        spec.jitter = Jitter::Gap;
    }
    let most = *dice.pick(&[3, 12, 12, 1_000]);
    for node in 0..spec.nodes.len() {
        let chance = if spec.nodes[node].kind == NodeKind::Switch { 60 } else { 4 };
        if dice.chance(chance) {
            spec.nodes[node].port_buffer = Some(Cells(dice.between(1, most) as u32));
        }
    }
    for id in (0..spec.direction_count()).map(DirectionId) {
        if spec.nodes[spec.from_node(id)].kind == NodeKind::Switch && dice.chance(30) {
            let limit = Some(Cells(dice.between(1, most) as u32));
            spec.links[id.link()].directions[id.side()].buffer = limit;
        }
    }
}
