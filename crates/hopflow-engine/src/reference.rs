//! The reference engine: one global heap, one boxed event per arrival, completion, timer and source
//! cell. Slow and simple, from `docs/models/order.md` line by line: the windowed engine's oracle.
//!
//! All events of one instant are taken together and sorted by node; each node then runs its phases
//! (0) and (a) to (d). An event only says *that* something may be due; the state at that instant
//! decides what is due, so an event that has become stale does nothing.
//!
//! | file               | contents                                               |
//! |--------------------|--------------------------------------------------------|
//! | `first.rs`         | what an engine begins with                             |
//! | `phases.rs`        | phases (0), (a), (c)                                   |
//! | `arrivals.rs`      | phase (b)                                              |
//! | `starts.rs`        | phase (d)                                              |
//! | `agenda.rs`        | the events of an instant, by node and phase            |
//! | `tally.rs`         | end of an instant, counters, conservation              |
//! | `door.rs`          | packets that wait at an input before they are admitted |
//! | `work.rs`          | what the processors of hosts have done                 |
//! | `deliver.rs`       | units at their final hosts                             |
//! | `endpoint.rs`      | whole packets, endpoints of connections                |
//! | `made.rs`          | packets that sources create                            |
//! | `rm.rs`            | RM cells that arrive                                   |
//! | `call.rs`          | VCs that ask for their reservation                     |
//! | `join.rs`          | packets join queues                                    |
//! | `lane.rs`          | lanes: pause frames, credits of lanes, watchdogs       |
//! | `push_out.rs`      | packets that are pushed out of queues                  |
//! | `free.rs`          | packets that are freed or lost                         |
//! | `send.rs`          | a unit is put on the link                              |
//! | `scheduled.rs`     | schedulers, messages to slow down                      |
//! | `rate.rs`          | rate control: paced hops, algorithms at ports          |
//! | `eligible.rs`      | hops that may start                                    |
//! | `credit.rs`        | credits, shared buffers of adaptive credit             |
//! | `intake.rs`        | the buffers behind lanes                               |
//! | `room.rs`          | limits: whether there is room                          |
//! | `wake.rs`          | sources that may go on                                 |
//! | `mark.rs`          | markers                                                |
//! | `timers.rs`        | timers of sending ends                                 |
//! | `settle.rs`        | integrals up to a change                               |
//! | `held.rs`          | what is held, and what waits                           |
//! | `processor.rs`     | what waits for the processors of hosts                 |
//! | `rows.rs`          | rows of the trace                                      |
//! | `find.rs`          | the state of what has a number                         |
//!
//! A file calls methods of files further down in this list, and of none further up: what has to
//! follow there is returned. `xtask/src/circles.rs` checks that none call each other in a circle.
//! Types of the state call no methods of the engine:
//!
//! | file               | types                                                  |
//! |--------------------|--------------------------------------------------------|
//! | `state.rs`         | VCs, hops, ports, nodes                                |
//! | `path.rs`          | a VC at the beginning: its stations and hops           |
//! | `station.rs`       | stations, where cells wait                             |
//! | `packets.rs`       | whole packets of a VC                                  |
//! | `rated.rs`         | hops of VCs under rate control                         |
//! | `carrier.rs`       | credit cells that hops share                           |
//! | `started.rs`       | what a hop has started                                 |
//! | `job.rs`           | jobs of processors                                     |
//! | `unit.rs`          | units on links and cells at nodes                      |

mod agenda;
mod arrivals;
mod call;
mod carrier;
mod credit;
mod deliver;
mod door;
mod eligible;
mod endpoint;
mod find;
mod first;
mod free;
mod held;
mod intake;
mod job;
mod join;
mod lane;
mod made;
mod mark;
mod packets;
mod path;
mod phases;
mod processor;
mod push_out;
mod rate;
mod rated;
mod rm;
mod room;
mod rows;
mod scheduled;
mod send;
mod settle;
mod started;
mod starts;
mod state;
mod station;
mod tally;
mod timers;
mod unit;
mod wake;
mod work;

use std::collections::BTreeSet;

use hopflow_control::external::Fault;
use hopflow_control::scheduler::Scheduler;
use hopflow_kernel::EventHeap;
use hopflow_units::SimTime;

use crate::embed::lane::LaneTimer;
use crate::embed::rate::PortRates;
use hopflow_network::port_flows;
use hopflow_network::{
    DirectionId, Engine, LaneNumbers, NetworkSpec, RowRuns, RunCounters, TraceFilter, TraceRow,
};

use credit::SharedBuffer;
use door::Doors;
use state::{Hop, Node, Port, Vc};
use unit::{HopId, OnWire};

/// The reference engine.
#[derive(Debug)]
pub struct ReferenceEngine {
    spec: NetworkSpec,
    filter: TraceFilter,
    events: EventHeap<Event>,
    /// The present instant.
    now: SimTime,
    /// Everything before this instant has happened.
    end: SimTime,
    vcs: Vec<Vc>,
    /// Indexed by [`DirectionId`].
    ports: Vec<Port>,
    nodes: Vec<Node>,
    /// Indexed by [`DirectionId`].
    shared_buffers: Vec<Option<SharedBuffer>>,
    doors: Doors,
    /// For each node, whether bytes of its memory are counted.
    counts_bytes: Vec<bool>,
    /// Hops touched by an event in the present instant.
    touched: BTreeSet<HopId>,
    /// VCs whose endpoints may have something to send in the present instant.
    woken: BTreeSet<usize>,
    /// VCs whose reservation is admitted in the present instant.
    begun: BTreeSet<usize>,
    rows: Vec<TraceRow>,
}

/// An event: something may be due at an instant.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A looping cell joins the control line.
    Measure(DirectionId),
    /// The scenario's event with this number.
    Change(usize),
    Completion(DirectionId),
    Arrival(DirectionId, OnWire),
    /// A packet that has waited at its input is admitted.
    Admission(DirectionId, u64, OnWire),
    Timer(Timer),
    /// A timer of a lane of the port that sends into this direction.
    Lane(DirectionId, u16, LaneTimer),
    /// The measuring interval of the shared buffer at the end of this direction ends.
    Allot(DirectionId),
    /// The rate control of a port may have to act.
    Rates(DirectionId),
    /// A cell of this VC, or a greedy VC is switched on or off.
    Source(usize),
    /// The first job of the processor of a node ends.
    Work(usize),
    /// The endpoint that sends on this VC may have to act.
    Endpoint(usize),
    /// The scheduler of a port is polled again.
    Ask(DirectionId),
}

/// The timers of one instant run in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Timer {
    owner: Owner,
    id: HopId,
    kind: TimerKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Receiver,
    Sender,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TimerKind {
    Redundant,
    Eligible,
    Request,
    GiveUp,
    Pace,
}

impl ReferenceEngine {
    /// An engine at instant 0, before any event, that creates the rows that `filter` selects.
    /// Panics on a network that is not valid, see [`NetworkSpec::assert_valid`].
    pub fn new(spec: &NetworkSpec, filter: TraceFilter) -> ReferenceEngine {
        spec.assert_valid();
        let directions = (0..spec.direction_count()).map(DirectionId).zip(spec.direction_names());
        let (flows, rated) = (port_flows(spec), spec.rate_flows());
        let lanes = LaneNumbers::new(spec);
        let mut reservations = spec.port_reservations();
        let port = |(id, name): (DirectionId, String)| {
            let reservations = reservations[id.0].take();
            Port::new(spec, id, &name, &flows[id.0], &rated[id.0], &lanes, reservations)
        };
        let (sharers, members) = (spec.sharers(), spec.sharing_hops());
        let ids = 0..spec.direction_count();
        let mut engine = ReferenceEngine {
            spec: spec.clone(),
            filter,
            events: EventHeap::default(),
            now: SimTime::ZERO,
            end: SimTime::ZERO,
            vcs: (0..spec.vcs.len()).map(|vc| Vc::new(spec, vc, &sharers, &lanes)).collect(),
            ports: directions.map(port).collect(),
            nodes: (0..spec.nodes.len()).map(|node| Node::new(spec, node)).collect(),
            shared_buffers: ids
                .map(|id| SharedBuffer::new(spec, DirectionId(id), &members[id]))
                .collect(),
            doors: Doors::new(spec),
            counts_bytes: spec.counts_bytes(),
            touched: BTreeSet::new(),
            woken: BTreeSet::new(),
            begun: BTreeSet::new(),
            rows: Vec::new(),
        };
        engine.number_flows();
        engine.schedule_first();
        engine.schedule_lanes();
        engine
    }
}

impl Engine for ReferenceEngine {
    fn run_until(&mut self, end: SimTime) {
        assert!(end >= self.end, "the end of a run never goes back");
        while self.events.next_time().is_some_and(|time| time < end) {
            let Some((now, events)) = self.events.pop_instant() else { break };
            self.now = now;
            for (node, agenda) in self.agendas(events) {
                self.run_node(node, &agenda);
            }
        }
        self.end = end;
    }

    fn collect_trace(&mut self, runs: &mut RowRuns) {
        runs.push(&mut self.rows);
    }

    fn restart_statistics(&mut self) {
        self.restart();
    }

    fn fault(&self) -> Option<Fault> {
        let faults = self.ports.iter().flat_map(|port| {
            let scheduler = port.scheduler.as_ref().and_then(Scheduler::fault);
            let marker = port.marker.as_ref().and_then(|marker| marker.fault());
            let rule = port.rates.as_ref().and_then(PortRates::fault);
            let gates = port.gates.iter().flat_map(|gates| gates.faults());
            let intakes = port.intakes.iter().flat_map(|intakes| intakes.faults());
            [scheduler, marker, rule].into_iter().flatten().chain(gates).chain(intakes)
        });
        let faults = faults.chain(self.vcs.iter().filter_map(|vc| vc.source.fault()));
        let packets = self.vcs.iter().filter_map(|vc| vc.packets.as_ref());
        let faults = faults.chain(packets.filter_map(|packets| packets.fault()));
        let hops = self.vcs.iter().flat_map(|vc| &vc.forward.hops);
        Fault::first_of(faults.chain(hops.flat_map(Hop::faults)))
    }

    fn counters(&self) -> RunCounters {
        self.assert_conservation();
        self.counted()
    }
}
