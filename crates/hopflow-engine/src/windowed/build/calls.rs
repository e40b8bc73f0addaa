//! Adds to nodes what VCs need that ask for their reservation.

use std::sync::Arc;

use hopflow_units::SimTime;

use crate::embed::call::Call;
use crate::windowed::state::calls::{AskedHop, Calls};
use crate::windowed::state::idle::Plans;
use crate::windowed::state::node::Node;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::timers::Timer;
use hopflow_network::{DirectionId, HopSpec, VcSpec};

/// Adds calls to the nodes that VCs which ask leave, once all senders and sources exist.
pub(super) fn add_calls(plans: &Arc<Plans>, nodes: &mut [Node]) {
    let spec = &plans.spec;
    if !spec.vcs.iter().any(|vc| vc.signalled) {
        return;
    }
    let mut reservations = spec.port_reservations();
    let asked: Vec<usize> = asked_nodes(plans);
    for node in asked {
        let node = &mut nodes[node];
        let ports = node.ports.iter().map(|port| reservations[port.direction as usize].take());
        let mut calls = Calls {
            plans: Arc::clone(plans),
            ports: ports.collect(),
            hops: Vec::new(),
            sources: Vec::new(),
        };
        let asks = |(_, sender): &(u32, &VcSender)| !sender.circuit.is_ack;
        for (index, VcSender { queue, circuit }) in (0..).zip(&node.senders).filter(asks) {
            if let Some(rate) = spec.vcs[circuit.vc as usize].asked_rate() {
                let port = queue.port;
                calls.hops.push(AskedHop { sender: index, port, rate, is_reserved: false });
            }
        }
        for (index, source) in (0..).zip(&node.sources) {
            let vc = node.senders[source.sender as usize].circuit.vc;
            let Some(call) = Call::new(&spec.vcs[vc as usize]) else { continue };
            for at in [call.begins, call.stop].into_iter().filter(|at| *at < SimTime::NEVER) {
                node.timers.set(at.0, Timer::Call(index));
            }
            calls.sources.push((index, call));
        }
        node.calls = Some(Box::new(calls));
    }
}

/// The nodes at which some port is asked, in order.
fn asked_nodes(plans: &Plans) -> Vec<usize> {
    let spec = &plans.spec;
    let hops = |vc: &VcSpec| vc.hops.iter().map(HopSpec::direction_id).collect::<Vec<_>>();
    let ids = spec.vcs.iter().filter(|vc| vc.signalled).flat_map(hops);
    let mut nodes: Vec<usize> = ids.map(|id: DirectionId| spec.from_node(id)).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
