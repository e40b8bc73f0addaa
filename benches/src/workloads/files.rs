//! Networks of scenario files that exist for the benchmarks: lanes and shapers, which the
//! constructors of the other files do not have, and the set-up of VCs.
//!
//! `set_up` reads the file too: its count of instructions per cell-hop is that of a VC's set-up,
//! from text to engine, and of its only cell, over six hops.
//! Checked by: the test below; by the digests of both engines (`digests.rs`).

use hopflow_network::NetworkSpec;
use hopflow_scenario::Scenario;

use super::papers::cut;

/// Packets of 4,160 bytes of 16 hosts at 400 Gb/s.
const CBFC_PER_SECOND: u64 = 16 * 12_019_230;
/// Packets of 16 hosts: 80 Mb/s in packets of 200 bytes; a burst of 12 in 120 us of sending and, on
/// average, 120 us of silence.
const ATS_PER_SECOND: u64 = 16 * (50_000 + 50_000);

/// CBFC for the time of this number of packets, were no host ever short of credit.
pub(super) fn cbfc(packets: u64) -> NetworkSpec {
    let text = include_str!("../../scenarios/fabric-cbfc.toml");
    cut(text, "benches/scenarios/fabric-cbfc.toml", packets, CBFC_PER_SECOND)
}

/// Asynchronous traffic shaping for the time of this number of packets.
pub(super) fn ats(packets: u64) -> NetworkSpec {
    let text = include_str!("../../scenarios/fabric-ats.toml");
    cut(text, "benches/scenarios/fabric-ats.toml", packets, ATS_PER_SECOND)
}

/// This number of VCs, each with one cell.
pub(super) fn set_up(vcs: u64) -> NetworkSpec {
    let text = include_str!("../../scenarios/set-up.toml");
    let text = text.replace("count = 10000\n", &format!("count = {vcs}\n"));
    let scenario = Scenario::from_toml(&text, "benches/scenarios/set-up.toml");
    scenario.expect("a scenario of the project is right").network
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workloads::testing::{delivered, hops, windowed};

    /// Claim: of 160 VCs each has one cell, which crosses six links and arrives; no credit starts,
    /// as none of them sends N2 = 10.
    #[test]
    fn a_set_up_has_one_cell_of_each_vc() {
        let spec = set_up(160);
        assert_eq!(spec.vcs.len(), 160);
        let counters = windowed(&spec);
        assert_eq!((delivered(&counters), hops(&counters)), (160, [160 * 6, 0]));
    }

    /// Claim: packets wait for credit under CBFC: its hosts, of which seven share a receiver, start
    /// fewer packets than their links could carry, and nothing is lost. Under ATS packets of video
    /// wait although their ports are idle: the last of a burst of 12 x 1,250 bytes over a bucket of
    /// 2,500 bytes that fills at 600 Mb/s is eligible 12,500 x 8 / 600 Mb/s = 166 us after the
    /// first, but is sent 11 x 10 us after it; an idle path takes 6 x 11 us.
    #[test]
    fn credit_and_shapers_hold_packets() {
        let counters = windowed(&cbfc(16_000));
        let sent: u64 = (0..16).map(|link| counters.directions[2 * link].data_packets).sum();
        assert!((8_000..12_000).contains(&sent), "{sent}");
        let hops = counters.vcs.iter().flat_map(|vc| &vc.hops);
        assert_eq!(hops.map(|hop| hop.dropped_packets).sum::<u64>(), 0);

        let counters = windowed(&ats(16_000));
        let greatest = counters.vcs[16].leaves[0].delay.max_ps();
        assert!(greatest > Some(66_000_000 + 166_000_000 - 110_000_000), "{greatest:?}");
    }
}
