//! Start phases: sources of equal gaps do not begin at one instant.
//!
//! Two sources that send a packet every g, for ever, meet at every port in the same order: at a
//! full buffer one of them has the room each time, and the other delivers nothing. Which one it is
//! depends on the order of links in the file, if both begin at the same instant.
//! ```text
//! g  = T            greedy: time of a packet on the first link                   (1)
//!    = k T          every-kth
//!    = b / r        constant, rounded up
//! t0 = start + U,   U uniform on the whole picoseconds of [0, min(g, stop - start))   (2)
//! ```
//! A source has a phase U if another one of the scenario has the same g, unless it has to keep
//! to its start. U is drawn from the stream (seed, owner, `phase`). Other sources have no g:
//! packets of several sizes, gaps that are drawn or come from a file, bursts, connections.
//!
//! Differs: nothing. Not modelled: drift, so that who wins at a full buffer still wins for ever.
//! Checked by: `tests/phases.rs`, `docs/models/traffic.md`.

use std::collections::BTreeMap;

use hopflow_kernel::RandomStream;
use hopflow_network::traffic::Arrivals;
use hopflow_network::{NetworkSpec, VcSpec};
use hopflow_units::{Bytes, Picos};

/// The VCs that have a phase, in ascending order. `exact` keep to their starts.
pub(crate) fn chosen(network: &NetworkSpec, exact: &[usize]) -> Vec<usize> {
    let gaps: Vec<Option<Picos>> = network.vcs.iter().map(|vc| gap(network, vc)).collect();
    let mut equal = BTreeMap::<Picos, usize>::new();
    for (vc, gap) in network.vcs.iter().zip(&gaps) {
        // What carries the excess of another is no source of its own.
        if let (Some(gap), None) = (gap, &vc.traffic.stream) {
            *equal.entry(*gap).or_default() += 1;
        }
    }
    let is_one_of_several = |gap: &Option<Picos>| gap.is_some_and(|gap| equal[&gap] > 1);
    let several = (0..gaps.len()).filter(|vc| is_one_of_several(&gaps[*vc]));
    several.filter(|vc| exact.binary_search(vc).is_err()).collect()
}

/// Draws the phases of `vcs` by the network's seed. Eq. (2). A VC that was changed after the
/// scenario was read, so that it has no gap any more, keeps its phase.
pub(crate) fn draw(network: &mut NetworkSpec, vcs: &[usize]) {
    for &index in vcs {
        let Some(vc) = network.vcs.get(index) else { continue };
        let Some(gap) = gap(network, vc) else { continue };
        let on = vc.stop.map_or(Picos::MAX, |stop| stop.since(vc.start));
        let owner = vc.traffic.stream.as_deref().unwrap_or(&vc.name);
        let mut stream = RandomStream::new(network.seed, owner, "phase");
        let phase = (u128::from(stream.next_u64()) * u128::from(gap.min(on).0)) >> 64;
        network.vcs[index].phase = Picos(phase as u64);
    }
}

/// g of Eq. (1), if it is always the same.
fn gap(network: &NetworkSpec, vc: &VcSpec) -> Option<Picos> {
    let size: Bytes = vc.source_size().fixed()?;
    let packet = network.transmit_time(vc.hops.first()?.direction_id(), size);
    match vc.source.arrivals() {
        Arrivals::Unlimited(_) if vc.source.is_greedy() => Some(packet),
        Arrivals::PacketTimes(k) => packet.checked_mul(k),
        Arrivals::Steady(rate) => rate.transmit_time(size),
        _ => None,
    }
}
