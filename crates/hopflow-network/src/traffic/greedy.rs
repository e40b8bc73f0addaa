//! Greedy: always one more packet. The engine makes it as it starts on the first link, so it has
//! no instants of its own, never waits at its host, and nothing of it is policed.
//!
//! Differs: nothing. Not modelled: a host that takes time to make packets. Checked by:
//! `traffic/tests.rs`.

use super::SourceSpec;
use super::facts::{Arrivals, Facts, Faster, MadeBy, NotFaster};

/// No instants: there is no plan.
pub(super) enum Greedy {}

impl Greedy {
    pub(super) const FACTS: Facts = Facts { made_by: MadeBy::Engine, ..Facts::new("greedy") };

    pub(super) const fn arrivals() -> Arrivals<'static> {
        Arrivals::Unlimited("a greedy source sends as much as it can")
    }

    pub(super) const fn faster(_by: Faster) -> Result<SourceSpec, NotFaster> {
        Err(NotFaster::NoLaw)
    }
}
