//! Enhanced transmission selection at the ports of random networks.

use std::num::NonZeroU8;

use hopflow_control::scheduler::{ClassWeights, SchedulerSpec};
use hopflow_network::{HopSpec, NetworkSpec};
use hopflow_units::Bytes;

use super::Dice;

/// The size of a cell, which acknowledgements and control cells have.
const CELL_BYTES: u64 = 53;

/// `spec` with three quarters of its ports that pace no flow under ETS: each of the eight classes
/// is strict or has a weight of 1 to 5. Flows have random priorities, unless a link has lanes. The
/// same for the same `seed`. The networks of [`super::random_network`] stay the same.
pub fn with_class_weights(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_E750_E750_0006);
    let without_lanes = spec
        .links
        .iter()
        .all(|link| link.directions.iter().all(|direction| direction.lanes.is_none()));
    if without_lanes {
        for vc in &mut spec.vcs {
            vc.priority = dice.below(8) as u8;
        }
    }
    let largest = spec.vcs.iter().map(|vc| vc.traffic.size.most().0).max().unwrap_or(1);
    let mut paces = vec![false; spec.direction_count()];
    for (vc, of) in spec.vcs.iter().enumerate() {
        for (hop, id) in of.hops.iter().map(HopSpec::direction_id).enumerate() {
            paces[id.0] |= spec.is_paced(vc, hop);
        }
    }
    let directions = spec.links.iter_mut().flat_map(|link| &mut link.directions);
    for (direction, paces) in directions.zip(paces) {
        let mut weights = ClassWeights::default();
        for weight in &mut weights.0 {
            *weight = NonZeroU8::new(dice.below(6) as u8);
        }
        if dice.chance(75) && !paces {
            let quantum = Bytes(dice.between(largest, 3 * largest).max(CELL_BYTES));
            direction.scheduler = SchedulerSpec::Ets { quantum, weights };
        }
    }
    spec.assert_valid();
    spec
}
