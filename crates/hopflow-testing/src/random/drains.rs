//! Slow hosts in a random network: behind some hosts an application reads arrived packets at its
//! own rate, from a buffer of its own.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_units::{Cells, SimTime};

use super::{Dice, Style, random_direction, random_network};
use hopflow_network::{
    Change, Discard, EventSpec, HopControl, HopSpec, LinkSpec, NetworkSpec, NodeKind, NodeSpec,
    RoundTrip,
};

/// The network of [`random_network`] with slow hosts: VCs that ended at one of them end at its
/// application.
pub fn random_slow_network(seed: u64) -> NetworkSpec {
    let mut dice = Dice(!seed);
    let style = Style::drawn(&mut dice);
    let mut spec = random_network(seed);
    for host in 0..spec.nodes.len() {
        if spec.nodes[host].kind == NodeKind::Host && dice.chance(60) {
            add_application(&mut spec, host, style, &mut dice);
        }
    }
    spec.assert_valid();
    spec
}

fn add_application(spec: &mut NetworkSpec, host: usize, style: Style, dice: &mut Dice) {
    let (application, link) = (spec.nodes.len(), spec.links.len());
    let name = format!("{}-application", spec.nodes[host].name);
    spec.nodes.push(NodeSpec::new(name, NodeKind::Host));
    spec.nodes[host].kind = NodeKind::Switch;
    spec.nodes[host].drain = Some(link);
    let mut there = random_direction(style, dice);
    there.buffer = dice.chance(70).then(|| Cells(dice.between(1, 20) as u32).into());
    if dice.chance(60) || spec.nodes[host].discard != Discard::Arriving {
        there.scheduler = SchedulerSpec::Fifo;
    }
    let directions = [there, random_direction(style, dice)];
    let round_trip = RoundTrip::Loop;
    spec.links.push(LinkSpec { ends: [host, application], directions, round_trip });
    if dice.chance(50) {
        let stop = dice.below(spec.duration.0);
        let go_on = stop + dice.below(spec.duration.0 - stop);
        for (at, blocked) in [(stop, true), (go_on, false)] {
            let (at, change) = (SimTime(at), Change::Blocked(blocked));
            spec.events.push(EventSpec { at, link, direction: 0, change });
        }
        spec.events.sort_by_key(|event| event.at);
    }
    let backs: Vec<usize> = spec.connections.iter().map(|one| one.backward).collect();
    for vc in 0..spec.vcs.len() {
        let hop =
            |direction, parent| HopSpec { link, direction, parent, control: HopControl::None };
        let leaf = spec
            .leaves(vc)
            .into_iter()
            .find(|leaf| spec.to_node(spec.vcs[vc].hops[*leaf].direction_id()) == host);
        // The way back of a connection ends at the host itself, where the connection begins.
        if let Some(leaf) = leaf.filter(|_| !backs.contains(&vc)) {
            spec.vcs[vc].hops.push(hop(0, Some(leaf)));
        }
        // The endpoint that responds is at the application.
        let first = spec.vcs[vc].hops[0].direction_id();
        if backs.contains(&vc) && spec.from_node(first) == host {
            let hops = &mut spec.vcs[vc].hops;
            hops.iter_mut().for_each(|hop| hop.parent = Some(hop.parent.map_or(0, |p| p + 1)));
            hops.insert(0, hop(1, None));
        }
    }
}
