//! How much memory a run takes at its peak, told before it starts.
//!
//! ```text
//! peak = base + description + engine + results                                           (1)
//! description = VCs (what is their own) + nodes + links                                  (2)
//! engine      = senders, receivers, sources, ports, rings: counts x sizes of the structs (3)
//! results     = per VC and per hop: counters, summary, resolved scenario as JSON; of a
//!               large run only those that are told at a time                              (4)
//! ```
//! Sizes of structs are those of this build; text is counted by its typical length and JSON by an
//! estimate, both below: only the sum is held against measured peaks. Not modelled: cells that wait
//! in queues, series, and a trace that is kept (one that is written does not pile up): these depend
//! on what happens. Checked by: `tests/memory.rs`, against peaks measured at three sizes, within a
//! factor of 2.

use hopflow_network::counters::{HopCounters, LeafCounters, VcCounters};
use hopflow_network::{
    HopSpec, LinkSpec, NetworkSpec, NodeSpec, SourceSpec, TrafficSpec, VcSpec, engine_bytes,
};
use hopflow_record::{HopSummary, LeafSummary, LinkShare, QueueSummary, VcSummary, is_large};
use hopflow_scenario::Scenario;
use hopflow_units::Picos;

/// The program itself, in bytes.
const BASE: u64 = 12 << 20;
/// A short text on the heap.
const TEXT: usize = 32;
/// Texts of a hop in a summary: from, to, link, control; node, port and VC of its queue; and the
/// VC at its link.
const HOP_TEXTS: usize = 8;
/// What the name of a VC takes while the file is read: an entry of a tree, and its place.
const READING: usize = 128;
/// A flow of the resolved scenario as JSON, hops apart: some 20 keys in a tree. An estimate.
const RESOLVED_VC: usize = 4_000;
/// A hop of it. An estimate.
const RESOLVED_HOP: usize = 2_200;
/// VCs of a large run that are told at a time.
const TOLD: usize = 4_096;

/// The bytes that a run of `scenario` takes at its peak, about: within a factor of 2, unless much
/// waits in queues, or much is recorded.
///
/// `keep_vcs`: as in [`crate::RunOptions`].
pub fn memory_estimate(scenario: &Scenario, keep_vcs: bool) -> u64 {
    let network = &scenario.network;
    let large = !keep_vcs && is_large(network) && scenario.warm_up == Picos::ZERO;
    let all = network.vcs.len();
    let told = if large { all.min(TOLD) } else { all };
    let results: u64 = network.vcs[..told].iter().map(|vc| result_bytes(vc) as u64).sum();
    let resolved = |vc: &VcSpec| (RESOLVED_VC + vc.hops.len() * RESOLVED_HOP) as u64;
    let resolved = if large { 0 } else { network.vcs.iter().map(resolved).sum() };
    BASE + description_bytes(network) + engine_bytes(network) + results + resolved
}

fn description_bytes(network: &NetworkSpec) -> u64 {
    let mut bytes = network.nodes.len() * (2 * size_of::<NodeSpec>() + 4 * TEXT);
    bytes += network.links.len() * (size_of::<LinkSpec>() + 8 * TEXT);
    // What several VCs say is kept once.
    let part = |bytes: usize, holders: usize| (TEXT + bytes).div_ceil(holders);
    for vc in &network.vcs {
        bytes += size_of::<VcSpec>() + TEXT + READING;
        bytes += part(vc.hops.len() * size_of::<HopSpec>(), vc.hops.holders());
        bytes += part(size_of::<SourceSpec>(), vc.source.holders());
        bytes += part(size_of::<TrafficSpec>(), vc.traffic.holders());
    }
    bytes as u64
}

fn result_bytes(vc: &VcSpec) -> usize {
    let counters = size_of::<VcCounters>() + vc.leaf_count() * size_of::<LeafCounters>();
    let summary = size_of::<VcSummary>() + vc.leaf_count() * (size_of::<LeafSummary>() + TEXT);
    let texts = HOP_TEXTS * TEXT;
    let told = size_of::<HopSummary>() + size_of::<QueueSummary>() + size_of::<LinkShare>();
    // Counters are held twice: of the whole run, and of what came after a warm-up.
    let hop = 2 * size_of::<HopCounters>() + told + texts;
    2 * counters + summary + 2 * TEXT + vc.hops.len() * hop
}
