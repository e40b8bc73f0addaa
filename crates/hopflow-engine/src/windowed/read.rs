//! Reads the counters of all nodes into one [`RunCounters`].

use hopflow_control::credit::Grant;
use hopflow_units::{Picos, SimTime};

use super::build::kind::Kind;
use super::fifo;
use super::state::calls::Calls;
use super::state::idle::Idle;
use super::state::node::Node;
use super::state::range_counters::{Places, RangeCounters};
use super::state::receiver::{Role, VcReceiver};
use super::state::source::{Making, VcSource};
use super::wire::NONE;
use crate::embed::credit::counted;
use hopflow_network::counters::{
    DirectionCounters, NodeCounters, RunCounters, VcCounters, WorkCounters,
};
use hopflow_network::{DirectionId, NetworkSpec, QueueLengths};

/// Zero counters of a network, without its VCs.
pub(super) fn blank(spec: &NetworkSpec, now: SimTime) -> RunCounters {
    RunCounters {
        now,
        vcs: Vec::new(),
        directions: vec![DirectionCounters::default(); spec.direction_count()],
        nodes: Vec::with_capacity(spec.nodes.len()),
    }
}

/// The number of cells of all kinds that a node has started.
pub(super) fn started_packets(node: &Kind) -> u64 {
    match node {
        Kind::General(node) => node.ports.iter().map(|p| p.data_packets + p.control_packets).sum(),
        Kind::Host(host) => host.node.outputs.started_packets(),
        Kind::Switch(switch) => switch.node.outputs.started_packets(),
    }
}

/// The number of timers that have fired at a node. FIFO-only nodes have none.
pub(super) fn fired_timers(node: &Kind) -> u64 {
    match node {
        Kind::General(node) => node.timers.fired(),
        Kind::Host(_) | Kind::Switch(_) => 0,
    }
}

/// Adds the counters of the next node, in order, without its VCs.
pub(super) fn add(counters: &mut RunCounters, units_read: &mut [(u64, u64)], node: &Kind) {
    match node {
        Kind::General(node) => {
            add_general(counters, node);
            add_ports(counters, node);
            for port in &node.ports {
                units_read[port.direction as usize ^ 1] = (port.data_read, port.control_read);
            }
        }
        Kind::Host(host) => fifo::add_host(counters, units_read, &host.node),
        Kind::Switch(switch) => fifo::add_switch(counters, units_read, &switch.node),
    }
}

/// Adds the counters of the next VCs at a node.
pub(super) fn add_vcs(part: &mut RangeCounters, places: &mut Places, node: &Kind) {
    match node {
        Kind::General(node) => add_general_vcs(part, places, node),
        Kind::Host(host) => fifo::add_host_vcs(part, places, &host.node),
        Kind::Switch(switch) => fifo::add_switch_vcs(part, places, &switch.node),
    }
}

fn add_general(counters: &mut RunCounters, node: &Node) {
    let now = counters.now.0;
    let own = node.senders.iter().filter(|sender| !sender.queue.is_branch());
    let mut area: u128 = own.map(|sender| sender.area(now)).sum();
    for receiver in &node.receivers {
        if let Role::Multicast(multicast) = &receiver.role {
            area += multicast.area_at(now);
        }
    }
    counters.nodes.push(NodeCounters {
        buffered_packets: node.buffered,
        buffered_max_packets: node.buffered_max,
        buffered_area: area,
        memory_max_bytes: node.memory.as_ref().map_or(0, |memory| memory.held_max),
        work: node
            .processor
            .as_ref()
            .map_or_else(WorkCounters::default, |it| it.read(counters.now)),
    });
}

fn add_general_vcs(part: &mut RangeCounters, places: &mut Places, node: &Node) {
    if let Some(idle) = &node.idle {
        return add_idle_vcs(part, places, node, idle);
    }
    let now = part.now.0;
    let [senders, receivers, sources] = places;
    let mine = part.mine(&node.senders, senders, |sender| sender.circuit.vc);
    for sender in mine.iter().filter(|sender| !sender.circuit.is_ack) {
        let circuit = &sender.circuit;
        sender.read(now, &mut part.of(circuit.vc).hops[circuit.hop as usize]);
    }
    if let Some(calls) = &node.calls {
        add_reserved(part, node, calls);
    }
    for receiver in part.mine(&node.receivers, receivers, |receiver| receiver.vc) {
        add_receiver(part.of(receiver.vc), node, receiver);
    }
    let vc_of = |source: &VcSource| node.senders[source.sender as usize].circuit.vc;
    for source in part.mine(&node.sources, sources, vc_of) {
        add_source(part, node, source);
    }
}

/// The same where ends are created when first used. Those not created have counted only the time
/// without a cell.
fn add_idle_vcs(part: &mut RangeCounters, places: &mut Places, node: &Node, idle: &Idle) {
    let now = part.now.0;
    let [senders, receivers, sources] = places;
    let first = *senders;
    let mine = part.mine(&idle.senders, senders, |sender| sender.vc);
    for (number, sender) in (first..).zip(mine) {
        let hop = &mut part.of(sender.vc).hops[sender.hop as usize];
        match node.senders.get(idle.sent[number] as usize) {
            Some(sender) => sender.read(now, hop),
            None => hop.no_cell = Picos(now),
        }
    }
    let first = *receivers;
    part.mine(&idle.receivers, receivers, |receiver| receiver.vc);
    for number in first..*receivers {
        if let Some(receiver) = node.receivers.get(idle.received[number] as usize) {
            add_receiver(part.of(receiver.vc), node, receiver);
        }
    }
    if idle.has_sources() {
        let first = *sources;
        part.mine(&idle.senders, sources, |sender| sender.vc);
        for number in first..*sources {
            if let Some(source) = node.sources.get(idle.made[number] as usize) {
                add_source(part, node, source);
            }
        }
    }
}

/// Marks the hops of the range whose ports have reserved what was asked.
fn add_reserved(part: &mut RangeCounters, node: &Node, calls: &Calls) {
    for hop in calls.hops.iter().filter(|hop| hop.is_reserved) {
        let circuit = &node.senders[hop.sender as usize].circuit;
        if part.contains(circuit.vc) {
            part.of(circuit.vc).hops[circuit.hop as usize].is_reserved = true;
        }
    }
}

fn add_source(part: &mut RangeCounters, node: &Node, source: &VcSource) {
    let sender = &node.senders[source.sender as usize];
    let circuit = &sender.circuit;
    let now = part.now;
    let vc = part.of(circuit.vc);
    vc.policed_packets = source.policed_packets;
    if let Some(call) = node.calls.as_ref().and_then(|calls| calls.of_source(circuit.source)) {
        vc.set_up = call.counters;
    }
    vc.created_packets = match source.making {
        Making::Greedy { .. } => circuit.sent_data(),
        Making::Timed(_) | Making::Endpoint(_) | Making::Fed(_) => source.created_packets,
    };
    vc.sent_frames = source.packets.as_ref().map_or(0, |packets| packets.sent_frames);
    match &source.making {
        Making::Endpoint(end) => {
            vc.endpoint = Some(end.host.endpoint().counters());
            vc.holds = Some(end.host.holds(now, sender.no_cell(now.0)));
        }
        Making::Timed(source) => vc.coded = source.coded(),
        Making::Greedy { .. } | Making::Fed(_) => {}
    }
}

fn add_receiver(vc: &mut VcCounters, node: &Node, receiver: &VcReceiver) {
    match &receiver.role {
        Role::Deliver(leaf) => {
            vc.leaves[leaf.place as usize] = leaf.read();
            vc.ack_cells += leaf.ack_cells;
        }
        Role::Acknowledge(_) => vc.acked_cells = receiver.received_packets,
        Role::Forward(_) | Role::Multicast(_) => {}
    }
    if !receiver.is_ack {
        let hop = &mut vc.hops[receiver.hop as usize];
        receiver.read(hop);
        let control = &receiver.control;
        if receiver.member != NONE && control.grant() == Grant::Shared {
            let shared = node.ports[receiver.port as usize].shared_buffer.as_deref();
            hop.allocation_cells =
                shared.map_or(0, |shared| shared.machine.allocation(receiver.member).0);
        }
    }
}

fn add_ports(counters: &mut RunCounters, node: &Node) {
    let now = counters.now.0;
    for (index, port) in node.ports.iter().enumerate() {
        let out = &mut counters.directions[port.direction as usize];
        out.data_packets = port.data_packets;
        out.control_packets = port.control_packets;
        out.busy = Picos(port.busy.0 - port.busy_until.saturating_sub(now));
        out.queue_packets = port.queued;
        out.queue_max_packets = port.queued_max;
        let lengths = |lengths: &QueueLengths| lengths.read(port.queued, SimTime(now));
        out.lengths = port.lengths.as_deref().map(lengths);
        out.hash = port.hash.value();
        out.marked_packets = port.marker.as_ref().map_or(0, |marker| marker.marked);
        out.fair_rate = port.rates.as_ref().and_then(|rates| rates.machine.reading());
        if let Some(gates) = port.gates() {
            gates.read(SimTime(now), &mut out.lanes);
        }
        if let Some(Some(reservations)) = node.calls.as_ref().map(|calls| &calls.ports[index]) {
            out.reserved_bps = reservations.reserved_bps();
            out.reserved_max_bps = reservations.most_bps();
            out.refused_set_ups = reservations.refused();
        }
        let into = &mut counters.directions[port.direction as usize ^ 1];
        into.shared_buffer = port.shared_buffer.as_ref().map(|shared| counted(&shared.machine));
        if let Some(intakes) = port.intakes() {
            intakes.read(&mut into.lanes);
        }
    }
}

/// Computes the units on the wires, once the counters of all nodes are added.
pub(super) fn add_in_flight(counters: &mut RunCounters, read: &[(u64, u64)]) {
    for (direction, out) in counters.directions.iter_mut().enumerate() {
        let (data, control) = read[DirectionId(direction).0];
        out.data_in_flight = out.data_packets - data;
        out.control_in_flight = out.control_packets - control;
    }
}
