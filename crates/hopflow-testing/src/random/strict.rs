//! Strict envelopes around the sources of random networks.

use hopflow_network::{EnvelopeRule, EnvelopeSpec, NetworkSpec};
use hopflow_units::Picos;

use super::Dice;

/// `spec` with a strict envelope around each source that has instants of its own: 1 to 20 packets
/// in 0.5 to 50 us, beside policers, shapers and messages to slow down. The same for the same
/// `seed`. The networks of [`super::random_network`] stay the same.
pub fn with_strict_envelopes(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0005);
    for vc in &mut spec.vcs {
        if !vc.source.is_greedy() && !vc.source.is_endpoint() {
            vc.traffic.envelope = Some(EnvelopeSpec {
                packets: dice.between(1, 20) as u32,
                interval: Picos(dice.between(500_000, 50_000_000)),
                rule: EnvelopeRule::Strict,
            });
        }
    }
    spec.assert_valid();
    spec
}
