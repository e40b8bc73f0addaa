//! Sources of random networks that end, are silent in every other half period or have a phase.

use hopflow_units::Picos;

use super::Dice;
use hopflow_network::traffic::Arrivals;
use hopflow_network::{NetworkSpec, SourceSpec};

/// `spec` with sources, greedy ones and others, that end after a number of packets; with sources
/// that begin some time after their start; and with alternating sources that are silent every other
/// half period. The same for the same `seed`. The networks of [`super::random_network`] stay the
/// same.
pub fn with_ends(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0003);
    if dice.chance(50) {
        return spec;
    }
    for vc in &mut spec.vcs {
        let is_greedy = vc.source.is_greedy();
        if !vc.source.is_endpoint() && dice.chance(if is_greedy { 60 } else { 40 }) {
            let most = if dice.chance(50) { 5 } else { 200 };
            vc.traffic.packets = Some(dice.between(1, most));
        }
        if !vc.source.is_endpoint() && dice.chance(40) {
            vc.phase = Picos(dice.below(3_000_000));
        }
        if let Arrivals::Alternating { rates: [low, high], half_period } = vc.source.arrivals()
            && dice.chance(60)
        {
            let [low, high] = if dice.chance(50) { [None, high] } else { [low, None] };
            vc.source = SourceSpec::Alternating { low, high, half_period }.into();
        }
    }
    spec.assert_valid();
    spec
}
