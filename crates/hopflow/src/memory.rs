//! The peak memory of a run, estimated before it starts.
//!
//! ```text
//! peak = base + description + engine + results + judged                                  (1)
//! description = VCs (without shared data) + nodes + links                                (2)
//! engine      = senders, receivers, sources, ports, rings: counts x sizes of the structs (3)
//! results     = counters and rows of the VCs that are read at a time, or of all kept
//!               ones; with a warm-up also the counters at its end, of all VCs            (4)
//! judged      = VCs and hops, while bounds and fair shares are computed                  (5)
//! ```
//! Sizes of structs are those of this build; text is counted by its typical length, and (5) by an
//! estimate, both below: only the sum is compared with measured peaks. Not modelled: cells in
//! queues, series, and a kept trace (a written trace does not accumulate), which depend on the run.
//! Checked by: `benches/memory.rs`, against peaks measured at several sizes, within a factor of 2.

use hopflow_engine::engine_bytes;
use hopflow_network::counters::{HopCounters, LeafCounters, VcCounters};
use hopflow_network::{HopSpec, LinkSpec, NetworkSpec, NodeSpec, SourceSpec, TrafficSpec, VcSpec};
use hopflow_record::{BLOCK, HopSummary, LeafSummary, LinkShare, QueueSummary, VcSummary};
use hopflow_scenario::Scenario;
use hopflow_units::Picos;

/// The program itself, in bytes.
const BASE: u64 = 12 << 20;
/// A short text on the heap.
const TEXT: usize = 32;
/// Texts of a hop in a summary: from, to, link, control; node, port and VC of its queue; and the
/// VC at its link.
const HOP_TEXTS: usize = 8;
/// The memory of a VC's name while the file is read: an entry of a tree, and its index.
const READING: usize = 128;
/// The memory for bounds and fair shares of a VC without its hops, while they are computed. An
/// estimate.
const JUDGED_VC: usize = 200;
/// The same of a hop: a member of its port, and the reason for no bound. An estimate.
const JUDGED_HOP: usize = 150;

/// The approximate peak memory of a run of `scenario` in bytes: within a factor of 2, unless queues
/// or the recording are large.
///
/// `keep_vcs`: as in [`crate::RunOptions`].
pub fn memory_estimate(scenario: &Scenario, keep_vcs: bool) -> u64 {
    let network = &scenario.network;
    let all = network.vcs.len();
    // The rows of a block while it is read; those of the summary are few.
    let rows = if keep_vcs { all } else { all.min(BLOCK) };
    let results: u64 = network.vcs[..rows].iter().map(|vc| result_bytes(vc) as u64).sum();
    let warm_up = if scenario.warm_up == Picos::ZERO { 0 } else { all };
    let before: u64 = network.vcs[..warm_up].iter().map(|vc| counter_bytes(vc) as u64).sum();
    let judged = |vc: &VcSpec| (JUDGED_VC + vc.hops.len() * JUDGED_HOP) as u64;
    let judged: u64 = network.vcs.iter().map(judged).sum();
    BASE + description_bytes(network) + engine_bytes(network) + results + before + judged
}

fn description_bytes(network: &NetworkSpec) -> u64 {
    let mut bytes = network.nodes.len() * (2 * size_of::<NodeSpec>() + 4 * TEXT);
    bytes += network.links.len() * (size_of::<LinkSpec>() + 8 * TEXT);
    // Data shared by VCs is kept once.
    let part = |bytes: usize, holders: usize| (TEXT + bytes).div_ceil(holders);
    for vc in &network.vcs {
        bytes += size_of::<VcSpec>() + TEXT + READING;
        bytes += part(vc.hops.len() * size_of::<HopSpec>(), vc.hops.holders());
        bytes += part(size_of::<SourceSpec>(), vc.source.holders());
        bytes += part(size_of::<TrafficSpec>(), vc.traffic.holders());
    }
    bytes as u64
}

/// The counters of a VC.
fn counter_bytes(vc: &VcSpec) -> usize {
    let leaves = vc.leaf_count() * size_of::<LeafCounters>();
    size_of::<VcCounters>() + leaves + vc.hops.len() * size_of::<HopCounters>()
}

fn result_bytes(vc: &VcSpec) -> usize {
    let summary = size_of::<VcSummary>() + vc.leaf_count() * (size_of::<LeafSummary>() + TEXT);
    let texts = HOP_TEXTS * TEXT;
    let hop_summary = size_of::<HopSummary>() + size_of::<QueueSummary>() + size_of::<LinkShare>();
    // Counters are kept twice: of the whole run, and of the time after a warm-up.
    2 * counter_bytes(vc) + summary + 2 * TEXT + vc.hops.len() * (hop_summary + texts)
}
