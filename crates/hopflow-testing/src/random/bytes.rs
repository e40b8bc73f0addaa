//! Limits in bytes, and cells of memory, in a random network.

use hopflow_units::Bytes;

use super::Dice;
use hopflow_network::{
    Alpha, DirectionId, Discard, FrameDiscardSpec, Limit, NetworkSpec, NodeKind,
};

/// `spec` with limits in bytes: most of those that it has, some that it has not, beside others in
/// packets; and with cells of memory at some nodes. The same for the same `seed`.
pub fn with_bytes(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0015);
    for node in 0..spec.nodes.len() {
        if dice.chance(10) {
            continue;
        }
        if dice.chance(40) {
            let cell =
                if dice.chance(50) { *dice.pick(&[1, 64, 256]) } else { dice.between(1, 700) };
            spec.nodes[node].cell = Some(Bytes(cell));
        }
        // Where most packets are cells, and where most are larger.
        let unit = *dice.pick(&[53, 300, 1_500]);
        let limited = &mut spec.nodes[node];
        in_bytes(&mut limited.buffer, 40 * unit, &mut dice);
        in_bytes(&mut limited.vc_buffer, 15 * unit, &mut dice);
        in_bytes(&mut limited.port_buffer, 20 * unit, &mut dice);
        if let FrameDiscardSpec::Early { node, vc } = &mut limited.frame_discard {
            in_bytes(node, 30 * unit, &mut dice);
            in_bytes(vc, 15 * unit, &mut dice);
        }
        for id in (0..spec.direction_count()).map(DirectionId) {
            if spec.from_node(id) == node && dice.chance(30) {
                let direction = &mut spec.links[id.link()].directions[id.side()];
                in_bytes(&mut direction.buffer, 20 * unit, &mut dice);
            }
        }
    }
    let dice = &mut Dice(seed ^ 0x5EED_0F0F_1F0F_0016);
    for node in &mut spec.nodes {
        let is_in_bytes = node.buffer.is_some_and(|limit| limit.bytes().is_some());
        let drops = node.discard == Discard::Arriving && node.drain.is_none();
        if node.kind == NodeKind::Switch && is_in_bytes && drops && dice.chance(40) {
            node.alpha = Alpha::new(*dice.pick(&[0.1, 0.25, 0.5, 1.0, 3.0]));
        }
    }
    add_reserves(&mut spec, &mut Dice(seed ^ 0x5EED_0F0F_1F0F_0017));
    spec.assert_valid();
    spec
}

/// Class queues of some nodes with thresholds have memory for themselves, up to all of it.
fn add_reserves(spec: &mut NetworkSpec, dice: &mut Dice) {
    for node in 0..spec.nodes.len() {
        let outputs = spec.outputs(node) as u64;
        let spec = &mut spec.nodes[node];
        let buffer = spec.buffer.and_then(Limit::bytes).filter(|_| spec.alpha.is_some());
        let Some(buffer) = buffer.filter(|_| outputs > 0 && dice.chance(60)) else { continue };
        let mut left = buffer.0 / outputs;
        for reserve in &mut spec.reserve.0 {
            if dice.chance(60) {
                *reserve = Bytes(dice.below(left + 1));
                left -= reserve.0;
            }
        }
    }
}

/// Perhaps another limit, from one that holds no packet at all to `most` bytes.
fn in_bytes(limit: &mut Option<Limit>, most: u64, dice: &mut Dice) {
    if dice.chance(if limit.is_some() { 75 } else { 25 }) {
        *limit = Some(Limit::Bytes(Bytes(dice.between(1, most))));
    }
}
