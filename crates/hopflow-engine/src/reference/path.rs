//! A VC at the beginning of a run: its stations and hops, forward and back, from its description.

use std::collections::BTreeMap;

use hopflow_control::credit::{Sender, Sharers, WindowSender};
use hopflow_units::{Bytes, SimTime};

use super::job::Fed;
use super::packets::Packets;
use super::rated::AbrState;
use super::started::Started;
use super::state::{Hop, Vc, VcPart};
use super::station::Station;
use super::unit::Target;
use crate::embed;
use crate::embed::call::Call;
use hopflow_network::counters::LeafCounters;
use hopflow_network::{DelayHistogram, HopControl, LaneNumbers, NetworkSpec, VcSpec};

impl Vc {
    /// Before its first packet.
    pub(super) fn new(
        spec: &NetworkSpec,
        index: usize,
        sharers: &[Sharers],
        lanes: &LaneNumbers,
    ) -> Vc {
        let vc = &spec.vcs[index];
        let varies = vc.traffic.size.fixed().is_none();
        let waiting = varies.then(DelayHistogram::default);
        let empty = LeafCounters { waiting, ..LeafCounters::default() };
        let call = Call::new(vc).map(Box::new);
        let asks = call.is_some();
        let on_lanes = |mut part: VcPart, is_ack| {
            let hops = part.hops.iter_mut();
            hops.for_each(|hop| hop.lane = lanes.of_vc(hop.direction, index, is_ack));
            part
        };
        Vc {
            forward: on_lanes(forward_part(spec, index, sharers), false),
            ack: vc.has_way_back().then(|| on_lanes(ack_part(spec, vc), true)),
            source: if asks { spec.silent_source(index) } else { spec.new_source(index) },
            call,
            greedy: vc.source.is_greedy() && !spec.asks_for_work(vc),
            fed: spec.asks_for_work(vc).then_some(Fed::default()),
            is_on: false,
            start: if asks { SimTime::NEVER } else { vc.begins() },
            stop: vc.stop.unwrap_or(SimTime::NEVER),
            created_packets: 0,
            policed_packets: 0,
            greedy_size: Bytes::CELL,
            packets: Packets::new(spec, index, spec.leaves(index).len()),
            leaves: vec![empty; spec.leaves(index).len()],
            since_ack: 0,
            ack_cells: 0,
            acked_cells: 0,
        }
    }
}

/// Station 0 is the source host; each hop that feeds others leads to a station.
fn forward_part(spec: &NetworkSpec, index: usize, sharers: &[Sharers]) -> VcPart {
    let vc = &spec.vcs[index];
    let leaves = spec.leaves(index);
    let mut stations = vec![Station::new(spec.from_node(vc.hops[0].direction_id()), None, vec![0])];
    let mut hops = Vec::new();
    let mut station_after = BTreeMap::new();
    for (number, hop) in vc.hops.iter().enumerate() {
        let from = hop.parent.map_or(0, |parent| station_after[&parent]);
        let target = match leaves.iter().position(|&leaf| leaf == number) {
            Some(leaf) => Target::Leaf(leaf),
            None => Target::Station(stations.len()),
        };
        if let Target::Station(next) = target {
            let branches =
                (0..vc.hops.len()).filter(|&h| vc.hops[h].parent == Some(number)).collect();
            stations.push(Station::new(spec.to_node(hop.direction_id()), Some(number), branches));
            station_after.insert(number, next);
        }
        let mut made = Hop::new(hop.direction_id(), from, target, vc.priority);
        if let HopControl::Credit(credit) = hop.control {
            made.control = Some(credit);
            made.sender = embed::credit::sender(spec, index, number, sharers);
            made.receiver = Some(embed::credit::receiver(&credit));
            made.started = Started::new(spec, index, number);
            made.credit_machine = embed::credit::external_receiver(spec, index, number);
        }
        made.rated = AbrState::new(spec, index, number);
        hops.push(made);
    }
    if let Some(window) = vc.window {
        hops[0].window = Sender::Window(WindowSender::new(window.cells));
    }
    VcPart { hops, stations }
}

/// Station 0 is the final host; ACK hop h crosses the reverse of hop h.
fn ack_part(spec: &NetworkSpec, vc: &VcSpec) -> VcPart {
    let count = vc.hops.len();
    let mut part = VcPart { hops: Vec::new(), stations: Vec::new() };
    for (number, hop) in vc.hops.iter().enumerate() {
        let station = count - 1 - number;
        let target = if number == 0 { Target::Leaf(0) } else { Target::Station(count - number) };
        let direction = hop.direction_id().reverse();
        part.hops.push(Hop::new(direction, station, target, vc.priority));
    }
    for (number, hop) in vc.hops.iter().enumerate().rev() {
        let fed_by = (number + 1 < count).then_some(number + 1);
        let node = spec.to_node(hop.direction_id());
        part.stations.push(Station::new(node, fed_by, vec![number]));
    }
    part
}
