//! Credit that counts units of packets of any size, in a random network.

use hopflow_control::credit::PacketUnits;
use hopflow_units::{Bytes, Cells};

use super::packets::replace_unfit;
use super::{Dice, Style, random_control};
use hopflow_network::{CreditSpec, DirectionId, HopControl, HopSpec, NetworkSpec, SizeLaw};

/// `spec` with packets of other sizes than cells in VCs under credit, and credit under VCs of
/// packets: fixed sizes and mixtures, in units that are smaller and larger than the packets. In
/// half of the networks VCs that share a buffer stay as they are; those that have external machines
/// always do. The same for the same `seed`.
pub fn with_units(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0006);
    let dice = &mut dice;
    let style = Style { aligned: dice.chance(50), ..Style::drawn(dice) };
    // What lanes promise has room for the packets that there are.
    let has_lanes = |hop: &HopSpec| spec.links[hop.link].directions[hop.direction].lanes.is_some();
    let is_laned: Vec<bool> = spec.vcs.iter().map(|vc| vc.hops.iter().any(has_lanes)).collect();
    for (vc, is_laned) in spec.vcs.iter_mut().zip(&is_laned) {
        let is_shared = vc.hops.iter().any(|hop| hop.shared_credit().is_some());
        let is_cut = vc.framing.is_some() || vc.rate.is_some();
        if is_cut || is_shared || vc.source.external().is_some() || dice.chance(15) {
            continue;
        }
        if !is_laned
            && !vc.source.is_endpoint()
            && (vc.traffic.size == SizeLaw::CELL || dice.chance(40))
        {
            vc.traffic.size = random_sizes(dice);
            vc.traffic.policing = None;
        }
        let has_credit = vc.hops.iter().any(|hop| hop.control != HopControl::None);
        let usual = *dice.pick(&[53, 64, 100, 128, 256, 512]);
        for hop in &mut vc.hops {
            if !has_credit && dice.chance(70) {
                hop.control = random_control(style, dice);
            }
            let unit = if dice.chance(80) { usual } else { dice.between(20, 700) };
            if let HopControl::Credit(credit) = &mut hop.control {
                count_units(credit, Bytes(unit), &vc.traffic.size, dice);
            }
        }
    }
    let dice = &mut Dice(seed ^ 0x5EED_0F0F_1F0F_0007);
    if dice.chance(50) {
        share_in_units(&mut spec, &is_laned, dice);
    }
    replace_unfit(&mut spec);
    spec.assert_valid();
    spec
}

/// Gives packets of other sizes to VCs that share a buffer, in one unit, and the buffers room.
fn share_in_units(spec: &mut NetworkSpec, is_laned: &[bool], dice: &mut Dice) {
    let unit = Bytes(*dice.pick(&[53, 64, 100, 256, 512]));
    for (vc, is_laned) in spec.vcs.iter_mut().zip(is_laned) {
        if vc.hops.iter().all(|hop| hop.shared_credit().is_none()) {
            continue;
        }
        let is_cut = vc.framing.is_some() || vc.rate.is_some();
        let is_own = vc.source.external().is_some() || vc.source.is_endpoint();
        if !is_cut && !is_own && !is_laned && dice.chance(80) {
            vc.traffic.size = random_sizes(dice);
            vc.traffic.policing = None;
        }
        for hop in &mut vc.hops {
            let shares = hop.shared_credit().is_some();
            let HopControl::Credit(credit) = &mut hop.control else { continue };
            if shares {
                (credit.unit, credit.n2) = (unit, Cells(dice.between(1, 12) as u32));
            } else if credit.scheme.external().is_none() {
                count_units(credit, unit, &vc.traffic.size, dice);
            }
        }
    }
    let (members, sharers) = (spec.sharing_hops(), spec.sharers());
    for (index, members) in members.into_iter().enumerate() {
        let id = DirectionId(index);
        let most = members.iter().map(|&(vc, _)| spec.vcs[vc].traffic.size.most()).max();
        let Some(true_loop) = most.map(|most| spec.loop_of(id, most)) else { continue };
        let link = &mut spec.links[id.link()];
        let shared = link.directions[id.side()].shared_buffer.as_mut();
        let shared = shared.expect("VCs that share have a buffer");
        let more = *dice.pick(&[0, 5, 40, 300]);
        let least = u64::from(sharers[index].largest.0) + dice.between(0, more);
        shared.memory = Cells(shared.memory.0.max(least as u32));
        shared.interval = shared.interval.max(true_loop);
    }
}

fn random_sizes(dice: &mut Dice) -> SizeLaw {
    match dice.below(5) {
        0 => SizeLaw::Fixed(Bytes(53 * dice.between(1, 8))),
        1 => SizeLaw::Fixed(Bytes(dice.between(1, 900))),
        2 => SizeLaw::Uniform { least: Bytes(20), most: Bytes(dice.between(20, 600)) },
        3 => SizeLaw::Mix(vec![(Bytes(53), 3), (Bytes(106), 2), (Bytes(530), 1)]),
        _ => SizeLaw::Mix(vec![(Bytes(40), 7), (Bytes(576), 4), (Bytes(1_500), 1)]),
    }
}

/// Zones that have room for the largest packet; half of them never stall.
fn count_units(credit: &mut CreditSpec, unit: Bytes, sizes: &SizeLaw, dice: &mut Dice) {
    let units = PacketUnits::new(unit, sizes.most());
    let largest = units.largest().0;
    credit.unit = unit;
    if !units.are_packets() {
        credit.per_cell = 1;
    }
    credit.n2 = Cells(dice.between(1, 12) as u32);
    let least = largest.saturating_sub(if dice.chance(50) { 1 } else { credit.n2.0 });
    credit.n3 = Cells(least + dice.between(0, 60) as u32);
    if credit.scheme.facts().n1.is_some() {
        credit.n1 = Cells(largest + dice.between(0, 60) as u32);
    }
}
