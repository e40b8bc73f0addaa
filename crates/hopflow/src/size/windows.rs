//! Sizes for a whole network: the window that each VC under an end-to-end window needs.
//!
//! ```text
//! R = sum over hops of T(packet) + delay + processing, and the same back with T(cell)      (1)
//! W = ceil(R / T') + ack_every - 1                                                         (2)
//! ```
//! T' is the time from packet to packet at the target, the slowest link of the path. (2) is (2) of
//! `lane/size.rs` with one block a packet: an ACK takes the place of a credit, the final host frees
//! a packet as it arrives. Not modelled: waiting in queues, for which a window has to be larger.
//! Checked by: the tests here.

use hopflow_network::NetworkSpec;
use hopflow_units::{Bytes, Cells, Picos, Rate};

use super::SizeError;

/// The window of one VC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowSize {
    /// The VC.
    pub vc: String,
    /// Its largest packet.
    pub packet: Bytes,
    /// R, in an idle network.
    pub round_trip: Picos,
    /// W, in packets.
    pub needed: u64,
    /// The window in the scenario, in packets.
    pub given: Cells,
    /// The formulas, and below each the numbers put in.
    pub formula: String,
}

/// The windows of all VCs that have one: `target` for each, at most the slowest link of its path;
/// `None`: that rate.
pub fn size_windows(
    network: &NetworkSpec,
    target: Option<Rate>,
) -> Result<Vec<WindowSize>, SizeError> {
    let mut sizes = Vec::new();
    for vc in &network.vcs {
        let Some(window) = vc.window else { continue };
        let packet = vc.traffic.size.most();
        let ids = vc.hops.iter().map(hopflow_network::HopSpec::direction_id);
        let rates = ids.clone().map(|id| network.direction(id).rate);
        let Some(slowest) = rates.min() else { continue };
        let target = target.unwrap_or(slowest).min(slowest);
        let too_large = SizeError::LaneTooLarge { delays: Picos::MAX, rate: target };
        let there = ids.clone().map(|id| network.latency_of(id, packet));
        let back = ids.map(|id| network.latency(id.reverse()));
        let sum = there.chain(back).try_fold(Picos::ZERO, Picos::checked_add);
        let round_trip = sum.ok_or(too_large)?;
        let gap = target.transmit_time(packet).ok_or(too_large)?;
        let (in_loop, every) = (round_trip.0.div_ceil(gap.0), u64::from(window.ack_every.0));
        let needed = in_loop + every - 1;
        let formula = format!(
            "R = the path and back in an idle network = {round_trip}\n\
             W = ceil(R / T') + ack-every - 1 = ceil({round_trip} / {gap}) + {every} - 1 = \
             {in_loop} + {every} - 1 = {needed} packets of {} B",
            packet.0
        );
        let (name, given) = (vc.name.clone(), window.cells);
        sizes.push(WindowSize { vc: name, packet, round_trip, needed, given, formula });
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hopflow_engine::WindowedEngine;
    use hopflow_network::{Engine, HopControl, SourceSpec, TraceFilter, WindowSpec};
    use hopflow_testing::NetworkBuilder;
    use hopflow_units::SimTime;

    /// Claim: with W of Eq. (2) the source is never held, with W - 1 it is. Links of 10 and 50
    /// cell times: R = 2 x (1 + 10) + 2 x (1 + 50) = 124; an ACK after 4 cells: 124 + 3.
    #[test]
    fn the_window_of_a_full_path_is_the_law() {
        let mut network = NetworkBuilder::new(5_000);
        let (a, s, b) = (network.host("A"), network.switch("S"), network.host("B"));
        network.link(a, s, 10);
        network.link(s, b, 50);
        network.vc("VC1", &[a, s, b], HopControl::None, SourceSpec::Greedy);
        let mut spec = network.spec;
        let window = |cells| Some(WindowSpec { cells: Cells(cells), ack_every: Cells(4) });
        spec.vcs[0].window = window(9);
        let sizes = size_windows(&spec, None).unwrap();
        assert_eq!(sizes.len(), 1);
        assert_eq!((sizes[0].needed, sizes[0].given), (127, Cells(9)));
        let started = |cells| {
            let mut spec = spec.clone();
            spec.vcs[0].window = window(cells);
            let mut engine = WindowedEngine::new(&spec, TraceFilter::none(), 1);
            engine.run_until(SimTime(spec.duration.0));
            engine.counters().vcs[0].leaves[0].delivered_packets
        };
        assert_eq!(started(127), 5_000 - 62);
        assert!(started(126) < 4_920);
        let half = size_windows(&spec, Rate::from_bps(212_000_000)).unwrap();
        assert_eq!(half[0].needed, 62 + 3);
    }
}
