//! The state of the reference engine: VCs, their hops and the stations between them, ports, nodes.

use std::collections::{BTreeMap, VecDeque};

use hopflow_control::admission::PortReservations;
use hopflow_control::credit::{ExternalReceiver, Permission, Receiver, Sender};
use hopflow_control::scheduler::{FlowShare, Scheduler};
use hopflow_kernel::{OrderHash, RandomStream};
use hopflow_units::{Bytes, Picos, Probability, SimTime};

use super::carrier::Carriers;
use super::job::{Fed, Job};
use super::packets::Packets;
use super::rated::AbrState;
use super::started::Started;
use super::station::Station;
use super::unit::{Control, HopId, Target, Unit};
use crate::embed::call::Call;
use crate::embed::falsify::FalseCredits;
use crate::embed::lane::{Gates, Intakes};
use crate::embed::marker::PortMarker;
use crate::embed::processor::Processor;
use crate::embed::rate::PortRates;
use hopflow_network::counters::{DirectionCounters, HopCounters, LeafCounters, NodeCounters};
use hopflow_network::traffic::Source;
use hopflow_network::transport::frame_discard::FrameDiscard;
use hopflow_network::{CreditSpec, DirectionId, LaneNumbers, NetworkSpec, QueueLengths, RoundTrip};

/// The state of one VC.
#[derive(Debug)]
pub(super) struct Vc {
    pub(super) forward: VcPart,
    pub(super) ack: Option<VcPart>,
    pub(super) source: Source,
    /// Present where it asks for its reservation.
    pub(super) call: Option<Box<Call>>,
    pub(super) greedy: bool,
    /// Present where a greedy source asks the processor of its host for each packet.
    pub(super) fed: Option<Fed>,
    /// A greedy source that is switched on.
    pub(super) is_on: bool,
    pub(super) start: SimTime,
    pub(super) stop: SimTime,
    pub(super) created_packets: u64,
    pub(super) policed_packets: u64,
    /// The size of a greedy source's next packet.
    pub(super) greedy_size: Bytes,
    pub(super) leaves: Vec<LeafCounters>,
    /// Present where it carries whole packets.
    pub(super) packets: Option<Packets>,
    pub(super) since_ack: u32,
    pub(super) ack_cells: u64,
    pub(super) acked_cells: u64,
}

/// The cells of a VC in one direction: data forward, or ACKs back.
#[derive(Debug)]
pub(super) struct VcPart {
    pub(super) hops: Vec<Hop>,
    /// One station per node that sends cells of this part: there cells wait.
    pub(super) stations: Vec<Station>,
}

/// One hop: its sending end, and the receiver at its far end.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "six facts that are true or not, each alone")]
pub(super) struct Hop {
    pub(super) direction: DirectionId,
    pub(super) station: usize,
    pub(super) target: Target,
    pub(super) priority: u8,
    /// The lane by which it crosses its direction, if there is one.
    pub(super) lane: Option<u16>,
    pub(super) control: Option<CreditSpec>,
    pub(super) sender: Sender,
    /// The end-to-end window, on the first hop of a VC that has one; else `Free`.
    pub(super) window: Sender,
    pub(super) receiver: Option<Receiver>,
    pub(super) credit_machine: Option<ExternalReceiver>,
    /// Its group at the port back, and its number there, if it shares credit cells.
    pub(super) carried: Option<(usize, u32)>,
    /// What its packets count, and E.
    pub(super) started: Started,
    pub(super) in_transmission: bool,
    /// Cells sent or given up; the next to be finished has this index.
    pub(super) finished_packets: u64,
    /// Whether it is on the list of its port, or permitted at its scheduler.
    pub(super) listed: bool,
    /// Its number at the scheduler of its port.
    pub(super) flow: u32,
    pub(super) given_up: bool,
    /// The instant at which the branch last finished or gave up a cell.
    pub(super) last_finished: SimTime,
    pub(super) last_credit: SimTime,
    pub(super) last_request: SimTime,
    pub(super) counters: HopCounters,
    // The state from the last instant that touched this hop, up to the next that does.
    pub(super) settled: SimTime,
    pub(super) no_cell: bool,
    pub(super) blocked_since: Option<SimTime>,
    pub(super) blocked_counted: bool,
    /// The state of the frame of the next arriving cell.
    pub(super) frame: FrameDiscard,
    /// Whether its port has reserved what the VC asked for.
    pub(super) is_reserved: bool,
    /// Present for a VC under rate control.
    pub(super) rated: Option<Box<AbrState>>,
}

impl Hop {
    pub(super) fn new(direction: DirectionId, station: usize, target: Target, priority: u8) -> Hop {
        Hop {
            direction,
            station,
            target,
            priority,
            lane: None,
            control: None,
            sender: Sender::Free,
            window: Sender::Free,
            receiver: None,
            credit_machine: None,
            carried: None,
            started: Started::default(),
            in_transmission: false,
            finished_packets: 0,
            listed: false,
            flow: u32::MAX,
            given_up: false,
            last_finished: SimTime::ZERO,
            last_credit: SimTime::ZERO,
            last_request: SimTime::ZERO,
            counters: HopCounters::default(),
            settled: SimTime::ZERO,
            no_cell: true,
            blocked_since: None,
            blocked_counted: false,
            frame: FrameDiscard::default(),
            is_reserved: false,
            rated: None,
        }
    }

    /// The permission of link control and window together.
    pub(super) fn permission(&self, now: SimTime) -> Permission {
        match (self.sender.permission(now), self.window.permission(now)) {
            (Permission::Blocked, _) | (_, Permission::Blocked) => Permission::Blocked,
            (Permission::At(a), Permission::At(b)) => Permission::At(a.max(b)),
            (Permission::At(a), Permission::Now) | (Permission::Now, Permission::At(a)) => {
                Permission::At(a)
            }
            (Permission::Now, Permission::Now) => Permission::Now,
        }
    }

    /// The lesser of both credit counts.
    pub(super) fn credit_count(&self, now: SimTime) -> u32 {
        self.sender.credit_count(now).min(self.window.credit_count(now)).0
    }

    /// The counters as they are at `now`: the state since `settled` is added.
    pub(super) fn counted(&self, now: SimTime, fill: u32) -> HopCounters {
        let mut counters = self.counters.clone();
        let span = now.since(self.settled);
        counters.fill_packets = fill;
        counters.blocked_since = self.blocked_since;
        if span == Picos::ZERO {
            return counters;
        }
        counters.fill_area += u128::from(fill) * u128::from(span.0);
        if self.no_cell {
            counters.no_cell += span;
        }
        if self.blocked_since.is_some() {
            counters.no_credit += span;
            counters.no_credit_count += u64::from(!self.blocked_counted);
        }
        counters
    }
}

/// The sending end of a link direction.
#[derive(Debug)]
pub(super) struct Port {
    /// The unit in transmission.
    pub(super) sending: Option<Unit>,
    pub(super) busy_until: SimTime,
    pub(super) control_line: VecDeque<Control>,
    /// The eligible hops by priority.
    pub(super) lists: BTreeMap<u8, VecDeque<HopId>>,
    /// Replaces the lists: the scheduler and the hop of each of its flows.
    pub(super) scheduler: Option<Scheduler>,
    pub(super) flows: Vec<HopId>,
    /// Lanes of the direction: the gates of its sending port, the intakes of its far end.
    pub(super) gates: Option<Box<Gates>>,
    pub(super) intakes: Option<Box<Intakes>>,
    /// By lane, the hop that started last.
    pub(super) last_of_lanes: BTreeMap<u16, HopId>,
    /// Marks packets of the port.
    pub(super) marker: Option<Box<PortMarker>>,
    /// Present where VCs ask for their reservation.
    pub(super) reservations: Option<PortReservations>,
    /// Its rate control.
    pub(super) rates: Option<PortRates>,
    pub(super) blocked: bool,
    /// Whether R is known.
    pub(super) measured: bool,
    pub(super) corrupt_data: Probability,
    pub(super) corrupt_credits: Probability,
    /// Credits still to be corrupted, by VC; `None` represents any.
    pub(super) corrupt_next: BTreeMap<Option<usize>, u32>,
    pub(super) false_credits: FalseCredits,
    /// Credit cells that hops over the reverse direction share.
    pub(super) carriers: Carriers,
    pub(super) stream: RandomStream,
    pub(super) hash: OrderHash,
    pub(super) counters: DirectionCounters,
}

impl Port {
    pub(super) fn new(
        spec: &NetworkSpec,
        id: DirectionId,
        name: &str,
        flows: &[FlowShare],
        rated: &[usize],
        lanes: &LaneNumbers,
        reservations: Option<PortReservations>,
    ) -> Port {
        let direction = spec.direction(id);
        let lengths = direction.count_lengths.then(QueueLengths::default);
        Port {
            sending: None,
            busy_until: SimTime::ZERO,
            control_line: VecDeque::new(),
            lists: BTreeMap::new(),
            scheduler: spec.new_scheduler(id, flows),
            flows: Vec::new(),
            gates: Gates::new(spec, lanes, id),
            intakes: Intakes::new(spec, lanes, id),
            last_of_lanes: BTreeMap::new(),
            marker: PortMarker::new(spec, id),
            reservations,
            rates: PortRates::new(spec, id, rated),
            blocked: false,
            measured: spec.links[id.link()].round_trip != RoundTrip::Measured,
            corrupt_data: direction.corrupt_data,
            corrupt_credits: direction.corrupt_credits,
            corrupt_next: BTreeMap::new(),
            false_credits: FalseCredits::default(),
            carriers: Carriers::default(),
            stream: RandomStream::new(spec.seed, name, "corruption"),
            hash: OrderHash::default(),
            counters: DirectionCounters { lengths, ..DirectionCounters::default() },
        }
    }

    /// Counts a packet that joins the port.
    pub(super) fn queue_up(&mut self, now: SimTime) {
        let counters = &mut self.counters;
        let length = counters.queue_packets;
        if let Some(lengths) = &mut counters.lengths {
            lengths.held(length, now);
            lengths.arrived(length + 1);
        }
        counters.queue_packets = length + 1;
        counters.queue_max_packets = counters.queue_max_packets.max(length + 1);
    }

    /// Counts a packet that leaves the port.
    pub(super) fn queue_down(&mut self, now: SimTime) {
        let counters = &mut self.counters;
        if let Some(lengths) = &mut counters.lengths {
            lengths.held(counters.queue_packets, now);
        }
        counters.queue_packets -= 1;
    }
}

/// The state of one node.
#[derive(Debug)]
pub(super) struct Node {
    /// The directions that leave it, ascending.
    pub(super) ports: Vec<DirectionId>,
    pub(super) counters: NodeCounters,
    pub(super) settled: SimTime,
    /// Present where a host works on what it sends and receives.
    pub(super) processor: Option<Processor<Job>>,
}

impl Node {
    pub(super) fn new(spec: &NetworkSpec, number: usize) -> Node {
        let directions = (0..spec.direction_count()).map(DirectionId);
        let ports = directions.filter(|&id| spec.from_node(id) == number).collect();
        let (counters, settled) = (NodeCounters::default(), SimTime::ZERO);
        Node { ports, counters, settled, processor: spec.nodes[number].work.map(Processor::new) }
    }

    /// The counters as they are at `now`.
    pub(super) fn counted(&self, now: SimTime) -> NodeCounters {
        let mut counters = self.counters.clone();
        let span = u128::from(now.since(self.settled).0);
        counters.buffered_area += u128::from(counters.buffered_packets) * span;
        counters.work = self.processor.as_ref().map(|it| it.read(now)).unwrap_or_default();
        counters
    }
}
