//! What a random network has beside cells and credit: packets of other sizes, schedulers,
//! reservations, shared buffers that push out.

use hopflow_control::scheduler::{
    FlowShare, Gate, GateList, Guarantee, MeterCheck, Reservation, SchedulerSpec, StampClock,
    VirtualClockSpec, ats, tdm,
};
use hopflow_units::{Bytes, Cells, Picos, Rate, Wire};

use super::{Dice, Style};
use hopflow_network::port_flows;
use hopflow_network::{
    Discard, EnvelopeRule, EnvelopeSpec, Excess, HopControl, NetworkSpec, PolicingRule,
    PolicingSpec, SizeLaw, SourceSpec, VcSpec,
};

/// Adds to `spec` in place.
pub(super) fn add(spec: &mut NetworkSpec, style: Style, dice: &mut Dice) {
    let reserved = dice.chance(70);
    for vc in &mut spec.vcs {
        vc.weight = dice.between(1, 5) as u32;
        if reserved {
            vc.reservation = Some(random_reservation(dice));
        }
        if !vc.carries_packets() {
            add_sizes(vc, style, dice);
        }
        let has_law = !vc.source.is_greedy() && !vc.source.is_endpoint();
        if has_law && dice.chance(60) {
            vc.source = random_source(dice).into();
            add_edge(vc, dice);
        }
    }
    for node in 0..spec.nodes.len() {
        if dice.chance(70) {
            add_scheduler(spec, node, dice);
        }
    }
    replace_unfit(spec);
    for link in &mut spec.links {
        for direction in &mut link.directions {
            direction.count_lengths = dice.chance(30);
        }
    }
}

pub(super) fn add_sizes(vc: &mut VcSpec, style: Style, dice: &mut Dice) {
    let credit = vc.hops.iter().any(|hop| hop.control != HopControl::None);
    if credit || dice.chance(30) {
        return;
    }
    vc.traffic.size = match dice.below(4) {
        _ if style.aligned => SizeLaw::Fixed(Bytes(53 * dice.between(1, 4))),
        0 => SizeLaw::Fixed(Bytes(dice.between(1, 600))),
        1 => SizeLaw::Uniform { least: Bytes(20), most: Bytes(dice.between(20, 300)) },
        _ => SizeLaw::Mix(vec![(Bytes(40), 7), (Bytes(576), 4), (Bytes(1_500), 1)]),
    };
}

/// Gaps of 0.5 to 20 us: up to twice the rate of most links.
pub(super) fn random_source(dice: &mut Dice) -> SourceSpec {
    let mut span = || Picos(dice.between(500_000, 20_000_000));
    let [spacing, pause, gap] = [span(), span(), span()];
    match dice.below(3) {
        0 => SourceSpec::Train { length: dice.between(1, 5) as f64, spacing, pause },
        1 => SourceSpec::Poisson { gap },
        _ => SourceSpec::Phased { gap },
    }
}

pub(super) fn add_edge(vc: &mut VcSpec, dice: &mut Dice) {
    let span = |dice: &mut Dice| Picos(dice.between(500_000, 50_000_000));
    vc.traffic.obeys = dice.chance(50);
    if dice.chance(30) {
        vc.traffic.envelope = Some(EnvelopeSpec {
            packets: dice.between(1, 20) as u32,
            interval: span(dice),
            rule: EnvelopeRule::Gaps {
                least_gap: Picos(dice.below(1_000_000)),
                average_gap: span(dice),
            },
        });
    }
    if dice.chance(40) {
        let rule = match dice.below(3) {
            0 => PolicingRule::LeakyBucket { period: span(dice), packets: 3 },
            1 => PolicingRule::Gcra { increment: span(dice), limit: span(dice) },
            _ => PolicingRule::TokenBucket {
                rate: Rate::from_bps(dice.between(10_000_000, 400_000_000)).expect("not zero"),
                burst: Bytes(dice.between(1_500, 6_000)),
            },
        };
        let choices = [Excess::Discarded, Excess::Delayed { packets: 4 }, Excess::Only];
        vc.traffic.policing = Some(PolicingSpec { rule, excess: *dice.pick(&choices) });
    }
}

pub(super) fn random_reservation(dice: &mut Dice) -> Reservation {
    let bps = *dice.pick(&[10_600_000, 42_400_000, 99_999_999, 200_000_000]);
    let priority = if dice.chance(20) { Picos(dice.between(1, 100_000_000)) } else { Picos::ZERO };
    Reservation {
        rate: Rate::from_bps(bps).expect("every rate above is more than zero"),
        interval: Picos(dice.between(40_000_000, 1_000_000_000)),
        priority,
        burst: Bytes(dice.between(1_500, 5_000)),
    }
}

/// All ports of a node get one scheduler; perhaps the node pushes out.
fn add_scheduler(spec: &mut NetworkSpec, node: usize, dice: &mut Dice) {
    let scheduler = random_scheduler(dice);
    for link in &mut spec.links {
        for side in 0..2 {
            if link.ends[side] == node {
                link.directions[side].scheduler = scheduler.clone();
            }
        }
    }
    let limit = dice.chance(40).then(|| Cells(dice.between(1, 20) as u32).into());
    spec.nodes[node].port_buffer = limit;
    if can_push_out(spec, node) {
        let choices = [Discard::Arriving, Discard::LastOfLongest, Discard::LastOfOwn];
        spec.nodes[node].discard = *dice.pick(&choices);
    }
}

fn random_scheduler(dice: &mut Dice) -> SchedulerSpec {
    let frame = dice.between(4, 60) as u32;
    match dice.below(16) {
        0 => SchedulerSpec::Fifo,
        1 => SchedulerSpec::StrictPriority,
        2 => SchedulerSpec::WeightedRoundRobin,
        3 => SchedulerSpec::DeficitRoundRobin { quantum: Bytes(dice.between(1_500, 3_000)) },
        4 => SchedulerSpec::Wfq,
        5 => SchedulerSpec::Wf2q,
        6 => SchedulerSpec::Scfq,
        7 => SchedulerSpec::Sfq,
        8 => SchedulerSpec::LeapForward,
        9 => SchedulerSpec::Tdm { frame },
        10 => SchedulerSpec::ScheduleBased { frame, window: dice.below(6) as u32 },
        11 => SchedulerSpec::Ats {
            max_residence: dice.chance(30).then(|| Picos(dice.between(1_000_000, 300_000_000))),
        },
        12 => SchedulerSpec::Cbs,
        13 => SchedulerSpec::TimeAware(random_gates(dice)),
        _ => SchedulerSpec::VirtualClock(random_virtual_clock(dice)),
    }
}

/// Ports whose flows do not fit their scheduler are first in, first out.
pub(super) fn replace_unfit(spec: &mut NetworkSpec) {
    let flows = port_flows(spec);
    let ports = spec.links.iter_mut().flat_map(|link| &mut link.directions);
    for (direction, flows) in ports.zip(&flows) {
        if !fits(&direction.scheduler, direction.wire(), flows) {
            direction.scheduler = SchedulerSpec::Fifo;
        }
    }
}

/// Whether a port of this rate can have this scheduler.
fn fits(scheduler: &SchedulerSpec, wire: Wire, flows: &[FlowShare]) -> bool {
    match scheduler.guarantee() {
        Guarantee::Slots { frame } => tdm::slots(wire, frame, flows).is_ok(),
        Guarantee::Shaped { .. } => ats::short_burst(flows).is_none(),
        _ => true,
    }
}

/// Up to four gates of 10 us to 2 ms.
fn random_gates(dice: &mut Dice) -> GateList {
    let gate = |dice: &mut Dice| Gate {
        span: Picos(dice.between(10_000_000, 2_000_000_000)),
        open: dice.below(256) as u8,
    };
    let offset = Picos(dice.below(1_000_000_000));
    let count = dice.between(1, 4);
    GateList { offset, gates: (0..count).map(|_| gate(dice)).collect() }
}

fn random_virtual_clock(dice: &mut Dice) -> VirtualClockSpec {
    let span = |dice: &mut Dice| Picos(dice.between(1_000_000, 300_000_000));
    let by_meter = dice.chance(20);
    let periodic = dice.chance(20);
    VirtualClockSpec {
        stamp: if by_meter { StampClock::Meter } else { StampClock::Auxiliary },
        check: if periodic { MeterCheck::Every(span(dice)) } else { MeterCheck::EveryAir },
        threshold: dice.chance(50).then(|| span(dice)),
        messages: dice.chance(80),
        delete_after: dice.chance(60).then(|| dice.below(4) as u32),
        refuse_ahead: dice.chance(15).then(|| span(dice)),
    }
}

/// No multicast VC branches there, and no greedy or windowed source is there.
fn can_push_out(spec: &NetworkSpec, node: usize) -> bool {
    spec.vcs.iter().all(|vc| {
        let leaves = vc.hops.iter().filter(|hop| spec.from_node(hop.direction_id()) == node);
        let held = vc.source == SourceSpec::Greedy || vc.window.is_some();
        leaves.clone().count() < 2 && !(held && leaves.clone().any(|hop| hop.parent.is_none()))
    })
}
