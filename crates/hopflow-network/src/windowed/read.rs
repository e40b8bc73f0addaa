//! Reads the counters of all nodes into one [`RunCounters`].

use hopflow_units::{Picos, SimTime};

use super::kind::Kind;
use super::node::Node;
use super::plain;
use super::receiver::Role;
use super::sender::NONE;
use super::shared::Pool;
use super::source::Making;
use crate::counters::{
    DirectionCounters, HopCounters, LeafCounters, NodeCounters, RunCounters, VcCounters,
};
use crate::rates::PortRates;
use crate::{DirectionId, NetworkSpec, QueueLengths, lanes};

/// Counters with everything at zero, to be filled node by node.
pub(super) fn blank(spec: &NetworkSpec, now: SimTime) -> RunCounters {
    let leaf = LeafCounters::default();
    let vcs = (0..spec.vcs.len())
        .map(|vc| VcCounters {
            created_cells: 0,
            policed_cells: 0,
            sent_packets: 0,
            endpoint: None,
            hops: vec![HopCounters::default(); spec.vcs[vc].hops.len()],
            leaves: vec![leaf.clone(); spec.leaves(vc).len()],
            ack_cells: 0,
            acked_cells: 0,
        })
        .collect();
    RunCounters {
        now,
        vcs,
        directions: (0..spec.direction_count()).map(|id| blank_direction(spec, id)).collect(),
        nodes: Vec::with_capacity(spec.nodes.len()),
    }
}

fn blank_direction(spec: &NetworkSpec, id: usize) -> DirectionCounters {
    let lanes = lanes::blank(spec.direction(DirectionId(id)).lanes);
    DirectionCounters { lanes, ..DirectionCounters::default() }
}

/// Cells of all kinds that a node has started.
pub(super) fn started_cells(node: &Kind) -> u64 {
    match node {
        Kind::General(node) => node.ports.iter().map(|p| p.data_cells + p.control_cells).sum(),
        Kind::Host(host) => host.started_cells(),
        Kind::Switch(switch) => switch.started_cells(),
    }
}

/// Adds the next node, in order.
pub(super) fn add(counters: &mut RunCounters, units_read: &mut [(u64, u64)], node: &Kind) {
    match node {
        Kind::General(node) => {
            add_general(counters, node);
            for port in &node.ports {
                units_read[port.direction as usize ^ 1] = (port.data_read, port.control_read);
            }
        }
        Kind::Host(host) => plain::add_host(counters, units_read, host),
        Kind::Switch(switch) => plain::add_switch(counters, units_read, switch),
    }
}

fn add_general(counters: &mut RunCounters, node: &Node) {
    let now = counters.now.0;
    let mut area = 0;
    for sender in &node.senders {
        if !sender.is_branch() {
            area += sender.area(now);
        }
        if !sender.is_ack {
            let hop = &mut counters.vcs[sender.vc as usize].hops[sender.hop as usize];
            sender.read(now, hop);
        }
    }
    for receiver in &node.receivers {
        let vc = &mut counters.vcs[receiver.vc as usize];
        match &receiver.role {
            Role::Multicast(multicast) => area += multicast.area_at(now),
            Role::Deliver(leaf) => {
                vc.leaves[leaf.place as usize] = leaf.read();
                vc.ack_cells += leaf.ack_cells;
            }
            Role::Acknowledge(_) => vc.acked_cells = receiver.received_cells(),
            Role::Forward(_) => {}
        }
        if !receiver.is_ack {
            let hop = &mut vc.hops[receiver.hop as usize];
            receiver.read(hop);
            if receiver.member != NONE {
                let pool = node.ports[receiver.port as usize].pool.as_deref();
                hop.allocation_cells = pool.map_or(0, |pool| pool.allocation(receiver.member));
            }
        }
    }
    for source in &node.sources {
        let sender = &node.senders[source.sender as usize];
        counters.vcs[sender.vc as usize].policed_cells = source.policed_cells;
        counters.vcs[sender.vc as usize].created_cells = match source.making {
            Making::Greedy { .. } => sender.sent_data(),
            Making::Timed(_) | Making::Endpoint(_) => source.created_cells,
        };
        let vc = &mut counters.vcs[sender.vc as usize];
        vc.sent_packets = source.packets.as_ref().map_or(0, |packets| packets.sent_packets);
        if let Making::Endpoint(end) = &source.making {
            vc.endpoint = Some(end.host.endpoint().counters());
        }
    }
    add_ports(counters, node);
    counters.nodes.push(NodeCounters {
        buffered_cells: node.buffered,
        buffered_max_cells: node.buffered_max,
        buffered_area: area,
    });
}

fn add_ports(counters: &mut RunCounters, node: &Node) {
    let now = counters.now.0;
    for port in &node.ports {
        let out = &mut counters.directions[port.direction as usize];
        out.data_cells = port.data_cells;
        out.control_cells = port.control_cells;
        out.busy = Picos(port.busy.0 - port.busy_until.saturating_sub(now));
        out.queue_cells = port.queued;
        out.queue_max_cells = port.queued_max;
        let lengths = |lengths: &QueueLengths| lengths.read(port.queued, SimTime(now));
        out.lengths = port.lengths.as_deref().map(lengths);
        out.hash = port.hash.value();
        let rates = port.rates.as_ref().and_then(|rates| rates.machine.as_ref());
        out.fair_rate = rates.and_then(PortRates::reading);
        let lanes = port.lanes.as_ref();
        if let Some(gates) = lanes.and_then(|lanes| lanes.gates.as_ref()) {
            gates.read(SimTime(now), &mut out.lanes);
        }
        let into = &mut counters.directions[port.direction as usize ^ 1];
        into.pool = port.pool.as_deref().map(Pool::read);
        if let Some(intakes) = lanes.and_then(|lanes| lanes.intakes.as_ref()) {
            intakes.read(&mut into.lanes);
        }
    }
}

/// Works out what is on the wires, once all nodes are in.
pub(super) fn add_in_flight(counters: &mut RunCounters, read: &[(u64, u64)]) {
    for (direction, out) in counters.directions.iter_mut().enumerate() {
        let (data, control) = read[DirectionId(direction).0];
        out.data_in_flight = out.data_cells - data;
        out.control_in_flight = out.control_cells - control;
    }
}
