//! External machines that a network uses, see [`hopflow_control::external`]. Experimental.
//!
//! A network names its machines, and how each is made: one for every port or VC that uses it. Name
//! and version identify the behaviour of a machine: they are folded into the digest of a run, and
//! two networks whose machines agree in them are equal. Whoever changes the behaviour of a machine
//! must change its version.

mod facts;
mod roles;

use std::fmt;
use std::sync::Arc;

pub use facts::{
    ConnectionFacts, CreditFacts, FlowFacts, LaneFacts, MarkerFacts, PortFacts, RateRuleFacts,
    RatedFlow, SourceFacts,
};
use hopflow_control::credit::{CreditScheme, End, ExternalCredit};
use hopflow_control::external::{Held, MachineError, guarded};
use hopflow_control::lane::{
    ExternalLane, ExternalReceiver, ExternalSender, LaneReceiver, LaneSender, Promise,
};
use hopflow_control::marking::{self, ExternalMarker, Marker, MarkingRule};
use hopflow_control::rate::{self, ExternalRateRule, ExternalSpec, RateControl, RateRule};
use hopflow_control::scheduler::{self, ExternalScheduler, FlowShare, Scheduler, SchedulerSpec};
use hopflow_units::{Bytes, CellRate, Picos, SimTime};
use roles::roles;

use super::{
    ConnectionSpec, CreditSpec, DirectionId, HopControl, Lane, NetworkSpec, ProtocolSpec, VcSpec,
};
use crate::SourceSpec;
use crate::traffic::{External, ExternalSource, Source};
use crate::transport::Endpoint;
use crate::transport::tcp::{ExternalCongestion, TcpVariant};

roles! {
    /// The scheduler of a port.
    Scheduler, "scheduler": PortFacts =>
    ExternalScheduler, MakeScheduler, scheduler, hold_scheduler;
    /// The marker of a port.
    Marker, "marker": MarkerFacts =>
    ExternalMarker, MakeMarker, marker, hold_marker;
    /// The rate rule of a port.
    RateRule, "rate rule": RateRuleFacts =>
    ExternalRateRule, MakeRateRule, rate_rule, hold_rate_rule;
    /// The source of a VC.
    Source, "source": SourceFacts =>
    ExternalSource, MakeSource, source, hold_source;
    /// The congestion control of a TCP connection.
    Congestion, "congestion control": ConnectionFacts =>
    ExternalCongestion, MakeCongestion, congestion, hold_congestion;
    /// Both ends of a hop under credit, one machine each.
    Credit, "credit scheme": CreditFacts =>
    ExternalCredit, MakeCredit, credit, hold_credit;
    /// Both ends of a lane of a link direction, one machine each.
    LaneRule, "lane rule": LaneFacts =>
    ExternalLane, MakeLaneRule, lane_rule, hold_lane_rule;
}

/// An algorithm from outside hopflow.
#[derive(Clone)]
pub struct Machine {
    /// Its name in scenarios; unique within its role.
    pub name: String,
    /// Changes with the behaviour.
    pub version: u64,
    /// A digest of its source, which the keys of stored runs cover; empty if not requested. The
    /// simulation does not depend on it.
    pub source: String,
    /// Its constructor.
    pub make: Make,
}

impl Machine {
    fn new(name: &str, version: u64, make: Make) -> Machine {
        Machine { name: name.to_owned(), version, source: String::new(), make }
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} version {}", self.make.role(), self.name, self.version)
    }
}

impl PartialEq for Machine {
    fn eq(&self, other: &Machine) -> bool {
        let identity = |machine: &Machine| (machine.make.role(), machine.version);
        self.name == other.name && identity(self) == identity(other)
    }
}

impl Eq for Machine {}

impl NetworkSpec {
    /// Gives every use of a machine another index: `new` of the one that it has.
    pub fn renumber_machines(&mut self, mut new: impl FnMut(u16) -> u16) {
        for direction in self.links.iter_mut().flat_map(|link| &mut link.directions) {
            if let Some(place) = direction.scheduler.external() {
                direction.scheduler = SchedulerSpec::External(new(place));
            }
            if let Some(marking) = &mut direction.marking
                && let Some(place) = marking.rule.external()
            {
                marking.rule = MarkingRule::External(new(place));
            }
            if let Some(lanes) = &mut direction.lanes {
                lanes.rule.set_external(&mut new);
            }
            let rule = direction.rate_control.as_mut().and_then(|rate| rate.rule.as_mut());
            if let Some(rule) = rule
                && let Some(place) = rule.external()
            {
                *rule = RateRule::External(ExternalSpec { place: new(place) });
            }
        }
        for vc in &mut self.vcs {
            for hop in 0..vc.hops.len() {
                if let HopControl::Credit(mut credit) = vc.hops[hop].control
                    && let Some(place) = credit.scheme.external()
                {
                    credit.scheme = CreditScheme::External(new(place));
                    vc.hops[hop].control = HopControl::Credit(credit);
                }
            }
            if let Some(place) = vc.source.external() {
                vc.source = SourceSpec::External { machine: new(place) }.into();
            }
        }
        for connection in &mut *self.connections {
            if let ProtocolSpec::Tcp(tcp) = &mut connection.protocol
                && let Some(place) = tcp.variant.external()
            {
                tcp.variant = TcpVariant::External(new(place));
            }
        }
    }

    /// The scheduler of the port that sends into `id`, whose flows are these; `None` for plain
    /// round robin. An external machine is made only if the port has flows.
    pub fn new_scheduler(&self, id: DirectionId, flows: &[FlowShare]) -> Option<Scheduler> {
        let direction = self.direction(id);
        let Some(place) = direction.scheduler.external() else {
            let pushes = self.pushes_out(id);
            return Scheduler::new(direction.scheduler.clone(), direction.wire(), flows, pushes);
        };
        if flows.is_empty() {
            return None;
        }
        let [from, to] = self.ends_of(id);
        let names = self.flow_names(id);
        assert_eq!(names.len(), flows.len(), "flows of a port are listed alike");
        let facts = names.into_iter().zip(flows);
        let flows: Vec<FlowFacts<'_>> =
            facts.map(|((vc, is_ack), share)| FlowFacts { vc, is_ack, share: *share }).collect();
        let count = flows.len();
        let facts = PortFacts { from, to, rate: direction.rate, flows };
        let machine = self.hold_scheduler(place, format!("{from}->{to}"), SimTime::ZERO, &facts);
        Some(Scheduler::External(scheduler::External::made(machine, count)))
    }

    /// The marker of the port that sends into `id`, if it has one.
    pub fn new_marker(&self, id: DirectionId) -> Option<Marker> {
        let direction = self.direction(id);
        let marking = direction.marking?;
        let Some(place) = marking.rule.external() else { return Some(Marker::new(marking.rule)) };
        let [from, to] = self.ends_of(id);
        let (rate, moment, seed) = (direction.rate, marking.moment, self.seed);
        let facts = MarkerFacts { from, to, rate, moment, seed };
        let machine = self.hold_marker(place, format!("{from}->{to}"), SimTime::ZERO, &facts);
        Some(Marker::External(marking::External::made(machine)))
    }

    /// The rate rule of the port that sends into `id`, if it has one, for these VCs: its flows.
    /// An external machine is made only if there are flows.
    pub fn new_rate_control(&self, id: DirectionId, vcs: &[usize]) -> Option<RateControl> {
        let rule = self.direction(id).rate_control?.rule?;
        let link = CellRate::from_rate(self.direction(id).rate);
        let flow = |vc: &usize| {
            let vc = &self.vcs[*vc];
            let mcr = vc.rate.as_ref().map_or(CellRate::ZERO, |abr| abr.mcr);
            RatedFlow { vc: &vc.name, mcr, weight: vc.weight }
        };
        let flows: Vec<RatedFlow<'_>> = vcs.iter().map(flow).collect();
        let Some(place) = rule.external() else {
            let mut control = RateControl::new(&rule, link, flows.len() as u32);
            for (index, flow) in (0..).zip(flows) {
                control.set_flow(index, flow.mcr, f64::from(flow.weight));
            }
            return Some(control);
        };
        if flows.is_empty() {
            return None;
        }
        let [from, to] = self.ends_of(id);
        let facts = RateRuleFacts { from, to, link, flows, seed: self.seed };
        let machine = self.hold_rate_rule(place, format!("{from}->{to}"), SimTime::ZERO, &facts);
        Some(RateControl::External(rate::External::made(machine)))
    }

    /// The machine at an end of a hop of a VC, if its credit scheme is external.
    #[inline]
    pub fn new_credit(&self, vc: usize, hop: usize, end: End) -> Option<Held<dyn ExternalCredit>> {
        let HopControl::Credit(credit) = self.vcs[vc].hops[hop].control else { return None };
        let (VcSpec { name: vc, hops, .. }, place) = (&self.vcs[vc], credit.scheme.external()?);
        let id = hops[hop].direction_id();
        let ([from, to], rate) = (self.ends_of(id), self.direction(id).rate);
        let (round_trip, seed) = (self.round_trip(id.link()), self.seed);
        let CreditSpec { n2, n3, .. } = credit;
        let facts = CreditFacts { vc, from, to, end, rate, round_trip, n2, n3, seed };
        let name = format!("{vc}, {} of {from}->{to}", end.name());
        Some(self.hold_credit(place, name, SimTime::ZERO, &facts))
    }

    /// The sending end of a lane of a link direction, by its number.
    pub fn new_lane_sender(
        &self,
        id: DirectionId,
        (number, lane): (u16, &Lane),
    ) -> Option<LaneSender> {
        let rule = self.direction(id).lanes?.rule;
        let ends = (number, lane.largest);
        let machine = self.lane_machine(id, ends, End::Sender).map(|(machine, promise)| {
            LaneSender::External(ExternalSender::made(machine, promise, lane.largest))
        });
        let rate = self.direction(id).rate;
        Some(machine.unwrap_or_else(|| LaneSender::new(rule, rate, || lane.largest)))
    }

    /// The receiving end of a lane of a link direction, by its number.
    pub fn new_lane_receiver(
        &self,
        id: DirectionId,
        (number, lane): (u16, &Lane),
    ) -> Option<LaneReceiver> {
        let rule = self.direction(id).lanes?.rule;
        let ends = (number, lane.largest);
        let machine = self.lane_machine(id, ends, End::Receiver).map(|(machine, promise)| {
            LaneReceiver::External(ExternalReceiver::made(machine, promise))
        });
        Some(machine.unwrap_or_else(|| LaneReceiver::new(rule, self.direction(id).rate)))
    }

    /// The machine at an end of a lane, and the buffer that it has, if its rule is external.
    fn lane_machine(
        &self,
        id: DirectionId,
        (lane, largest): (u16, Bytes),
        end: End,
    ) -> Option<(Held<dyn ExternalLane>, Promise)> {
        let rule = self.direction(id).lanes?.rule;
        let (place, promise) = (rule.external()?, rule.promise()?);
        let ([from, to], rate) = (self.ends_of(id), self.direction(id).rate);
        let (round_trip, seed) = (self.round_trip(id.link()), self.seed);
        let Promise { block, buffer, .. } = promise;
        let facts =
            LaneFacts { from, to, lane, end, rate, round_trip, block, buffer, largest, seed };
        let name = format!("lane {lane}, {} of {from}->{to}", end.name());
        Some((self.hold_lane_rule(place, name, SimTime::ZERO, &facts), promise))
    }

    /// Both endpoints of a connection, in their state before its start.
    pub fn new_endpoints(&self, connection: &ConnectionSpec) -> [Endpoint; 2] {
        let vc = &self.vcs[connection.forward];
        let mut ends = Endpoint::pair(connection, vc, self.seed);
        if let (ProtocolSpec::Tcp(tcp), Endpoint::TcpSender(sender)) =
            (&connection.protocol, &mut ends[0])
            && let Some(place) = tcp.variant.external()
        {
            let name = &connection.name;
            let facts = ConnectionFacts { name, tcp, seed: self.seed };
            sender.install(self.hold_congestion(place, name.clone(), vc.start, &facts));
        }
        ends
    }

    /// The source of a VC, in its state before its first packet.
    #[inline]
    pub fn new_source(&self, vc: usize) -> Source {
        let flow = &self.vcs[vc];
        if let Some(machine) = flow.source.external() {
            return self.new_external_source(flow, machine);
        }
        Source::new(flow, self.direction(flow.hops[0].direction_id()).wire(), self.seed)
    }

    /// The source of a VC that begins at `begins`, when its reservation is admitted.
    pub fn new_source_from(&self, vc: usize, begins: SimTime) -> Source {
        let flow = &self.vcs[vc];
        let admitted = VcSpec { start: begins, phase: Picos::ZERO, ..flow.clone() };
        if let Some(machine) = flow.source.external() {
            return self.new_external_source(&admitted, machine);
        }
        Source::new(&admitted, self.direction(flow.hops[0].direction_id()).wire(), self.seed)
    }

    /// The source of a VC that has not been admitted: no packet is ever due.
    pub fn silent_source(&self, vc: usize) -> Source {
        let flow = &self.vcs[vc];
        Source::silent(flow, self.direction(flow.hops[0].direction_id()).wire(), self.seed)
    }

    #[cold]
    fn new_external_source(&self, flow: &VcSpec, machine: u16) -> Source {
        let first = self.direction(flow.hops[0].direction_id());
        let (wire, seed) = (first.wire(), self.seed);
        let facts = SourceFacts { vc: flow, rate: first.rate, seed };
        let machine = self.hold_source(machine, flow.name.clone(), flow.begins(), &facts);
        Source::of_external(flow, wire, seed, External::made(machine, flow.begins()))
    }

    /// The names of the nodes at the two ends of a link direction, the sender first.
    fn ends_of(&self, id: DirectionId) -> [&str; 2] {
        [self.from_node(id), self.to_node(id)].map(|node| self.nodes[node].name.as_str())
    }

    /// The VC of each flow of a port, and whether the flow is its ACKs, in the order of
    /// [`crate::port_flows`].
    fn flow_names(&self, id: DirectionId) -> Vec<(&str, bool)> {
        let mut names = Vec::new();
        for vc in &self.vcs {
            let crossed = |hop: &&super::HopSpec| hop.direction_id() == id;
            names.extend(vc.hops.iter().filter(crossed).map(|_| (vc.name.as_str(), false)));
            if vc.has_way_back() {
                let back = |hop: &&super::HopSpec| hop.direction_id().reverse() == id;
                names.extend(vc.hops.iter().filter(back).map(|_| (vc.name.as_str(), true)));
            }
        }
        names
    }
}
