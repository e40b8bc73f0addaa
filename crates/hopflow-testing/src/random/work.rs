//! Hosts of random networks that work on what they send and receive.

use hopflow_units::Picos;

use super::{CELL, Dice};
use hopflow_network::{NetworkSpec, NodeKind, WorkSpec};

/// `spec` with a processor at most hosts.
/// The same for the same `seed`. The networks of [`super::random_network`] stay the same.
pub fn with_work(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0007);
    let aligned = dice.chance(50);
    let most = *dice.pick(&[1, 3, 12]);
    for node in 0..spec.nodes.len() {
        let is_host = spec.nodes[node].kind == NodeKind::Host;
        let is_application = spec
            .nodes
            .iter()
            .any(|other| other.drain.is_some_and(|link| spec.links[link].ends.contains(&node)));
        if !is_host || is_application || dice.chance(25) {
            continue;
        }
        let mut some = |percent: u64| {
            if !dice.chance(percent) {
                return Picos::ZERO;
            }
            if aligned {
                Picos(CELL.0 / 2 * dice.between(1, 2 * most))
            } else {
                Picos(dice.between(1, most * CELL.0))
            }
        };
        let work = WorkSpec { send: some(75), receive: some(75), credit: some(60) };
        spec.nodes[node].work = Some(work);
    }
    spec.assert_valid();
    spec
}
