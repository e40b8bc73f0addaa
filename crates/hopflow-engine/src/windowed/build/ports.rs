//! Ports, joined by the rings and bells of their links.

use hopflow_control::scheduler::FlowShare;
use hopflow_kernel::{Bell, Bells, RandomStream, RingReader, RingWriter, ring};

use super::memory::rings_words;
use super::rated::port_rates;
use super::records::{port_records, record_rings};
use crate::embed::marker::PortMarker;
use crate::windowed::fifo::FifoNodes;
use crate::windowed::state::corruption::Corruption;
use crate::windowed::state::directions::Directions;
use crate::windowed::state::lane::PortLanes;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::{Port, PortParts};
use crate::windowed::state::rated::PortRate;
use crate::windowed::state::records::PortRecords;
use crate::windowed::state::scheduled::Scheduled;
use crate::windowed::state::shared_buffer::SharedBuffer;
use crate::windowed::state::windows::Windows;
use hopflow_network::port_flows;
use hopflow_network::{DirectionId, NetworkSpec, RoundTrip};

/// Adds the ports of all nodes, joined by rings and bells.
pub(super) fn add_ports(
    spec: &NetworkSpec,
    directions: &Directions,
    fifo_nodes: &FifoNodes,
    windows: &Windows,
    nodes: &mut [Node],
) {
    for (node, count) in nodes.iter_mut().zip(&directions.count) {
        node.inbox = Bells::new(*count as usize);
        node.ports.reserve_exact(*count as usize);
    }
    let least = spec.least_transmit_times();
    let words_per_unit = rings_words(spec);
    let mut rings: Vec<(Option<RingWriter>, Option<RingReader>)> = (0..spec.direction_count())
        .map(DirectionId)
        .map(|id| match fifo_nodes.room(spec, windows, id) {
            Some(room) => ring(room),
            None => ring(windows.units_unread(spec, id, least[id.0]) * words_per_unit),
        })
        .map(|(writer, reader)| (Some(writer), Some(reader)))
        .collect();
    let mut beside = record_rings(spec, windows, &least);
    let (flows, members) = (port_flows(spec), spec.sharing_hops());
    // In the order of links, so that ports have the same order.
    for direction in (0..spec.direction_count()).map(DirectionId) {
        let output = rings[direction.0].0.take().expect("a direction has one sending end");
        let input =
            rings[direction.reverse().0].1.take().expect("a direction has one receiving end");
        let to = spec.to_node(direction);
        let bell = nodes[to].inbox.bell(directions.into(direction) as usize);
        let rates = port_rates(spec, direction, &directions.rated[direction.0]);
        let records = port_records(direction, &mut beside);
        let into = direction.reverse();
        let shared_buffer = SharedBuffer::new(spec, into, &members[into.0]);
        let ends = Ends { output, input, bell, to: to as u32, rates, records, shared_buffer };
        let owner = stream_owner(spec, directions, direction);
        let node = spec.from_node(direction);
        // A FIFO-only node serves its ports without a scheduler.
        let flows = (!fifo_nodes.is_fifo_only(node)).then(|| &flows[direction.0][..]);
        nodes[node].ports.push(Port::new(port_parts(spec, direction, ends, flows, &owner)));
    }
}

/// The connections of a port to the other end of its link.
struct Ends {
    output: RingWriter,
    input: RingReader,
    bell: Bell,
    to: u32,
    rates: Option<Box<PortRate>>,
    records: Option<Box<PortRecords>>,
    shared_buffer: Option<Box<SharedBuffer>>,
}

fn port_parts(
    spec: &NetworkSpec,
    direction: DirectionId,
    ends: Ends,
    flows: Option<&[FlowShare]>,
    owner: &str,
) -> PortParts {
    let link = &spec.links[direction.link()];
    let settings = spec.direction(direction);
    let round_trip = spec.round_trip(direction.link());
    PortParts {
        direction: direction.0 as u32,
        cell_time: spec.cell_time(direction).0,
        beyond: settings.beyond().0,
        wire: settings.wire(),
        limit: spec.port_limit(direction).map_or(u32::MAX, |limit| limit.0),
        scheduled: flows.and_then(|flows| scheduled(spec, direction, flows)),
        lengths: settings.count_lengths.then(Box::default),
        marker: PortMarker::new(spec, direction),
        lanes: PortLanes::new(spec, direction),
        shared_buffer: ends.shared_buffer,
        rates: ends.rates,
        records: ends.records,
        round_trip: round_trip.0,
        measure: link.round_trip == RoundTrip::Measured,
        corruption: Corruption {
            data: settings.corrupt_data,
            credits: settings.corrupt_credits,
            next_credits: Vec::new(),
            stream: RandomStream::new(spec.seed, owner, "corruption"),
        },
        output: ends.output,
        input: ends.input,
        bell: ends.bell,
        to: ends.to,
    }
}

/// The scheduler of a port, if it has one.
fn scheduled(
    spec: &NetworkSpec,
    direction: DirectionId,
    flows: &[FlowShare],
) -> Option<Box<Scheduled>> {
    let machine = spec.new_scheduler(direction, flows)?;
    Some(Box::new(Scheduled::new(machine)))
}

/// `FROM->TO`, with `#k` for the k-th parallel link.
fn stream_owner(spec: &NetworkSpec, directions: &Directions, direction: DirectionId) -> String {
    let parallel = directions.parallel[direction.0];
    let [from, to] = [spec.from_node(direction), spec.to_node(direction)];
    let (from, to) = (&spec.nodes[from].name, &spec.nodes[to].name);
    if parallel == 0 { format!("{from}->{to}") } else { format!("{from}->{to}#{}", parallel + 1) }
}
