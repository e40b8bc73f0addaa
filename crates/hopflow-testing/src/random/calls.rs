//! Flows of a random network that ask for their reservation.

use hopflow_units::{Picos, SimTime};

use super::Dice;
use super::packets::{random_reservation, replace_unfit};
use hopflow_network::{HopControl, NetworkSpec, VcSpec};

/// `spec` with VCs that ask for their reservation: some of its own, and up to eight more for each,
/// which begin and end during the run, on the same path. The same for the same `seed`. VCs of
/// connections, with several final hosts or under rate control ask for nothing. The networks of
/// [`super::random_network`] stay the same.
pub fn with_calls(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0005);
    let end = spec.duration.0;
    let mut more = Vec::new();
    for (index, vc) in spec.vcs.iter_mut().enumerate() {
        if !may_ask(vc) {
            continue;
        }
        for call in 0..dice.below(9) {
            let mut copy = vc.clone();
            copy.name = format!("{}.call{call}-{index}", vc.name);
            copy.hops.iter_mut().for_each(|hop| hop.control = HopControl::None);
            let start = dice.below(end);
            copy.start = SimTime(start);
            copy.stop = dice.chance(80).then(|| SimTime(start + 1 + dice.below(end / 3)));
            copy.phase = Picos(if dice.chance(20) { dice.below(3_000_000) } else { 0 });
            ask(&mut copy, &mut dice);
            more.push(copy);
        }
        if dice.chance(60) {
            ask(vc, &mut dice);
        }
    }
    spec.vcs.extend(more);
    replace_unfit(&mut spec);
    spec.assert_valid();
    spec
}

fn may_ask(vc: &VcSpec) -> bool {
    let is_path = vc.hops.iter().enumerate().all(|(i, hop)| hop.parent == i.checked_sub(1));
    is_path && vc.rate.is_none() && !vc.source.is_endpoint()
}

fn ask(vc: &mut VcSpec, dice: &mut Dice) {
    let reservation = random_reservation(dice);
    vc.reservation.get_or_insert(reservation);
    vc.signalled = true;
}
