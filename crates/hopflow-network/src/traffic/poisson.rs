//! Poisson arrivals.
//!
//! ```text
//! t_(n+1) = t_n + X_n,  X_n exponential, rounded up;  t_(-1) = start             (1)
//! ```
//! Mean rate: 1 / (E(X) + 1/2 ps). Differs: nothing. Not modelled: rates that change. Checked by:
//! `traffic/tests/packets.rs`.

use hopflow_kernel::RandomStream;
use hopflow_units::{Picos, SimTime};

use super::SourceSpec;
use super::facts::{Arrivals, Facts, Faster, NotFaster};
use super::machine::{FirstLink, Machine, Start};

/// The instants of Eq. (1).
#[derive(Clone, Debug)]
pub(super) struct Poisson {
    last: SimTime,
    gap: Picos,
    stream: RandomStream,
}

impl Poisson {
    pub(super) const FACTS: Facts = Facts::new("poisson");

    pub(super) const fn arrivals(gap: Picos) -> Arrivals<'static> {
        let least = Err("Poisson arrivals may come as close as they like");
        Arrivals::Gaps { mean_ps: gap.0 as f64, least, is_stationary: true }
    }

    #[expect(clippy::unnecessary_wraps, reason = "every kind is asked alike")]
    pub(super) fn faster(by: Faster, gap: Picos) -> Result<SourceSpec, NotFaster> {
        Ok(SourceSpec::Poisson { gap: by.shortened(gap) })
    }

    /// The plan before packet 0, with this mean gap.
    pub(super) fn new(start: &Start<'_>, gap: Picos) -> Poisson {
        Poisson { last: start.at, gap, stream: start.stream() }
    }
}

impl Machine for Poisson {
    #[inline]
    fn next_packet(&mut self, _bytes: u32, _first: &mut FirstLink) -> SimTime {
        let gap = self.stream.exponential(self.gap.0 as f64).ceil();
        self.last = self.last.saturating_add(Picos(gap as u64));
        self.last
    }
}
