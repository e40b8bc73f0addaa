//! The scheduler of a port, and the senders that it serves.

use hopflow_control::scheduler::Scheduler;

use crate::windowed::wire::NEVER;

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
    pub(crate) const fn new(machine: Scheduler) -> Scheduled {
        Scheduled { machine, senders: Vec::new(), armed_for: NEVER }
    }
}
