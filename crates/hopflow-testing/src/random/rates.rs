//! Rate control in a random network: some VCs under ABR, algorithms at ports of switches, loops
//! that end there.

use hopflow_control::rate::{
    AbrSpec, Drain, EfciSpec, EprcaSpec, EricaOptions, EricaPlusSpec, EricaSpec, RateRule,
    SelectiveSpec, VcCountingSpec, VcRate,
};
use hopflow_control::scheduler::SchedulerSpec;
use hopflow_units::{CellRate, Picos};

use super::{Dice, cells};
use hopflow_network::{
    DirectionId, Discard, HopControl, NetworkSpec, NodeKind, RateSpec, Segment, SizeLaw,
    SourceSpec, VirtualInput, VirtualRate, VirtualSpec, VirtualUpdate,
};

/// Adds to `spec` in place, last of all.
pub(super) fn add(spec: &mut NetworkSpec, dice: &mut Dice) {
    if dice.chance(85) {
        clear(spec);
    }
    for id in (0..spec.direction_count()).map(DirectionId) {
        let is_switch = spec.nodes[spec.from_node(id)].kind == NodeKind::Switch;
        if is_switch && dice.chance(60) {
            let link = &mut spec.links[id.link()];
            link.directions[id.side()].rate_control = Some(random_rate_control(dice));
        }
    }
    for vc in 0..spec.vcs.len() {
        if dice.chance(80) {
            add_abr(spec, vc, dice);
        }
    }
}

/// Removes the features that exclude rate control.
fn clear(spec: &mut NetworkSpec) {
    for node in &mut spec.nodes {
        node.discard = Discard::Arriving;
    }
    for direction in spec.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.scheduler = SchedulerSpec::RoundRobin;
        direction.lanes = None;
    }
    for vc in &mut spec.vcs {
        vc.window = None;
        vc.hops.iter_mut().for_each(|hop| hop.control = HopControl::None);
        if vc.source != SourceSpec::Endpoint && vc.framing.is_none() {
            vc.traffic.size = SizeLaw::CELL;
        }
    }
}

fn random_rate_control(dice: &mut Dice) -> RateSpec {
    let segment = match dice.below(5) {
        0 => Segment::Wall,
        1 | 2 => Segment::Virtual(random_virtual(dice)),
        _ => Segment::Through,
    };
    let needs_rule = matches!(segment, Segment::Virtual(_));
    let rule = (needs_rule || dice.chance(80)).then(|| random_rule(dice));
    RateSpec { rule, segment, backward_rm: None }
}

fn random_virtual(dice: &mut Dice) -> VirtualSpec {
    use VirtualRate::{Measured, Next, Previous};
    use VirtualUpdate::{Backward, Both, TurnAround};
    VirtualSpec {
        rate: *dice.pick(&[Previous, Next, Measured]),
        input: *dice.pick(&[VirtualInput::Vc, VirtualInput::Class]),
        update: *dice.pick(&[TurnAround, Backward, Both]),
        // Below the lowest peak and above the highest minimum of any VC.
        icr: dice.chance(50).then(|| rate(dice.between(20_000, 90_000))),
    }
}

fn random_rule(dice: &mut Dice) -> RateRule {
    let low = dice.below(20);
    let high = low + *dice.pick(&[0, 0, 5, 20]);
    let interval_cells = dice.chance(40).then(|| dice.between(1, 60));
    let options = EricaOptions {
        interval: cells(dice.between(10, 200)),
        interval_cells,
        vc_rate: *dice.pick(&[VcRate::Ccr, VcRate::Measured]),
        ..EricaOptions::default()
    };
    match dice.below(7) {
        0 => RateRule::Efci(EfciSpec { high, low }),
        1 => RateRule::Becn(EfciSpec { high, low }),
        2 => RateRule::Selective(SelectiveSpec::new(EfciSpec { high, low })),
        3 => RateRule::VcCounting(random_counting(dice)),
        4 => RateRule::Erica(EricaSpec { options, ..EricaSpec::default() }),
        5 => RateRule::EricaPlus(EricaPlusSpec { options, ..EricaPlusSpec::default() }),
        _ => RateRule::Eprca(EprcaSpec {
            qt: low,
            dqt: high,
            ci: dice.chance(50),
            ..EprcaSpec::default()
        }),
    }
}

fn random_counting(dice: &mut Dice) -> VcCountingSpec {
    let low = dice.below(4);
    let queue = EfciSpec { high: low + dice.below(10), low };
    let drains = dice.chance(60);
    VcCountingSpec {
        drain: if drains { Drain::WhileQueued { queue, factor: 0.9 } } else { Drain::Always(0.98) },
        interval: cells(dice.between(5, 100)),
        active: cells(dice.between(100, 1_000)),
        vc_rate: *dice.pick(&[VcRate::Ccr, VcRate::Measured]),
        ..VcCountingSpec::new(cells(dice.between(1, 100)))
    }
}

fn rate(cells_per_second: u64) -> CellRate {
    CellRate::new(cells_per_second as f64).expect("small numbers are rates")
}

/// Puts a VC under ABR, if none of its features excludes it.
fn add_abr(spec: &mut NetworkSpec, vc: usize, dice: &mut Dice) {
    let abr = random_abr(dice);
    let before = spec.vcs[vc].rate.replace(abr.into());
    let fits = may_be_paced(spec, vc);
    if !fits {
        spec.vcs[vc].rate = before;
    }
}

fn may_be_paced(spec: &NetworkSpec, index: usize) -> bool {
    let vc = &spec.vcs[index];
    let is_path = |(hop, of): (usize, &hopflow_network::HopSpec)| of.parent == hop.checked_sub(1);
    let fits = |(hop, of): (usize, &hopflow_network::HopSpec)| {
        let direction = spec.direction(of.direction_id());
        let node = &spec.nodes[spec.from_node(of.direction_id())];
        let plain =
            direction.scheduler == SchedulerSpec::RoundRobin && node.discard == Discard::Arriving;
        let back = spec.direction(of.direction_id().reverse());
        let lanes = direction.lanes.or(back.lanes);
        let is_free = of.control == HopControl::None && lanes.is_none();
        is_free && (plain || !spec.is_paced(index, hop))
    };
    vc.window.is_none()
        && vc.traffic.size == SizeLaw::CELL
        && vc.hops.iter().enumerate().all(is_path)
        && vc.hops.iter().enumerate().all(fits)
}

fn random_abr(dice: &mut Dice) -> AbrSpec {
    let pcr = rate(*dice.pick(&[100_000, 500_000, 1_000_000, 1_466_000]));
    let mcr = rate(*dice.pick(&[0, 0, 1_000, 20_000]));
    let icr = *dice.pick(&[pcr, pcr.times(0.25).max(mcr), mcr]);
    AbrSpec {
        mcr,
        icr,
        nrm: *dice.pick(&[2, 4, 8, 32]),
        mrm: dice.between(1, 3) as u32,
        trm: Picos(100_000_000_000 >> dice.between(5, 7)),
        rif: 1.0 / f64::from(1_u32 << dice.below(7)),
        rdf: 1.0 / f64::from(1_u32 << dice.below(6)),
        cdf: *dice.pick(&[0.0, 1.0 / 16.0, 0.5, 1.0]),
        crm: dice.below(20),
        tcr: rate(*dice.pick(&[0, 10, 10_000])),
        sixteen_bit: dice.chance(30),
        ..AbrSpec::new(pcr)
    }
}
