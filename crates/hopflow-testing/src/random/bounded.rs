//! Random networks at the edge of what FIFO-only nodes can do: ports of switches with limits that
//! are reached, and others that never are; packets that are admitted with jitter.

use hopflow_control::marking::{Length, MarkingRule, MarkingSpec, Moment};
use hopflow_units::Cells;

use super::{Dice, Style, connections, random_fifo_only_network};
use hopflow_network::{DirectionId, Jitter, NetworkSpec, NodeKind, TrafficSpec};

/// [`random_fifo_only_network`] with connections, limits of ports and marks, the same for the same
/// `seed`.
pub fn random_bounded_network(seed: u64) -> NetworkSpec {
    let mut spec = random_fifo_only_network(seed);
    let dice = &mut Dice(seed ^ 0x5EED_0F0F_1F0F_0009);
    if dice.chance(50) {
        add_connections(&mut spec, dice);
    }
    add_limits(&mut spec, dice);
    if dice.chance(60) {
        add_marks(&mut spec, dice);
    }
    spec.assert_valid();
    spec
}

/// Limits of most ports of switches, sometimes of a host; of some switches and their VCs.
fn add_limits(spec: &mut NetworkSpec, dice: &mut Dice) {
    if dice.chance(70) {
        spec.jitter = Jitter::Gap;
    }
    let most = *dice.pick(&[3, 12, 12, 1_000]);
    for node in 0..spec.nodes.len() {
        let chance = if spec.nodes[node].kind == NodeKind::Switch { 60 } else { 4 };
        if dice.chance(chance) {
            spec.nodes[node].port_buffer = Some(Cells(dice.between(1, most) as u32).into());
        }
    }
    for node in spec.nodes.iter_mut().filter(|node| node.kind == NodeKind::Switch) {
        let limit = |dice: &mut Dice| {
            dice.chance(15).then(|| Cells(dice.between(1, 2 * most) as u32).into())
        };
        (node.buffer, node.vc_buffer) = (limit(dice), limit(dice));
    }
    for id in (0..spec.direction_count()).map(DirectionId) {
        if spec.nodes[spec.from_node(id)].kind == NodeKind::Switch && dice.chance(30) {
            let limit = Some(Cells(dice.between(1, most) as u32).into());
            spec.links[id.link()].directions[id.side()].buffer = limit;
        }
    }
}

/// Marks at most ports of switches, and VCs that bear them.
fn add_marks(spec: &mut NetworkSpec, dice: &mut Dice) {
    let departs = dice.chance(20);
    for id in (0..spec.direction_count()).map(DirectionId) {
        let is_switch = spec.nodes[spec.from_node(id)].kind == NodeKind::Switch;
        if !is_switch || !dice.chance(80) {
            continue;
        }
        let threshold = match dice.below(4) {
            0 => Length::Bytes(dice.below(4_000)),
            _ => Length::Packets(dice.below(6) as u32),
        };
        let moment = if departs && dice.chance(30) { Moment::Departure } else { Moment::Arrival };
        let marking = Some(MarkingSpec { rule: MarkingRule::Step(threshold), moment });
        spec.links[id.link()].directions[id.side()].marking = marking;
    }
    for vc in &mut spec.vcs {
        let is_path = vc.hops.iter().enumerate().all(|(at, hop)| hop.parent == at.checked_sub(1));
        vc.ecn_capable |= is_path && dice.chance(70);
    }
}

/// Turns VCs into connections, most of packets, some of cells.
fn add_connections(spec: &mut NetworkSpec, dice: &mut Dice) {
    let style = Style { aligned: dice.chance(50), corrupts: false, limits: false, delays: [0; 3] };
    for vc in 0..spec.vcs.len() {
        let flow = &mut spec.vcs[vc];
        let is_usual = !flow.source.is_greedy() && flow.window.is_none();
        if is_usual && dice.chance(40) {
            flow.traffic = TrafficSpec::default().into();
            connections::add_connection(spec, vc, style, dice);
        }
    }
}
