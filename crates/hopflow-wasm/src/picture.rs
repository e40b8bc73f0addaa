//! The network as the page draws it: places, links, and routes.

use hopflow::network::{DirectionId, HopControl, NetworkSpec, NodeKind, SizeLaw, VcSpec};
use hopflow::record::direction_names;
use hopflow::slow_hosts;
use hopflow_figures::topology::{MOST_LINKS, MOST_NODES, Topology};
use serde_json::{Value, json};

use crate::faults::faults;

/// The picture; `null` if there is too much to draw.
pub(crate) fn picture(network: &NetworkSpec) -> Value {
    if network.nodes.len() > MOST_NODES || network.links.len() > MOST_LINKS {
        return Value::Null;
    }
    let topology = Topology::of(network);
    let places = topology.places();
    let slow = slow_hosts(network);
    let nodes: Vec<Value> = (0..network.nodes.len())
        .map(|node| {
            let (x, y) = places.nodes[node];
            let spec = &network.nodes[node];
            let kind = match (spec.drain.is_some(), spec.kind) {
                (true, _) => "application",
                (false, NodeKind::Switch) => "switch",
                (false, NodeKind::Host) => "host",
            };
            let slow = slow.iter().find(|host| host.name == spec.name);
            let slow = slow
                .map(|host| json!({ "takesBps": host.drain.bps(), "linkBps": host.link.bps() }));
            json!({ "name": spec.name, "kind": kind, "x": x, "y": y, "slow": slow })
        })
        .collect();
    let names = direction_names(network);
    let links: Vec<Value> = (0..network.links.len())
        .map(|link| {
            let directions: Vec<Value> =
                (0..2).map(|side| direction(network, &names, link, side)).collect();
            json!({
                "ends": network.links[link].ends,
                "label": topology.links[link].label,
                "bends": places.links[link],
                "directions": directions,
            })
        })
        .collect();
    let vcs: Vec<Value> = network.vcs.iter().map(vc).collect();
    json!({
        "width": places.width,
        "height": places.height,
        "nodes": nodes,
        "links": links,
        "vcs": vcs,
        "endPs": network.duration.0,
    })
}

/// The unit of counts: `cells` if all packets are cells, otherwise `packets`.
pub(crate) fn unit(network: &NetworkSpec) -> &'static str {
    let cells = network.vcs.iter().all(|vc| vc.traffic.size == SizeLaw::CELL);
    if cells { "cells" } else { "packets" }
}

fn direction(network: &NetworkSpec, names: &[String], link: usize, side: usize) -> Value {
    let id = DirectionId(2 * link + side);
    json!({
        "name": names[id.0],
        "rateBps": network.direction(id).rate.bps(),
        "delayPs": network.direction(id).delay.0,
        "cellTimePs": network.cell_time(id).0,
        "drain": network.drain(network.from_node(id)) == Some(id),
        "faults": faults(network, id),
    })
}

fn vc(vc: &VcSpec) -> Value {
    let hops: Vec<Value> = vc
        .hops
        .iter()
        .map(|hop| {
            let credit = match hop.control {
                HopControl::None => None,
                HopControl::Credit(credit) => Some(u64::from(credit.n2.0) + u64::from(credit.n3.0)),
            };
            json!({ "direction": hop.direction_id().0, "credit": credit })
        })
        .collect();
    json!({ "name": vc.name, "hops": hops })
}
