//! Plain nodes from what a general node would be made from.

use super::super::node::NodeParts;
use super::super::receiver::{Role, VcReceiver};
use super::super::sender::{NONE, VcSender};
use super::super::source::{Making, VcSource};
use super::super::unit::CELL;
use super::host::{PlainHost, PlainSource, Sink};
use super::inputs::Inputs;
use super::output::Output;
use super::outputs::{Leaving, Outputs};
use super::rule::Plain;
use super::switch::PlainSwitch;
use crate::{DirectionId, NetworkSpec};

/// A plain switch. Its VCs come in and leave in one order.
pub(in super::super) fn switch(spec: &NetworkSpec, plain: &Plain, parts: NodeParts) -> PlainSwitch {
    assert!(parts.sources.is_empty(), "VCs start at hosts");
    assert_eq!(parts.senders.len(), parts.receivers.len(), "a switch passes its VCs on");
    for (index, receiver) in parts.receivers.iter().enumerate() {
        assert!(matches!(receiver.role, Role::Forward(to) if to == index as u32));
    }
    let from = incoming(&parts);
    let (inputs, outputs) = ends(spec, plain, parts).0;
    PlainSwitch { inputs, outputs, from }
}

/// A plain host.
pub(in super::super) fn host(spec: &NetworkSpec, plain: &Plain, mut parts: NodeParts) -> PlainHost {
    let from = incoming(&parts);
    let receivers = std::mem::take(&mut parts.receivers);
    let sinks = receivers.into_iter().zip(from).map(|(receiver, from)| sink(spec, receiver, from));
    let sinks = sinks.collect();
    let (ends, sources) = ends(spec, plain, parts);
    let sources = sources.into_iter().map(|from| {
        let VcSource { making: Making::Timed(source), sender: hop, .. } = from else {
            panic!("sources of a plain host know when packets are due");
        };
        PlainSource { source, hop, created_cells: 0, policed_cells: 0 }
    });
    PlainHost::new(ends, sinks, sources.collect())
}

/// By receiver, the direction it comes in by.
fn incoming(parts: &NodeParts) -> Vec<u32> {
    let direction = |port: u32| parts.ports[port as usize].direction ^ 1;
    parts.receivers.iter().map(|receiver| direction(receiver.port)).collect()
}

fn sink(spec: &NetworkSpec, receiver: VcReceiver, from: u32) -> Sink {
    let VcReceiver { role, vc, hop, .. } = receiver;
    let Role::Deliver(leaf) = role else { panic!("hosts pass nothing on") };
    Sink { leaf, vc, hop, bytes: size_of(spec, vc).unwrap_or(CELL), from }
}

/// The size of a VC's packets, where it is one.
fn size_of(spec: &NetworkSpec, vc: u32) -> Option<u32> {
    spec.vcs[vc as usize].traffic.size.fixed().map(|size| size.0 as u32)
}

/// The two sides of a node, and what is left: its sources.
fn ends(spec: &NetworkSpec, plain: &Plain, parts: NodeParts) -> ((Inputs, Outputs), Vec<VcSource>) {
    let mut users = vec![0; parts.ports.len()];
    for sender in &parts.senders {
        users[sender.port as usize] += 1;
    }
    let mut places = vec![NONE; parts.ports.len()];
    let (mut rings, mut outputs, mut unused) = (Vec::new(), Vec::new(), Vec::new());
    let mut sized = false;
    for ((port, place), users) in parts.ports.into_iter().zip(&mut places).zip(users) {
        let (ring, out) = port.into_ends();
        let into = DirectionId(out.direction as usize).reverse();
        sized |= plain.may_be_sized(spec, into);
        rings.push(plain.carries(into).then_some(ring));
        if users == 0 {
            unused.push(out.direction);
        } else {
            *place = outputs.len() as u32;
            let id = into.reverse();
            let ends = [plain.tells_sizes(spec, id), plain.listens(spec.to_node(id))];
            outputs.push(Output::new(out, ends, users));
        }
    }
    let hop = |sender: &VcSender| Leaving {
        port: places[sender.port as usize],
        to: sender.downstream,
        vc: sender.vc,
        number: sender.hop,
        bytes: size_of(spec, sender.vc),
    };
    let hops: Vec<Leaving> = parts.senders.iter().map(hop).collect();
    let inputs = Inputs::new(rings, parts.inbox, sized);
    ((inputs, Outputs::new(outputs, &hops, unused)), parts.sources)
}
