//! The scheduler of a port, and the senders that it serves.

use hopflow_control::scheduler::{FlowShare, Scheduler};

use crate::windowed::wire::NEVER;
use hopflow_network::{DirectionId, NetworkSpec};

/// The scheduler of a port.
#[derive(Debug)]
pub(crate) struct Scheduled {
    pub(crate) machine: Scheduler,
    /// The sender of each flow.
    pub(crate) senders: Vec<u32>,
    /// The instant for which the port's timer was last set.
    pub(crate) armed_for: u64,
}

impl Scheduled {
    /// The scheduler of the port that sends into `id`, if it needs one, for these flows. The list
    /// of the port serves a single flow as well, in order; but a scheduler also selects packets
    /// that are pushed out.
    pub(crate) fn new(
        spec: &NetworkSpec,
        id: DirectionId,
        flows: &[FlowShare],
    ) -> Option<Box<Scheduled>> {
        let is_in_order = spec.direction(id).scheduler.facts().in_order.holds(flows.len() as u32);
        if flows.len() <= 1 && is_in_order && !spec.pushes_out(id) {
            return None;
        }
        let machine = spec.new_scheduler(id, flows)?;
        Some(Box::new(Scheduled { machine, senders: Vec::new(), armed_for: NEVER }))
    }
}
