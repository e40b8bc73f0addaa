//! From the description of a credit scheme to its two ends.

use hopflow_control::credit::{
    AdaptiveSender, AdditiveSender, CreditPool, CupSender, Grant, N23ContinuousSender, N23Sender,
    N123PlusSender, N123Sender, Sender,
};
use hopflow_units::Cells;

use crate::{CreditScheme, CreditSpec, DirectionId, NetworkSpec};

/// The sending end of a scheme. `sharing`: how many VCs share the pool of the direction.
pub(super) fn credit_sender(
    spec: &NetworkSpec,
    credit: &CreditSpec,
    direction: DirectionId,
    sharing: u32,
) -> Sender {
    let initial = credit.initial_credit();
    let round_trip = spec.round_trip(direction.link());
    match credit.scheme {
        CreditScheme::N23 => Sender::N23(N23Sender::new(initial)),
        CreditScheme::N23Continuous => {
            Sender::N23Continuous(Box::new(N23ContinuousSender::new(initial, round_trip)))
        }
        CreditScheme::N123 { .. } => Sender::N123(N123Sender::new(initial)),
        CreditScheme::N123Plus { n1 } => {
            Sender::N123Plus(Box::new(N123PlusSender::new(initial, n1, round_trip)))
        }
        CreditScheme::Cup => Sender::Cup(CupSender::new(initial)),
        CreditScheme::Additive => Sender::Additive(AdditiveSender::new(initial)),
        CreditScheme::Adaptive => {
            let memory = spec.direction(direction).pool.map_or(Cells::ZERO, |pool| pool.memory);
            let first = CreditPool::first_allocation(memory, sharing);
            Sender::Adaptive(AdaptiveSender::new(first))
        }
    }
}

/// What the receivers of a scheme grant.
pub(super) fn grant_of(credit: &CreditSpec) -> Grant {
    match credit.scheme {
        CreditScheme::N23
        | CreditScheme::N23Continuous
        | CreditScheme::N123 { .. }
        | CreditScheme::N123Plus { .. } => Grant::FreeRoom { capacity: credit.initial_credit() },
        CreditScheme::Cup => Grant::FreedTotal,
        CreditScheme::Additive => Grant::FreedSince,
        CreditScheme::Adaptive => Grant::Shared,
    }
}
