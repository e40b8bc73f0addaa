//! Random small networks: every feature of [`NetworkSpec`], in every mixture, from one number.
//!
//! Half of the networks keep all times on one grid, so that many things happen at the same
//! instant and the order inside an instant is put to the test; the other half keep off it.

mod backward_rm;
mod bounded;
mod bytes;
mod calls;
mod carried;
mod class_weights;
mod connections;
mod destinations;
mod dice;
mod drains;
mod ended;
mod falsified;
mod fifo_only;
mod lanes;
mod marks;
mod overhead;
mod packets;
mod rates;
mod shared_buffers;
mod strict;
mod style;
mod units;
mod usual;
mod video;
mod watchdogs;
mod work;

use std::collections::BTreeSet;

pub use backward_rm::with_backward_rm;
pub use bounded::random_bounded_network;
pub use bytes::with_bytes;
pub use calls::with_calls;
pub use carried::{with_copies, with_shared_credits};
pub use class_weights::with_class_weights;
pub use destinations::with_destinations;
pub use drains::random_slow_network;
pub use ended::with_ends;
pub use falsified::with_false_credits;
pub use fifo_only::random_fifo_only_network;
pub use overhead::with_overhead;
pub use strict::with_strict_envelopes;
pub use units::with_units;
pub use usual::random_usual_network;
pub use video::with_video;
pub use watchdogs::with_watchdogs;
pub use work::with_work;

use hopflow_units::{Bytes, Cells, Picos, Probability, Rate};

use super::{CELL, NetworkBuilder, at, cells};
use dice::Dice;
use hopflow_network::{
    Change, CreditScheme, CreditSpec, DirectionId, DirectionSpec, HopControl, HopSpec, Jitter,
    LengthLaw, LinkSpec, NetworkSpec, NodeKind, RoundTrip, SourceSpec, SpanLaw, WindowSpec,
};
use style::Style;

/// A small random network, the same for the same `seed`: 2 to 6 nodes, 1 to 6 VCs, a few
/// hundred to two thousand cell times.
pub fn random_network(seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed);
    let dice = &mut dice;
    let duration = dice.between(200, 2_000);
    let mut network = NetworkBuilder::new(duration);
    network.spec.seed = dice.next();
    let style = Style::drawn(dice);
    add_nodes(&mut network, style, dice);
    add_links(&mut network, style, dice);
    for index in 0..dice.between(1, 6) {
        add_vc(&mut network, index, style, duration, dice);
    }
    add_events(&mut network, duration, dice);
    if dice.chance(40) {
        connections::add(&mut network.spec, style, dice);
    }
    if dice.chance(60) {
        packets::add(&mut network.spec, style, dice);
    }
    if dice.chance(50) {
        shared_buffers::add(&mut network.spec, style, dice);
    }
    if dice.chance(45) {
        lanes::add(&mut network.spec, style, dice);
    }
    if dice.chance(40) {
        rates::add(&mut network.spec, dice);
    }
    let heeds = network.spec.vcs.iter().any(|vc| vc.ecn_capable);
    if heeds || dice.chance(50) {
        marks::add(&mut network.spec, dice);
    }
    if dice.chance(60) {
        network.spec.jitter = Jitter::Gap;
    }
    network.spec.assert_valid();
    network.spec
}

fn add_nodes(network: &mut NetworkBuilder, style: Style, dice: &mut Dice) {
    let switches = dice.between(0, 3);
    let hosts = dice.between(2, 6 - switches);
    let mut kinds = vec![NodeKind::Switch; switches as usize];
    kinds.resize((switches + hosts) as usize, NodeKind::Host);
    dice.shuffle(&mut kinds);
    for (index, kind) in kinds.into_iter().enumerate() {
        match kind {
            NodeKind::Host => network.host(&format!("h{index}")),
            NodeKind::Switch => network.switch(&format!("s{index}")),
        };
        if style.limits {
            let node = &mut network.spec.nodes[index];
            node.buffer = dice.chance(50).then(|| Cells(dice.between(1, 40) as u32).into());
            node.vc_buffer = dice.chance(50).then(|| Cells(dice.between(1, 15) as u32).into());
        }
    }
}

/// Switches in a random tree, every host on one of them, and a few more links (parallel ones too).
fn add_links(network: &mut NetworkBuilder, style: Style, dice: &mut Dice) {
    let nodes = 0..network.spec.nodes.len();
    let is_switch = |n: &usize| network.spec.nodes[*n].kind == NodeKind::Switch;
    let (switches, hosts): (Vec<usize>, Vec<usize>) = nodes.clone().partition(is_switch);
    let mut pairs = Vec::new();
    for (index, &switch) in switches.iter().enumerate().skip(1) {
        pairs.push([switch, switches[dice.below(index as u64) as usize]]);
    }
    for (index, &host) in hosts.iter().enumerate() {
        let others = if switches.is_empty() { &hosts[..index] } else { &switches[..] };
        if !others.is_empty() {
            pairs.push([host, *dice.pick(others)]);
        }
    }
    for _ in 0..dice.below(3) {
        let all: Vec<usize> = nodes.clone().collect();
        let (from, to) = (*dice.pick(&all), *dice.pick(&all));
        if from != to {
            pairs.push([from, to]);
        }
    }
    if dice.chance(30) {
        pairs.push(*dice.pick(&pairs.clone()));
    }
    dice.shuffle(&mut pairs);
    for [from, to] in pairs {
        let ends = if dice.chance(50) { [from, to] } else { [to, from] };
        add_link(network, ends, style, dice);
    }
}

fn add_link(network: &mut NetworkBuilder, ends: [usize; 2], style: Style, dice: &mut Dice) {
    let first = random_direction(style, dice);
    let second = if dice.chance(70) { first.clone() } else { random_direction(style, dice) };
    let link = network.link_of(LinkSpec {
        ends,
        directions: [first, second],
        round_trip: RoundTrip::Loop,
    });
    let true_loop = network.spec.loop_time(link).0;
    let other = random_span(style, 30, dice).0;
    network.spec.links[link].round_trip = match dice.below(10) {
        0 | 1 => RoundTrip::Measured,
        2 => RoundTrip::Fixed(Picos(true_loop + other)),
        3 => RoundTrip::Fixed(Picos(true_loop.saturating_sub(other).max(1))),
        _ => RoundTrip::Loop,
    };
}

fn random_direction(style: Style, dice: &mut Dice) -> DirectionSpec {
    let rate = if style.aligned {
        *dice.pick(&[424_000_000, 424_000_000, 424_000_000, 212_000_000, 848_000_000])
    } else {
        *dice.pick(&[622_080_000, 155_520_000, 424_000_000, 1_000_000_000, 99_999_999])
    };
    let longest = *dice.pick(&style.delays);
    let delay = random_span(style, longest, dice);
    let processing = if dice.chance(20) { random_span(style, 3, dice) } else { Picos::ZERO };
    let mut chance = |percent| {
        let corrupts = style.corrupts && dice.chance(percent);
        if corrupts { random_probability(dice) } else { Probability::ZERO }
    };
    let rate = Rate::from_bps(rate).expect("every rate above is more than zero");
    DirectionSpec {
        processing,
        corrupt_data: chance(40),
        corrupt_credits: chance(60),
        ..DirectionSpec::new(rate, delay)
    }
}

fn random_probability(dice: &mut Dice) -> Probability {
    let chances = [0.001, 0.01, 0.05, 0.3, 1.0];
    Probability::new(*dice.pick(&chances)).expect("every chance above is a probability")
}

/// A random span of at most `longest` cell times; on the grid when aligned.
fn random_span(style: Style, longest: u64, dice: &mut Dice) -> Picos {
    if style.aligned {
        return Picos(dice.between(0, 2 * longest) * CELL.0 / 2);
    }
    Picos(dice.between(0, longest * CELL.0))
}

/// As [`random_span`], and never zero.
fn positive_span(style: Style, longest: u64, dice: &mut Dice) -> Picos {
    let span = random_span(style, longest, dice);
    if span == Picos::ZERO { CELL } else { span }
}

fn add_vc(network: &mut NetworkBuilder, index: u64, style: Style, duration: u64, dice: &mut Dice) {
    let many = dice.chance(30);
    let Some(mut hops) = random_tree(&network.spec, many, dice) else {
        return;
    };
    let usual = random_control(style, dice);
    for hop in &mut hops {
        hop.control = if dice.chance(70) { usual } else { random_control(style, dice) };
    }
    let unicast = hops.iter().enumerate().all(|(i, hop)| hop.parent == i.checked_sub(1));
    let number = network.vc_of(&format!("vc{index}"), hops, random_source(style, dice));
    let vc = &mut network.spec.vcs[number];
    vc.priority = *dice.pick(&[0, 0, 1, 2]);
    if dice.chance(40) {
        vc.start = at(dice.below(duration / 3));
    }
    if dice.chance(30) {
        vc.stop = Some(at(dice.below(duration)));
    }
    if unicast && dice.chance(25) {
        let window = Cells(dice.between(1, 40) as u32);
        let ack_every = Cells(dice.between(1, u64::from(window.0.min(6))) as u32);
        vc.window = Some(WindowSpec { cells: window, ack_every });
        // Mostly only end to end, sometimes also link by link.
        if dice.chance(70) {
            for hop in &mut vc.hops {
                hop.control = HopControl::None;
            }
        }
    }
    if !unicast || dice.chance(10) {
        vc.multicast.run_ahead = dice.chance(40).then(|| Cells(dice.below(12) as u32));
        let give_up = positive_span(style, 60, dice);
        vc.multicast.give_up_after = dice.chance(40).then_some(give_up);
    }
}

/// The hops of a tree from a random host to one other host, or to several. `None` if no other host
/// can be reached.
fn random_tree(spec: &NetworkSpec, many: bool, dice: &mut Dice) -> Option<Vec<HopSpec>> {
    let is_host = |n: usize| spec.nodes[n].kind == NodeKind::Host;
    let hosts: Vec<usize> = (0..spec.nodes.len()).filter(|&n| is_host(n)).collect();
    let source = *dice.pick(&hosts);
    let mut reached = vec![(source, None::<(DirectionId, usize)>)];
    loop {
        let mut steps = Vec::new();
        for id in (0..spec.direction_count()).map(DirectionId) {
            let from = reached.iter().position(|step| step.0 == spec.from_node(id));
            let known = reached.iter().any(|step| step.0 == spec.to_node(id));
            if let (Some(from), false) = (from, known)
                && (from == 0 || !is_host(reached[from].0))
                // The source host has one link into the tree.
                && (from != 0 || reached.iter().all(|step| !matches!(step.1, Some((_, 0)))))
            {
                steps.push((spec.to_node(id), Some((id, from))));
            }
        }
        if steps.is_empty() {
            break;
        }
        reached.push(*dice.pick(&steps));
    }
    let mut goals: Vec<usize> = (1..reached.len()).filter(|&i| is_host(reached[i].0)).collect();
    dice.shuffle(&mut goals);
    goals.truncate(if many { goals.len().max(1) } else { 1 });
    let mut used = BTreeSet::new();
    for &goal in &goals {
        let mut step = goal;
        while let Some((_, from)) = reached[step].1 {
            used.insert(step);
            step = from;
        }
    }
    let used: Vec<usize> = used.into_iter().collect();
    let hops: Vec<HopSpec> = used
        .iter()
        .filter_map(|&step| reached[step].1)
        .map(|(id, from)| HopSpec {
            link: id.link(),
            direction: id.side(),
            parent: used.iter().position(|&step| step == from),
            control: HopControl::None,
        })
        .collect();
    (!hops.is_empty()).then_some(hops)
}

fn random_control(style: Style, dice: &mut Dice) -> HopControl {
    if dice.chance(20) {
        return HopControl::None;
    }
    let n1 = Cells(dice.between(1, 30) as u32);
    let scheme = match dice.below(9) {
        0 => CreditScheme::N23Continuous,
        1 => CreditScheme::N123,
        2 => CreditScheme::N123Plus,
        3 => CreditScheme::Cup,
        4 => CreditScheme::Additive,
        _ => CreditScheme::N23,
    };
    let request = positive_span(style, 80, dice);
    let redundant = positive_span(style, 60, dice);
    HopControl::Credit(CreditSpec {
        scheme,
        unit: Bytes::CELL,
        n1: scheme.facts().n1.map_or(Cells::ZERO, |_| n1),
        n2: Cells(dice.between(1, 10) as u32),
        n3: Cells(dice.between(0, 40) as u32),
        request_after: dice.chance(40).then_some(request),
        redundant_every: dice.chance(25).then_some(redundant),
        per_cell: 1,
        allow_small_buffer: false,
    })
}

fn random_source(style: Style, dice: &mut Dice) -> SourceSpec {
    match dice.below(9) {
        0 => SourceSpec::EveryKth { k: dice.between(1, 6) },
        1 => SourceSpec::Constant { rate: random_rate(dice) },
        2 | 3 => SourceSpec::OnOff {
            burst: match dice.below(3) {
                0 => LengthLaw::Fixed(dice.between(1, 20)),
                1 => LengthLaw::Geometric(dice.between(1, 20) as f64),
                _ => LengthLaw::Exponential(dice.between(1, 20) as f64),
            },
            off: match dice.below(3) {
                0 => SpanLaw::Fixed(random_span(style, 30, dice)),
                1 => SpanLaw::GeometricCells(dice.between(0, 30) as f64),
                _ => SpanLaw::Exponential(cells(dice.between(1, 30))),
            },
            burst_first: dice.chance(50),
        },
        4 => SourceSpec::Alternating {
            low: Some(random_rate(dice)),
            high: Some(random_rate(dice)),
            half_period: cells(dice.between(20, 200)),
        },
        5 => {
            let mut times: Vec<Picos> =
                (0..dice.between(0, 200)).map(|_| random_span(style, 400, dice)).collect();
            times.sort();
            SourceSpec::Replay { times }
        }
        _ => SourceSpec::Greedy,
    }
}

fn random_rate(dice: &mut Dice) -> Rate {
    let bps = *dice.pick(&[424_000_000, 212_000_000, 106_000_000, 70_000_000, 33_333_333]);
    Rate::from_bps(bps).expect("every rate above is more than zero")
}

fn add_events(network: &mut NetworkBuilder, duration: u64, dice: &mut Dice) {
    if !dice.chance(50) {
        return;
    }
    for _ in 0..dice.between(1, 5) {
        let direction = DirectionId(dice.below(network.spec.direction_count() as u64) as usize);
        let time = dice.below(duration);
        match dice.below(5) {
            0 => network.event(time, direction, Change::CorruptData(random_probability(dice))),
            1 => network.event(time, direction, Change::CorruptCredits(random_probability(dice))),
            2 => {
                let vcs = network.spec.vcs.len() as u64;
                let one = vcs > 0 && dice.chance(50);
                let vc = one.then(|| dice.below(vcs) as usize);
                let count = dice.between(1, 4) as u32;
                network.event(time, direction, Change::CorruptNextCredits { count, vc });
            }
            _ => {
                network.event(time, direction, Change::Blocked(true));
                if dice.chance(80) {
                    let end = time + dice.between(1, 200);
                    network.event(end, direction, Change::Blocked(false));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claim: one number gives one network, every network is valid, and over a few hundred of
    /// them every scheme, source, kind of R and change occurs.
    #[test]
    fn random_networks_are_valid_and_exercise_everything() {
        let mut seen = BTreeSet::new();
        for seed in 0..400 {
            let spec = random_network(seed);
            let latencies = (0..spec.direction_count()).map(|id| spec.latency(DirectionId(id)).0);
            if latencies.clone().max() > latencies.min().map(|least| 500 * least) {
                seen.insert("Spread".to_owned());
            }
            assert_eq!(spec, random_network(seed));
            assert!((2..=6).contains(&spec.nodes.len()));
            let mut note = |item: String| {
                seen.insert(item.split([' ', '(']).next().unwrap_or("").to_owned());
            };
            for link in &spec.links {
                note(format!("{:?}", link.round_trip));
                for lanes in link.directions.iter().filter_map(|direction| direction.lanes) {
                    let rule = if lanes.has_watchdog() {
                        "Watchdog".into()
                    } else {
                        format!("{:?}", lanes.rule)
                    };
                    note(format!("Lane{rule}"));
                }
            }
            for (index, vc) in spec.vcs.iter().enumerate() {
                note(format!("{:?}", vc.source));
                note(format!("branches{}", spec.leaves(index).len().min(2)));
                note(if vc.window.is_some() { "window" } else { "no-window" }.to_owned());
                for hop in &vc.hops {
                    if let HopControl::Credit(credit) = hop.control {
                        note(format!("{:?}", credit.scheme));
                    }
                }
            }
            spec.events.iter().for_each(|event| note(format!("{:?}", event.change)));
        }
        for item in [
            "Loop",
            "Fixed",
            "Measured",
            "Greedy",
            "EveryKth",
            "Constant",
            "OnOff",
            "Alternating",
            "Replay",
            "branches1",
            "branches2",
            "window",
            "N23",
            "N23Continuous",
            "N123",
            "N123Plus",
            "Cup",
            "Additive",
            "Adaptive",
            "CorruptData",
            "CorruptCredits",
            "CorruptNextCredits",
            "Blocked",
            "LanePause",
            "LaneCredit",
            "LaneWatchdog",
            "Spread",
        ] {
            assert!(seen.contains(item), "no random network has {item}: {seen:?}");
        }
    }
}
