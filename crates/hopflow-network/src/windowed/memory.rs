//! What the windowed engine takes of memory, told before it is built: counts times the sizes of
//! what it holds, and rings as long as a link can hold units.
//!
//! Not modelled: cells that wait in queues, which nobody knows before the run; schedulers, pools
//! and lanes, of which a port has few.

use hopflow_kernel::InFlight;

use super::node::{Node, NodeParts};
use super::plain::Plain;
use super::port::Port;
use super::reach::Windows;
use super::receiver::{Leaf, VcReceiver};
use super::sender::{Extra, VcSender};
use super::source::VcSource;
use crate::{DirectionId, NetworkSpec, SizeLaw, VcSpec};

/// What an allocation takes beside what is asked for.
const ALLOCATION: usize = 16;
/// A timer waiting, in bytes.
const TIMER: usize = 24;

/// The bytes that [`crate::WindowedEngine`] takes for this network, about.
pub fn engine_bytes(spec: &NetworkSpec) -> u64 {
    let vcs: u64 = spec.vcs.iter().map(|vc| vc_bytes(vc) as u64).sum();
    let nodes = spec.nodes.len() * (size_of::<Node>() + ALLOCATION);
    let least = spec.least_transmit_times();
    let words = rings_words(spec);
    let plain = Plain::new(spec, false);
    let windows = Windows::new(spec, &plain, 1);
    let ports = least.into_iter().enumerate().map(|(id, least)| {
        let id = DirectionId(id);
        let units = plain.room(spec, &windows, id);
        let units = units.unwrap_or_else(|| words * windows.units_unread(spec, id, least));
        size_of::<Port>() + ALLOCATION + units.max(1) * size_of::<InFlight>()
    });
    vcs + nodes as u64 + ports.map(|bytes| bytes as u64).sum::<u64>()
}

fn vc_bytes(vc: &VcSpec) -> usize {
    let end = size_of::<VcSender>() + size_of::<VcReceiver>();
    let ways = if vc.has_way_back() { 2 } else { 1 };
    let extra = if ways == 2 { size_of::<Extra>() + ALLOCATION } else { 0 };
    let leaf = size_of::<Leaf>() + ALLOCATION;
    let source = size_of::<VcSource>() + TIMER;
    vc.hops.len() * (ways * end + extra) + vc.leaf_count() * leaf + source
}

/// Words of a ring for each unit: two where the size of some unit is told.
pub(super) fn rings_words(spec: &NetworkSpec) -> usize {
    let is_cell =
        |vc: &VcSpec| vc.traffic.size == SizeLaw::CELL && vc.framing.is_none() && vc.rate.is_none();
    if spec.vcs.iter().all(is_cell) { 1 } else { 2 }
}

/// Makes room for exactly the senders, receivers and sources of each node: with very many VCs, room
/// that grows as it is needed would take twice the memory, and the time to copy it.
pub(super) fn reserve(spec: &NetworkSpec, nodes: &mut [NodeParts]) {
    let mut counts = vec![[0; 3]; nodes.len()];
    for vc in &spec.vcs {
        for hop in &vc.hops {
            let (from, to) = (spec.from_node(hop.direction_id()), spec.to_node(hop.direction_id()));
            let back = usize::from(vc.has_way_back());
            counts[from][0] += 1;
            counts[from][1] += back;
            counts[from][2] += usize::from(hop.parent.is_none());
            counts[to][0] += back;
            counts[to][1] += 1;
        }
    }
    for (node, [senders, receivers, sources]) in nodes.iter_mut().zip(counts) {
        node.senders.reserve_exact(senders);
        node.receivers.reserve_exact(receivers);
        node.sources.reserve_exact(sources);
    }
}
