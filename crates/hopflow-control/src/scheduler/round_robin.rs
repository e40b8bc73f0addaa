//! Plain round robin inside eight strict priorities. The port's own lists implement it, so this
//! file has no machine, only the facts that others need.

use super::Guarantee;
use super::facts::{Facts, InOrder};

/// The port's own lists.
pub(super) struct RoundRobin;

impl RoundRobin {
    pub(super) const FACTS: Facts = Facts {
        heeds_class: true,
        finds_victims: false,
        protects: false,
        in_order: InOrder::OneFlow,
        also: &["rr"],
        ..Facts::new("round-robin", "round robin")
    };

    pub(super) const fn guarantee() -> Guarantee {
        Guarantee::RoundRobin
    }
}
