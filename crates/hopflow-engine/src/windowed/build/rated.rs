//! Builds the state of ports, senders and receivers for VCs under rate control from the description
//! of a network.

use hopflow_kernel::{RingReader, RingWriter, ring};
use hopflow_units::Picos;

use crate::embed::rate::{Pacer, PortRates};
use crate::windowed::state::HopId;
use crate::windowed::state::node::NodeParts;
use crate::windowed::state::rated::{PortRate, Rated};
use crate::windowed::state::timers::Timer;
use crate::windowed::state::windows::Windows;
use crate::windowed::wire::NONE;
use hopflow_network::{DirectionId, HopSpec, NetworkSpec};

/// For each node, whether VCs under rate control, or algorithms, are there.
pub(super) fn rated_nodes(spec: &NetworkSpec) -> Vec<bool> {
    let mut rated = vec![false; spec.nodes.len()];
    let vcs = spec.vcs.iter().filter(|vc| vc.rate.is_some());
    for id in vcs.flat_map(|vc| &vc.hops).map(HopSpec::direction_id) {
        rated[spec.from_node(id)] = true;
        rated[spec.to_node(id)] = true;
    }
    for id in (0..spec.direction_count()).map(DirectionId) {
        rated[spec.from_node(id)] |= spec.direction(id).rate_control.is_some();
    }
    rated
}

/// Rings for the contents of RM cells, by link direction.
pub(super) type CarriedRings = Vec<(Option<RingWriter>, Option<RingReader>)>;

/// The rings of the links that VCs under rate control cross; none elsewhere. An RM cell takes two
/// places.
pub(super) fn carried_rings(
    spec: &NetworkSpec,
    windows: &Windows,
    least: &[Picos],
) -> CarriedRings {
    let mut crossed = vec![false; spec.direction_count()];
    for hop in spec.vcs.iter().filter(|vc| vc.rate.is_some()).flat_map(|vc| &vc.hops) {
        crossed[hop.direction_id().0] = true;
        crossed[hop.direction_id().reverse().0] = true;
    }
    let made = |id: DirectionId| {
        let (writer, reader) = ring(2 * windows.units_unread(spec, id, least[id.0]));
        (Some(writer), Some(reader))
    };
    let ids = (0..spec.direction_count()).map(DirectionId);
    ids.map(|id| if crossed[id.0] { made(id) } else { (None, None) }).collect()
}

/// The state of a port for VCs under rate control.
pub(super) fn port_rates(
    spec: &NetworkSpec,
    direction: DirectionId,
    flows: &[usize],
    rings: &mut CarriedRings,
) -> Option<Box<PortRate>> {
    let machine = PortRates::new(spec, direction, flows);
    let (output, input) = (rings[direction.0].0.take(), rings[direction.reverse().0].1.take());
    let (output, input) = match (output, input) {
        (Some(output), Some(input)) => (output, input),
        // An algorithm at a port that no VC under rate control crosses.
        _ if machine.is_some() => (ring(2).0, ring(2).1),
        _ => return None,
    };
    Some(Box::new(PortRate::new(machine, output, input)))
}

/// The state of the sender of a hop of a VC under rate control.
pub(super) fn rated(
    spec: &NetworkSpec,
    flows: &[Vec<usize>],
    HopId { vc, hop }: HopId,
) -> Box<Rated> {
    let direction = spec.vcs[vc].hops[hop].direction_id();
    let has_machine = spec.direction(direction).rate_control.is_some();
    let flow = flows[direction.0].binary_search(&vc).expect("it crosses this link");
    let flow = if has_machine { flow as u32 } else { NONE };
    Box::new(Rated::new(Pacer::new(spec, vc, hop), flow))
}

/// The state of a sender of backward RM cells.
pub(super) fn way_back() -> Box<Rated> {
    Box::new(Rated::new(None, NONE))
}

impl NodeParts {
    /// Sets the first timers of algorithms.
    pub(super) fn set_rate_timers(&mut self) {
        for (index, port) in (0_u32..).zip(&mut self.ports) {
            let machine = port.rates.as_mut().and_then(|rates| rates.machine.as_mut());
            if let Some(at) = machine.and_then(PortRates::arm) {
                self.timers.set(at.0, Timer::Rate(index));
            }
        }
    }

    /// Registers a sender as the next flow of the algorithm of its port, if it is one.
    pub(super) fn join_rates(&mut self, index: u32) {
        let sender = &mut self.senders[index as usize];
        let port = sender.port;
        if let Some(flow) = sender.rated().map(|rated| rated.flow).filter(|flow| *flow != NONE) {
            let senders = &mut self.ports[port as usize].rates_mut().senders;
            assert_eq!(senders.len(), flow as usize, "flows are numbered by VC");
            senders.push(index);
        }
    }
}
