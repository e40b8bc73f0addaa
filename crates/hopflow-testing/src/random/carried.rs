//! Shared credit cells in a random network.

use hopflow_control::credit::CreditCarrier;

use super::Dice;
use hopflow_network::{HopControl, NetworkSpec, VcSpec};

/// `spec` with VCs that share credit cells, where their schemes allow it. The same for the same
/// `seed`.
pub fn with_shared_credits(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0005);
    let usual = dice.between(2, CreditCarrier::MOST.into()) as u32;
    for vc in &mut spec.vcs {
        for hop in &mut vc.hops {
            let HopControl::Credit(credit) = &mut hop.control else { continue };
            if !credit.scheme.facts().grant.is_passed_on() && dice.chance(85) {
                let other = dice.between(1, CreditCarrier::MOST.into()) as u32;
                credit.per_cell = if dice.chance(75) { usual } else { other };
            }
        }
    }
    spec.assert_valid();
    spec
}

/// `spec` with copies of its VCs that are under credit alone, so that more VCs share its links:
/// each is there four times. VCs that share a buffer or have a
/// reservation are not copied.
pub fn with_copies(mut spec: NetworkSpec) -> NetworkSpec {
    let is_plain = |vc: &VcSpec| {
        let is_shared = vc.hops.iter().any(|hop| hop.shared_credit().is_some());
        let has_credit = vc.hops.iter().any(|hop| hop.control != HopControl::None);
        let is_free = vc.reservation.is_none() && !vc.source.is_endpoint();
        is_free && has_credit && !is_shared
    };
    let plain: Vec<_> = spec.vcs.iter().filter(|vc| is_plain(vc)).cloned().collect();
    for number in 1..4 {
        for vc in &plain {
            let name = format!("{} copy {number}", vc.name);
            spec.vcs.push(VcSpec { name, ..vc.clone() });
        }
    }
    spec.assert_valid();
    spec
}
