//! Whole packets: segmentation into units at the source host, reassembly at the final host; and the
//! endpoints of connections.

use std::collections::BTreeSet;

use hopflow_control::external::Fault;
use hopflow_units::{Bytes, Picos, SimTime};

use super::unit::{Cell, HopId, Place};
use super::work::Job;
use super::{Event, ReferenceEngine};
use crate::embed::processor::Task;
use hopflow_network::counters::FrameCounters;
use hopflow_network::traffic::{Fate, Made};
use hopflow_network::transport::aal5::{Frame, Reassembly};
use hopflow_network::transport::frame_discard::Verdict;
use hopflow_network::transport::frames::{Frames, Framing};
use hopflow_network::transport::host::{HostEnd, Intent};
use hopflow_network::transport::{Endpoint, EndpointCounters, HoldCounters, Packet, Payload};
use hopflow_network::{FrameDiscardSpec, NetworkSpec, TraceEvent};

/// State of a VC of whole packets.
#[derive(Debug)]
pub(super) struct Packets {
    framing: Framing,
    pub(super) sent: u64,
    sinks: Vec<Sink>,
    /// The endpoint that sends on this VC, and whether it waits for room.
    pub(super) host: Option<HostEnd>,
    waits: bool,
    /// The VC on which the receiving endpoint answers.
    answers_on: Option<usize>,
}

/// One final end of a VC.
#[derive(Debug, Default)]
struct Sink {
    frames: Frames,
    reassembly: Reassembly,
    counters: FrameCounters,
}

impl Packets {
    /// The state of VC `vc`, with `leaves` final hosts; `None` if it has no whole packets.
    pub(super) fn new(spec: &NetworkSpec, vc: usize, leaves: usize) -> Option<Packets> {
        let flow = &spec.vcs[vc];
        if !flow.carries_packets() {
            return None;
        }
        let sinks = std::iter::repeat_with(Sink::default).take(leaves).collect();
        let (mut host, mut answers_on) = (None, None);
        for connection in &spec.connections {
            let vcs = [connection.forward, connection.backward];
            if let Some(side) = vcs.iter().position(|&member| member == vc) {
                let [first, second] = match side {
                    0 => spec.new_endpoints(connection),
                    _ => Endpoint::pair(connection, &spec.vcs[connection.forward], spec.seed),
                };
                let endpoint = if side == 0 { first } else { second };
                host = Some(HostEnd::new(endpoint, connection.send_limits[side]));
                answers_on = Some(vcs[1 - side]);
            }
        }
        let framing = flow.wire_framing();
        Some(Packets { framing, sent: 0, sinks, host, waits: false, answers_on })
    }

    /// The counters of the packets of a leaf.
    pub(super) fn counted(&self, leaf: usize) -> FrameCounters {
        let sink = &self.sinks[leaf];
        let frames = sink.reassembly.counters;
        let (broken_frames, wasted_packets) = (frames.broken_frames, frames.wasted_packets);
        FrameCounters { broken_frames, wasted_packets, ..sink.counters.clone() }
    }

    /// The counters of its endpoint.
    pub(super) fn counters(&self) -> Option<EndpointCounters> {
        Some(self.host.as_ref()?.endpoint().counters())
    }

    /// Why its endpoint had no packet in its queue up to `now`, whose first hop was empty for so
    /// long.
    pub(super) fn holds(&self, now: SimTime, empty: Picos) -> Option<HoldCounters> {
        Some(self.host.as_ref()?.holds(now, empty))
    }

    /// Why an external machine of its endpoint is not called any more.
    pub(super) fn fault(&self) -> Option<&Fault> {
        self.host.as_ref()?.endpoint().fault()
    }

    /// Resets delays.
    pub(super) fn restart(&mut self) {
        for sink in &mut self.sinks {
            sink.counters.delay = hopflow_network::DelayHistogram::default();
        }
        if let Some(host) = &mut self.host {
            host.restart_statistics();
        }
    }
}

impl ReferenceEngine {
    fn packets(&mut self, vc: usize) -> &mut Packets {
        self.vcs[vc].packets.as_mut().expect("a VC of whole packets")
    }

    // Created packets.

    /// A source has created a packet of a VC of whole packets.
    pub(super) fn make_born(&mut self, first: HopId, made: Made) {
        let packet = Packet::new(made.bytes, Payload::Plain);
        match made.fate {
            Fate::LeftOut => {}
            Fate::Sent => self.make_packet(first, packet, made.birth),
            Fate::Discarded => {
                let units = u64::from(self.packets(first.vc).framing.units(made.bytes).0);
                self.vcs[first.vc].created_packets += units;
                self.vcs[first.vc].policed_packets += units;
                self.drop_made(first);
            }
        }
    }

    fn drop_made(&mut self, first: HopId) {
        let number = self.number_of_next(first);
        self.touch(first);
        let held = self.held(first, 0);
        let direction = self.hop(first).direction;
        let cell = Cell::new(number, self.now, Bytes::CELL);
        self.cell_row(TraceEvent::Dropped, direction, first, &cell, held, 0);
    }

    /// A packet is cut into units; if not all of them find room, the packet is lost.
    pub(super) fn make_packet(&mut self, first: HopId, packet: Packet, birth: SimTime) {
        let (units, bytes) = self.packets(first.vc).framing.units(packet.bytes);
        self.vcs[first.vc].created_packets += u64::from(units);
        let size = Bytes(u64::from(bytes));
        if self.lacks_room(first, 0, size, units) {
            self.hop_mut(first).counters.given_up_packets += u64::from(units);
            return self.drop_made(first);
        }
        let number = self.number_of_next(first);
        let packets = self.packets(first.vc);
        packets.sent += 1;
        let is_framed = packets.framing != Framing::Whole;
        let frame = Frame { first: number, cells: units, birth, packet };
        packets.sinks.iter().for_each(|sink| sink.frames.push(frame));
        let direction = self.hop(first).direction;
        let last = number + u64::from(units) - 1;
        for number in number..=last {
            let is_last = is_framed && number == last;
            let cell = Cell { is_last, ..Cell::new(number, birth, size) };
            self.enter(first, 0, cell, TraceEvent::Born, direction);
        }
    }

    // Endpoints.

    /// A packet of an endpoint has left its host's queue, or was pushed out of it.
    pub(super) fn freed_at_source(&mut self, id: HopId) {
        let first = !id.ack && id.hop == 0;
        if first && self.vcs[id.vc].fed.is_some() {
            return self.feed(id);
        }
        if first && self.vcs[id.vc].packets.as_ref().is_some_and(|packets| packets.waits) {
            self.woken.insert(id.vc);
        }
    }

    /// Counts why an endpoint has had no packet in its queue, before it is called.
    fn settle_endpoint(&mut self, vc: usize) {
        let (now, first) = (self.now, HopId { vc, ack: false, hop: 0 });
        let empty = self.hop(first).counted(now, self.fill(first)).no_cell;
        self.packets(vc).host.as_mut().expect("an endpoint").settle(now, empty);
    }

    /// Runs endpoints whose timer expires, then those that may have something to send, by VC.
    pub(super) fn run_endpoints(&mut self, node: usize) {
        loop {
            let here: Vec<usize> = self.endpoints_at(node);
            let now = self.now;
            let due = |vc: &&usize| self.timer_of(**vc).is_some_and(|at| at <= now);
            if let Some(&vc) = here.iter().find(due) {
                self.settle_endpoint(vc);
                let host = self.packets(vc).host.as_mut().expect("an endpoint");
                host.expire(now);
                self.woken.insert(vc);
                self.arm_endpoint(vc);
                continue;
            }
            let woken: BTreeSet<usize> = here.into_iter().collect();
            let Some(vc) = self.woken.iter().copied().find(|vc| woken.contains(vc)) else { break };
            self.woken.remove(&vc);
            self.transmit(vc);
        }
    }

    fn endpoints_at(&self, node: usize) -> Vec<usize> {
        let is_here = |vc: &usize| {
            let vc = &self.vcs[*vc];
            vc.forward.stations[0].node == node
                && vc.packets.as_ref().is_some_and(|packets| packets.host.is_some())
        };
        (0..self.vcs.len()).filter(is_here).collect()
    }

    fn timer_of(&self, vc: usize) -> Option<SimTime> {
        self.vcs[vc].packets.as_ref()?.host.as_ref()?.timer()
    }

    fn arm_endpoint(&mut self, vc: usize) {
        if let Some(at) = self.timer_of(vc).filter(|at| *at > self.now) {
            self.events.push(at, Event::Endpoint(vc));
        }
    }

    fn transmit(&mut self, vc: usize) {
        let (now, first) = (self.now, HopId { vc, ack: false, hop: 0 });
        let node = self.vcs[vc].forward.stations[0].node;
        let limit = self.spec.nodes[node].vc_buffer;
        self.packets(vc).waits = false;
        self.settle_endpoint(vc);
        loop {
            let packets = self.packets(vc);
            let host = packets.host.as_mut().expect("an endpoint");
            match host.intent(now) {
                Intent::Nothing => break,
                Intent::At(at) => {
                    self.events.push(at, Event::Endpoint(vc));
                    break;
                }
                Intent::Send(bytes) => {
                    let (units, each) = packets.framing.units(bytes);
                    let one = self.spec.nodes[node].load_of(Bytes(each.into()));
                    let more = one.times(units.into());
                    if self.lacks(Place::Station(first, 0), limit, more) {
                        self.packets(vc).waits = true;
                        break;
                    }
                    let host = self.packets(vc).host.as_mut().expect("an endpoint");
                    let packet = host.send(now);
                    if self.works_on(node, Task::Send) {
                        self.ask_for_work(node, Task::Send, Job::Packet(first, packet, now));
                        let end = self.works_until(node);
                        let host = self.packets(vc).host.as_mut().expect("an endpoint");
                        host.hold_until(end);
                    } else {
                        self.make_packet(first, packet, now);
                    }
                }
            }
        }
        self.arm_endpoint(vc);
    }

    // Received packets.

    /// Whether a switch drops a cell that has arrived over the hop `id`: there is no room for it,
    /// or for its frame.
    pub(super) fn is_dropped(&mut self, id: HopId, station: usize, cell: Cell) -> bool {
        let full = !self.lane_fits(id, cell.size) || self.has_no_room(id, station, cell.size);
        let place = &self.part(id).stations[station];
        let node = &self.spec.nodes[place.node];
        if node.frame_discard == FrameDiscardSpec::None {
            return full;
        }
        if id.ack || cell.rm_cell().is_some() || self.spec.vcs[id.vc].framing.is_none() {
            return full;
        }
        let places = [Place::Node(place.node), Place::Station(id, station)];
        let (fills, packet) = (node.frame_discard.fills(), node.load_of(cell.size));
        let above = std::iter::zip(places, fills).any(|(at, fill)| self.lacks(at, fill, packet));
        let frame = &mut self.hop_mut(id).frame;
        frame.on_cell(cell.is_last, full, above) == Verdict::Drop
    }

    /// A unit has arrived at a final host, and may complete a packet.
    pub(super) fn take_unit(&mut self, vc: usize, leaf: usize, cell: &Cell) {
        let Some(packets) = &mut self.vcs[vc].packets else { return };
        let sink = &mut packets.sinks[leaf];
        let reassembly = &mut sink.reassembly;
        let Some(frame) =
            sink.frames.with(|frames| reassembly.on_cell(cell.number, cell.congested, frames))
        else {
            return;
        };
        let last = self.spec.leaves(vc)[leaf];
        let host = self.spec.to_node(self.spec.vcs[vc].hops[last].direction_id());
        if self.spec.vcs[vc].framing.is_some() && self.works_on(host, Task::Whole) {
            self.ask_for_work(host, Task::Whole, Job::Whole(vc, leaf, frame));
        } else {
            self.take_packet(vc, leaf, &frame);
        }
    }

    /// A packet is whole at a final host.
    pub(super) fn take_packet(&mut self, vc: usize, leaf: usize, frame: &Frame) {
        let now = self.now;
        let packets = self.packets(vc);
        packets.sinks[leaf].counters.record(frame, now);
        let answers_on = packets.answers_on;
        if let Some(other) = answers_on {
            self.settle_endpoint(other);
            let host = self.packets(other).host.as_mut().expect("an endpoint");
            host.arrive(frame.packet, now);
            self.woken.insert(other);
            self.arm_endpoint(other);
        }
    }
}
