//! Builds FIFO-only nodes from the parts of a general node.

use std::sync::Arc;

use hopflow_units::SimTime;

use super::door::Door;
use super::host::{FifoHost, Sink};
use super::inputs::Inputs;
use super::memory::Memory;
use super::output::{Output, Settings};
use super::outputs::{Leaving, Outputs};
use super::rule::FifoNodes;
use super::switch::FifoSwitch;
use crate::windowed::state::crossing::one_size;
use crate::windowed::state::idle::{Idle, IdleReceiver, IdleSender};
use crate::windowed::state::node::Node;
use crate::windowed::wire::NONE;
use crate::windowed::wire::unit::CELL;
use hopflow_network::{DirectionId, NetworkSpec};

/// A FIFO-only switch, the node with this number. Its VCs arrive and leave in one order.
pub(crate) fn switch(
    spec: &NetworkSpec,
    fifo_nodes: &FifoNodes,
    index: usize,
    node: Node,
) -> FifoSwitch {
    let idle = idle(&node);
    assert!(!idle.has_sources(), "VCs start at hosts");
    assert_eq!(idle.senders.len(), idle.receivers.len(), "a switch passes its VCs on");
    for (number, receiver) in (0_u32..).zip(&idle.receivers) {
        assert_eq!(receiver.forward, number, "VCs come in and leave in one order");
    }
    let from = idle.receivers.iter().map(|receiver| from(spec, receiver)).collect();
    let plans = Arc::clone(&idle.plans);
    let has_door = node.door.is_some();
    let (inputs, outputs) = ends(spec, fifo_nodes, index, node);
    let sizes = [outputs.hops.len(), inputs.count()];
    let door = has_door.then(|| Box::new(Door::new(&plans, index, sizes)));
    FifoSwitch { inputs, outputs, from, door }
}

/// A FIFO-only host, the node with this number. Each VC that leaves has its source here.
pub(crate) fn host(
    spec: &NetworkSpec,
    fifo_nodes: &FifoNodes,
    index: usize,
    node: Node,
) -> FifoHost {
    let idle = idle(&node);
    let plans = Arc::clone(&idle.plans);
    let sinks = idle.receivers.iter().map(|receiver| sink(spec, receiver)).collect();
    let dues = idle.senders.iter().map(|sender| spec.new_source(sender.vc as usize).due());
    let dues: Vec<Option<SimTime>> = dues.collect();
    let (inputs, outputs) = ends(spec, fifo_nodes, index, node);
    FifoHost::new(plans, inputs, outputs, sinks, &dues)
}

/// The VCs of a FIFO-only node.
fn idle(node: &Node) -> &Idle {
    node.idle.as_ref().expect("FIFO-only nodes make no ends before they are used")
}

/// The direction by which a VC arrives.
fn from(spec: &NetworkSpec, receiver: &IdleReceiver) -> u32 {
    spec.vcs[receiver.vc as usize].hops[receiver.hop as usize].direction_id().0 as u32
}

fn sink(spec: &NetworkSpec, receiver: &IdleReceiver) -> Sink {
    let &IdleReceiver { vc, hop, forward, .. } = receiver;
    assert_eq!(forward, NONE, "hosts pass nothing on");
    let bytes = size_of(spec, vc).unwrap_or(CELL);
    Sink { leaf: None, vc, hop, bytes, from: from(spec, receiver) }
}

/// The size of a VC's packets, if all have one size.
fn size_of(spec: &NetworkSpec, vc: u32) -> Option<u32> {
    one_size(&spec.vcs[vc as usize]).map(|size| size.0 as u32)
}

/// The inputs and the outputs of the node with this number.
fn ends(spec: &NetworkSpec, fifo_nodes: &FifoNodes, index: usize, node: Node) -> (Inputs, Outputs) {
    let (limit, takes) = (fifo_nodes.limit(spec, index), fifo_nodes.takes(index));
    let counts_each = node.memory.is_some() && takes.is_none();
    let Idle { plans, senders, .. } = node.idle.expect("it is a FIFO-only node");
    let port = |sender: &IdleSender| {
        let hop = &spec.vcs[sender.vc as usize].hops[sender.hop as usize];
        plans.directions.out(hop.direction_id()) as usize
    };
    let mut users = vec![0; node.ports.len()];
    for sender in &senders {
        users[port(sender)] += 1;
    }
    let mut places = vec![NONE; node.ports.len()];
    let used = users.iter().filter(|users| **users > 0).count();
    let (mut rings, mut outputs, mut unused) =
        (Vec::with_capacity(users.len()), Vec::with_capacity(used), Vec::new());
    let mut sized = false;
    for ((port, place), users) in node.ports.into_iter().zip(&mut places).zip(users) {
        let (ring, out) = port.into_ends();
        let into = DirectionId(out.direction as usize).reverse();
        sized |= fifo_nodes.may_be_sized(spec, into);
        rings.push(fifo_nodes.carries(into).then_some(ring));
        if users == 0 {
            unused.push(out.direction);
        } else {
            *place = outputs.len() as u32;
            let id = into.reverse();
            let settings = Settings {
                sends_sizes: fifo_nodes.sends_sizes(spec, id),
                listens: fifo_nodes.listens(spec.to_node(id)),
                is_shared: users > 1,
                bounds: fifo_nodes.bounds(spec, id),
            };
            outputs.push(Output::new(out, settings));
        }
    }
    let hop = |sender: &IdleSender| Leaving {
        port: places[port(sender)],
        to: sender.downstream,
        vc: sender.vc,
        number: sender.hop,
        bytes: size_of(spec, sender.vc),
        bears_marks: spec.vcs[sender.vc as usize].ecn_capable,
    };
    let hops: Vec<Leaving> = senders.iter().map(hop).collect();
    let inputs = Inputs::new(rings, node.inbox, sized);
    let memory = counts_each.then(|| {
        let ports = outputs.iter().map(|port| DirectionId(port.direction as usize));
        let sizes = hops.iter().map(|hop| hop.bytes);
        Box::new(Memory::new(spec, index, ports, sizes))
    });
    let mut outputs = Outputs::new(outputs, &hops, unused, limit);
    (outputs.memory, outputs.takes) = (memory, takes.map_or(0, |takes| takes.0));
    (inputs, outputs)
}
