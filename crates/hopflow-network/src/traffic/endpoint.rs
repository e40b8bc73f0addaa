//! The endpoint of a connection (`transport/`) makes the packets: there are no instants that are
//! known before.

use super::SourceSpec;
use super::facts::{Arrivals, Facts, Faster, MadeBy, NotFaster};

/// No instants: there is no plan.
pub(super) enum Endpoint {}

impl Endpoint {
    /// Scenarios have the kinds of connections instead.
    pub(super) const FACTS: Facts =
        Facts { is_kind: false, made_by: MadeBy::Endpoint, ..Facts::new("endpoint") };

    pub(super) const fn arrivals() -> Arrivals<'static> {
        Arrivals::Unlimited("a transport protocol sends what its window allows")
    }

    pub(super) const fn faster(_by: Faster) -> Result<SourceSpec, NotFaster> {
        Err(NotFaster::NoLaw)
    }
}
