//! What sources offer at most: the rate of each, where its law has one.

use hopflow_network::traffic::Arrivals;
use hopflow_network::{NetworkSpec, VcSpec};
use hopflow_units::{Picos, Rate};

/// The greatest rate of a source on the wire, in b/s; `None`: whatever its first link carries.
pub(crate) fn source_bps(vc: &VcSpec, network: &NetworkSpec) -> Option<u64> {
    let (bps, bytes) = (packets_bps(vc, network)?, vc.source_size().most().0);
    if vc.framing.is_none() {
        return Some(bps);
    }
    let bytes = u32::try_from(bytes).expect("a packet has at most 2^20 bytes");
    let (cells, cell) = vc.wire_framing().units(bytes);
    let wire = u128::from(bps) * u128::from(cells) * u128::from(cell) / u128::from(bytes);
    u64::try_from(wire).ok()
}

/// The greatest rate of a source in packets, where all are of the largest size.
pub(crate) fn packets_per_second(vc: &VcSpec, network: &NetworkSpec) -> Option<f64> {
    let bits = vc.source_size().most().bits();
    Some(packets_bps(vc, network)? as f64 / bits as f64)
}

/// The rate of a source in packets as it makes them.
fn packets_bps(vc: &VcSpec, network: &NetworkSpec) -> Option<u64> {
    let first = network.direction(vc.hops[0].direction_id()).rate.bps();
    match vc.source.arrivals() {
        Arrivals::PacketTimes(k) => Some(first / k),
        Arrivals::Steady(rate) => Some(rate.bps()),
        Arrivals::Alternating { rates: [low, high], .. } => low.max(high).map(Rate::bps),
        Arrivals::Gaps { mean_ps, .. } => Some(bps_of(vc, mean_ps)),
        Arrivals::Unlimited(_) | Arrivals::Bursts { .. } | Arrivals::Recorded(_) => None,
    }
}

/// The rate of one packet every `gap_ps` picoseconds: the largest if all are alike, else the
/// smallest.
fn bps_of(vc: &VcSpec, gap_ps: f64) -> u64 {
    let size = vc.source_size();
    let bits = size.fixed().unwrap_or_else(|| size.least()).bits();
    (bits as f64 * Picos::PER_SECOND as f64 / gap_ps).round() as u64
}
