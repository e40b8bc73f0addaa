//! A host or a switch with all its state. Its steps within an instant: `step.rs`.

use hopflow_control::credit::ExternalReceiver;
use hopflow_kernel::Bells;

use super::arena::CellArena;
use super::calls::Calls;
use super::completions::Completions;
use super::door::Door;
use super::idle::Idle;
use super::limits::Limits;
use super::memory::Memory;
use super::port::{Control, Port, Sending};
use super::receiver::VcReceiver;
use super::sender::VcSender;
use super::source::VcSource;
use super::timers::Timers;
use super::tracer::Tracer;
use super::work::Processor;
use crate::embed::credit::UnitReceiver;
use crate::embed::falsify::FalseCredits;
use crate::embed::record::Record;
use crate::windowed::wire::arrival::Arrival;
use hopflow_network::Change;

/// A change on the timeline of one of this node's outgoing directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeEvent {
    pub(crate) at: u64,
    pub(crate) port: u32,
    pub(crate) change: Change,
}

/// A host or a switch, with all its state.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) ports: Vec<Port>,
    pub(crate) senders: Vec<VcSender>,
    pub(crate) receivers: Vec<VcReceiver>,
    pub(crate) sources: Vec<VcSource>,
    /// Present where ends are created when first used.
    pub(crate) idle: Option<Idle>,
    pub(crate) arena: CellArena,
    pub(crate) timers: Timers,
    pub(crate) completions: Completions,
    pub(crate) events: Vec<NodeEvent>,
    pub(crate) next_event: usize,
    pub(crate) arrivals: Vec<Arrival>,
    /// Everything before this instant has been run.
    pub(crate) ran_to: u64,
    /// The other ends of links ring the bells of ports with new units.
    pub(crate) inbox: Bells,
    /// Ports whose input may hold unread units, in order.
    pub(crate) open_inputs: Vec<u32>,
    /// Ports that sent something in this window.
    pub(crate) wrote: Vec<u32>,
    pub(crate) touched: Vec<u32>,
    /// Whether cells may pass in one step: only the VC and the port decide.
    pub(crate) lets_pass: bool,
    /// Cells held; a multicast cell counts once.
    pub(crate) buffered: u32,
    pub(crate) buffered_max: u32,
    pub(crate) limits: Limits,
    /// Present where a limit is in bytes.
    pub(crate) memory: Option<Box<Memory>>,
    /// Present where packets are admitted with jitter.
    pub(crate) door: Option<Box<Door>>,
    /// Present where a host works on what it sends and receives.
    pub(crate) processor: Option<Box<Processor>>,
    pub(crate) tracer: Option<Box<Tracer>>,
    /// The record of the last unit that arrived or was created with one.
    pub(crate) passing: Option<Record>,
    /// Present where VCs ask for their reservation.
    pub(crate) calls: Option<Box<Calls>>,
    /// Of receivers under external credit schemes.
    pub(crate) credit_machines: Vec<ExternalReceiver>,
    /// Of receivers whose packets take several units.
    pub(crate) unit_receivers: Vec<UnitReceiver>,
    /// Credits of its ports that events make wrong.
    pub(crate) false_credits: FalseCredits,
}

impl Node {
    /// A node without ports and VCs.
    pub(crate) fn bare(limits: Limits, tracer: Option<Box<Tracer>>) -> Node {
        Node {
            ports: Vec::new(),
            senders: Vec::new(),
            receivers: Vec::new(),
            sources: Vec::new(),
            idle: None,
            arena: CellArena::new(),
            timers: Timers::default(),
            completions: Completions::new(),
            events: Vec::new(),
            next_event: 0,
            arrivals: Vec::new(),
            ran_to: 0,
            inbox: Bells::new(0),
            open_inputs: Vec::new(),
            wrote: Vec::new(),
            touched: Vec::new(),
            lets_pass: false,
            buffered: 0,
            buffered_max: 0,
            limits,
            memory: None,
            door: None,
            processor: None,
            tracer,
            passing: None,
            calls: None,
            credit_machines: Vec::new(),
            unit_receivers: Vec::new(),
            false_credits: FalseCredits::default(),
        }
    }

    /// Prepares the first instant, once the node has its ports and VCs.
    pub(crate) fn finish(&mut self) {
        self.lets_pass = self.may_pass();
        self.touched.reserve_exact(self.ports.len());
        // Looping cells are queued before the first instant.
        for port in 0..self.ports.len() {
            if !self.ports[port].control.is_empty() {
                self.touch(port as u32);
            }
        }
    }

    /// Whether cells may pass in one step: only the VC and the port decide, and no later arrival
    /// precedes them, nor a credit that an external scheme makes due as another cell arrives.
    fn may_pass(&self) -> bool {
        let priority = self.senders.first().map_or(0, |sender| sender.queue.priority);
        let one_priority = match &self.idle {
            None => self.senders.iter().all(|sender| sender.queue.priority == priority),
            Some(idle) => idle.has_one_priority(),
        };
        self.limits.are_none() && one_priority && self.credit_machines.is_empty()
    }

    /// Marks an idle port that may have something to start in phase (d). A busy one is marked
    /// when it becomes idle.
    #[inline]
    pub(crate) fn touch(&mut self, index: u32) {
        let port = &mut self.ports[index as usize];
        if !port.touched && port.sending == Sending::Nothing {
            port.touched = true;
            self.touched.push(index);
        }
    }

    /// Appends a control cell to the control queue of a port.
    pub(crate) fn put_in_line(&mut self, port: u32, control: Control) {
        self.ports[port as usize].control.push_back(control);
        self.touch(port);
    }

    /// Records that a port is about to send a unit in this window.
    #[inline]
    pub(crate) fn will_write(&mut self, port: u32) {
        if self.ports[port as usize].is_announced() {
            self.wrote.push(port);
        }
    }
}
