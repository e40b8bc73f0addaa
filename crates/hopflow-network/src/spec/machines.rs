//! External machines that a network uses, see [`hopflow_control::external`]. Experimental.
//!
//! A network names its machines, and how each is made: one for every port or VC that uses it. Name
//! and version identify the behaviour of a machine: they are folded into the digest of a run, and
//! two networks whose machines agree in them are equal. Whoever changes the behaviour of a machine
//! must change its version.

use std::fmt;
use std::sync::Arc;

use hopflow_control::external::{MachineError, guarded};
use hopflow_control::scheduler::{self, ExternalScheduler, FlowShare, Scheduler};
use hopflow_units::Rate;

use super::{DirectionId, NetworkSpec, VcSpec};
use crate::traffic::{External, ExternalSource, Source};

/// The port of an external scheduler, as known when the scheduler is made.
#[derive(Clone, Debug)]
pub struct PortFacts<'n> {
    /// The sending node.
    pub from: &'n str,
    /// The node at the other end.
    pub to: &'n str,
    /// Bits per second.
    pub rate: Rate,
    /// The flows that cross the port, by their numbers.
    pub flows: Vec<FlowFacts<'n>>,
}

/// A flow of a port.
#[derive(Clone, Copy, Debug)]
pub struct FlowFacts<'n> {
    /// The name of its VC.
    pub vc: &'n str,
    /// Whether the flow is the ACKs of the VC on their way back.
    pub is_ack: bool,
    /// Its share, class and sizes.
    pub share: FlowShare,
}

/// Makes the scheduler of a port.
pub type MakeScheduler =
    Arc<dyn Fn(&PortFacts<'_>) -> Result<Box<dyn ExternalScheduler>, MachineError> + Send + Sync>;

/// The VC of an external source, as known when the source is made.
#[derive(Clone, Copy, Debug)]
pub struct SourceFacts<'n> {
    /// The VC.
    pub vc: &'n VcSpec,
    /// The rate of its first link.
    pub rate: Rate,
    /// The scenario's seed, for its own draws.
    pub seed: u64,
}

/// Makes the source of a VC.
pub type MakeSource =
    Arc<dyn Fn(&SourceFacts<'_>) -> Result<Box<dyn ExternalSource>, MachineError> + Send + Sync>;

/// The constructor of an external machine, by role.
#[derive(Clone)]
pub enum Make {
    /// The scheduler of a port.
    Scheduler(MakeScheduler),
    /// The source of a VC.
    Source(MakeSource),
}

impl Make {
    /// The name of the role.
    pub const fn role(&self) -> &'static str {
        match self {
            Make::Scheduler(_) => "scheduler",
            Make::Source(_) => "source",
        }
    }
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
    /// A scheduler; `make` makes one for every port that uses it. See [`Machine::version`].
    pub fn scheduler<S: ExternalScheduler + 'static>(
        name: &str,
        version: u64,
        make: impl Fn(&PortFacts<'_>) -> Result<S, MachineError> + Send + Sync + 'static,
    ) -> Machine {
        let boxed =
            move |port: &PortFacts<'_>| -> Result<Box<dyn ExternalScheduler>, MachineError> {
                Ok(Box::new(make(port)?))
            };
        Machine::new(name, version, Make::Scheduler(Arc::new(boxed)))
    }

    /// A source; `make` makes one for every VC that uses it. See [`Machine::version`].
    pub fn source<S: ExternalSource + 'static>(
        name: &str,
        version: u64,
        make: impl Fn(&SourceFacts<'_>) -> Result<S, MachineError> + Send + Sync + 'static,
    ) -> Machine {
        let boxed = move |vc: &SourceFacts<'_>| -> Result<Box<dyn ExternalSource>, MachineError> {
            Ok(Box::new(make(vc)?))
        };
        Machine::new(name, version, Make::Source(Arc::new(boxed)))
    }

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
        let told = |machine: &Machine| (machine.make.role(), machine.version);
        self.name == other.name && told(self) == told(other)
    }
}

impl Eq for Machine {}

impl NetworkSpec {
    /// The scheduler of the port that sends into `id`, whose flows are these; `None` for plain
    /// round robin. An external machine is made only if the port has flows.
    pub fn new_scheduler(&self, id: DirectionId, flows: &[FlowShare]) -> Option<Scheduler> {
        let direction = self.direction(id);
        let Some(place) = direction.scheduler.external() else {
            let pushes = self.pushes_out(id);
            return Scheduler::new(direction.scheduler.clone(), direction.rate, flows, pushes);
        };
        if flows.is_empty() {
            return None;
        }
        let machine = &self.machines[usize::from(place)];
        let Make::Scheduler(make) = &machine.make else {
            panic!("`{}` is not a scheduler", machine.name);
        };
        let [from, to] = [self.from_node(id), self.to_node(id)];
        let [from, to] = [from, to].map(|node| self.nodes[node].name.as_str());
        let names = self.flow_names(id);
        assert_eq!(names.len(), flows.len(), "flows of a port are listed alike");
        let facts = names.into_iter().zip(flows);
        let flows: Vec<FlowFacts<'_>> =
            facts.map(|((vc, is_ack), share)| FlowFacts { vc, is_ack, share: *share }).collect();
        let count = flows.len();
        let facts = PortFacts { from, to, rate: direction.rate, flows };
        let made = guarded(|| make(&facts));
        let external =
            scheduler::External::made(&machine.name, format!("{from}->{to}"), count, made);
        Some(Scheduler::External(external))
    }

    /// The source of a VC, in its state before its first packet.
    #[inline]
    pub fn new_source(&self, vc: usize) -> Source {
        let flow = &self.vcs[vc];
        if let Some(machine) = flow.source.external() {
            return self.new_external_source(vc, machine);
        }
        Source::new(flow, self.direction(flow.hops[0].direction_id()).wire(), self.seed)
    }

    #[cold]
    fn new_external_source(&self, vc: usize, machine: u16) -> Source {
        let flow = &self.vcs[vc];
        let first = self.direction(flow.hops[0].direction_id());
        let (wire, seed) = (first.wire(), self.seed);
        let machine = &self.machines[usize::from(machine)];
        let Make::Source(make) = &machine.make else {
            panic!("`{}` is not a source", machine.name);
        };
        let facts = SourceFacts { vc: flow, rate: first.rate, seed };
        let made = guarded(|| make(&facts));
        let plan = External::made(&machine.name, &flow.name, flow.begins(), made);
        Source::of_external(flow, wire, seed, plan)
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
