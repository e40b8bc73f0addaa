//! Ports, joined by the rings and bells of their links.

use hopflow_kernel::{Bells, GrowingReader, GrowingWriter, RandomStream};

use super::records::{port_records, record_rings};
use super::rings::Slots;
use crate::windowed::fifo::FifoNodes;
use crate::windowed::state::carrier::Carriers;
use crate::windowed::state::directions::Directions;
use crate::windowed::state::lane::PortLanes;
use crate::windowed::state::node::Node;
use crate::windowed::state::port::{Ends, Port};
use crate::windowed::state::rated::PortRate;
use crate::windowed::state::scheduled::Scheduled;
use crate::windowed::state::shared_buffer::SharedBuffer;
use crate::windowed::state::windows::Windows;
use hopflow_network::port_flows;
use hopflow_network::{DirectionId, NetworkSpec};

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
    let mut rings: Vec<(Option<GrowingWriter>, Option<GrowingReader>)> = (0..spec
        .direction_count())
        .map(DirectionId)
        .map(|id| Slots::of(spec, fifo_nodes, windows, id).ring())
        .map(|(writer, reader)| (Some(writer), Some(reader)))
        .collect();
    let mut beside = record_rings(spec, windows);
    let (flows, members) = (port_flows(spec), spec.sharing_hops());
    let carried = &directions.carried;
    // In the order of links, so that ports have the same order.
    for (direction, name) in (0..).map(DirectionId).zip(spec.direction_names()) {
        let output = rings[direction.0].0.take().expect("a direction has one sending end");
        let input =
            rings[direction.reverse().0].1.take().expect("a direction has one receiving end");
        let into = direction.reverse();
        let bell = nodes[spec.to_node(direction)].inbox.bell(directions.into(direction) as usize);
        let node = spec.from_node(direction);
        // A FIFO-only node serves its ports without a scheduler.
        let flows = (!fifo_nodes.is_fifo_only(node)).then(|| &flows[direction.0][..]);
        let ends = Ends {
            output,
            input,
            bell,
            rates: PortRate::new(spec, direction, &directions.rated[direction.0]),
            scheduled: flows.and_then(|flows| Scheduled::new(spec, direction, flows)),
            shared_buffer: SharedBuffer::new(spec, into, &members[into.0]),
            carriers: Carriers::new(carried.get(&into.0)),
            records: port_records(direction, &mut beside),
            lanes: PortLanes::new(spec, &directions.lanes, direction),
            stream: RandomStream::new(spec.seed, &name, "corruption"),
        };
        nodes[node].ports.push(Port::new(spec, direction, ends));
    }
}
