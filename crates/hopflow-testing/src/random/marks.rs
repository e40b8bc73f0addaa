//! Marks in a random network: VCs whose packets ports may mark.

use super::Dice;
use hopflow_network::NetworkSpec;

/// Adds to `spec` in place, last of all: marks change a run only where an endpoint reacts to them.
pub(super) fn add(spec: &mut NetworkSpec, dice: &mut Dice) {
    for vc in &mut spec.vcs {
        let is_path = vc.hops.iter().enumerate().all(|(at, hop)| hop.parent == at.checked_sub(1));
        vc.ecn_capable |= is_path && dice.chance(50);
    }
}
