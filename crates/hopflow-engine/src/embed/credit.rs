//! The ends of link-by-link credit on a hop.

use hopflow_control::credit::{Receiver, Sender, Start};
use hopflow_network::{CreditSpec, HopControl, HopSpec, NetworkSpec};

/// The sending end of a hop, if VCs share pools in these numbers ([`NetworkSpec::pool_sizes`]).
pub(crate) fn sender(spec: &NetworkSpec, hop: &HopSpec, sizes: &[u32]) -> Sender {
    let HopControl::Credit(of) = hop.control else { return Sender::Free };
    let credit = spec.first_credit(hop, sizes).unwrap_or_default();
    Sender::new(of.scheme, Start { credit, n1: of.n1, round_trip: spec.round_trip(hop.link) })
}

/// The receiving end of a hop.
pub(crate) fn receiver(of: &CreditSpec) -> Receiver {
    Receiver::new(of.scheme.facts().grant, of.initial_credit(), of.n2)
}
