//! Size: the headroom that PFC needs above its XOFF threshold, of a link that is told or simulated.
//!
//! The formula is that of `hopflow-control/src/pause/headroom.rs`.
//! Checked by: `size/pause/tests.rs`, `docs/models/pfc.md`.

use hopflow_control::pause::{self, HeadroomError};
use hopflow_network::{DirectionId, NetworkSpec, PausedLanes};

pub use hopflow_control::pause::{Headroom, PausedLink};

use super::SizeError;

/// The headroom of a priority on a link.
pub fn headroom(link: &PausedLink) -> Result<Headroom, SizeError> {
    let PausedLink { rate, delay, interface, response, .. } = *link;
    pause::headroom(link).map_err(|error| match error {
        HeadroomError::NoFrame => SizeError::NoFrame,
        HeadroomError::TooLate => SizeError::PauseTooLate { delay, interface, response },
        HeadroomError::TooLarge { span } => SizeError::HeadroomTooLarge { span, rate },
    })
}

/// A lane of a simulated link direction ([`PausedLanes::link`]).
pub fn paused_link(network: &NetworkSpec, id: DirectionId, lane: u8) -> PausedLink {
    PausedLanes::new(network).link(id, lane)
}

#[cfg(test)]
mod tests;
