//! From the description of a hop of a VC to its two ends.

use hopflow_control::credit::{Grant, Receiver, Sender, WindowSender};
use hopflow_units::Cells;

use super::rated::rated;
use crate::embed;
use crate::windowed::state::HopId;
use crate::windowed::state::circuit::{Circuit, ColdCircuit};
use crate::windowed::state::directions::Directions;
use crate::windowed::state::queue::{BRANCH, Queue};
use crate::windowed::state::receiver::{Role, VcReceiver};
use crate::windowed::state::sender::VcSender;
use hopflow_network::{HopControl, NetworkSpec};

/// The sender of a hop.
pub(crate) fn sender(
    spec: &NetworkSpec,
    directions: &Directions,
    place: HopId,
    is_branch: bool,
) -> VcSender {
    let HopId { vc, hop } = place;
    let flow = &spec.vcs[vc];
    let (control, id) = (flow.hops[hop].control, flow.hops[hop].direction_id());
    let credit = if let HopControl::Credit(credit) = control { Some(credit) } else { None };
    let window = flow.window.filter(|_| hop == 0);
    let give_up_after = flow.multicast.give_up_after.filter(|_| is_branch);
    let request_after = credit.and_then(|credit| credit.request_after);
    let rated = flow.rate.as_ref().map(|_| rated(spec, &directions.rated, place));
    let has_cold =
        give_up_after.is_some() || request_after.is_some() || window.is_some() || rated.is_some();
    let cold = has_cold.then(|| {
        Box::new(ColdCircuit {
            window: window
                .map_or(Sender::Free, |window| Sender::Window(WindowSender::new(window.cells))),
            request_after: request_after.map(|span| span.0),
            give_up_after: give_up_after.map(|span| span.0),
            rated,
            ..ColdCircuit::default()
        })
    });
    let control = embed::credit::sender(spec, vc, hop, &directions.sharers);
    let mut circuit = Circuit::new(place, cold);
    circuit.bears_marks = flow.ecn_capable;
    let mut queue = Queue::new(directions.out(id), flow.priority, control, &circuit);
    queue.held_by |= u8::from(is_branch) * BRANCH;
    if let Some(credit) = credit {
        circuit.initial = credit.initial_credit().0;
        // The link is exact for this direction, and the scheme counts exactly.
        let is_exact = directions.is_exact[id.0] && credit.scheme.facts().counts_exactly();
        circuit.needs_in_flight = queue.control.needs_in_flight() && !is_exact;
    }
    let before = flow.hops[hop].parent;
    let in_units = |hop| !embed::credit::packet_units(spec, vc, hop).are_packets();
    queue.is_noted = circuit.needs_in_flight || before.is_some_and(in_units);
    VcSender { queue, circuit }
}

/// The receiver of a hop.
pub(crate) fn receiver(
    spec: &NetworkSpec,
    directions: &Directions,
    place: HopId,
    role: Role,
) -> VcReceiver {
    let this = &spec.vcs[place.vc].hops[place.hop];
    let port = directions.into(this.direction_id());
    let HopControl::Credit(credit) = this.control else {
        return VcReceiver::new(place, port, uncontrolled(), role);
    };
    let units = embed::credit::packet_units(spec, place.vc, place.hop);
    let mut control = embed::credit::receiver(&credit);
    let is_passed_on = credit.scheme.facts().grant.is_passed_on();
    if !units.are_packets() && !is_passed_on {
        control = control.in_packets();
    }
    let mut receiver = VcReceiver::new(place, port, control, role);
    let is_counted_here = !is_passed_on && !control.is_in_packets();
    receiver.promised = if is_counted_here { credit.buffer().0 } else { 0 };
    if let Some(span) = credit.redundant_every {
        receiver.cold_mut().redundant_every = Some(span.0);
    }
    receiver
}

/// The receiving end of a VC that no credit controls.
pub(super) fn uncontrolled() -> Receiver {
    Receiver::new(Grant::Nothing, Cells::ZERO, Cells::ONE)
}
