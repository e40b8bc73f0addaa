//! Size: the headroom that PFC needs above its XOFF threshold, of a given or a simulated link.
//!
//! The formula is that of `hopflow-control/src/lane/pause/headroom.rs`.
//! Checked by: `size/pause/tests.rs`, `docs/models/pfc.md`.

use hopflow_control::lane::{self, HeadroomError};

pub use hopflow_control::lane::{Headroom, PausedLink};

use hopflow_units::Bytes;

use super::SizeError;

/// The XOFF of `xoff = "auto"` in a scenario, with its formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutoXoff {
    /// The threshold; `None`: the share is too small for a packet.
    pub bytes: Option<Bytes>,
    /// The formula with its numbers.
    pub formula: String,
}

impl AutoXoff {
    pub(super) fn of_share(share: Bytes, beyond: Bytes, xoff: Bytes) -> AutoXoff {
        let formula = format!(
            "XOFF (auto) = share - (frame + headroom) = {} - {} = {} bytes",
            share.0, beyond.0, xoff.0
        );
        AutoXoff { bytes: Some(xoff), formula }
    }

    pub(super) fn without_limit(beyond: Bytes, xoff: Bytes) -> AutoXoff {
        let formula = format!(
            "XOFF (auto) = 2 x (frame + headroom), as no memory is given, = 2 x {} = {} bytes",
            beyond.0, xoff.0
        );
        AutoXoff { bytes: Some(xoff), formula }
    }
}

/// The XOFF of a given link: `memory` is shared equally by `inputs` inputs, `None` is unlimited.
/// The share must have space for a frame of XOFF and for the headroom, else there is no threshold.
pub fn auto_xoff(
    link: &PausedLink,
    needed: &Headroom,
    memory: Option<Bytes>,
    inputs: u32,
) -> Result<AutoXoff, SizeError> {
    let (beyond, frame) = (needed.beyond_xoff, link.frame);
    let too_large = SizeError::ThresholdTooLarge { rate: link.rate };
    let Some(memory) = memory else {
        let xoff = beyond.0.checked_mul(2).map(Bytes).ok_or(too_large)?;
        return Ok(AutoXoff::without_limit(beyond, xoff));
    };
    let share = Bytes(memory.0.checked_div(u64::from(inputs)).ok_or(SizeError::NoInput)?);
    let least = beyond.0.checked_add(frame.0).ok_or(too_large)?;
    if share.0 >= least {
        return Ok(AutoXoff::of_share(share, beyond, Bytes(share.0 - beyond.0)));
    }
    let formula = format!(
        "XOFF (auto) = share - (frame + headroom): none, a share of {} bytes is below the {least} \
         bytes of a frame and what is beyond XOFF",
        share.0
    );
    Ok(AutoXoff { bytes: None, formula })
}

/// The headroom of a priority on a link.
pub fn headroom(link: &PausedLink) -> Result<Headroom, SizeError> {
    let PausedLink { rate, delay, interface, response, .. } = *link;
    lane::headroom(link).map_err(|error| match error {
        HeadroomError::NoFrame => SizeError::NoFrame,
        HeadroomError::TooLate => SizeError::PauseTooLate { delay, interface, response },
        HeadroomError::TooLarge { span } => SizeError::HeadroomTooLarge { span, rate },
    })
}

#[cfg(test)]
mod tests;
