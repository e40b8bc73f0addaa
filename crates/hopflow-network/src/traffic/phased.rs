//! One packet in every gap, starting at a random phase.
//!
//! ```text
//! t_n = start + U + n g,  U uniform on the whole picoseconds of [0, g)           (1)
//! ```
//! | symbol | meaning                       | unit |
//! |--------|-------------------------------|------|
//! | g      | from one packet to the next   | ps   |
//!
//! N such sources on one link are the queue N D / D / 1. Differs: nothing. Not modelled: drift.
//! Checked by: `traffic/tests/packets.rs`.

use hopflow_kernel::RandomStream;
use hopflow_units::{Picos, SimTime};

/// The instants of Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct Phased {
    next: SimTime,
    gap: Picos,
}

impl Phased {
    /// The plan before packet 0. The gap is not zero (asserted).
    pub(super) fn new(start: SimTime, gap: Picos, mut stream: RandomStream) -> Phased {
        assert!(gap > Picos::ZERO, "packets come one after the other");
        let phase = (u128::from(stream.next_u64()) * u128::from(gap.0)) >> 64;
        Phased { next: start.saturating_add(Picos(phase as u64)), gap }
    }

    /// When the next packet is due; `NEVER` on overflow.
    pub(super) fn next_packet(&mut self) -> SimTime {
        let due = self.next;
        self.next = due.saturating_add(self.gap);
        due
    }
}
