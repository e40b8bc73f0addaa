//! False credits in a random network.

use hopflow_units::SimTime;

use super::Dice;
use hopflow_network::{Change, CreditsOf, DirectionId, EventSpec, HopControl, LANES, NetworkSpec};

/// `spec` with credits of VCs and of lanes that are falsified: a few or all, by a little or by more
/// than a buffer has, both ways. The same for the same `seed`.
pub fn with_false_credits(mut spec: NetworkSpec, seed: u64) -> NetworkSpec {
    let mut dice = Dice(seed ^ 0x5EED_0F0F_1F0F_0004);
    let mut about = credited(&spec);
    // Where there are no such credits, events wait for ever.
    about.push((DirectionId(0), CreditsOf::AnyVc));
    for _ in 0..dice.between(2, 12) {
        let (data, of) = *dice.pick(&about);
        let of = if dice.chance(20) { CreditsOf::AnyVc } else { of };
        let count = if dice.chance(50) { u32::MAX } else { dice.between(1, 6) as u32 };
        let most = if dice.chance(10) { 2_000_000 } else { 12 };
        let size = dice.between(1, most) as i32;
        let error = if dice.chance(70) { size } else { -size };
        let back = data.reverse();
        spec.events.push(EventSpec {
            at: SimTime(dice.below(spec.duration.0 / 2)),
            link: back.link(),
            direction: back.side(),
            change: Change::FalsifyNextCredits { count, error, of },
        });
    }
    spec.events.sort_by_key(|event| event.at);
    spec.assert_valid();
    spec
}

/// Directions of data that credits are about: of VCs and of lanes.
fn credited(spec: &NetworkSpec) -> Vec<(DirectionId, CreditsOf)> {
    let mut found = Vec::new();
    for (vc, of) in spec.vcs.iter().enumerate() {
        let hops = of.hops.iter().filter(|hop| matches!(hop.control, HopControl::Credit(_)));
        found.extend(hops.map(|hop| (hop.direction_id(), CreditsOf::Vc(vc))));
    }
    for id in (0..spec.direction_count()).map(DirectionId) {
        let lanes = spec.direction(id).lanes.filter(|lanes| lanes.rule.promise().is_some());
        let covered = (0..LANES as u8).filter(|lane| lanes.is_some_and(|of| of.covers(*lane)));
        found.extend(covered.map(|lane| (id, CreditsOf::Lane(lane.into()))));
    }
    found
}
