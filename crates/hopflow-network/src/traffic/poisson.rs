//! Poisson arrivals.
//!
//! ```text
//! t_(n+1) = t_n + X_n,  X_n exponential, rounded up;  t_(-1) = start             (1)
//! ```
//! Mean rate: 1 / (E(X) + 1/2 ps). Differs: nothing. Not modelled: rates that change. Checked by:
//! `traffic/tests/packets.rs`.

use hopflow_kernel::RandomStream;
use hopflow_units::{Picos, SimTime};

/// The instants of Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct Poisson {
    last: SimTime,
    gap: Picos,
    stream: RandomStream,
}

impl Poisson {
    /// The plan before packet 0, with this mean gap.
    pub(super) fn new(start: SimTime, gap: Picos, stream: RandomStream) -> Poisson {
        Poisson { last: start, gap, stream }
    }

    /// When the next packet is due; `NEVER` on overflow.
    pub(super) fn next_packet(&mut self) -> SimTime {
        let gap = self.stream.exponential(self.gap.0 as f64).ceil();
        self.last = self.last.saturating_add(Picos(gap as u64));
        self.last
    }
}
