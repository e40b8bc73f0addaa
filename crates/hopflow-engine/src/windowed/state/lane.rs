//! The lanes of a port: gates of the outgoing direction, intakes of the incoming one.

use hopflow_control::external::Fault;

use crate::embed::lane::{Gates, Intakes};
use hopflow_network::{DirectionId, LANES, NetworkSpec};

/// A receiver's lane, when it has none.
pub(crate) const NO_LANE: u8 = u8::MAX;

/// The lanes of a port: of its outgoing direction, and of the incoming one.
#[derive(Debug)]
pub(crate) struct PortLanes {
    pub(crate) gates: Option<Box<Gates>>,
    pub(crate) intakes: Option<Box<Intakes>>,
    /// By lane, the senders that its gate shuts, in order.
    pub(crate) senders: [Vec<u32>; LANES],
}

impl PortLanes {
    /// The lanes of the port that sends into `direction`, if there are any.
    pub(crate) fn new(spec: &NetworkSpec, direction: DirectionId) -> Option<Box<PortLanes>> {
        let gates = Gates::new(spec, direction);
        let intakes = Intakes::new(spec, direction.reverse());
        let has_any = gates.is_some() || intakes.is_some();
        has_any.then(|| Box::new(PortLanes { gates, intakes, senders: Default::default() }))
    }

    /// Why external machines are no longer called.
    pub(crate) fn faults(&self) -> impl Iterator<Item = &Fault> {
        let gates = self.gates.iter().flat_map(|gates| gates.faults());
        gates.chain(self.intakes.iter().flat_map(|intakes| intakes.faults()))
    }
}

/// The index of the timers of a lane: eight times its port, plus the lane.
pub(crate) const fn lane_index(port: u32, lane: u8) -> u32 {
    port * LANES as u32 + lane as u32
}
