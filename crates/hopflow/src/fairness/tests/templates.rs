//! The built-in scenarios: their shares are the known answers, and runs under credit have them.

use hopflow_scenario::{Scenario, TEMPLATES};

use super::{Part, fair_shares, whole};
use crate::{RunOptions, run};

/// Numbers of VCs, in file order, each with its rate in Mb/s: numerator, denominator.
type Group = (usize, f64, f64);

/// The answers, by template and in the order of its flows. Where they come from:
///
/// n-source: 150 / 10. parking-lot: 150 / 3. chain: 150 / 2. upstream-bottleneck: 150 / 15, and
/// (150 - 10) / 2. gfc-1, gfc-2: published, computed by hand in `filling.rs`. source-limited: 10,
/// (150 - 10) / 2 and 150 / 3, half the time each. two-source-vbr: VBR has 84.8 for half the time;
/// in whole cycles the others have (150 - 84.8) / 2 and 150 / 2 alternately.
const ANSWERS: [(&str, &[Group]); 8] = [
    ("n-source", &[(10, 15.0, 1.0)]),
    ("parking-lot", &[(3, 50.0, 1.0)]),
    ("chain", &[(7, 75.0, 1.0)]),
    ("upstream-bottleneck", &[(15, 10.0, 1.0), (2, 70.0, 1.0)]),
    (
        "gfc-1",
        &[
            (3, 50.0, 9.0),
            (3, 100.0, 9.0),
            (3, 100.0, 3.0),
            (6, 50.0, 9.0),
            (6, 100.0, 9.0),
            (2, 50.0, 1.0),
        ],
    ),
    (
        "gfc-2",
        &[
            (3, 10.0, 1.0),
            (3, 5.0, 1.0),
            (6, 35.0, 1.0),
            (2, 10.0, 1.0),
            (7, 5.0, 1.0),
            (2, 52.5, 1.0),
        ],
    ),
    ("source-limited", &[(1, 60.0, 2.0), (2, 120.0, 2.0)]),
    ("two-source-vbr", &[(2, 107.6, 2.0), (1, 84.8, 2.0)]),
];

fn template(name: &str) -> Scenario {
    let found = TEMPLATES.iter().find(|template| template.name == name).expect("it is built in");
    match Scenario::from_toml(found.text, name) {
        Ok(scenario) => scenario,
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

fn answers(groups: &[Group]) -> Vec<f64> {
    let all = |(count, numerator, denominator): &Group| vec![1e6 * numerator / denominator; *count];
    groups.iter().flat_map(all).collect()
}

/// Claim: the shares of every built-in scenario are the known answers, to the tenth digit, and the
/// check of the file has nothing to say.
#[test]
fn shares_are_the_known_answers() {
    assert_eq!(ANSWERS.map(|answer| answer.0), TEMPLATES.map(|template| template.name));
    for (name, groups) in ANSWERS {
        let scenario = template(name);
        assert_eq!(scenario.warnings, [], "{name}");
        let network = &scenario.network;
        let found = fair_shares(network, whole(network), Part::ALL).unwrap();
        let expected = answers(groups);
        assert_eq!(found.vcs.len(), expected.len(), "{name}");
        assert!(found.contested, "{name}");
        for (share, expected) in found.vcs.iter().zip(expected) {
            let bps = share.unwrap().bps;
            assert!((bps - expected).abs() < 1e-10 * expected, "{name}: {bps}, not {expected}");
        }
    }
}

/// Claim: hop-by-hop credit with round robin at the ports is max-min fair: every VC of every
/// built-in scenario has its share. Off by 0.5 % at most: a VC counts whole cells, of which it has
/// 943 at least (5 Mb/s for 80 ms), at both ends of the measured time; changes take a loop of
/// 27 us at most and the N2 + N3 = 16 cells of a hop to follow, in 20 ms.
#[test]
fn runs_under_credit_have_their_shares() {
    for (name, groups) in ANSWERS {
        let result = run(&template(name), &RunOptions::default()).unwrap();
        assert_eq!(result.violations(), [], "{name}");
        for (vc, expected) in result.summary.vcs.iter().zip(answers(groups)) {
            let off = (vc.throughput_bps / expected - 1.0).abs();
            assert!(off < 0.005, "{name}, {}: {} of {expected}", vc.name, vc.throughput_bps);
            let ratio = vc.fair.as_ref().unwrap().ratio.unwrap();
            assert!((ratio - 1.0).abs() < 0.005, "{name}, {}: {ratio}", vc.name);
        }
        assert!(result.summary.fairness.unwrap().jain_index > 0.9999, "{name}");
    }
}
