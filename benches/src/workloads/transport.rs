//! Connections whose packets are no cells, over ports with limits and marks.
//!
//! DCTCP, as on 100 Gb/s with packets of 1,500 bytes: `benches/scenarios/fabric-dctcp.toml`.
//! Checked by: the digests of both engines (`digests.rs`).

use hopflow_network::NetworkSpec;

use super::papers::cut;

/// Packets of 16 hosts at 100 Gb/s.
const PER_SECOND: u64 = 16 * 8_333_333;

const TEXT: &str = include_str!("../../scenarios/fabric-dctcp.toml");
const PATH: &str = "benches/scenarios/fabric-dctcp.toml";

/// DCTCP for the time of this number of packets.
pub(super) fn dctcp(packets: u64) -> NetworkSpec {
    cut(TEXT, PATH, packets, PER_SECOND)
}

/// The same over ports of as many bytes as 200 packets have, in cells of 256 bytes.
pub(super) fn dctcp_in_bytes(packets: u64) -> NetworkSpec {
    let limit = "port-buffer = \"300 kB\"\ncell = \"256 B\"";
    let text = TEXT.replace("port-buffer = \"200 packets\"", limit);
    cut(&text, PATH, packets, PER_SECOND)
}
