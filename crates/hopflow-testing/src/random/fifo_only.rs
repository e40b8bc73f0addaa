//! Random networks in which most nodes are FIFO-only: many VCs of packets of all sizes from sources
//! that determine by themselves when packets are due, on networks of up to 12 nodes, or many hosts
//! around one switch. Half of them have a few nodes, links or VCs with something else: credit, a
//! window, a limit, a scheduler, a fault, so that FIFO-only and general nodes are neighbors.

use hopflow_control::scheduler::SchedulerSpec;
use hopflow_units::{Bytes, Cells, SimTime};

use super::{Dice, Style, add_links, add_vc, packets, random_control};
use crate::NetworkBuilder;
use hopflow_network::{
    Change, EventSpec, HopControl, MulticastSpec, NetworkSpec, RoundTrip, SizeLaw, SourceSpec,
    VcSpec, WindowSpec,
};

/// A random network of mostly FIFO-only nodes, the same for the same `seed`.
pub fn random_fifo_only_network(seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0001);
    let dice = &mut dice;
    let duration = dice.between(50, 1_000);
    let mut network = NetworkBuilder::new(duration);
    network.spec.seed = dice.next();
    let delays = *dice.pick(&[[0, 3, 20], [0, 1, 500]]);
    let style = Style { aligned: dice.chance(50), corrupts: false, limits: false, delays };
    // Sometimes there are more hosts than a switch checks one by one.
    let many = dice.chance(6);
    let switches = if many { 1 } else { dice.between(0, 5) };
    let hosts = if many { dice.between(18, 30) } else { dice.between(2, 7) };
    for index in 0..switches + hosts {
        let is_switch = index < switches;
        let name = format!("n{index}");
        if is_switch {
            network.switch(&name)
        } else {
            network.host(&name)
        };
    }
    add_links(&mut network, style, dice);
    let most = if many { 60 } else { 16 };
    for index in 0..dice.between(1, most) {
        add_vc(&mut network, index, style, duration, dice);
    }
    let spec = &mut network.spec;
    make_fifo_only(spec, style, dice);
    if dice.chance(50) {
        for _ in 0..dice.between(1, 3) {
            spoil(spec, style, dice);
        }
    }
    network.spec.assert_valid();
    network.spec
}

fn make_fifo_only(spec: &mut NetworkSpec, style: Style, dice: &mut Dice) {
    for link in &mut spec.links {
        link.round_trip = RoundTrip::Loop;
        for direction in &mut link.directions {
            direction.scheduler = SchedulerSpec::Fifo;
        }
    }
    for vc in &mut spec.vcs {
        vc.window = None;
        vc.multicast = MulticastSpec::default();
        vc.hops.iter_mut().for_each(|hop| hop.control = HopControl::None);
        keep_one_path(vc);
        packets::add_sizes(vc, style, dice);
        if style.aligned {
            if vc.source == SourceSpec::Greedy {
                vc.source = SourceSpec::EveryKth { k: dice.between(1, 4) }.into();
            }
            continue;
        }
        if vc.source == SourceSpec::Greedy || dice.chance(30) {
            vc.source = packets::random_source(dice).into();
        }
        if dice.chance(40) {
            packets::add_edge(vc, dice);
        }
    }
}

/// Keeps only the path to the last final host of a VC.
pub(super) fn keep_one_path(vc: &mut VcSpec) {
    let mut path = vec![vc.hops.len() - 1];
    while let Some(parent) = vc.hops[path[path.len() - 1]].parent {
        path.push(parent);
    }
    path.reverse();
    vc.hops = path.iter().map(|hop| vc.hops[*hop].clone()).collect();
    for (index, hop) in vc.hops.iter_mut().enumerate() {
        hop.parent = index.checked_sub(1);
    }
}

/// Adds a feature that excludes some nodes from the FIFO-only ones.
fn spoil(spec: &mut NetworkSpec, style: Style, dice: &mut Dice) {
    let link = dice.below(spec.links.len() as u64) as usize;
    let side = dice.below(2) as usize;
    let node = dice.below(spec.nodes.len() as u64) as usize;
    let schedulers = [
        SchedulerSpec::RoundRobin,
        SchedulerSpec::StrictPriority,
        SchedulerSpec::WeightedRoundRobin,
        SchedulerSpec::DeficitRoundRobin { quantum: Bytes(1_500) },
        SchedulerSpec::Wfq,
        SchedulerSpec::Scfq,
        SchedulerSpec::Sfq,
    ];
    let direction = &mut spec.links[link].directions[side];
    match dice.below(10) {
        0 => spec.nodes[node].buffer = Some(Cells(dice.between(1, 20) as u32).into()),
        1 => spec.nodes[node].vc_buffer = Some(Cells(dice.between(1, 9) as u32).into()),
        2 | 3 => direction.scheduler = dice.pick(&schedulers).clone(),
        4 => direction.count_lengths = true,
        5 => spec.links[link].round_trip = RoundTrip::Measured,
        6 => {
            let at = SimTime(dice.below(spec.duration.0));
            let change = Change::Blocked(true);
            spec.events = vec![EventSpec { at, link, direction: side, change }];
        }
        _ => spoil_vc(spec, style, dice),
    }
}

fn spoil_vc(spec: &mut NetworkSpec, style: Style, dice: &mut Dice) {
    if spec.vcs.is_empty() {
        return;
    }
    let index = dice.below(spec.vcs.len() as u64) as usize;
    let vc = &mut spec.vcs[index];
    let cells = vc.traffic.size == SizeLaw::CELL;
    match dice.below(3) {
        0 if vc.traffic.policing.is_none() => {
            vc.traffic.envelope = None;
            vc.source = SourceSpec::Greedy.into();
        }
        1 => {
            let ack_every = Cells::ONE;
            vc.window = Some(WindowSpec { cells: Cells(5), ack_every });
        }
        _ if cells => {
            let hop = dice.below(vc.hops.len() as u64) as usize;
            vc.hops[hop].control = random_control(style, dice);
        }
        _ => vc.priority = 1,
    }
}
