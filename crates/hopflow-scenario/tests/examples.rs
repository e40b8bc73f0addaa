//! The worked examples: each passes the check without a warning, and means what it says.

use std::path::PathBuf;

use hopflow_network::{CreditScheme, DirectionId, HopControl};
use hopflow_scenario::Scenario;
use hopflow_units::{Cells, Picos};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn example(name: &str) -> Scenario {
    match Scenario::load(&folder().join(format!("{name}.toml"))) {
        Ok(scenario) => scenario,
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

/// Claim [KMCL94] 7.2: figure 14 has a loop of 155 cell times, 681,585 ps each: 2 x 52,141,253
/// (76.5 cells, rounded up) + 2 x 681,585 = 105,645,676 ps; and N3 = 155, 113, 63.
#[test]
fn figure_14_is_as_in_the_paper() {
    let scenario = example("figure-14");
    let network = &scenario.network;
    assert_eq!(scenario.warnings, []);
    let names: Vec<&str> = network.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["A1", "A2", "A3", "S", "B"]);
    assert_eq!(network.duration, Picos(20_000 * 681_585));
    let n3: Vec<u32> = network
        .vcs
        .iter()
        .map(|vc| match vc.hops[0].control {
            HopControl::Credit(credit) => {
                assert_eq!((credit.scheme, credit.n2), (CreditScheme::N23, Cells(10)));
                credit.n3.0
            }
            HopControl::None => panic!("{} is not controlled", vc.name),
        })
        .collect();
    assert_eq!(n3, [155, 113, 63]);
    assert!((0..4).all(|link| network.loop_time(link) == Picos(105_645_676)));
    assert_eq!(scenario.record.queues, [3]);
    assert_eq!(scenario.record.throughput, [DirectionId::new(3, 0)]);
}
