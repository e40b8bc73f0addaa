//! From the description of a hop of a VC to its two ends.

use hopflow_control::credit::{Grant, Receiver, Sender, WindowSender};
use hopflow_units::Cells;

use super::rated::rated;
use crate::embed;
use crate::windowed::state::HopId;
use crate::windowed::state::directions::Directions;
use crate::windowed::state::receiver::{ReceiverParts, Role};
use crate::windowed::state::sender::{ColdSender, SenderParts};
use crate::windowed::wire::NONE;
use hopflow_network::{CreditSpec, HopControl, NetworkSpec};

fn credit_of(control: HopControl) -> Option<CreditSpec> {
    match control {
        HopControl::None => None,
        HopControl::Credit(credit) => Some(credit),
    }
}

/// The parts of the sender of a hop.
pub(crate) fn sender_parts(
    spec: &NetworkSpec,
    directions: &Directions,
    HopId { vc, hop }: HopId,
    is_branch: bool,
) -> SenderParts {
    let flow = &spec.vcs[vc];
    let this = &flow.hops[hop];
    let credit = credit_of(this.control);
    let counts_exactly = credit.is_some_and(|credit| credit.scheme.facts().counts_exactly());
    let direction = this.direction_id();
    let window = flow.window.filter(|_| hop == 0);
    let give_up_after = flow.multicast.give_up_after.filter(|_| is_branch);
    let request_after = credit.and_then(|credit| credit.request_after);
    let rated = flow.rate.as_ref().map(|_| rated(spec, &directions.rated, HopId { vc, hop }));
    let has_cold =
        give_up_after.is_some() || request_after.is_some() || window.is_some() || rated.is_some();
    let cold = has_cold.then(|| {
        Box::new(ColdSender {
            window: window
                .map_or(Sender::Free, |window| Sender::Window(WindowSender::new(window.cells))),
            request_after: request_after.map(|span| span.0),
            give_up_after: give_up_after.map(|span| span.0),
            rated,
            ..ColdSender::default()
        })
    });
    SenderParts {
        control: embed::credit::sender(spec, vc, hop, &directions.sharing),
        initial: credit.map_or(Cells::ZERO, |credit| credit.initial_credit()),
        is_exact: directions.is_exact[direction.0] && counts_exactly,
        is_ack: false,
        bears_marks: flow.ecn_capable,
        is_branch,
        priority: flow.priority,
        port: directions.out(direction),
        receiver: NONE,
        vc: vc as u32,
        hop: hop as u32,
        cold,
    }
}

/// The parts of the receiver of a hop.
pub(crate) fn receiver_parts(
    spec: &NetworkSpec,
    directions: &Directions,
    HopId { vc, hop }: HopId,
    role: Role,
) -> ReceiverParts {
    let this = &spec.vcs[vc].hops[hop];
    let credit = credit_of(this.control);
    let promised = |credit: CreditSpec| {
        let is_passed_on = credit.scheme.facts().grant.is_passed_on();
        if is_passed_on { 0 } else { credit.buffer().0 }
    };
    ReceiverParts {
        control: credit.map_or_else(uncontrolled, |credit| embed::credit::receiver(&credit)),
        role,
        port: directions.into(this.direction_id()),
        vc: vc as u32,
        hop: hop as u32,
        is_ack: false,
        promised: credit.map_or(u32::MAX, promised),
        redundant_every: credit.and_then(|credit| credit.redundant_every).map(|span| span.0),
    }
}

/// The receiving end of a VC that no credit controls.
pub(super) fn uncontrolled() -> Receiver {
    Receiver::new(Grant::Nothing, Cells::ZERO, Cells::ONE)
}
