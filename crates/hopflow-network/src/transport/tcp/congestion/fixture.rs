//! What congestion controls learn, for their tests.

use hopflow_units::{Picos, SimTime};

use super::{Acked, Loss};
use crate::transport::tcp::sequence::Seq;

/// An ack of `bytes` up to `ack`, with `flight` bytes still outstanding.
pub(super) fn acked(bytes: u32, ack: u32, flight: u32) -> Acked {
    Acked {
        bytes,
        ack: Seq(ack),
        flight,
        duplicates: 0,
        limited: true,
        marked: false,
        now: SimTime::ZERO,
        srtt: Picos::ZERO,
        rtt: None,
    }
}

/// An ack up to `ack` for a segment of 1,000 bytes, with everything up to `max` outstanding.
pub(super) fn segment(ack: u32, max: u32, marked: bool) -> Acked {
    Acked { marked, ..acked(1_000, ack, max.wrapping_sub(ack)) }
}

/// The `duplicates`-th duplicate, or with 0 a time-out, with `una` to `max` outstanding.
pub(super) fn loss(duplicates: u32, una: u32, max: u32) -> Loss {
    Loss {
        duplicates,
        una: Seq(una),
        max: Seq(max),
        window: 0,
        lost: false,
        again: false,
        now: SimTime::ZERO,
    }
}
