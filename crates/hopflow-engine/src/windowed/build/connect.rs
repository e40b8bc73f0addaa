//! Joins the two ends of VCs that carry whole packets, and creates the endpoints of connections.

use crate::windowed::state::endpoint::{EndpointSource, PacketSink, PacketSource};
use crate::windowed::state::node::Node;
use crate::windowed::state::receiver::Role;
use crate::windowed::state::source::Making;
use crate::windowed::state::timers::Timer;
use hopflow_network::transport::frame_discard::FrameDiscard;
use hopflow_network::transport::frames::Frames;
use hopflow_network::transport::host::HostEnd;
use hopflow_network::{NetworkSpec, VcSpec};

/// A node, and an index at the node.
type Place = (usize, usize);

/// Adds the state that whole packets need, once VCs and their sources exist.
pub(super) fn connect(spec: &NetworkSpec, nodes: &mut [Node]) {
    if !spec.vcs.iter().any(VcSpec::carries_packets) {
        return;
    }
    for node in nodes.iter_mut().filter(|node| node.limits.frames.is_some()) {
        for receiver in &mut node.receivers {
            let is_framed = spec.vcs[receiver.vc as usize].framing.is_some();
            if is_framed && !receiver.is_ack {
                receiver.cold_mut().frame = Some(FrameDiscard::default());
            }
        }
    }
    let sources = sources(spec, nodes);
    let sinks = sinks(spec, nodes);
    for (vc, flow) in spec.vcs.iter().enumerate().filter(|(_, flow)| flow.carries_packets()) {
        let mut notes = Vec::new();
        for &(node, index) in &sinks[vc] {
            let frames = Frames::default();
            let leaf = nodes[node].receivers[index].leaf_mut();
            leaf.packets = Some(Box::new(PacketSink::new(frames.clone(), flow.framing.is_some())));
            notes.push(frames);
        }
        let (node, index) = sources[vc];
        let packets = PacketSource { framing: flow.wire_framing(), frames: notes, sent_frames: 0 };
        nodes[node].sources[index].packets = Some(Box::new(packets));
    }
    for connection in &spec.connections {
        let vcs = [connection.forward, connection.backward];
        let ends = spec.new_endpoints(connection);
        for (side, endpoint) in ends.into_iter().enumerate() {
            let (node, index) = sources[vcs[side]];
            let host = HostEnd::new(endpoint, connection.send_limits[side]);
            nodes[node].sources[index].making =
                Making::Endpoint(Box::new(EndpointSource::new(host)));
            nodes[node].timers.set(0, Timer::Expire(index as u32));
            nodes[node].timers.set(0, Timer::Transmit(index as u32));
            let (node, sink) = sinks[vcs[1 - side]][0];
            let leaf = nodes[node].receivers[sink].leaf_mut();
            let sink = leaf.packets.as_mut().expect("a VC of whole packets");
            sink.endpoint = Some(index as u32);
        }
    }
}

/// For each VC, its source.
fn sources(spec: &NetworkSpec, nodes: &[Node]) -> Vec<Place> {
    let mut places = vec![(usize::MAX, 0); spec.vcs.len()];
    for (number, node) in nodes.iter().enumerate() {
        for (index, source) in node.sources.iter().enumerate() {
            places[node.senders[source.sender as usize].circuit.vc as usize] = (number, index);
        }
    }
    places
}

/// For each VC, the receivers at its final hosts.
fn sinks(spec: &NetworkSpec, nodes: &[Node]) -> Vec<Vec<Place>> {
    let mut places = vec![Vec::new(); spec.vcs.len()];
    for (number, node) in nodes.iter().enumerate() {
        for (index, receiver) in node.receivers.iter().enumerate() {
            if matches!(receiver.role, Role::Deliver(_)) {
                places[receiver.vc as usize].push((number, index));
            }
        }
    }
    places
}
