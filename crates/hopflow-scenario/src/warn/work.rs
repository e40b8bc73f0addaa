//! Hosts whose flows bring more work than their processors can do.
//!
//! ```text
//! load = sum over flows from the host of send r + sum over flows to it of receive r       (1)
//! ```
//! r: the greatest rate of a source, in packets per second; sources without one count 0, and so do
//! credits. Above 1, packets wait for the processor without end.

use hopflow_network::VcSpec;
use hopflow_units::Picos;

use crate::Code;
use crate::build::Built;
use crate::diagnostic::Sink;
use crate::keys::work::WORK_KEY;
use crate::naming::first_few;
use crate::offered::packets_per_second;

/// Notes every host whose load is above 1. Eq. (1).
pub(super) fn overworked(built: &Built, sink: &mut Sink) {
    let network = &built.network;
    if network.nodes.iter().all(|node| node.work.is_none()) {
        return;
    }
    let mut loads = vec![(0.0, Vec::new()); network.nodes.len()];
    for (index, vc) in network.vcs.iter().enumerate() {
        let Some(rate) = packets_per_second(vc, network) else { continue };
        let first = network.from_node(vc.hops[0].direction_id());
        let ends = network.leaves(index).into_iter().map(|leaf| {
            (network.to_node(vc.hops[leaf].direction_id()), network.receive_work(vc, leaf))
        });
        for (node, work) in std::iter::once((first, network.send_work(vc))).chain(ends) {
            if work > Picos::ZERO {
                loads[node].0 += rate * work.as_secs_f64();
                loads[node].1.push(index);
            }
        }
    }
    for (node, (load, vcs)) in loads.into_iter().enumerate() {
        if load > 1.0 {
            let names = first_few(&vcs, |vc| {
                let VcSpec { name, .. } = &network.vcs[vc];
                format!("`{name}`")
            });
            let message = format!(
                "the processor of `{}` can do {:.0} % of the work that its flows bring: {names}",
                network.nodes[node].name,
                100.0 / load
            );
            let hint = "if that is intended, change nothing; otherwise lower the rates of these \
                        flows, make their packets larger, or lower `work`";
            let place = built.nodes.origins.key(node, &WORK_KEY);
            sink.warning(Code::OVERWORKED, place, message).hint(hint);
        }
    }
}
