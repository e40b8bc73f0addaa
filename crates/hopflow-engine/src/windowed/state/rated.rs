//! State of ports, senders and receivers for VCs under rate control.

use hopflow_control::rate::AbrDestination;
use hopflow_units::SimTime;

use crate::embed::rate::{Pacer, PortRates};
use crate::windowed::wire::NONE;
use hopflow_network::{DirectionId, NetworkSpec};

/// The algorithm of a port, and its flows.
#[derive(Debug)]
pub(crate) struct PortRate {
    pub(crate) machine: PortRates,
    /// The sender of each flow.
    pub(crate) senders: Vec<u32>,
}

impl PortRate {
    /// The algorithm of the port that sends into `id`, if it has one, for these flows.
    pub(crate) fn new(
        spec: &NetworkSpec,
        id: DirectionId,
        flows: &[usize],
    ) -> Option<Box<PortRate>> {
        let machine = PortRates::new(spec, id, flows)?;
        Some(Box::new(PortRate { machine, senders: Vec::new() }))
    }
}

/// The end of a VC's loops at a receiver: its final host, or a virtual destination.
#[derive(Debug)]
pub(crate) struct LoopEnd {
    pub(crate) machine: AbrDestination,
    /// The sender of backward RM cells at this node.
    pub(crate) back: u32,
    pub(crate) turned_around: u64,
}

/// The state of a sender of a VC under rate control (of either direction).
#[derive(Debug)]
pub(crate) struct AbrState {
    pub(crate) pacer: Option<Pacer>,
    /// Its number at the algorithm of its port; `NONE` without one.
    pub(crate) flow: u32,
    pub(crate) forward_made: u64,
    pub(crate) backward_taken: u64,
    /// Backward RM cells that its port created, and the sender, at this node, that takes them back.
    pub(crate) backward_made: u64,
    pub(crate) back: u32,
    /// The instant for which its timer was last set.
    pub(crate) armed_for: Option<SimTime>,
}

impl AbrState {
    pub(crate) const fn new(pacer: Option<Pacer>, flow: u32) -> AbrState {
        AbrState {
            pacer,
            flow,
            forward_made: 0,
            backward_taken: 0,
            backward_made: 0,
            back: NONE,
            armed_for: None,
        }
    }
}
