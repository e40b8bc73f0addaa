//! Networks of papers and other scenarios, shortened to a number of cells on their slowest link, or
//! of packets.

use hopflow_network::NetworkSpec;
use hopflow_scenario::Scenario;
use hopflow_units::Picos;

/// Sixty flows of about 9.6 packets/s.
pub(super) const TEST_ONE_PER_SECOND: u64 = 576;
/// Cells of a link of 45 Mb/s.
pub(super) const CAI97_PER_SECOND: u64 = 106_132;
/// Cells of a link of 49.92 Mb/s.
pub(super) const TCP_PER_SECOND: u64 = 117_736;

/// Test-One of [Zhang90].
pub(super) fn test_one(packets: u64) -> NetworkSpec {
    let text = include_str!("../../../papers/zhang90/test1.toml");
    cut(text, "papers/zhang90/test1.toml", packets, TEST_ONE_PER_SECOND)
}

/// Configuration 1 of [Cai97].
pub(super) fn cai97(cells: u64) -> NetworkSpec {
    let text = include_str!("../../../papers/cai97/conf1.toml");
    cut(text, "papers/cai97/conf1.toml", cells, CAI97_PER_SECOND)
}

/// Table 2 (b) of [Kung97].
pub(super) fn tcp_over_cells(cells: u64) -> NetworkSpec {
    let text = include_str!("../../../papers/creditnet/table2b.toml");
    cut(text, "papers/creditnet/table2b.toml", cells, TCP_PER_SECOND)
}

pub(super) fn cut(text: &str, path: &str, packets: u64, per_second: u64) -> NetworkSpec {
    let scenario = Scenario::from_toml(text, path);
    let mut spec = scenario.expect("a scenario of the project is right").network;
    spec.duration = Picos(packets * (Picos::PER_SECOND / per_second));
    spec
}
