//! Connections whose packets are no cells, over ports with limits and marks.
//!
//! DCTCP, as on 100 Gb/s with packets of 1,500 bytes: `benches/scenarios/fabric-dctcp.toml`.
//! Checked by: the digests of both engines (`digests.rs`).

use hopflow_network::NetworkSpec;

use super::papers::cut;

/// Packets of 16 hosts at 100 Gb/s.
const PER_SECOND: u64 = 16 * 8_333_333;

/// DCTCP for the time of this number of packets.
pub(super) fn dctcp(packets: u64) -> NetworkSpec {
    let text = include_str!("../../scenarios/fabric-dctcp.toml");
    cut(text, "benches/scenarios/fabric-dctcp.toml", packets, PER_SECOND)
}
