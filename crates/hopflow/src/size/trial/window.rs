//! Trial of a window: one link as long as the path, and an end-to-end window of packets.
//!
//! ```text
//! delays = rtt - T(ACK)          so that R = rtt + T(packet), as in `windows.rs`          (1)
//! ```

use hopflow_units::{Bytes, Picos, Rate};

use super::super::WindowSize;
use super::{TrialError, both_ways, one_link};

/// A path with a window.
#[derive(Clone, Debug)]
pub(super) struct WindowTrial {
    rate: Rate,
    rtt: Picos,
    packet: Bytes,
    /// U of the window of the law.
    every: u64,
}

impl WindowTrial {
    pub(super) fn new(rate: Rate, rtt: Picos, window: &WindowSize) -> WindowTrial {
        let every = window.update.every(window.needed);
        WindowTrial { rate, rtt, packet: window.packet, every }
    }

    pub(super) fn text(&self, span: Picos, window: u64) -> Result<String, TrialError> {
        let WindowTrial { rate, rtt, packet, every } = self;
        let ack = rate.transmit_time(Bytes::CELL).unwrap_or(Picos::MAX);
        let delays = rtt.0.checked_sub(ack.0).map(Picos).ok_or_else(|| {
            TrialError::TooShort(format!(
                "a round trip of {rtt} is shorter than the {ack} of an update of 53 B at {rate}: \
                 no run has this path; give a longer --rtt"
            ))
        })?;
        let link = format!("rate = \"{} b/s\"\n{}", rate.bps(), both_ways(delays));
        let flow = format!(
            "packet = \"{} B\"\ncontrol = {{ kind = \"window\", packets = {window}, ack-every = \
             {every} }}",
            packet.0
        );
        Ok(one_link(span, &link, &flow))
    }
}
