//! The memory that the windowed engine needs, estimated before it is built: counts times the sizes
//! of its parts, and rings as long as a link can contain units of its largest size.
//!
//! Where ends of VCs are created when first used, a VC counts with the state kept from the start,
//! and with the rest weighted by the chance that its source has a packet during the run:
//! ```text
//! chance = min(1, (end - start) / mean gap)      stationary sources; else 1             (1)
//! ```
//! Not modelled: cells that wait in queues, whose number is unknown before the run; schedulers,
//! shared buffers and lanes, of which a port has few; histograms of delays.

use std::sync::Arc;

use hopflow_kernel::InFlight;

use super::idle::idle_nodes;
use super::rings::Slots;
use crate::windowed::fifo;
use crate::windowed::fifo::FifoNodes;
use crate::windowed::state::circuit::ColdCircuit;
use crate::windowed::state::idle::{EndCounts, Idle, IdleReceiver, IdleSender, Plans};
use crate::windowed::state::node::Node;
use crate::windowed::state::port::Port;
use crate::windowed::state::receiver::{Leaf, VcReceiver};
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::source::VcSource;
use crate::windowed::state::windows::Windows;
use hopflow_network::traffic::Arrivals;
use hopflow_network::{DirectionId, NetworkSpec, VcSpec};

/// The overhead of an allocation.
const ALLOCATION: usize = 16;
/// A timer: its instant and its kind.
const TIMER: usize = size_of::<[u64; 2]>();
/// The index of an end that is created late.
const INDEX: usize = size_of::<u32>();

/// The bytes that the parts of a VC need at a node: from the start, and once they are used.
#[derive(Clone, Copy)]
struct Parts {
    sender: [usize; 2],
    receiver: [usize; 2],
    /// In addition to the receiver, at a final host.
    leaf: [usize; 2],
    source: [usize; 2],
}

const LEAF: usize = size_of::<Leaf>() + ALLOCATION;

/// Where all parts are created before the run.
const MADE: Parts = Parts {
    sender: [size_of::<VcSender>(), 0],
    receiver: [size_of::<VcReceiver>(), 0],
    leaf: [LEAF, 0],
    source: [size_of::<VcSource>() + TIMER, 0],
};

/// Where they are created when first used.
const IDLE: Parts = Parts {
    sender: [size_of::<IdleSender>() + INDEX, size_of::<VcSender>()],
    receiver: [size_of::<IdleReceiver>() + INDEX, size_of::<VcReceiver>()],
    leaf: [0, LEAF],
    source: [TIMER + INDEX, size_of::<VcSource>()],
};

/// At FIFO-only nodes; a receiver as at a host.
const FIFO_ONLY: Parts = Parts {
    sender: [fifo::HOP_BYTES, 0],
    receiver: [fifo::SINK_BYTES, 0],
    leaf: [0, LEAF],
    source: [TIMER + size_of::<usize>(), fifo::SOURCE_BYTES + ALLOCATION],
};

/// The approximate number of bytes that [`crate::WindowedEngine`] needs for this network.
pub fn engine_bytes(spec: &NetworkSpec) -> u64 {
    let nodes = spec.nodes.len() * (size_of::<Node>() + ALLOCATION);
    let fifo_nodes = FifoNodes::new(spec);
    let idle = idle_nodes(spec, &fifo_nodes);
    let parts = |node: usize| match (fifo_nodes.is_fifo_only(node), idle[node]) {
        (true, _) => FIFO_ONLY,
        (false, true) => IDLE,
        (false, false) => MADE,
    };
    let parts: Vec<Parts> = (0..spec.nodes.len()).map(parts).collect();
    let vcs: u64 = spec.vcs.iter().map(|vc| vc_bytes(spec, &parts, vc)).sum();
    let windows = Windows::new(spec, 1);
    let ports = (0..spec.direction_count()).map(DirectionId).map(|id| {
        let slots = Slots::of(spec, &fifo_nodes, &windows, id).when_busy(spec, &windows, id);
        size_of::<Port>() + ALLOCATION + slots * size_of::<InFlight>()
    });
    vcs + nodes as u64 + ports.map(|bytes| bytes as u64).sum::<u64>()
}

fn vc_bytes(spec: &NetworkSpec, parts: &[Parts], vc: &VcSpec) -> u64 {
    let [mut kept, mut used] = parts[spec.from_node(vc.hops[0].direction_id())].source;
    let mut add = |[start, later]: [usize; 2]| (kept, used) = (kept + start, used + later);
    let children = vc.children();
    for (hop, children) in vc.hops.iter().zip(children) {
        let id = hop.direction_id();
        let [from, to] = [parts[spec.from_node(id)], parts[spec.to_node(id)]];
        add(from.sender);
        add(to.receiver);
        if children.is_empty() {
            add(to.leaf);
        }
        if vc.has_way_back() {
            let cold = size_of::<ColdCircuit>() + ALLOCATION;
            add([cold + MADE.sender[0] + MADE.receiver[0], 0]);
        }
    }
    kept as u64 + (used as f64 * chance_of_use(spec, vc)) as u64
}

/// Eq. (1).
fn chance_of_use(spec: &NetworkSpec, vc: &VcSpec) -> f64 {
    let end = vc.stop.map_or(spec.duration.0, |stop| stop.0.min(spec.duration.0));
    let span = end.saturating_sub(vc.start.0) as f64;
    match vc.source.arrivals() {
        Arrivals::Gaps { mean_ps, is_stationary: true, .. } => (span / mean_ps.max(1.0)).min(1.0),
        _ => 1.0,
    }
}

/// Allocates memory for exactly the senders, receivers and sources of each node: with very many
/// VCs, vectors that grow would take twice the memory, and the time to copy it.
pub(super) fn reserve(plans: &Arc<Plans>, idle: &[bool], nodes: &mut [Node]) {
    let spec = &plans.spec;
    let mut counts = vec![EndCounts::default(); nodes.len()];
    for vc in &spec.vcs {
        for hop in &vc.hops {
            let (from, to) = (spec.from_node(hop.direction_id()), spec.to_node(hop.direction_id()));
            let back = usize::from(vc.has_way_back());
            counts[from].senders += 1;
            counts[from].receivers += back;
            counts[from].sources += usize::from(hop.parent.is_none());
            counts[to].senders += back;
            counts[to].receivers += 1;
        }
    }
    for ((node, counts), is_idle) in nodes.iter_mut().zip(counts).zip(idle) {
        let EndCounts { senders, receivers, sources } = counts;
        if *is_idle {
            node.idle = Some(Idle::new(plans, counts));
            node.timers.reserve(sources);
            continue;
        }
        node.senders.reserve_exact(senders);
        node.receivers.reserve_exact(receivers);
        node.sources.reserve_exact(sources);
    }
}
