//! Builds the state of senders for VCs under rate control from the description of a network.

use crate::embed::rate::Pacer;
use crate::windowed::state::HopId;
use crate::windowed::state::node::Node;
use crate::windowed::state::rated::AbrState;
use crate::windowed::state::sender::VcSender;
use crate::windowed::state::timers::Timer;
use crate::windowed::wire::NONE;
use hopflow_network::NetworkSpec;

/// The state of the sender of a hop of a VC under rate control.
pub(super) fn rated(
    spec: &NetworkSpec,
    flows: &[Vec<usize>],
    HopId { vc, hop }: HopId,
) -> Box<AbrState> {
    let direction = spec.vcs[vc].hops[hop].direction_id();
    let has_machine = spec.direction(direction).rate_control.is_some();
    let flow = flows[direction.0].binary_search(&vc).expect("it crosses this link");
    let flow = if has_machine { flow as u32 } else { NONE };
    Box::new(AbrState::new(Pacer::new(spec, vc, hop), flow))
}

/// The state of a sender of backward RM cells.
pub(super) fn way_back() -> Box<AbrState> {
    Box::new(AbrState::new(None, NONE))
}

impl Node {
    /// Sets the first timers of algorithms.
    pub(super) fn set_rate_timers(&mut self) {
        for (index, port) in (0_u32..).zip(&mut self.ports) {
            if let Some(at) = port.rates.as_mut().and_then(|rates| rates.machine.arm()) {
                self.timers.set(at.0, Timer::Rate(index));
            }
        }
    }

    /// Registers a sender as the next flow of the algorithm of its port, if it is one.
    pub(super) fn join_rates(&mut self, index: u32) {
        let VcSender { queue, circuit } = &mut self.senders[index as usize];
        let port = queue.port;
        if let Some(flow) = circuit.rated().map(|rated| rated.flow).filter(|flow| *flow != NONE) {
            let senders = &mut self.ports[port as usize].rates_mut().senders;
            assert_eq!(senders.len(), flow as usize, "flows are numbered by VC");
            senders.push(index);
        }
    }
}
