//! Coders in a random network.

use hopflow_network::{NetworkSpec, SourceSpec};

use super::{Dice, cells};

/// `spec` in which most VCs under rate control have a coder, whose frames follow their rate, in
/// place of their source. The same for the same `seed`. The networks of [`super::random_network`]
/// stay the same.
pub fn with_video(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0007);
    for vc in &mut spec.vcs {
        let fits = vc.rate.is_some() && !vc.source.is_endpoint() && vc.framing.is_none();
        if !fits || dice.chance(20) {
            continue;
        }
        let least = dice.between(1, 4);
        let most = dice.chance(50).then(|| least + dice.below(20));
        let part = dice.chance(50).then(|| dice.between(1, 8) as f64 / 8.0);
        let frame = cells(dice.between(5, 120));
        vc.source = SourceSpec::Video { frame, part, least, most }.into();
        let mut traffic = (*vc.traffic).clone();
        (traffic.envelope, traffic.policing, traffic.obeys) = (None, None, false);
        vc.traffic = traffic.into();
    }
    spec.assert_valid();
    spec
}
