//! Whether the sources of a network stop together, so that mean rates show who was held.
//!
//! If some stop earlier, what was held back is delivered after the load has fallen. The mean rate
//! of each VC then approaches what it offers, whatever held it meanwhile: no Jain index is stated.
//!
//! Not modelled: transfers of TCP with an end, whose VCs have no share.

use std::ops::Range;

use hopflow_network::NetworkSpec;
use hopflow_units::{Picos, SimTime};

/// The part of the measured time by which sources may stop apart, and still count as stopping
/// together: the length of a window in which rates settle.
const TOGETHER: u64 = 20;

/// The VCs that carry traffic of sources, by index: all except backward VCs of connections.
pub(crate) fn carriers(network: &NetworkSpec) -> impl Iterator<Item = usize> + '_ {
    let is_back = |vc: usize| network.connections.iter().any(|one| one.backward == vc);
    (0..network.vcs.len()).filter(move |vc| !is_back(*vc))
}

/// Whether the sources stop together in the measured time.
pub(crate) fn stop_together(network: &NetworkSpec, measured: Range<SimTime>) -> bool {
    let apart = Picos(measured.end.since(measured.start).0 / TOGETHER);
    let ends = || carriers(network).map(|vc| on(network, vc, measured.clone()).end);
    let (first, last) = (ends().min().unwrap_or_default(), ends().max().unwrap_or_default());
    last.since(first) <= apart
}

/// When the source of a VC is on, within `span`; at its end if never.
pub(crate) fn on(network: &NetworkSpec, vc: usize, span: Range<SimTime>) -> Range<SimTime> {
    let spec = &network.vcs[vc];
    let stop = spec.stop.unwrap_or(span.end).clamp(span.start, span.end);
    spec.start.clamp(span.start, span.end)..stop
}
