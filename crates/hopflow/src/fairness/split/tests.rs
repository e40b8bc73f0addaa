//! Split shares where nothing is split: they are those of the exact filling.

use hopflow_network::VcSpec;
use hopflow_testing::random_network;

use super::super::{FairShares, Part, fair_shares};
use super::*;

fn whole(spec: &NetworkSpec) -> Range<SimTime> {
    SimTime::ZERO..SimTime(spec.duration.0)
}

fn unsplit(spec: &NetworkSpec) -> Parts {
    let along = |vc: &VcSpec| vc.hops.iter().map(|hop| (hop.direction_id(), 1.0)).collect();
    spec.vcs.iter().map(along).collect()
}

fn exact(spec: &NetworkSpec) -> Option<FairShares> {
    fair_shares(spec, whole(spec), Part::ALL).ok()
}

/// Claim: on random networks of every kind of source, control and priority, without anything to
/// split, the shares are those of `max_min.rs`, to the rounding of floats.
#[test]
fn whole_parts_give_the_exact_shares() {
    let mut solved = 0;
    for seed in 0..300 {
        let spec = random_network(seed);
        let Some(exact) = exact(&spec) else { continue };
        let split = split_shares(&spec, &unsplit(&spec), whole(&spec)).expect("as solvable");
        solved += 1;
        for (vc, (exact, split)) in exact.vcs.iter().zip(&split).enumerate() {
            let (exact, split) = (exact.map(|share| share.bps), *split);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.max(b) + 1e-3;
            let same = exact.zip(split).map_or(exact == split, |(a, b)| near(a, b));
            assert!(same, "seed {seed}, VC {vc}: {exact:?}, {split:?}");
        }
    }
    assert!(solved > 100, "{solved}");
}
