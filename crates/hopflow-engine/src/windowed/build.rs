//! From the description of a network to its nodes, ports, senders and receivers.
//!
//! ```text
//! ports.rs  rings.rs  ports: rings, bells, and what their VCs share
//! ends.rs   rated.rs   records.rs   lane.rs   source.rs   ends of VCs and their state
//! kind.rs   nodes of either kind        connect.rs  VCs of whole packets
//! idle.rs   where ends are created late  reach.rs  which node can affect which, how soon
//! memory.rs memory for all of it         calls.rs  VCs that ask for their reservation
//! ```

mod calls;
mod connect;
pub(super) mod ends;
mod idle;
pub(super) mod kind;
mod lane;
mod memory;
mod ports;
mod rated;
pub(super) mod reach;
mod records;
mod rings;
pub(super) mod source;

pub use memory::engine_bytes;

use std::sync::Arc;

use hopflow_control::credit::Sender;

use super::fifo::FifoNodes;
use super::state::HopId;
use super::state::circuit::{Circuit, ColdCircuit};
use super::state::directions::Directions;
use super::state::door::Door;
use super::state::idle::Plans;
use super::state::limits::Limits;
use super::state::memory::Memory;
use super::state::node::{Node, NodeEvent};
use super::state::port::PRIORITIES;
use super::state::queue::Queue;
use super::state::rated::LoopEnd;
use super::state::receiver::{Leaf, Multicast, Role, VcReceiver, Waiting};
use super::state::sender::VcSender;
use super::state::timers::Timer;
use super::state::tracer::Tracer;
use super::state::windows::Windows;
use super::state::work::Processor;
use super::wire::NONE;
use super::wire::unit::ENDS_LIMIT;
use crate::embed;
use crate::embed::credit::UnitReceiver;
use calls::add_calls;
use connect::connect;
use ends::uncontrolled;
use hopflow_network::{DirectionId, NetworkSpec, NodeSpec, TraceFilter};
use idle::idle_nodes;
use kind::Kind;
use lane::{join_lanes, nodes_with_lanes};
use memory::reserve;
use ports::add_ports;
use rated::way_back;
use records::nodes_with_records;
use source::add_source;

/// Builds all nodes, in the order of the network.
pub(super) fn nodes(
    spec: &NetworkSpec,
    fifo_nodes: &FifoNodes,
    windows: &Windows,
    filter: &Arc<TraceFilter>,
) -> Vec<Kind> {
    let plans = Arc::new(Plans { spec: spec.clone(), directions: Directions::new(spec) });
    let directions = &plans.directions;
    let mut nodes = bare_nodes(spec, filter);
    add_ports(spec, directions, fifo_nodes, windows, &mut nodes);
    let (has_records, has_lanes) = (nodes_with_records(spec), nodes_with_lanes(spec));
    let (has_door, counts_bytes) = (spec.admits_with_jitter(), spec.counts_bytes());
    for (index, node) in nodes.iter_mut().enumerate() {
        node.door = has_door[index].then(|| Box::new(Door::new(&plans, index, node.ports.len())));
        let has_scheduler = node.ports.iter().any(|port| port.scheduled.is_some());
        let is_limited = node.ports.iter().any(|port| port.limit < u32::MAX);
        let asks = has_scheduler || has_lanes[index] || is_limited;
        let has_markers = node.ports.iter().any(|port| port.marker.is_some());
        node.limits = Limits::new(&spec.nodes[index], asks, has_records[index], has_markers);
        if counts_bytes[index] {
            let ports = node.ports.iter().map(|port| DirectionId(port.direction as usize));
            node.memory = Some(Box::new(Memory::new(spec, index, ports)));
            node.limits.count_bytes();
        }
        node.set_shared_buffer_timers();
        node.set_rate_timers();
        if let Some(work) = spec.nodes[index].work {
            node.processor = Some(Box::new(Processor::new(work)));
            node.limits.is_special = true;
        }
    }
    reserve(&plans, &idle_nodes(spec, fifo_nodes), &mut nodes);
    for vc in 0..spec.vcs.len() {
        add_vc(spec, directions, &mut nodes, vc);
    }
    connect(spec, &mut nodes);
    add_calls(&plans, &mut nodes);
    for node in &mut nodes {
        join_lanes(&directions.lanes, node);
        node.assert_addressable();
    }
    for (index, event) in spec.events.iter().enumerate() {
        debug_assert!(index == 0 || spec.events[index - 1].at <= event.at);
        let direction = DirectionId::new(event.link, event.direction);
        let port = directions.port[direction.0];
        let event = NodeEvent { at: event.at.0, port, change: event.change };
        nodes[spec.from_node(direction)].events.push(event);
    }
    let kind = |(index, node)| Kind::new(spec, fifo_nodes, index, node);
    nodes.into_iter().enumerate().map(kind).collect()
}

/// Nodes without ports and VCs.
fn bare_nodes(spec: &NetworkSpec, filter: &Arc<TraceFilter>) -> Vec<Node> {
    let traced = filter.may_keep_at(spec);
    let keeps_all = filter.keeps_all(spec.direction_count());
    let tracer = || Box::new(Tracer::new(Arc::clone(filter), keeps_all));
    let bare = |(node, is_traced): (&NodeSpec, bool)| {
        Node::bare(Limits::new(node, false, false, false), is_traced.then(tracer))
    };
    spec.nodes.iter().zip(traced).map(bare).collect()
}

/// Adds a VC: its receivers and senders along the forward tree, then along the ACK path.
fn add_vc(spec: &NetworkSpec, directions: &Directions, nodes: &mut [Node], vc: usize) {
    let flow = &spec.vcs[vc];
    assert!((flow.priority as usize) < PRIORITIES, "priorities are 0 to {}", PRIORITIES - 1);
    let [senders, receivers] = [(); 2].map(|()| Vec::with_capacity(flow.hops.len()));
    let mut path = Path { senders, receivers, leaves: 0, children: flow.children() };
    for hop in 0..flow.hops.len() {
        let node = spec.from_node(flow.hops[hop].direction_id());
        let is_branch = flow.hops[hop].parent.is_some_and(|parent| path.children[parent].len() > 1);
        let number = if let Some(idle) = &mut nodes[node].idle {
            idle.add_sender(HopId { vc, hop })
        } else {
            let end = ends::sender(spec, directions, HopId { vc, hop }, is_branch);
            add_sender(&mut nodes[node], end)
        };
        path.senders.push(number);
    }
    for hop in 0..flow.hops.len() {
        add_receiver(spec, directions, nodes, HopId { vc, hop }, &mut path);
    }
    for hop in 0..flow.hops.len() {
        let direction = flow.hops[hop].direction_id();
        join_hop(spec, nodes, direction, path.senders[hop], path.receivers[hop]);
        if let Some(parent) = flow.hops[hop].parent {
            let node = &mut nodes[spec.from_node(direction)];
            if node.idle.is_none() {
                node.senders[path.senders[hop] as usize].queue.receiver = path.receivers[parent];
            }
        }
    }
    if flow.has_way_back() {
        add_ack_path(spec, directions, nodes, vc, &path);
    }
    add_source(spec, nodes, vc, path.senders[0]);
}

/// Adds a sender to its node, as the next flow of its port's scheduler if there is one.
fn add_sender(node: &mut Node, mut sender: VcSender) -> u32 {
    let index = node.senders.len() as u32;
    if let Some(scheduled) = &mut node.ports[sender.queue.port as usize].scheduled {
        sender.circuit.flow = scheduled.senders.len() as u32;
        scheduled.senders.push(index);
    }
    node.senders.push(sender);
    node.join_rates(index);
    index
}

/// Indices of a VC's ends, by hop, each at its node.
struct Path {
    senders: Vec<u32>,
    receivers: Vec<u32>,
    /// The number of final hosts so far.
    leaves: u32,
    /// The hops that each hop feeds.
    children: Vec<Vec<usize>>,
}

/// Sets the index of each end of a hop at the other.
fn join_hop(
    spec: &NetworkSpec,
    nodes: &mut [Node],
    direction: DirectionId,
    sender: u32,
    receiver: u32,
) {
    let (from, to) = (spec.from_node(direction), spec.to_node(direction));
    match &mut nodes[from].idle {
        Some(idle) => idle.senders[sender as usize].downstream = receiver,
        None => nodes[from].senders[sender as usize].queue.downstream = receiver,
    }
    match &mut nodes[to].idle {
        Some(idle) => idle.receivers[receiver as usize].upstream = sender,
        None => nodes[to].receivers[receiver as usize].upstream = sender,
    }
}

fn add_receiver(
    spec: &NetworkSpec,
    directions: &Directions,
    nodes: &mut [Node],
    HopId { vc, hop }: HopId,
    path: &mut Path,
) {
    let flow = &spec.vcs[vc];
    let node = spec.to_node(flow.hops[hop].direction_id());
    if let Some(idle) = &mut nodes[node].idle {
        let forward = path.children[hop].first().map(|child| path.senders[*child]);
        path.receivers.push(idle.add_receiver(HopId { vc, hop }, forward.unwrap_or(NONE)));
        return;
    }
    let children: Vec<u32> = path.children[hop].iter().map(|child| path.senders[*child]).collect();
    let role = match children[..] {
        [] => {
            assert!(spec.is_host(node), "VC {} ends at a host", flow.name);
            path.leaves += 1;
            Role::Deliver(Box::new(Leaf::new(path.leaves - 1, Waiting::of(spec, flow, hop))))
        }
        [only] => Role::Forward(only),
        [first, .., last] => {
            assert_eq!(last - first + 1, children.len() as u32, "branches are neighbours");
            let run_ahead = flow.multicast.run_ahead.map(|cells| cells.0);
            Role::Multicast(Box::new(Multicast::new(first..last + 1, run_ahead)))
        }
    };
    let index = nodes[node].receivers.len() as u32;
    let mut receiver = ends::receiver(spec, directions, HopId { vc, hop }, role);
    if let Some(span) = receiver.redundant_every() {
        nodes[node].timers.set(span, Timer::Redundant(index));
    }
    let port = &mut nodes[node].ports[receiver.port as usize];
    let shares = flow.hops[hop].shared_credit().is_some();
    if let (true, Some(shared)) = (shares, &mut port.shared_buffer) {
        receiver.member = shared.join(index);
    }
    let groups = directions.carried.get(&flow.hops[hop].direction_id().0);
    if let (Some(groups), Some(carriers)) = (groups, &mut port.carriers)
        && let Some(member) = carriers.join(groups, (vc, hop), index)
    {
        receiver.member = member;
    }
    if let Some(machine) = embed::credit::external_receiver(spec, vc, hop) {
        receiver.member = nodes[node].credit_machines.len() as u32;
        nodes[node].credit_machines.push(machine);
    }
    if let Some(units) = UnitReceiver::new(spec, vc, hop) {
        receiver.member = nodes[node].unit_receivers.len() as u32;
        nodes[node].unit_receivers.push(units);
    }
    nodes[node].receivers.push(receiver);
    debug_assert_eq!(path.receivers.len(), hop);
    path.receivers.push(index);
}

/// Adds the path of ACK cells: an uncontrolled VC back along the same links.
fn add_ack_path(
    spec: &NetworkSpec,
    directions: &Directions,
    nodes: &mut [Node],
    vc: usize,
    path: &Path,
) {
    let flow = &spec.vcs[vc];
    let last = flow.hops.len() - 1;
    let back: Vec<DirectionId> =
        flow.hops.iter().rev().map(|hop| hop.direction_id().reverse()).collect();
    let mut before = None;
    for (hop, &direction) in back.iter().enumerate() {
        let from = spec.from_node(direction);
        let place = HopId { vc, hop };
        let rated = || Box::new(ColdCircuit { rated: Some(way_back()), ..ColdCircuit::default() });
        let (port, cold) = (directions.out(direction), flow.rate.as_ref().map(|_| rated()));
        let mut circuit = Circuit::new(place, cold);
        let mut queue = Queue::new(port, flow.priority, Sender::Free, &circuit);
        (circuit.is_ack, queue.receiver) = (true, before.unwrap_or(NONE));
        let sender = add_sender(&mut nodes[from], VcSender { queue, circuit });
        if let Some(receiver) = before {
            nodes[from].receivers[receiver as usize].role = Role::Forward(sender);
            let forward = path.senders[last - hop + 1];
            if let Some(rated) = nodes[from].senders[forward as usize].circuit.rated() {
                rated.back = sender;
            }
        } else if let Some(window) = flow.window {
            let end = &mut nodes[from].receivers[path.receivers[last] as usize];
            end.leaf_mut().ack = Some((sender, window.ack_every.0));
        }
        if let Some(machine) = embed::rate::loop_end(spec, vc, last - hop) {
            let end = &mut nodes[from].receivers[path.receivers[last - hop] as usize];
            end.end = Some(Box::new(LoopEnd { machine, back: sender, turned_around: 0 }));
        }
        let to = spec.to_node(direction);
        // The source host's end; at a switch the next iteration makes it forward.
        let role = Role::Acknowledge(path.senders[0]);
        let mut receiver = VcReceiver::new(place, directions.into(direction), uncontrolled(), role);
        receiver.is_ack = true;
        let index = nodes[to].receivers.len() as u32;
        nodes[to].receivers.push(receiver);
        join_hop(spec, nodes, direction, sender, index);
        before = Some(index);
    }
}

impl Node {
    /// Asserts that units on links can contain the index of every receiver and sender.
    fn assert_addressable(&self) {
        let idle = self.idle.as_ref().map_or([0; 2], |it| [it.receivers.len(), it.senders.len()]);
        let most = idle.into_iter().chain([self.receivers.len(), self.senders.len()]).max();
        assert!(most < Some(ENDS_LIMIT), "a node has fewer than 2^30 receivers and senders");
    }

    /// Sets the timers of the first measuring intervals.
    pub(super) fn set_shared_buffer_timers(&mut self) {
        for (port, parts) in (0_u32..).zip(&self.ports) {
            if let Some(shared) = &parts.shared_buffer {
                self.timers.set(shared.interval, Timer::SharedBuffer(port));
            }
        }
    }
}
